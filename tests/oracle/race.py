"""The Race: paragraphs 38 to 40."""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import Any

from tests.oracle.federation import Federation, Stage
from tests.oracle.ratings import took_part
from tests.oracle.standings import Placed, place, ranked

FIRST_SEASON = 2026  # 38
K = Decimal("16.70")  # 39
MOST_STAGES, MOST_POINTS = 12, 100  # 38, 40


@dataclass(frozen=True)
class Result:
    stage: Stage
    player: str
    position: int
    players: int
    points: int


def race_points(position: int, players: int) -> int:
    """39: rounded down, as the printed example has it."""
    with localcontext() as precise:
        precise.prec = 60
        return int(
            (K * Decimal(players).ln() / Decimal(position + 1).ln()).to_integral_value(ROUND_FLOOR)
        )


def results_of(stage: Stage, federation: Federation, day: date) -> list[Result]:
    """PG-21 to PG-23: places by points alone, among those who played and were registered before the
    stage began."""
    here = ranked(federation, day)
    eligible = [
        player
        for player in here
        if player in stage.players
        and federation.players[player].registered_on <= stage.starts_on
        and took_part(stage, player)
    ]
    scored = {player: sum(side.scored for side in stage.sides_of(player)) for player in eligible}
    return [
        Result(stage, player, position, len(eligible), race_points(position, len(eligible)))
        for player in eligible
        for position in [1 + sum(1 for other in scored.values() if other > scored[player])]
    ]


@dataclass(frozen=True)
class Season:
    """The Race stages of a season as they stand on a day."""

    held: list[Stage]
    left: int

    @property
    def is_over(self) -> bool:
        return bool(self.held) and self.left == 0


def season_of(federation: Federation, day: date) -> Season:
    stages = [s for s in federation.stages if s.is_race and s.season == day.year >= FIRST_SEASON]
    held = [s for s in stages if s.is_closed and s.ends_on <= day]
    return Season(held, len(stages) - len(held))


@dataclass(frozen=True)
class Total:
    player: str
    results: dict[str, int]  # stage -> points
    value: int


def ranking(federation: Federation, day: date) -> list[Placed]:
    """40, PG-24: while stages are still to come by the plain sum, at the end without what is
    dropped."""
    season = season_of(federation, day)
    drops = federation.setting(day.year, "race_drops", "results")
    of: dict[str, dict[str, int]] = {}
    for stage in season.held:
        for result in results_of(stage, federation, day):
            of.setdefault(result.player, {})[stage.slug] = result.points
    totals = [
        Total(player, own, net([*own.values()], drops) if season.is_over else sum(own.values()))
        for player in ranked(federation, day)
        for own in [of.get(player)]
        if own
    ]
    ranks_by = "net" if season.is_over else "gross"
    return place(
        totals,
        {ranks_by: lambda total: total.value},
        lambda total: columns(total, drops, season.left),
    )


def net(results: list[int], drops: str) -> int:
    """PG-24: without the best and the worst, in its three readings."""
    if drops == "only_with_twelve" and len(results) < MOST_STAGES:
        return sum(results)
    if drops == "absences_are_zero":
        results = results + [0] * (MOST_STAGES - len(results))
    if len(results) < 3:
        return 0
    return sum(results) - max(results) - min(results)


def most_possible(results: list[int], drops: str, left: int) -> int:
    """The best that he can still reach if he plays any number of the stages to come, and wins them
    with 64 players."""
    return max(net(results + [MOST_POINTS] * more, drops) for more in range(left + 1))


def columns(total: Total, drops: str, left: int) -> dict[str, Any]:
    points = [*total.results.values()]
    return {
        "value": total.value,
        "detail": {
            "results": total.results,
            "gross": sum(points),
            "net": net(points, drops),
            "most_possible": most_possible(points, drops, left),
        },
    }
