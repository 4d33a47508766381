"""What came of a tournament of BIG, for everybody: the order, and round by round who sat where with which score."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import HttpRequest

from big_league.day import words
from big_league.day.reading import Day
from big_league.rules.standings import Seat, seats_of
from pergioco.players.models import Player
from pergioco.players.models.people import naming
from pergioco.players.naming import shown_by
from pergioco.rulekit.rounding import half_up
from pergioco.stages.facts import SeatFacts, TableFacts
from pergioco.website.stages import orders, page
from pergioco.website.stages.people import Participant, participants
from pergioco.website.stages.seen import Seen

WITH_NAMES = ("player__merged_into", *naming("player", "player__merged_into"))


@dataclass(frozen=True)
class SeatRow:
    who: Participant
    score: Decimal | None
    bid: Decimal | None
    timed_out: bool
    place: int | None
    points: Decimal | None


def values_of(request: HttpRequest, seen: Seen) -> dict[str, Any]:
    """Nothing before the first round; once it is closed, also how the order is taken away."""
    day = Day(seen.stage, seen.revision)
    if not day.facts:
        return {}
    people = people_of(request, day)
    rounds = [
        (
            one.number,
            words.phase(one.phase),
            [(table.number, seats(day, one.number, table, people)) for table in one.tables],
        )
        for one in reversed(day.facts)
    ]
    values = {"rounds": rounds, "order": orders.of_big(day, people)}
    return values | page.taken_away(seen, values) if seen.stage.is_closed else values


def people_of(request: HttpRequest, day: Day) -> Mapping[int, Participant]:
    """Of two that were merged, the one that stays."""
    rows = day.stage.entries.select_related(*WITH_NAMES)
    players: dict[int, Player] = {row.player_id: row.player.merged_into or row.player for row in rows}
    shown_by(day.stage.circuit, players.values())
    shown = participants(players.values(), reader=request.user)
    return {pk: shown[player.pk] for pk, player in players.items()}


def seats(day: Day, round_: int, table: TableFacts, people: Mapping[int, Participant]) -> list[SeatRow]:
    """With places and points once the whole table has its scores."""
    is_missing = table.number in day.missing(round_)
    given = {} if is_missing else seats_of(day.rounds[round_ - 1], day.edition)
    return [seat(one, given.get(one.player), people[one.player]) for one in table.seats]


def seat(one: SeatFacts, got: Seat | None, who: Participant) -> SeatRow:
    place, points = (got.place, half_up(got.points, 2)) if got else (None, None)
    return SeatRow(who, one.score, one.bid, one.timed_out, place, points)
