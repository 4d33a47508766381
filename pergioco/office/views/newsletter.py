"""Newsletters at the desk, the public archive, and the unsubscribe page."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from pergioco.core.pages import page_or_form, paginate, render_forms
from pergioco.core.policy import Role, UserRequest, allow, everyone
from pergioco.core.refusal import Refused
from pergioco.office.forms import BounceForm, CampaignForm, new_submission
from pergioco.office.models import Bounce, Campaign, Delivery, Subscription
from pergioco.office.newsletter import drafts, recipients, rendering
from pergioco.office.newsletter.drafts import LANGUAGES
from pergioco.office.newsletter.recipients import count_subscribers_by_language
from pergioco.office.newsletter.rendering import render_copy

LAST_BOUNCES = 20
SECONDS_BETWEEN_LOOKS = 5
State = Campaign.State


@allow(Role.STAFF)
@page_or_form
def list_newsletters(request: UserRequest) -> HttpResponse:
    # A POST begins a new newsletter.
    user = request.user
    if request.method == "POST":
        made = drafts.begin_newsletter(
            by=user, submission=new_submission(request.POST.get("submission", ""))
        )
        return redirect("desk-newsletter", made.pk)
    sent = Count("deliveries", filter=Q(deliveries__state=Delivery.State.SENT))
    rows = Campaign.objects.annotate(sent=sent).order_by("-pk")
    page = paginate(request, rows)
    values = {"page": page, "submission": new_submission(), **consent_counts()}
    return render(request, "office/newsletter/desk_list.html", values)


def consent_counts() -> dict[str, Any]:
    consents = count_subscribers_by_language()
    return {
        "consents": [(name, consents[code]) for code, name in settings.LANGUAGES],
        "consents_in_all": sum(consents.values()),
    }


@allow(Role.STAFF)
@page_or_form
def desk_newsletter(request: UserRequest, number: int) -> HttpResponse:
    campaign = get_object_or_404(Campaign, pk=number)
    if request.method == "POST":
        return submit_newsletter(request, campaign)
    return render_newsletter(
        request, campaign, CampaignForm(campaign=campaign, tab=request.GET.get("tab", ""))
    )


def submit_newsletter(request: UserRequest, campaign: Campaign) -> HttpResponse:
    # Each button saves first.
    form = CampaignForm(request.POST, campaign=campaign)
    if not form.carries_out(lambda **typed: save_and_continue(request, campaign, form)):
        return render_newsletter(request, campaign, form)
    messages.success(request, form.result)
    return redirect(f"{request.path}?tab={form.open_tab}")


def save_and_continue(request: UserRequest, campaign: Campaign, form: CampaignForm) -> str:
    """Returns what was done, in words."""
    saved = save_newsletter(request, campaign, form)
    return AFTERWARDS.get(request.POST.get("then", ""), saved_message)(request, saved, form)


def save_newsletter(request: UserRequest, campaign: Campaign, form: CampaignForm) -> Campaign:
    texts = form.texts
    if request.POST.get("then") == "insert":
        name = f"text_{form.open_tab}"
        line = rendering.block_line(form.cleaned_data["block"], form.cleaned_data["rows"])
        texts[name] = f"{texts[name].rstrip()}\n\n{line}\n".lstrip()
    version = form.cleaned_data["version"]
    return drafts.save_draft(campaign, texts, version=version, by=request.user)


def saved_message(request: UserRequest, campaign: Campaign, form: CampaignForm) -> str:
    return _("Saved.")


def inserted_message(request: UserRequest, campaign: Campaign, form: CampaignForm) -> str:
    return _("The block stands at the end of the text: move its line to where you want it.")


def send_test_after_saving(request: UserRequest, campaign: Campaign, form: CampaignForm) -> str:
    user = request.user
    drafts.send_test(user, campaign, form.open_tab)
    return _("A test is on its way to %(address)s.") % {"address": user.email}


def hold_after_saving(request: UserRequest, campaign: Campaign, form: CampaignForm) -> str:
    drafts.hold_newsletter(campaign, version=campaign.version, by=request.user)
    return _("It leaves in half an hour. Until then you can stop it.")


AFTERWARDS: dict[str, Callable[[UserRequest, Campaign, CampaignForm], str]] = {
    "insert": inserted_message,
    "test": send_test_after_saving,
    "hold": hold_after_saving,
}


def render_newsletter(request: HttpRequest, campaign: Campaign, form: CampaignForm) -> HttpResponse:
    now = Campaign.objects.select_related("released_by", "publication__season").get(pk=campaign.pk)
    if form.is_outdated:
        form.data = {**request.POST.dict(), "version": str(now.version)}
    states = dict(now.deliveries.order_by().values_list("state").annotate(Count("pk")))
    values = {
        "campaign": now,
        "form": form,
        "theirs": list_copies(now) if form.is_outdated or now.state != State.DRAFT else [],
        "preview": render_copy(now, form.open_tab) if now.state == State.DRAFT else None,
        "deliveries": [(label, states.get(state, 0)) for state, label in Delivery.State.choices],
        "done": sum(states.values()) - states.get(Delivery.State.WAITING, 0),
        "in_all": sum(states.values()),
        **consent_counts(),
    }
    answer = render_forms(request, "office/newsletter/desk_one.html", values, form)
    if now.state == State.SENDING:
        answer.headers["Refresh"] = str(SECONDS_BETWEEN_LOOKS)
    return answer


def list_copies(campaign: Campaign) -> list[tuple[str, Any, Any]]:
    names = dict(settings.LANGUAGES)
    return [(code, names[code], render_copy(campaign, code)) for code in LANGUAGES]


@allow(Role.STAFF)
@require_POST
def stop_newsletter(request: UserRequest, number: int) -> HttpResponse:
    return act_on_newsletter(
        request, number, drafts.stop_newsletter, _("Stopped. Nothing more leaves.")
    )


@allow(Role.STAFF)
@require_POST
def reopen_newsletter(request: UserRequest, number: int) -> HttpResponse:
    return act_on_newsletter(request, number, drafts.reopen_newsletter, _("Done."))


def act_on_newsletter(
    request: UserRequest, number: int, use_case: Callable[..., Campaign], done: str
) -> HttpResponse:
    # A button pressed too late says so, on the current page.
    campaign = get_object_or_404(Campaign, pk=number)
    try:
        use_case(campaign, by=request.user)
    except Refused as refusal:
        messages.error(request, str(refusal.sentence))
    else:
        messages.success(request, done)
    return redirect("desk-newsletter", number)


@allow(Role.STAFF)
@page_or_form
def record_bounces(request: UserRequest) -> HttpResponse:
    form = BounceForm(request.POST or None)
    if form.carries_out(recipients.note_bounces_by_hand, by=request.user):
        messages.success(request, _("Noted: %(count)s.") % {"count": form.result})
        return redirect("desk-bounces")
    latest = Bounce.objects.select_related("player__person", "player__registration")[:LAST_BOUNCES]
    return render(
        request,
        "office/newsletter/desk_bounces.html",
        {"form": form, "latest": latest, "most": Bounce.MOST_HARD},
    )


ARCHIVE_PER_PAGE = 30
PUBLIC = (Campaign.State.SENDING, Campaign.State.SENT)


def language_of_the_page() -> str:
    return (get_language() or "it")[:2]


@everyone
@require_safe
def list_sent_newsletters(request: HttpRequest) -> HttpResponse:
    rows = Campaign.objects.filter(state__in=PUBLIC).order_by("-begun_at", "-pk")
    page = paginate(request, rows, ARCHIVE_PER_PAGE)
    subject = f"subject_{language_of_the_page()}"
    listed = [(campaign, getattr(campaign, subject)) for campaign in page.object_list]
    return render(request, "office/newsletter/archive.html", {"page": page, "listed": listed})


@everyone
@require_safe
def show_newsletter(request: HttpRequest, number: int) -> HttpResponse:
    campaign = get_object_or_404(Campaign.objects.select_related("publication__season"), pk=number)
    if not campaign.is_public:
        raise Http404
    values = {"campaign": campaign, "copy": render_copy(campaign, language_of_the_page())}
    return render(request, "office/newsletter/copy.html", values)


WORDS = {recipients.NEWSLETTER: gettext_lazy("The newsletter")} | dict(Subscription.Kind.choices)


@everyone
@never_cache
@csrf_exempt  # mail programs post without our form (RFC 8058); the address is signed
@page_or_form
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    link = recipients.read_unsubscribe_link(token)
    if link is None:
        raise Http404
    if request.method == "POST":
        recipients.end_subscriptions(link)
    values = {
        "about": [WORDS[purpose] for purpose in link.purposes],
        "is_done": request.method == "POST",
    }
    return render(request, "office/newsletter/unsubscribe.html", values)
