"""All my data in one file."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from pergioco.account.accounts import person_signed_in
from pergioco.players.exporting import export
from pergioco.players.policy import Role, allow, asks_again


@allow(Role.PLAYER)
@asks_again
@require_http_methods(["GET", "HEAD", "POST"])
def mine(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "me/export.html")
    name = f"pergioco-masters-{timezone.localdate():%Y-%m-%d}.zip"
    response = HttpResponse(export(person_signed_in(request)), content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
