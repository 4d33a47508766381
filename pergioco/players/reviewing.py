"""What staff decide about a registration. Each decision names the version it was taken on: of two, one is told."""

from collections.abc import Mapping

from django.db import models, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.players import afterwards, audit, letters
from pergioco.players.models import Person, Registration, User
from pergioco.players.refusal import Outdated, Refused

State = Registration.State
# From which states each state may be reached. Until the address is confirmed nobody is asked to decide anything.
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
# What staff may ask to correct; the names are those of the person's fields, and `accounts` and `other`.
CORRECTABLE = ("first_name", "last_name", "birth_date", "city", "country", "phone", "accounts", "other")
CHANGED_MEANWHILE = gettext_lazy(
    "Somebody else changed this registration in the meantime. Nothing was saved: look at it again, "
    "and send this once more if it still holds."
)
OTHERS = {"accounts": gettext_lazy("accounts on platforms"), "other": gettext_lazy("anything else")}


def label_of(name: str) -> str | Promise:
    """What a message of a correction is about; lazy, because mail goes out in the player's language."""
    labels = {field.name: field.verbose_name for field in Person._meta.concrete_fields}
    return labels.get(name) or OTHERS[name]


def in_review() -> models.QuerySet[Registration]:
    """Those of people: not what a merge or an erasure left behind."""
    return Registration.objects.filter(player__merged_into=None, player__erased_at=None).order_by("created_at", "id")


def never_seen() -> models.QuerySet[Registration]:
    return in_review().filter(state=State.NEW, reviewed_at=None)


def come_back() -> models.QuerySet[Registration]:
    """Looked at before: the player answered a correction, or changed what had been verified."""
    return in_review().filter(state=State.NEW, reviewed_at__isnull=False)


def decisions_on(registration: Registration) -> list[str]:
    """The states to which it may be moved now."""
    return [state for state, sources in REACHED_FROM.items() if registration.state in sources]


@transaction.atomic
def verify(registration: Registration, *, by: User, version: int) -> None:
    """Somebody looked at the identity document. It is never stored: the day on which it was seen is."""
    if not Person.objects.filter(player=registration.player_id).exists():
        raise Refused(_("No personal data are on file: there is nothing to compare with a document."))
    move(registration, State.VERIFIED, by=by, version=version)


@transaction.atomic
def ask_for_correction(registration: Registration, messages: Mapping[str, str], *, by: User, version: int) -> None:
    asked = {name: messages[name] for name in CORRECTABLE if messages.get(name)}
    if not asked:
        raise Refused(_("Say what to correct: write at least one message."))
    move(registration, State.NEEDS_CORRECTION, by=by, version=version, messages=asked)
    letters.write_to(
        registration.player, "correction_asked", messages=[(label_of(name), asked[name]) for name in asked]
    )


@transaction.atomic
def refuse(registration: Registration, reason: str, *, by: User, version: int) -> None:
    move(registration, State.REFUSED, by=by, version=version, reason=reason)
    letters.write_to(registration.player, "registration_refused", reason=reason)


@transaction.atomic
def reopen(registration: Registration, *, by: User, version: int, reason: str = "") -> None:
    """Back to new, as if nobody had looked at it yet."""
    move(registration, State.NEW, by=by, version=version, reason=reason)


def move(  # noqa: PLR0913 - the decision, who took it, on what, and the words that go with it
    registration: Registration,
    state: str,
    *,
    by: User,
    version: int,
    messages: Mapping[str, str] | None = None,
    reason: str = "",
) -> None:
    # The person first, as whoever mends the data does: two who take the same rows in two orders wait for each other.
    Person.objects.select_for_update().filter(player=registration.player_id).first()
    before = Registration.objects.select_related("player").get(pk=registration.pk)
    guard(before, state, version)
    looked_at = state != State.NEW
    after = {
        "state": state,
        "messages": dict(messages or {}),
        "reviewed_at": timezone.now() if looked_at else None,
        "reviewed_by": by if looked_at else None,
    }
    unchanged = Registration.objects.filter(pk=registration.pk, version=version)
    if not unchanged.update(version=F("version") + 1, **after):
        raise Outdated(CHANGED_MEANWHILE)
    registration.refresh_from_db()
    changes = audit.difference(before, registration, "state") | asked(before, registration) | seen_on(registration)
    audit.record(ACTIONS[State(state)], registration, by=by, player=before.player, changes=changes, reason=reason)
    if before.counts != registration.counts:
        afterwards.tell("player.changed", player=before.player_id, cause="registered")


def guard(before: Registration, state: str, version: int) -> None:
    if before.version != version:
        raise Outdated(CHANGED_MEANWHILE)
    if before.state not in REACHED_FROM[state]:
        raise Refused(
            _("This registration is “%(now)s”: it cannot become “%(then)s”.")
            % {"now": before.get_state_display(), "then": State(state).label}
        )


def asked(before: Registration, after: Registration) -> dict[str, list[str]]:
    """What the player was asked to correct, one line a field."""
    texts = ["\n".join(f"{label_of(name)}: {text}" for name, text in row.messages.items()) for row in (before, after)]
    return {"messages": texts} if texts[0] != texts[1] else {}


def seen_on(registration: Registration) -> dict[str, list[str]]:
    """The day on which the document was seen goes with the state “identity verified”, and with no other."""
    person = Person.objects.filter(player=registration.player_id).first()
    day = timezone.localdate() if registration.state == State.VERIFIED else None
    if person is None or person.identity_checked_on == day:
        return {}
    before = str(person.identity_checked_on or "")
    Person.objects.filter(pk=person.pk).update(identity_checked_on=day)
    return {"identity_checked_on": [before, str(day or "")]}
