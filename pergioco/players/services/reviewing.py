"""Decisions of staff about a registration. Each carries the version it was made on: of two at once,
one is refused."""

from collections.abc import Mapping
from typing import Any

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.core import audit, events
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Person, Registration
from pergioco.players.services import letters

State = Registration.State
# From which states each state may be reached. Before the address is confirmed there is nothing to
# decide.
REACHED_FROM: dict[str, frozenset[str]] = {
    State.VERIFIED: frozenset({State.NEW, State.NEEDS_CORRECTION}),
    State.NEEDS_CORRECTION: frozenset({State.NEW, State.NEEDS_CORRECTION, State.VERIFIED}),
    State.REFUSED: frozenset({State.NEW, State.NEEDS_CORRECTION, State.VERIFIED}),
    State.NEW: frozenset({State.NEEDS_CORRECTION, State.VERIFIED, State.REFUSED}),
}
ACTIONS = {
    State.VERIFIED: "registration.verified",
    State.NEEDS_CORRECTION: "registration.correction_asked",
    State.REFUSED: "registration.refused",
    State.NEW: "registration.reopened",
}
# What staff may ask to correct: fields of the person, `accounts` and `other`.
CORRECTABLE = (
    "first_name",
    "last_name",
    "birth_date",
    "city",
    "country",
    "phone",
    "accounts",
    "other",
)
CHANGED_MEANWHILE = gettext_lazy(
    "Somebody else changed this registration in the meantime. Nothing was saved: look at it again, "
    "and send this once more if it still holds."
)
OTHER_LABELS = {
    "accounts": gettext_lazy("accounts on platforms"),
    "other": gettext_lazy("anything else"),
}


def correction_label(name: str) -> str | Promise:
    # Lazy, because mail is written in the player's language.
    labels = {field.name: field.verbose_name for field in Person._meta.concrete_fields}
    return labels.get(name) or OTHER_LABELS[name]


def registrations_in_review() -> models.QuerySet[Registration]:
    # Without rows left behind by a merge or an erasure.
    return Registration.objects.filter(player__merged_into=None, player__erased_at=None).order_by(
        "created_at", "id"
    )


def registrations_never_reviewed() -> models.QuerySet[Registration]:
    return registrations_in_review().filter(state=State.NEW, reviewed_at=None)


def registrations_to_review_again() -> models.QuerySet[Registration]:
    """The player answered a correction, or changed verified data."""
    return registrations_in_review().filter(state=State.NEW, reviewed_at__isnull=False)


def possible_decisions(registration: Registration) -> list[str]:
    """The states that it can change to now."""
    return [state for state, sources in REACHED_FROM.items() if registration.state in sources]


@transaction.atomic
def verify_registration(registration: Registration, *, by: User, version: int) -> None:
    """Staff saw the identity document. Only the day is stored, never the document."""
    if not Person.objects.filter(player=registration.player_id).exists():
        raise Refused(
            _("No personal data are on file: there is nothing to compare with a document."),
            rule="reviewing.verify_registration",
        )
    decide_registration(registration, State.VERIFIED, by=by, version=version)


@transaction.atomic
def ask_for_correction(
    registration: Registration, messages: Mapping[str, str], *, by: User, version: int
) -> None:
    wanted = {name: messages[name] for name in CORRECTABLE if messages.get(name)}
    if not wanted:
        raise Refused(
            _("Say what to correct: write at least one message."),
            rule="reviewing.ask_for_correction",
        )
    decide_registration(
        registration, State.NEEDS_CORRECTION, by=by, version=version, messages=wanted
    )
    letters.send_letter(
        registration.player,
        "correction_asked",
        messages=[(correction_label(name), text) for name, text in wanted.items()],
    )


@transaction.atomic
def refuse_registration(registration: Registration, reason: str, *, by: User, version: int) -> None:
    decide_registration(registration, State.REFUSED, by=by, version=version, reason=reason)
    letters.send_letter(registration.player, "registration_refused", reason=reason)


@transaction.atomic
def reopen_registration(
    registration: Registration, *, by: User, version: int, reason: str = ""
) -> None:
    decide_registration(registration, State.NEW, by=by, version=version, reason=reason)


def decide_registration(  # noqa: PLR0913 - the decision, who took it, on what, and the words that go with it
    registration: Registration,
    state: str,
    *,
    by: User,
    version: int,
    messages: Mapping[str, str] | None = None,
    reason: str = "",
) -> None:
    # The person first, as in `editing`: the same lock order prevents a deadlock.
    Person.objects.select_for_update().filter(player=registration.player_id).first()
    before = Registration.objects.select_related("player").get(pk=registration.pk)
    guard_decision(before, state, version)
    looked_at = state != State.NEW
    write_decision(
        registration,
        version,
        state=state,
        messages=dict(messages or {}),
        reviewed_at=timezone.now() if looked_at else None,
        reviewed_by=by if looked_at else None,
    )
    changes = (
        audit.text_changes(before, registration, "state")
        | correction_changes(before, registration)
        | record_identity_check(registration)
    )
    audit.record(
        ACTIONS[State(state)],
        registration,
        by=by,
        player=before.player,
        changes=changes,
        before={"state": before.state},
        after={"state": registration.state},
        reason=reason,
    )
    if before.counts != registration.counts:
        events.emit("player.changed", player=before.player_id, cause="registered")


def guard_decision(before: Registration, state: str, version: int) -> None:
    if before.version != version:
        raise Outdated(CHANGED_MEANWHILE, rule="reviewing.guard_decision")
    if before.state not in REACHED_FROM[state]:
        raise Refused(
            _("This registration is “%(now)s”: it cannot become “%(then)s”.")
            % {"now": before.get_state_display(), "then": State(state).label},
            rule="reviewing.guard_decision",
        )


def write_decision(registration: Registration, version: int, **after: Any) -> None:
    unchanged = Registration.objects.filter(pk=registration.pk, version=version)
    if not unchanged.update(version=F("version") + 1, **after):
        raise Outdated(CHANGED_MEANWHILE, rule="reviewing.write_decision")
    registration.refresh_from_db()


def correction_changes(before: Registration, after: Registration) -> dict[str, list[str]]:
    texts = [
        "\n".join(f"{correction_label(name)}: {text}" for name, text in row.messages.items())
        for row in (before, after)
    ]
    return {"messages": texts} if texts[0] != texts[1] else {}


def record_identity_check(registration: Registration) -> dict[str, list[str]]:
    person = Person.objects.filter(player=registration.player_id).first()
    # Only the state “identity verified” has a day on which the document was seen.
    day = timezone.localdate() if registration.state == State.VERIFIED else None
    if person is None or person.identity_checked_on == day:
        return {}
    before = str(person.identity_checked_on or "")
    Person.objects.filter(pk=person.pk).update(identity_checked_on=day)
    return {"identity_checked_on": [before, str(day or "")]}
