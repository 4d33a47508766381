"""The day of a tournament for the tests: an event with its players checked in, rounds opened and
scored."""

from collections.abc import Iterable
from datetime import date
from uuid import uuid4

from big_league.day_facts import Day, load_day
from big_league.models import Event
from big_league.services import attendance, round_drawing
from big_league.services.round_drawing import Wish
from big_league.services.sign_ups import SignUpData
from pergioco.core.models import User
from pergioco.players.models import Player
from pergioco.stages.models import Stage, Table
from pergioco.stages.services import pairing, reporting
from pergioco.stages.services.reporting import Result
from tests import factories

NAMES = (
    "Ada",
    "Bea",
    "Carl",
    "Dan",
    "Eva",
    "Fred",
    "Gina",
    "Hugo",
    "Ines",
    "Luca",
    "Mara",
    "Nino",
    "Olga",
    "Pia",
)


def guest(name: str, *, box: bool = False) -> SignUpData:
    person = {
        "first_name": name,
        "last_name": "Neri",
        "email": f"{name.lower()}@example.net",
        "birth_date": date(1990, 5, 17),
        "phone": "",
        "nickname": "",
    }
    return SignUpData(person, box, uuid4(), "en")


def event_for(by: User, *, size: int = 4, **fields: object) -> Event:
    """Homologated, with a seed that falls the same way in every run; `by` runs it."""
    game = factories.game_sheet(
        factories.game("catan"), recommended=size, most=4 if size > 2 else 2
    ).game
    event = factories.homologated(factories.big_event(game, sent_by=by, **fields))
    Stage.objects.filter(pk=event.stage_id).update(seed="seed")
    event.stage.organizers.add(by)
    return Event.objects.homologated().get(pk=event.pk)


def come(event: Event, names: Iterable[str], *, by: User) -> list[Player]:
    players = []
    for name in names:
        row = attendance.record_walk_in(event, guest(name), by=by)
        assert row.player is not None
        Player.objects.filter(pk=row.player_id).update(public_id=f"big-{name}")
        players.append(row.player)
    return players


def draw(event: Event, *, by: User, size: int = 4, qualified: int = 0) -> Day:
    """The next round, opened as it was shown."""
    wish = Wish(size, qualified)
    round_drawing.open_drawn_round(
        event.stage,
        wish,
        by=by,
        sha256=round_drawing.propose_round(load_day(event.stage), wish).sha256,
    )
    return load_day(event.stage)


def score(event: Event, *, by: User) -> None:
    """Every table of the last round: whoever comes first in the alphabet wins, with 40, then 30,
    20, 10."""
    names = {p.pk: p.person.first_name for p in Player.objects.filter(entries__stage=event.stage)}
    day = load_day(event.stage)
    assert day.revision is not None
    for table in Table.objects.filter(round__revision=day.revision, round__number=len(day.facts)):
        seats = list(table.seats.order_by("position"))
        if len(seats) > 1:
            order = sorted(seats, key=lambda seat: names[seat.player_id])
            points = {seat.player_id: 40 - 10 * place for place, seat in enumerate(order)}
            results = [Result(seat.player_id, score=points[seat.player_id]) for seat in seats]
            reporting.report_scores(
                table, results, submission=uuid4(), version=table.version, by=by
            )


def seated(day: Day) -> list[list[str]]:
    """Names at each table of the last round."""
    names = {p.pk: p.person.first_name for p in Player.objects.filter(entries__stage=day.stage)}
    return [[names[seat.player] for seat in table.seats] for table in day.facts[-1].tables]


def seed(event: Event, *, by: User) -> None:
    pairing.draw_seed(event.stage, by=by)
