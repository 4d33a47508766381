"""What was sent, for everybody to read: nothing on these pages says who got it."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from pergioco.contact.newsletter.copying import copy_of
from pergioco.contact.newsletter.models import Campaign
from pergioco.players.policy import everyone

PER_PAGE = 30
PUBLIC = (Campaign.State.SENDING, Campaign.State.SENT)


def language_of_the_page() -> str:
    return (get_language() or "it")[:2]


@everyone
@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    rows = Campaign.objects.filter(state__in=PUBLIC).order_by("-begun_at", "-pk")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    subject = f"subject_{language_of_the_page()}"
    listed = [(campaign, getattr(campaign, subject)) for campaign in page.object_list]
    return render(request, "newsletter/archive.html", {"page": page, "listed": listed})


@everyone
@require_safe
def one(request: HttpRequest, number: int) -> HttpResponse:
    campaign = get_object_or_404(Campaign.objects.select_related("publication__season"), pk=number)
    if not campaign.is_public:
        raise Http404
    values = {"campaign": campaign, "copy": copy_of(campaign, language_of_the_page())}
    return render(request, "newsletter/copy.html", values)
