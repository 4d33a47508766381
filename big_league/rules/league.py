"""League points of a tournament, and the championships they add up to (BIG 5 to 5.3, 7)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from big_league.rules.editions import Edition
from pergioco.rulekit.ordering import Criterion, Placed, assign_places
from pergioco.rulekit.paragraph import paragraph


@dataclass(frozen=True)
class Finish:
    """A place among `players`; `sharing` players have it."""

    players: int
    place: int
    sharing: int = 1

    @property
    def places(self) -> range:
        return range(self.place, self.place + self.sharing)


@dataclass(frozen=True)
class LeaguePoints:
    base: Fraction
    bonus: Fraction
    multiplier: Fraction
    is_halved: bool
    points: Fraction


def mean_value(values: Iterable[Fraction]) -> Fraction:
    found = list(values)
    return sum(found, Fraction(0)) / len(found)


@paragraph("BIG", "5.1")
def base_points(finish: Finish, edition: Edition) -> Fraction:
    """The middle of the place's band, of as many bands as players; a shared place takes the mean
    (BIG-6)."""
    n = finish.players
    return mean_value(
        Fraction(edition.range * (2 * (n - place) + 1), 2 * n) for place in finish.places
    )


@paragraph("BIG", "5.2")
def bonus_of_first(players: int, edition: Edition) -> Fraction:
    """As the formula has it, below six players too: only the maximum is a limit (BIG-8)."""
    least, most = edition.bonus
    fewest, enough = edition.bonus_players
    return min(
        Fraction(most), least + Fraction((most - least) * (players - fewest), enough - fewest)
    )


@paragraph("BIG", "5.2")
def bonus_points(finish: Finish, edition: Edition) -> Fraction:
    """For the first quarter, rounded down, divided by the place; a tie across the border shares
    (BIG-9)."""
    first = bonus_of_first(finish.players, edition)
    rewarded = finish.players // edition.bonus_share
    return mean_value(
        first / place if place <= rewarded else Fraction(0) for place in finish.places
    )


@paragraph("BIG", "5.3")
def elo_multiplier(difference: Fraction, edition: Edition) -> Fraction:
    """`difference`: mean Elo of all players minus the own, before the tournament (BIG-10)."""
    delta = difference / edition.elo_scale
    return 1 + max(-edition.elo_limit, min(edition.elo_limit, delta))


@paragraph("BIG", "5", "8.1")
def league_points(finish: Finish, difference: Fraction, edition: Edition) -> LeaguePoints:
    """With fewer than six players everything is halved (BIG-7)."""
    base, extra, times = (
        base_points(finish, edition),
        bonus_points(finish, edition),
        elo_multiplier(difference, edition),
    )
    is_halved = finish.players < edition.fewest_players
    return LeaguePoints(
        base, extra, times, is_halved, (base + extra) * times / (2 if is_halved else 1)
    )


@dataclass(frozen=True)
class LeagueEvent:
    """One tournament of a game, with its league points."""

    slug: str
    game: str
    is_final: bool
    points: Mapping[int, Fraction]  # player -> league points


@dataclass(frozen=True)
class LeagueTotal:
    """`counted` names the events that make the total, best first."""

    player: int
    points: Fraction
    results: Mapping[str, Fraction]  # event -> points
    counted: tuple[str, ...]


@paragraph("BIG", "7")
def current_cycle(events: Sequence[LeagueEvent]) -> Sequence[LeagueEvent]:
    """A national final ends a cycle and is the first event of the next one (BIG-12)."""
    finals = [number for number, event in enumerate(events) if event.is_final]
    return events[finals[-1] :] if finals else events


def best_results(results: Mapping[str, Fraction], most: int) -> tuple[str, ...]:
    # Equal results count in the order of `results`, which is the order of the events.
    return tuple(sorted(results, key=lambda slug: -results[slug])[:most])


def results_by_player(events: Iterable[LeagueEvent]) -> dict[int, dict[str, Fraction]]:
    found: dict[int, dict[str, Fraction]] = defaultdict(dict)
    for event in events:
        for player, points in event.points.items():
            found[player][event.slug] = points
    return found


@paragraph("BIG", "5")
def game_totals(cycle: Sequence[LeagueEvent], edition: Edition) -> list[LeagueTotal]:
    """The best five results of the cycle."""
    return [
        sum_results(player, results, best_results(results, edition.best_of_game))
        for player, results in results_by_player(cycle).items()
    ]


@paragraph("BIG", "5")
def general_totals(cycles: Iterable[Sequence[LeagueEvent]], edition: Edition) -> list[LeagueTotal]:
    """The best three results of each game's current cycle (BIG-12)."""
    results: dict[int, dict[str, Fraction]] = defaultdict(dict)
    counted: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for cycle in cycles:
        for player, own in results_by_player(cycle).items():
            results[player] |= own
            counted[player] += best_results(own, edition.best_in_general)
    return [sum_results(player, own, counted[player]) for player, own in results.items()]


def sum_results(
    player: int, results: Mapping[str, Fraction], counted: tuple[str, ...]
) -> LeagueTotal:
    return LeagueTotal(
        player, sum((results[slug] for slug in counted), Fraction(0)), results, counted
    )


@paragraph("BIG", "5")
def points_ranking(totals: Iterable[LeagueTotal]) -> list[Placed[LeagueTotal]]:
    """The regulation has no tie-break for equal sums: they share a place."""
    return assign_places(
        totals, (Criterion("points", lambda total: total.points),), key=lambda total: total.player
    )
