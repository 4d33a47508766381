"""The final order of a tournament, with the phases of elimination in which some end (BIG 7.2.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from big_league.rules.editions import Edition
from big_league.rules.standings import Round, Seat, Standing, criteria, numbers_of, scored, seats_of
from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, Placed, place

EVERYBODY = frozenset({"", "qualification"})  # phases in which everybody plays
FINAL = "final"


@dataclass(frozen=True)
class Finished:
    """A player at the end of a tournament. `phase` is the last round of elimination that he played; 0: none."""

    player: int
    before: Standing  # of the rounds in which everybody plays
    phase: int
    place_in_final: int
    points: Fraction  # of all rounds
    seats: Mapping[int, Seat]  # round -> what it gave, of all rounds


@paragraph("BIG", "7.2.1")
def final_order(rounds: Sequence[Round], lots: Mapping[int, int], edition: Edition) -> list[Placed[Finished]]:
    """By the phase reached, the final by its places; all else, and a draw in the final, as before the final phases
    (BIG-19)."""
    first = [one for one in rounds if one.phase in EVERYBODY]
    later = [one for one in rounds if one.phase not in EVERYBODY]
    seats = {one.number: seats_of(one, edition) for one in later}
    finals = {one.number for one in later if one.phase == FINAL}
    rows = []
    for standing in scored(first, lots, edition):
        own = {number: of[standing.player] for number, of in seats.items() if standing.player in of}
        phase = max(own, default=0)
        points = standing.points + sum(seat.points for seat in own.values())
        place_in_final = own[phase].place if phase in finals else 0
        rows.append(Finished(standing.player, standing, phase, place_in_final, points, {**standing.seats, **own}))
    return place(rows, (*OF_THE_PHASES, *before(criteria(numbers_of(first)))), key=lambda row: row.before.lot)


OF_THE_PHASES = (
    Criterion("phase", lambda row: row.phase),
    Criterion(FINAL, lambda row: -row.place_in_final),
)


def before(chain: Sequence[Criterion]) -> list[Criterion]:
    """What decided in the rounds in which everybody plays."""
    return [Criterion(one.code, lambda row, one=one: one.value(row.before)) for one in chain]
