"""Requests for tournaments: sending, changing, and the decisions of staff."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from big_league import links
from big_league.models import Event, Final
from big_league.rules.events import Hint, PlannedEvent, request_hints
from pergioco.core import audit
from pergioco.core.database import create_once, lock_row
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.services.letters import send_letter_for_stranger, send_letter_to_address
from pergioco.stages.models import Game, Stage
from pergioco.stages.services.scheduling import add_stage, meeting_fields

State = Event.State
AHEAD = timedelta(days=2 * 365)
# The log says which of these changed and never how: they are the organizer's own.
CONTACTS = ("organizer_name", "organizer_phone", "organizer_email")
REQUEST_FIELDS = (
    "other_games",
    "place",
    "address",
    "city",
    "starts_at",
    *CONTACTS,
    "prizes",
    "rounds",
    "expected",
    "capacity",
    "criterion",
    "bring_box",
    "how",
    "notes",
)
CHANGED_MEANWHILE = gettext_lazy(
    "This request changed in the meantime. Look at it as it is now, then decide."
)


@dataclass(frozen=True)
class SentRequest:
    """A cleaned form. The same `submission` is one request."""

    values: Mapping[str, Any]  # by the names in FIELDS
    games: list[Game]
    submission: UUID
    language: str


def send_request(sent: SentRequest, *, by: User | None) -> Event:
    return create_once(Event, sent.submission, partial(write_request, sent, by=by))


def write_request(sent: SentRequest, *, by: User | None) -> Event:
    refuse_unfit_start(sent.values["starts_at"])
    event = Event.objects.create(
        submission=sent.submission,
        language=sent.language,
        sent_by=by,
        **{name: sent.values[name] for name in REQUEST_FIELDS},
    )
    event.games.set(sent.games)
    audit.record(
        "big_event.asked",
        event,
        by=by,
        role="" if by else audit.BY_LINK,
        changes={"state": ["", event.state]},
    )
    mail_organizer(event, "big_request_received", send=send_letter_for_stranger)
    return event


def refuse_unfit_start(starts_at: datetime) -> None:
    if starts_at <= timezone.now():
        raise Refused(
            _("This moment is over. Check day and time."),
            "starts_at",
            rule="event_requests.refuse_unfit_start",
        )
    if starts_at > timezone.now() + AHEAD:
        raise Refused(
            _("That is more than two years ahead. Check the year."),
            "starts_at",
            rule="event_requests.refuse_unfit_start",
        )


@transaction.atomic
def change_request(event: Event, sent: SentRequest, *, version: int, by: User | None) -> Event:
    # The state goes back to "sent": staff look at the change again.
    event = lock_request(event, version)
    if not event.is_open_to_change:
        raise Outdated(CHANGED_MEANWHILE, rule="event_requests.change_request")
    refuse_unfit_start(sent.values["starts_at"])
    changes = request_differences(event, sent)
    for name in REQUEST_FIELDS:
        setattr(event, name, sent.values[name])
    event.state, event.version = State.SENT, version + 1
    event.save()
    event.games.set(sent.games)
    audit.record(
        "big_event.changed", event, by=by, role="" if by else audit.BY_LINK, changes=changes
    )
    return event


def lock_request(event: Event, version: int) -> Event:
    """Raises `Outdated` if the row changed since the sender saw it."""
    row = lock_row(event)
    if row.version != version:
        raise Outdated(CHANGED_MEANWHILE, rule="event_requests.lock_request")
    return row


def request_differences(event: Event, sent: SentRequest) -> dict[str, list[str]]:
    changed = field_changes(event, sent.values, REQUEST_FIELDS)
    games = [
        ", ".join(sorted(game.slug for game in games)) for games in (event.games.all(), sent.games)
    ]
    if games[0] != games[1]:
        changed["games"] = games
    return {name: ["…", "…"] if name in CONTACTS else pair for name, pair in changed.items()}


def field_changes(
    row: Event | Final, values: Mapping[str, Any], names: Iterable[str]
) -> dict[str, list[str]]:
    pairs = {name: [field_text(getattr(row, name)), field_text(values[name])] for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def field_text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.astimezone(timezone.get_current_timezone()).isoformat(timespec="seconds")
    return "" if value is None else str(value)


def mail_organizer(
    event: Event, letter: str, *, send: Callable[..., None] = send_letter_to_address
) -> None:
    send(
        event.organizer_email,
        event.language,
        letter,
        event=event,
        link=lambda: links.request_link(event),
    )


def hints_about_request(
    values: Mapping[str, Any], games: list[Game], asked_at: datetime
) -> tuple[Hint, ...]:
    """Both days are in the time zone of Rome."""
    return request_hints(
        PlannedEvent(
            asked_on=timezone.localdate(asked_at),
            starts_on=timezone.localdate(values["starts_at"]),
            expected=values["expected"],
            capacity=values["capacity"],
            two_only=bool(two_player_games(games)),
        )
    )


def two_player_games(games: list[Game]) -> list[Game]:
    return [game for game in games if hasattr(game, "big") and game.big.two_only]


def last_request_of(user: User) -> Event | None:
    return Event.objects.filter(sent_by=user).order_by("-sent_at", "-id").first()


@transaction.atomic
def homologate_request(event: Event, *, by: User, version: int, game: Game) -> Event:
    """Creates the stage; `game` is the championship that it counts for."""
    event = lock_undecided_request(event, version)
    event.stage = create_event_stage(event, game, by=by)
    return decide_request(event, State.HOMOLOGATED, by=by, answer="")


@transaction.atomic
def ask_for_request_change(event: Event, *, by: User, version: int, answer: str) -> Event:
    return decide_request(
        lock_undecided_request(event, version), State.NEEDS_CHANGE, by=by, answer=answer
    )


@transaction.atomic
def refuse_request(event: Event, *, by: User, version: int, answer: str) -> Event:
    return decide_request(
        lock_undecided_request(event, version), State.REFUSED, by=by, answer=answer
    )


def lock_undecided_request(event: Event, version: int) -> Event:
    event = lock_request(event, version)
    if not event.is_open_to_change:
        raise Outdated(CHANGED_MEANWHILE, rule="event_requests.lock_undecided_request")
    return event


ACTIONS = {
    State.HOMOLOGATED: ("big_event.homologated", "big_request_homologated"),
    State.NEEDS_CHANGE: ("big_event.change_asked", "big_request_change"),
    State.REFUSED: ("big_event.refused", "big_request_refused"),
}


def decide_request(event: Event, state: Event.State, *, by: User, answer: str) -> Event:
    action, letter = ACTIONS[state]
    before, event.state = event.state, state
    event.answer, event.decided_by, event.decided_at = answer.strip(), by, timezone.now()
    event.version += 1
    event.save()
    audit.record(action, event, by=by, changes={"state": [before, state]}, reason=event.answer)
    mail_organizer(event, letter)
    return event


def create_event_stage(event: Event, game: Game, *, by: User) -> Stage:
    meeting = meeting_fields(event.starts_at, event.place, event.address, event.city)
    stage = add_big_stage("big", game, event.starts_at, capacity=event.capacity, **meeting)
    if event.sent_by is not None and has_role(event.sent_by, Role.BIG_ORGANIZER, Role.STAFF):
        stage.organizers.add(event.sent_by)
    audit.record("stage.homologated", stage, by=by)
    return stage


def add_big_stage(
    name: str, game: Game, starts_at: datetime, *, field: str = "", **values: Any
) -> Stage:
    day = timezone.localdate(starts_at)
    return add_stage(
        f"{day:%Y-%m}-{name}-{game.slug}",
        day,
        field=field,
        circuit=Stage.Circuit.BIG,
        game=game,
        system=Stage.System.SWISS,
        pace=Stage.Pace.REAL_TIME,
        **values,
    )
