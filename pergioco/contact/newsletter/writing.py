"""Writing a newsletter, letting it go, stopping it. Whoever writes while somebody else does hears of it."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.contact.newsletter import blocks, letter
from pergioco.contact.newsletter.copying import copy_of
from pergioco.contact.newsletter.models import Campaign
from pergioco.ledger.decisions import GRACE
from pergioco.players import audit
from pergioco.players.letters import home
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused

State = Campaign.State
LANGUAGES = [code for code, _name in settings.LANGUAGES]
FIELDS = [f"{part}_{code}" for code in LANGUAGES for part in ("subject", "text")]
HOLD: timedelta = GRACE


@transaction.atomic
def begin(*, by: User, submission: UUID) -> Campaign:
    """Sent twice, the form makes one."""
    campaign, is_new = Campaign.objects.get_or_create(submission=submission, defaults={"made_by": by})
    if is_new:
        audit.record("newsletter.begun", campaign, by=by)
    return campaign


def locked(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_for_update(of=("self",)).get(pk=campaign.pk)


def as_seen(campaign: Campaign, version: int) -> Campaign:
    """The row as it is now, if it is still the draft that the sender was looking at."""
    row = locked(campaign)
    if row.state != State.DRAFT or row.version != version:
        raise Outdated(_("Somebody else changed this newsletter meanwhile. What you typed is still here."))
    return row


@transaction.atomic
def save(campaign: Campaign, values: Mapping[str, str], *, version: int, by: User) -> Campaign:
    row = as_seen(campaign, version)
    for code in LANGUAGES:
        refuse_line_breaks(values[f"subject_{code}"], f"subject_{code}")
    changed = [name for name in FIELDS if getattr(row, name) != values[name]]
    if not changed:
        return row
    for name in changed:
        setattr(row, name, values[name])
    row.version += 1
    row.save(update_fields=[*changed, "version"])
    audit.record("newsletter.changed", row, by=by, changes={name: ["…", "…"] for name in changed})
    return row


def refuse_line_breaks(subject: str, field: str) -> None:
    """They would begin another header of the mail."""
    if len(subject.splitlines()) > 1 or any(sign in subject for sign in "\r\n\0"):
        raise Refused(_("A subject is one line: take the line break out."), field)


@transaction.atomic
def hold(campaign: Campaign, *, version: int, by: User) -> Campaign:
    """Half an hour to think again; then it leaves."""
    row = as_seen(campaign, version)
    refuse_unfinished(row)
    return let_go(row, "newsletter.held", by=by)


def let_go(row: Campaign, action: str, *, by: User) -> Campaign:
    before, row.state = row.state, State.HELD
    row.leaves_at, row.released_by = timezone.now() + HOLD, by
    row.version += 1
    row.save(update_fields=["state", "leaves_at", "released_by", "version"])
    audit.record(action, row, by=by, changes={"state": [before, row.state]})
    return row


def refuse_unfinished(campaign: Campaign) -> None:
    for code, name in settings.LANGUAGES:
        words = {"language": str(name)}
        for part, sentence in (
            ("subject", _("The subject in %(language)s is still empty.")),
            ("text", _("The text in %(language)s is still empty.")),
        ):
            if not getattr(campaign, f"{part}_{code}").strip():
                raise Refused(sentence % words, f"{part}_{code}")
        unknown = blocks.misunderstood(getattr(campaign, f"text_{code}"))
        if unknown:
            sentence = _("%(line)s stands for nothing: insert a block with the button, or take the brackets away.")
            raise Refused(sentence % {"line": unknown[0]}, f"text_{code}")


@transaction.atomic
def stop(campaign: Campaign, *, by: User) -> Campaign:
    """At once, whoever presses it: mail that is not on its way yet does not leave."""
    row = locked(campaign)
    if row.state not in {State.HELD, State.SENDING}:
        raise Outdated(_("There is nothing to stop: this newsletter is not about to leave."))
    return move(row, State.STOPPED, "newsletter.stopped", by=by)


@transaction.atomic
def reopen(campaign: Campaign, *, by: User) -> Campaign:
    """One that was stopped in time is a draft again. One that some people have read goes on as it is, or not at all."""
    row = locked(campaign)
    if row.state != State.STOPPED:
        raise Outdated(_("This newsletter is not stopped any more: look at it as it is now."))
    if row.has_begun:
        return let_go(row, "newsletter.resumed", by=by)
    return move(row, State.DRAFT, "newsletter.reopened", by=by)


def move(row: Campaign, state: Campaign.State, action: str, *, by: User) -> Campaign:
    before, row.state, row.version = row.state, state, row.version + 1
    row.save(update_fields=["state", "version"])
    audit.record(action, row, by=by, changes={"state": [before, state]})
    return row


def test_to(user: User, campaign: Campaign, language: str) -> None:
    """As it would arrive, to whoever asks. Its links lead to pages of the same person."""
    copy = copy_of(campaign, language)
    links = {
        "page": home() + reverse("desk-newsletter", args=[campaign.pk]),
        "unsubscribe": home() + reverse("my-consents"),
    }
    mail = EmailMultiAlternatives(
        f"[{_('Test')}] {copy.subject}", letter.plain(copy, language, **links), None, [user.email]
    )
    mail.attach_alternative(letter.formatted(copy, language, **links), "text/html")
    mail.send()
