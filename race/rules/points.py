"""Points of one stage and the season's total (PGM 39 and 40)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Literal

from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, Placed, place
from race.rules.editions import Edition

EXACT = Context(prec=50)
BEST_AND_WORST = 2
Drops = Literal["results", "absences_are_zero", "only_with_twelve"]


@dataclass(frozen=True)
class StageScore:
    """A classified, registered player and the points scored in the stage, in halves."""

    player: int
    half_points: int


@dataclass(frozen=True)
class RacePoints:
    player: int
    position: int
    players: int
    points: int


@dataclass(frozen=True)
class Total:
    """A player's season: `gross` ranks while the Race runs, `net` when it is over (PG-24)."""

    player: int
    results: tuple[int, ...]
    gross: int
    net: int
    dropped: tuple[int, ...]


@paragraph("PGM", 39)
def race_points(*, players: int, position: int, edition: Edition) -> int:
    """K times log N over log (P + 1), rounded down: only that gives the printed example. One player alone scores 0."""
    ratio = EXACT.divide(EXACT.ln(Decimal(players)), EXACT.ln(Decimal(position + 1)))
    return int(EXACT.multiply(edition.k, ratio))


@paragraph("PGM", 39)
def stage_points(scores: Sequence[StageScore], edition: Edition) -> list[RacePoints]:
    """By points only, shared places skip the next (PG-21); N counts the classified (PG-22)."""
    placed = place(scores, (Criterion("points", lambda s: s.half_points),), key=lambda s: s.player)
    return [
        RacePoints(
            p.row.player, p.rank, len(scores), race_points(players=len(scores), position=p.rank, edition=edition)
        )
        for p in placed
    ]


@paragraph("PGM", 40)
def total(player: int, results: Sequence[int], *, stages: int, drops: Drops = "results") -> Total:
    """The sum without the best and the worst result; one or two results leave nothing (PG-24)."""
    if drops == "only_with_twelve" and len(results) < stages:
        return Total(player, tuple(results), sum(results), sum(results), ())
    counted = [*results, *[0] * (stages - len(results))] if drops == "absences_are_zero" else list(results)
    if len(counted) <= BEST_AND_WORST:
        return Total(player, tuple(results), sum(results), 0, tuple(counted))
    dropped = (max(counted), min(counted))
    return Total(player, tuple(results), sum(results), sum(counted) - sum(dropped), dropped)


@paragraph("PGM", 40)
def race_ranking(totals: Sequence[Total], *, is_over: bool) -> list[Placed[Total]]:
    """Drops count when the last Race stage is closed; until then the gross sum ranks, and is called provisional."""
    value = Criterion("net" if is_over else "gross", lambda t: t.net if is_over else t.gross)
    return place(totals, (value,), key=lambda t: t.player)


def most_possible(results: Sequence[int], *, stages_left: int, drops: Drops, edition: Edition) -> int:
    """What a player can still reach, after drops: the most in each stage that he plays, and he may leave some out."""
    best = race_points(players=edition.most_players, position=1, edition=edition)
    return max(
        total(0, [*results, *[best] * more], stages=edition.most_stages, drops=drops).net
        for more in range(stages_left + 1)
    )
