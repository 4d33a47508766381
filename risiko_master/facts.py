"""What happened at the tables of closed Masters, as plain facts."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import F

from pergioco.players.models import Player
from pergioco.rulekit.ordering import seeded_order
from pergioco.stages.facts import SeatFacts
from pergioco.stages.games import closed_stages, merged_players
from pergioco.stages.models import Entry, Revision, Season, Seat, Stage
from pergioco.stages.services.reporting import Result
from risiko_master.models import RefereeDecision
from risiko_master.rules.day import GAMES, Day, Round
from risiko_master.rules.editions import Edition
from risiko_master.rules.points import Sitting


class Sat(NamedTuple):
    """A row of the query in `seats_by_stage`."""

    stage: int
    round: int
    phase: str
    table: int
    position: int
    player: int
    score: Decimal | None
    off_objective: Decimal | None
    objective_made: bool


@dataclass(frozen=True)
class Master:
    """A closed Master and its day; merged players are replaced by the kept ones."""

    slug: str
    seed: str
    day: Day


def closed_masters(season: Season, edition: Edition, *, until: date) -> Iterator[Master]:
    """In the order of play. Six queries, however many Masters."""
    stages = list(closed_stages(Stage.Circuit.RKM).filter(season=season, ends_on__lte=until))
    if not stages:
        return
    sat = seats_by_stage(stages)
    withdrew = withdrawn_before_semifinals(stages)
    decided = referee_decisions(stages)
    same = merged_players()
    ids = dict(
        Player.objects.filter(seats__table__round__revision__stage__in=stages).values_list(
            "pk", "public_id"
        )
    )
    ids |= dict(Player.objects.filter(pk__in=same.values()).values_list("pk", "public_id"))
    for stage in stages:
        seats = sat[stage.pk]
        now = players_now({seat.player for seat in seats}, same)
        drawn = seeded_order(stage.seed, {player: ids[player] for player in now.values()})
        lots = {player: position for position, player in enumerate(drawn)}
        gone = frozenset(now.get(player, player) for player in withdrew[stage.pk])
        day = Day(rounds_from_seats(seats, now), lots, edition, gone, decided.get(stage.pk))
        yield Master(stage.slug, stage.seed, day)


def seats_by_stage(stages: Iterable[Stage]) -> dict[int, list[Sat]]:
    seats = Seat.objects.filter(
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__in=stages,
    ).annotate(of=F("table__round__revision__stage"))
    rows = seats.order_by("of", "table__round__number", "table__number", "position").values_list(
        "of",
        "table__round__number",
        "table__round__phase",
        "table__number",
        "position",
        "player_id",
        "score",
        "off_objective",
        "objective_made",
    )
    found: dict[int, list[Sat]] = defaultdict(list)
    for seat in (Sat(*row) for row in rows):
        found[seat.stage].append(seat)
    return found


def withdrawn_before_semifinals(stages: Iterable[Stage]) -> dict[int, set[int]]:
    gone: dict[int, set[int]] = defaultdict(set)
    rows = Entry.objects.filter(stage__in=stages, withdrew_after_round__lte=GAMES)
    for stage, player in rows.values_list("stage", "player"):
        gone[stage].add(player)
    return gone


def referee_decisions(stages: Iterable[Stage]) -> dict[int, tuple[int, int]]:
    rows = RefereeDecision.objects.filter(stage__in=stages).order_by("id")
    return {one.stage_id: (one.direct, one.semifinals) for one in rows}


def players_now(players: Iterable[int], same: Mapping[int, int]) -> dict[int, int]:
    """Player -> the one he was merged into, unless both sat in this Master."""
    now = {player: same.get(player, player) for player in players}
    times = Counter(now.values())
    return {player: kept if times[kept] == 1 else player for player, kept in now.items()}


def rounds_from_seats(seats: Iterable[Sat], now: Mapping[int, int]) -> list[Round]:
    found = []
    for number, of_round in groupby(seats, key=attrgetter("round")):
        own = list(of_round)
        tables = {
            table: [to_sitting(seat, now[seat.player], seat.position) for seat in at]
            for table, at in groupby(own, key=attrgetter("table"))
        }
        found.append(Round(number, tables, own[0].phase))
    return found


def to_sitting(seat: Sat | SeatFacts | Result, player: int, order: int) -> Sitting:
    points, off_objective = seat.score or Decimal(0), seat.off_objective or Decimal(0)
    return Sitting(player, order, points, off_objective, seat.objective_made)
