"""Points of a Race stage, the season's total and what can still be reached (PGM 38 to 40)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Literal

from pergioco.rulekit.editions import Editions
from pergioco.rulekit.ordering import Criterion, Placed, assign_places
from pergioco.rulekit.paragraph import paragraph


# An edition in force is never edited: a changed rule gets a new one.
@dataclass(frozen=True)
class Edition:
    since: int
    k: Decimal
    most_stages: int
    most_players: int


# Pages of a season without a Race explain the first edition.
EDITIONS = Editions(
    Edition(since=2026, k=Decimal("16.70"), most_stages=12, most_players=64),
    first_reaches_back=True,
)


def is_race_held(year: int) -> bool:
    """The Race began in 2026 (PGM 38): stages of earlier seasons never count."""
    return year >= EDITIONS[0].since


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
    """K × log N ÷ log (P + 1), rounded down: only that gives the printed example. One player alone
    scores 0."""
    ratio = EXACT.divide(EXACT.ln(Decimal(players)), EXACT.ln(Decimal(position + 1)))
    return int(EXACT.multiply(edition.k, ratio))


@paragraph("PGM", 39)
def stage_points(scores: Sequence[StageScore], edition: Edition) -> list[RacePoints]:
    """By points only, shared places skip the next (PG-21); N counts the classified (PG-22)."""
    placed = assign_places(
        scores, (Criterion("points", lambda s: s.half_points),), key=lambda s: s.player
    )
    return [
        RacePoints(
            p.row.player,
            p.rank,
            len(scores),
            race_points(players=len(scores), position=p.rank, edition=edition),
        )
        for p in placed
    ]


@paragraph("PGM", 40)
def season_total(
    player: int, results: Sequence[int], *, stages: int, drops: Drops = "results"
) -> Total:
    """The sum without the best and the worst result; one or two results leave nothing (PG-24)."""
    if drops == "only_with_twelve" and len(results) < stages:
        return Total(player, tuple(results), sum(results), sum(results), ())
    counted = (
        [*results, *[0] * (stages - len(results))]
        if drops == "absences_are_zero"
        else list(results)
    )
    if len(counted) <= BEST_AND_WORST:
        return Total(player, tuple(results), sum(results), 0, tuple(counted))
    dropped = (max(counted), min(counted))
    return Total(player, tuple(results), sum(results), sum(counted) - sum(dropped), dropped)


@paragraph("PGM", 40)
def race_ranking(totals: Sequence[Total], *, is_over: bool) -> list[Placed[Total]]:
    """Drops count when the last Race stage is closed; until then the provisional gross sum
    ranks."""
    value = Criterion("net" if is_over else "gross", lambda t: t.net if is_over else t.gross)
    return assign_places(totals, (value,), key=lambda t: t.player)


def most_possible(
    results: Sequence[int], *, stages_left: int, drops: Drops, edition: Edition
) -> int:
    """The highest total after drops that is still possible; a player may skip stages."""
    # The first place of a full stage.
    best = race_points(players=edition.most_players, position=1, edition=edition)
    return max(
        season_total(0, [*results, *[best] * more], stages=edition.most_stages, drops=drops).net
        for more in range(stages_left + 1)
    )


@dataclass(frozen=True)
class Outlook:
    """A player's results in a Race that may still have stages to come."""

    results: tuple[int, ...]
    left: int
    drops: Drops
    edition: Edition

    def net(self, *more: int) -> int:
        return season_total(
            0, [*self.results, *more], stages=self.edition.most_stages, drops=self.drops
        ).net

    @property
    def reachable(self) -> int:
        return most_possible(
            self.results, stages_left=self.left, drops=self.drops, edition=self.edition
        )


@dataclass(frozen=True)
class Need:
    """The points needed in each of `stages` stages; `None` if even the maximum is too little."""

    stages: int
    points: int | None


def points_needed(own: Outlook, *, to_pass: int) -> Iterator[Need]:
    """For each number of remaining stages, the fewest points a stage that give a higher total after
    drops."""
    for stages in range(1, own.left + 1):
        enough = (
            points
            for points in range(most_points_of_stage(own.edition) + 1)
            if own.net(*[points] * stages) > to_pass
        )
        yield Need(stages, next(enough, None))


def last_place_for(points: int, *, players: int, edition: Edition) -> int | None:
    """The worst place that still gives that many points in a stage of that size."""
    places = range(players, 0, -1)
    return next(
        (p for p in places if race_points(players=players, position=p, edition=edition) >= points),
        None,
    )


FAR_ENOUGH = Decimal("1e-30")


def unrounded_points(*, players: int, position: int, edition: Edition) -> Decimal:
    """Exact to thirty decimals; the logarithms are computed to fifty digits."""
    ratio = EXACT.divide(EXACT.ln(Decimal(players)), EXACT.ln(Decimal(position + 1)))
    return EXACT.quantize(EXACT.multiply(edition.k, ratio), FAR_ENOUGH).normalize(EXACT)


def most_points_of_stage(edition: Edition) -> int:
    return race_points(players=edition.most_players, position=1, edition=edition)
