"""What the portal is, which data it keeps, who can use it, and how it looks."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pergioco.players.policy import everyone
from pergioco.website import keeping, samples


@everyone
@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "website/about.html")


@everyone
@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "website/privacy.html", {"rows": keeping.ROWS})


@everyone
@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    return render(request, "website/accessibility.html")


@everyone
@require_safe
def style(request: HttpRequest) -> HttpResponse:
    return render(request, "website/style.html", samples.page_values())
