"""Writes, releases and stops a newsletter; concurrent changes are refused."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core import audit
from pergioco.core.addresses import absolute_url
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.office.models import Campaign
from pergioco.office.newsletter import rendering
from pergioco.office.newsletter.rendering import render_copy
from pergioco.publishing.decisions import GRACE

State = Campaign.State
LANGUAGES = [code for code, _name in settings.LANGUAGES]
FIELDS = [f"{part}_{code}" for code in LANGUAGES for part in ("subject", "text")]
HOLD: timedelta = GRACE


@transaction.atomic
def begin_newsletter(*, by: User, submission: UUID) -> Campaign:
    # The same form sent twice makes one newsletter.
    campaign, is_new = Campaign.objects.get_or_create(
        submission=submission, defaults={"made_by": by}
    )
    if is_new:
        audit.record("newsletter.begun", campaign, by=by)
    return campaign


def lock_draft(campaign: Campaign, version: int) -> Campaign:
    """The locked row, if it is still the draft that the sender saw."""
    row = lock_row(campaign)
    if row.state != State.DRAFT or row.version != version:
        raise Outdated(
            _("Somebody else changed this newsletter meanwhile. What you typed is still here.")
        )
    return row


@transaction.atomic
def save_draft(
    campaign: Campaign, values: Mapping[str, str], *, version: int, by: User
) -> Campaign:
    row = lock_draft(campaign, version)
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
    # They would begin another header of the mail.
    if len(subject.splitlines()) > 1 or any(sign in subject for sign in "\r\n\0"):
        raise Refused(_("A subject is one line: take the line break out."), field)


@transaction.atomic
def hold_newsletter(campaign: Campaign, *, version: int, by: User) -> Campaign:
    # Half an hour to think again; then it leaves.
    row = lock_draft(campaign, version)
    refuse_unfinished(row)
    return release_newsletter(row, "newsletter.held", by=by)


def release_newsletter(row: Campaign, action: str, *, by: User) -> Campaign:
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
        unknown = rendering.find_unknown_blocks(getattr(campaign, f"text_{code}"))
        if unknown:
            sentence = _(
                "%(line)s stands for nothing: insert a block with the button, or take the brackets "
                "away."
            )
            raise Refused(sentence % {"line": unknown[0]}, f"text_{code}")


@transaction.atomic
def stop_newsletter(campaign: Campaign, *, by: User) -> Campaign:
    # Mail that is not on its way yet does not leave.
    row = lock_row(campaign)
    if row.state not in {State.HELD, State.SENDING}:
        raise Outdated(_("There is nothing to stop: this newsletter is not about to leave."))
    return move_newsletter(row, State.STOPPED, "newsletter.stopped", by=by)


@transaction.atomic
def reopen_newsletter(campaign: Campaign, *, by: User) -> Campaign:
    # One stopped in time is a draft again. One that has readers goes on unchanged, or not at all.
    row = lock_row(campaign)
    if row.state != State.STOPPED:
        raise Outdated(_("This newsletter is not stopped any more: look at it as it is now."))
    if row.has_begun:
        return release_newsletter(row, "newsletter.resumed", by=by)
    return move_newsletter(row, State.DRAFT, "newsletter.reopened", by=by)


def move_newsletter(row: Campaign, state: Campaign.State, action: str, *, by: User) -> Campaign:
    before, row.state, row.version = row.state, state, row.version + 1
    row.save(update_fields=["state", "version"])
    audit.record(action, row, by=by, changes={"state": [before, state]})
    return row


def send_test(user: User, campaign: Campaign, language: str) -> None:
    # Its links lead to pages of the same user.
    copy = render_copy(campaign, language)
    links = {
        "page": absolute_url(reverse("desk-newsletter", args=[campaign.pk])),
        "unsubscribe": absolute_url(reverse("my-consents")),
    }
    mail = EmailMultiAlternatives(
        f"[{_('Test')}] {copy.subject}",
        rendering.render_plain_mail(copy, language, **links),
        None,
        [user.email],
    )
    mail.attach_alternative(rendering.render_html_mail(copy, language, **links), "text/html")
    mail.send()
