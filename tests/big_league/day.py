"""The day of a tournament for the tests: an event with its players checked in, rounds opened and scored."""

from collections.abc import Iterable
from datetime import date
from uuid import uuid4

from big_league.day import checking_in, drawing
from big_league.day.drawing import Wish
from big_league.day.reading import Day, day_of
from big_league.events.models import Event
from big_league.events.signing_up import Wanted
from pergioco.players.models import Player, User
from pergioco.stages import pairing, reporting
from pergioco.stages.models import Stage, Table
from pergioco.stages.reporting import Result
from tests import factories

NAMES = ("Ada", "Bea", "Carl", "Dan", "Eva", "Fred", "Gina", "Hugo", "Ines", "Luca", "Mara", "Nino", "Olga", "Pia")


def guest(name: str, *, box: bool = False) -> Wanted:
    person = {
        "first_name": name,
        "last_name": "Neri",
        "email": f"{name.lower()}@example.net",
        "birth_date": date(1990, 5, 17),
        "phone": "",
        "nickname": "",
    }
    return Wanted(person, box, uuid4(), "en")


def event_for(by: User, *, size: int = 4, **fields: object) -> Event:
    """Homologated, with a seed that falls the same way in every run; `by` runs it."""
    game = factories.game_sheet(factories.game("catan"), recommended=size, most=4 if size > 2 else 2).game
    event = factories.homologated(factories.big_event(game, sent_by=by, **fields))
    Stage.objects.filter(pk=event.stage_id).update(seed="seed")
    event.stage.organizers.add(by)
    return Event.objects.homologated().get(pk=event.pk)


def come(event: Event, names: Iterable[str], *, by: User) -> list[Player]:
    players = []
    for name in names:
        row = checking_in.walk_in(event, guest(name), by=by)
        assert row.player is not None
        Player.objects.filter(pk=row.player_id).update(public_id=f"big-{name}")
        players.append(row.player)
    return players


def draw(event: Event, *, by: User, size: int = 4, qualified: int = 0) -> Day:
    """The next round, opened as it was shown."""
    wish = Wish(size, qualified)
    drawing.accept(event.stage, wish, by=by, sha256=drawing.propose(day_of(event.stage), wish).sha256)
    return day_of(event.stage)


def score(event: Event, *, by: User) -> None:
    """Every table of the last round: whoever comes first in the alphabet wins, with 40, then 30, 20, 10."""
    names = {p.pk: p.person.first_name for p in Player.objects.filter(entries__stage=event.stage)}
    day = day_of(event.stage)
    assert day.revision is not None
    for table in Table.objects.filter(round__revision=day.revision, round__number=len(day.facts)):
        seats = list(table.seats.order_by("position"))
        if len(seats) > 1:
            order = sorted(seats, key=lambda seat: names[seat.player_id])
            points = {seat.player_id: 40 - 10 * place for place, seat in enumerate(order)}
            results = [Result(seat.player_id, score=points[seat.player_id]) for seat in seats]
            reporting.report(table, results, submission=uuid4(), version=table.version, by=by)


def seated(day: Day) -> list[list[str]]:
    """Names at each table of the last round."""
    names = {p.pk: p.person.first_name for p in Player.objects.filter(entries__stage=day.stage)}
    return [[names[seat.player] for seat in table.seats] for table in day.facts[-1].tables]


def seed(event: Event, *, by: User) -> None:
    pairing.draw_seed(event.stage, by=by)
