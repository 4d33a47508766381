"""Asking for a tournament, and changing what was asked for as long as nobody has decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from big_league.events import links
from big_league.events.models import Event
from big_league.rules.requests import Hint, Planned, hints
from pergioco.players import audit
from pergioco.players.letters import write_at
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages.models import Game

State = Event.State
AHEAD = timedelta(days=2 * 365)
FIELDS = (
    *("other_games", "place", "address", "city", "starts_at", "organizer_name", "organizer_phone", "organizer_email"),
    *("prizes", "rounds", "expected", "capacity", "criterion", "bring_box", "how", "notes"),
)
# The log says which of these changed and never how: they are the organizer's own.
CONTACTS = ("organizer_name", "organizer_phone", "organizer_email")
CHANGED_MEANWHILE = gettext_lazy("This request changed in the meantime. Look at it as it is now, then decide.")


@dataclass(frozen=True)
class Sent:
    """What came from the form. The same submission is one request, however often it arrives."""

    values: Mapping[str, Any]  # by the names in FIELDS
    games: list[Game]
    submission: UUID
    language: str


def send(sent: Sent, *, by: User | None) -> Event:
    try:
        with transaction.atomic():
            return write(sent, by=by)
    except IntegrityError:  # twice at the same moment
        return Event.objects.get(submission=sent.submission)


def write(sent: Sent, *, by: User | None) -> Event:
    there = Event.objects.filter(submission=sent.submission).first()
    if there is not None:
        return there
    refuse_unfit_start(sent.values["starts_at"])
    event = Event.objects.create(
        submission=sent.submission, language=sent.language, sent_by=by, **{name: sent.values[name] for name in FIELDS}
    )
    event.games.set(sent.games)
    audit.record(
        "big_event.asked", event, by=by, role="" if by else audit.BY_LINK, changes={"state": ["", event.state]}
    )
    tell(event, "big_request_received")
    return event


def refuse_unfit_start(starts_at: datetime) -> None:
    if starts_at <= timezone.now():
        raise Refused(_("This moment is over. Check day and time."), "starts_at")
    if starts_at > timezone.now() + AHEAD:
        raise Refused(_("That is more than two years ahead. Check the year."), "starts_at")


@transaction.atomic
def change(event: Event, sent: Sent, *, version: int, by: User | None) -> Event:
    """Whoever answers a wish of BIG is looked at again."""
    event = locked(event, version)
    if not event.is_open_to_change:
        raise Outdated(CHANGED_MEANWHILE)
    refuse_unfit_start(sent.values["starts_at"])
    changes = differences(event, sent)
    for name in FIELDS:
        setattr(event, name, sent.values[name])
    event.state, event.version = State.SENT, version + 1
    event.save()
    event.games.set(sent.games)
    audit.record("big_event.changed", event, by=by, role="" if by else audit.BY_LINK, changes=changes)
    return event


def locked(event: Event, version: int) -> Event:
    """The row as it is now, if it is still what the sender was looking at; two who decide come one after the other."""
    row = Event.objects.select_for_update().get(pk=event.pk)
    if row.version != version:
        raise Outdated(CHANGED_MEANWHILE)
    return row


def differences(event: Event, sent: Sent) -> dict[str, list[str]]:
    pairs = {name: [text(getattr(event, name)), text(sent.values[name])] for name in FIELDS}
    pairs["games"] = [", ".join(sorted(game.slug for game in games)) for games in (event.games.all(), sent.games)]
    changed = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return {name: ["…", "…"] if name in CONTACTS else pair for name, pair in changed.items()}


def text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(timezone.get_current_timezone()).isoformat(timespec="seconds")
    return "" if value is None else str(value)


def tell(event: Event, letter: str) -> None:
    """In the language in which the request was written."""
    write_at(event.organizer_email, event.language, letter, event=event, link=lambda: links.link_of(event))


def hints_about(values: Mapping[str, Any], games: list[Game], asked_at: datetime) -> tuple[Hint, ...]:
    """`values` as in FIELDS; both days are those of Rome."""
    return hints(
        Planned(
            asked_on=timezone.localdate(asked_at),
            starts_on=timezone.localdate(values["starts_at"]),
            expected=values["expected"],
            capacity=values["capacity"],
            two_only=bool(two_only(games)),
        )
    )


def two_only(games: list[Game]) -> list[Game]:
    return [game for game in games if hasattr(game, "big") and game.big.two_only]


def last_of(user: User) -> Event | None:
    """To begin the next one from."""
    return Event.objects.filter(sent_by=user).order_by("-sent_at", "-id").first()
