"""What a tournament gives for the championships (BIG 5 to 5.3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from big_league.rules.editions import Edition
from pergioco.rulekit.paragraph import paragraph


@dataclass(frozen=True)
class Finish:
    """A place among so many players; `sharing` is how many have it."""

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


def mean(values: Iterable[Fraction]) -> Fraction:
    found = list(values)
    return sum(found, Fraction(0)) / len(found)


@paragraph("BIG", "5.1")
def base_points(finish: Finish, edition: Edition) -> Fraction:
    """The middle of the band of the place, of as many bands as players; a shared place gives the mean (BIG-6)."""
    n = finish.players
    return mean(Fraction(edition.range * (2 * (n - place) + 1), 2 * n) for place in finish.places)


@paragraph("BIG", "5.2")
def bonus_of_first(players: int, edition: Edition) -> Fraction:
    """As the formula has it, below six players too: only the greatest is a limit (BIG-8)."""
    least, most = edition.bonus
    fewest, enough = edition.bonus_players
    return min(Fraction(most), least + Fraction((most - least) * (players - fewest), enough - fewest))


@paragraph("BIG", "5.2")
def bonus(finish: Finish, edition: Edition) -> Fraction:
    """Of the first quarter, rounded down, divided by the place; a tie across its border shares out what lies inside
    (BIG-9)."""
    first = bonus_of_first(finish.players, edition)
    rewarded = finish.players // edition.bonus_share
    return mean(first / place if place <= rewarded else Fraction(0) for place in finish.places)


@paragraph("BIG", "5.3")
def multiplier(difference: Fraction, edition: Edition) -> Fraction:
    """`difference`: the mean Elo of all players less the own one, before the tournament. The weaker gains (BIG-10)."""
    delta = difference / edition.elo_scale
    return 1 + max(-edition.elo_limit, min(edition.elo_limit, delta))


@paragraph("BIG", "5", "8.1")
def league_points(finish: Finish, difference: Fraction, edition: Edition) -> LeaguePoints:
    """With fewer than six players everything is halved (BIG-7)."""
    base, extra, times = base_points(finish, edition), bonus(finish, edition), multiplier(difference, edition)
    is_halved = finish.players < edition.fewest_players
    return LeaguePoints(base, extra, times, is_halved, (base + extra) * times / (2 if is_halved else 1))
