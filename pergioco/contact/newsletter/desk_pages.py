"""The newsletter at the desk: write, look, test, let go, stop."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pergioco.contact.newsletter import blocks, bounces, writing
from pergioco.contact.newsletter.copying import copy_of
from pergioco.contact.newsletter.forms import BounceForm, CampaignForm, new_submission
from pergioco.contact.newsletter.models import Bounce, Campaign, Delivery
from pergioco.contact.newsletter.writing import LANGUAGES
from pergioco.contact.reaching import by_language
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Outdated, Refused

PER_PAGE = 50
LAST_BOUNCES = 20
SECONDS_BETWEEN_LOOKS = 5
State = Campaign.State


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def listed(request: HttpRequest) -> HttpResponse:
    """The form of this page begins a new one."""
    user = cast("User", request.user)
    if request.method == "POST":
        made = writing.begin(by=user, submission=new_submission(request.POST.get("submission", "")))
        return redirect("desk-newsletter", made.pk)
    sent = Count("deliveries", filter=Q(deliveries__state=Delivery.State.SENT))
    rows = Campaign.objects.annotate(sent=sent).order_by("-pk")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    values = {"page": page, "submission": new_submission(), **counted()}
    return render(request, "newsletter/desk_list.html", values)


def counted() -> dict[str, Any]:
    consents = by_language()
    return {
        "consents": [(name, consents[code]) for code, name in settings.LANGUAGES],
        "consents_in_all": sum(consents.values()),
    }


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, number: int) -> HttpResponse:
    campaign = get_object_or_404(Campaign, pk=number)
    if request.method == "POST":
        return write(request, campaign)
    return page(request, campaign, CampaignForm(campaign=campaign, tab=request.GET.get("tab", "")))


def write(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Each button saves first; what it does beside that comes after."""
    form = CampaignForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return page(request, campaign, form)
    try:
        saved = save(request, campaign, form)
        said = AFTERWARDS.get(request.POST.get("then", ""), just_saved)(request, saved, form)
    except Refused as refusal:
        form.add_error(refusal.field or None, str(refusal.sentence))
        return page(request, campaign, form, is_outdated=isinstance(refusal, Outdated))
    messages.success(request, said)
    return redirect(f"{request.path}?tab={form.open_tab}")


def save(request: HttpRequest, campaign: Campaign, form: CampaignForm) -> Campaign:
    texts = form.texts
    if request.POST.get("then") == "insert":
        name = f"text_{form.open_tab}"
        line = blocks.line_for(form.cleaned_data["block"], form.cleaned_data["rows"])
        texts[name] = f"{texts[name].rstrip()}\n\n{line}\n".lstrip()
    version = form.cleaned_data["version"]
    return writing.save(campaign, texts, version=version, by=cast("User", request.user))


def just_saved(request: HttpRequest, campaign: Campaign, form: CampaignForm) -> str:
    return _("Saved.")


def inserted(request: HttpRequest, campaign: Campaign, form: CampaignForm) -> str:
    return _("The block stands at the end of the text: move its line to where you want it.")


def tested(request: HttpRequest, campaign: Campaign, form: CampaignForm) -> str:
    user = cast("User", request.user)
    writing.test_to(user, campaign, form.open_tab)
    return _("A test is on its way to %(address)s.") % {"address": user.email}


def held(request: HttpRequest, campaign: Campaign, form: CampaignForm) -> str:
    writing.hold(campaign, version=campaign.version, by=cast("User", request.user))
    return _("It leaves in half an hour. Until then you can stop it.")


AFTERWARDS: dict[str, Callable[[HttpRequest, Campaign, CampaignForm], str]] = {
    "insert": inserted,
    "test": tested,
    "hold": held,
}


def page(request: HttpRequest, campaign: Campaign, form: CampaignForm, *, is_outdated: bool = False) -> HttpResponse:
    now = Campaign.objects.select_related("released_by", "publication__season").get(pk=campaign.pk)
    if is_outdated:
        form.data = {**request.POST.dict(), "version": str(now.version)}
    states = dict(now.deliveries.order_by().values_list("state").annotate(Count("pk")))
    values = {
        "campaign": now,
        "form": form,
        "outdated": is_outdated,
        "theirs": copies(now) if is_outdated or now.state != State.DRAFT else [],
        "preview": copy_of(now, form.open_tab) if now.state == State.DRAFT else None,
        "deliveries": [(label, states.get(state, 0)) for state, label in Delivery.State.choices],
        "done": sum(states.values()) - states.get(Delivery.State.WAITING, 0),
        "in_all": sum(states.values()),
        **counted(),
    }
    status = HTTPStatus.CONFLICT if is_outdated else HTTPStatus.OK
    answer = render(request, "newsletter/desk_one.html", values, status=status)
    if now.state == State.SENDING:
        answer.headers["Refresh"] = str(SECONDS_BETWEEN_LOOKS)
    return answer


def copies(campaign: Campaign) -> list[tuple[str, Any, Any]]:
    names = dict(settings.LANGUAGES)
    return [(code, names[code], copy_of(campaign, code)) for code in LANGUAGES]


@allow(Role.STAFF)
@require_POST
def stop(request: HttpRequest, number: int) -> HttpResponse:
    return act(request, number, writing.stop, _("Stopped. Nothing more leaves."))


@allow(Role.STAFF)
@require_POST
def reopen(request: HttpRequest, number: int) -> HttpResponse:
    return act(request, number, writing.reopen, _("Done."))


def act(request: HttpRequest, number: int, use_case: Callable[..., Campaign], done: str) -> HttpResponse:
    """A button that came too late says so, on the page as it is now."""
    campaign = get_object_or_404(Campaign, pk=number)
    try:
        use_case(campaign, by=cast("User", request.user))
    except Refused as refusal:
        messages.error(request, str(refusal.sentence))
    else:
        messages.success(request, done)
    return redirect("desk-newsletter", number)


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def came_back(request: HttpRequest) -> HttpResponse:
    form = BounceForm(request.POST or None)
    if form.is_valid():
        try:
            count = bounces.note_by_hand(**form.cleaned_data, by=cast("User", request.user))
        except Refused as refusal:
            form.add_error(refusal.field or None, str(refusal.sentence))
        else:
            messages.success(request, _("Noted: %(count)s.") % {"count": count})
            return redirect("desk-bounces")
    latest = Bounce.objects.select_related("player__person", "player__registration")[:LAST_BOUNCES]
    return render(request, "newsletter/desk_bounces.html", {"form": form, "latest": latest, "most": Bounce.MOST_HARD})
