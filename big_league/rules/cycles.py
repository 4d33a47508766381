"""The championships: which results count, and the new start at each national final (BIG 5 and 7)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from big_league.rules.editions import Edition
from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, Placed, place


@dataclass(frozen=True)
class Event:
    """One tournament of a game and the league points that it gave; `order` is when it counts."""

    slug: str
    game: str
    is_final: bool
    points: Mapping[int, Fraction]  # player -> league points


@dataclass(frozen=True)
class Total:
    """`counted` names the events whose results make it, the best first."""

    player: int
    points: Fraction
    results: Mapping[str, Fraction]  # event -> points
    counted: tuple[str, ...]


@paragraph("BIG", "7")
def current_cycle(events: Sequence[Event]) -> Sequence[Event]:
    """Of one game, in order. A national final ends the cycle before it and is the first event of the next (BIG-12)."""
    finals = [number for number, event in enumerate(events) if event.is_final]
    return events[finals[-1] :] if finals else events


def best(results: Mapping[str, Fraction], most: int) -> tuple[str, ...]:
    """Of equal results those that came first; the order of `results` is the order in which they came."""
    return tuple(sorted(results, key=lambda slug: -results[slug])[:most])


def results_of(events: Iterable[Event]) -> dict[int, dict[str, Fraction]]:
    found: dict[int, dict[str, Fraction]] = defaultdict(dict)
    for event in events:
        for player, points in event.points.items():
            found[player][event.slug] = points
    return found


@paragraph("BIG", "5")
def game_totals(cycle: Sequence[Event], edition: Edition) -> list[Total]:
    """The best five of the cycle."""
    return [
        total(player, results, best(results, edition.best_of_game)) for player, results in results_of(cycle).items()
    ]


@paragraph("BIG", "5")
def general_totals(cycles: Iterable[Sequence[Event]], edition: Edition) -> list[Total]:
    """Of each game the best three of its current cycle (BIG-12)."""
    results: dict[int, dict[str, Fraction]] = defaultdict(dict)
    counted: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for cycle in cycles:
        for player, own in results_of(cycle).items():
            results[player] |= own
            counted[player] += best(own, edition.best_in_general)
    return [total(player, own, counted[player]) for player, own in results.items()]


def total(player: int, results: Mapping[str, Fraction], counted: tuple[str, ...]) -> Total:
    return Total(player, sum((results[slug] for slug in counted), Fraction(0)), results, counted)


@paragraph("BIG", "5")
def points_ranking(totals: Iterable[Total]) -> list[Placed[Total]]:
    """The regulation names nothing that parts equal sums: they share a place."""
    return place(totals, (Criterion("points", lambda total: total.points),), key=lambda total: total.player)
