"""What follows the two games: how many go straight to the final, how many semifinals, how many winners."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Placed
from risiko_master.rules.editions import Edition
from risiko_master.rules.ranking import Record

AT_A_TABLE = 4  # of a semifinal, and of a final: the winners of the semifinals and those who went straight there
BOTH = 2


@dataclass(frozen=True)
class Structure:
    """`case` says which case of the regulation it is; one that is `proposed` has none there, the referee decides."""

    players: int  # with both games
    double_winners: int
    direct: int
    semifinals: int
    winners: int
    case: str
    proposed: bool = False
    beyond_text: bool = False  # more players than the text speaks of (RK-8)

    @property
    def goes_on(self) -> int:
        return self.direct + self.semifinals * AT_A_TABLE


@dataclass(frozen=True)
class Qualified:
    """A player with both games: his place by the criteria alone, without lots, and how many of the games he won."""

    player: int
    tied_place: int
    wins: int


@paragraph("RKM", "both-games")
def with_both_games(placed: Iterable[Placed[Record]]) -> list[Placed[Record]]:
    """Only they count for the structure, and only they may go on (RK-4)."""
    return [one for one in placed if one.row.is_complete]


@paragraph("RKM", "structure")
def structure(qualified: Sequence[Qualified], edition: Edition) -> Structure:
    """Table 1, by the number of players with both games; `qualified` stand in their order."""
    players = len(qualified)
    twice = [one.tied_place for one in qualified if one.wins == BOTH]
    row = max((row for row in edition.table if row.players <= players), key=lambda row: row.players)
    direct, case = 0, f"from_{row.players}"
    if players < edition.direct_below:
        direct, case = straight_to_the_final(twice)
    found = Structure(players, len(twice), direct, row.semifinals - direct, row.winners, case)
    return replace(fitted(found, players), beyond_text=players >= edition.warn_from)


@paragraph("RKM", "direct-finalists")
def straight_to_the_final(twice: Sequence[int]) -> tuple[int, str]:
    """By the shared places of those with two wins: a tie that only lots would break changes the structure (RK-5)."""
    if len(twice) < BOTH:
        return len(twice), ("one_double_winner" if twice else "no_double_winner")
    third = twice[BOTH] if len(twice) > BOTH else None
    if third == twice[0]:
        return 0, "tie_of_three"
    return (1, "tie_for_second") if third == twice[1] else (2, "two_double_winners")


@paragraph("RKM", "too-few")
def fitted(wanted: Structure, there: int) -> Structure:
    """Too few for the regulation (RK-7): as many full semifinals as they make are proposed to the referee."""
    if wanted.goes_on <= there:
        return wanted
    return replace(wanted, semifinals=max(0, there - wanted.direct) // AT_A_TABLE, proposed=True)
