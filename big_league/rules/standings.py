"""The order of a tournament after its rounds (BIG 4 and 4.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from big_league.rules.editions import Edition
from big_league.rules.pbg import pbg
from big_league.rules.table import Part, placed, present
from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, Placed, place

NOWHERE = 10**6  # below every table, and behind every place: who did not play that round
PRESENT = frozenset({"", "played", "quit", "walkover"})


@dataclass(frozen=True)
class Round:
    """Tables by their numbers: the first is the highest. `phase` is empty for a round in which everybody plays."""

    number: int
    tables: Mapping[int, Sequence[Part]]
    phase: str = ""


@dataclass(frozen=True)
class Seat:
    """What one round gave to a player."""

    table: int
    place: int
    points: Fraction
    pbg: Fraction


@dataclass(frozen=True)
class Standing:
    player: int
    points: Fraction
    seats: Mapping[int, Seat]  # round -> what it gave
    lot: int


def seats_of(one: Round, edition: Edition) -> dict[int, Seat]:
    """Player -> what the round gave. The ghosts fill every table up to the largest one of the round."""
    there = {number: parts for number, table in one.tables.items() if (parts := present(table))}
    largest = max(map(len, there.values()), default=0)
    found = {}
    for number, parts in there.items():
        shares = pbg([part.net for part in parts], seats=largest, edition=edition)
        of = {part.player: share for part, share in zip(parts, shares, strict=True)}
        for one_placed in placed(parts, edition):
            found[one_placed.player] = Seat(number, one_placed.place, one_placed.points, of[one_placed.player])
    return found


def players(rounds: Sequence[Round]) -> set[int]:
    """Who played at least one round (BIG-6): a bye is no playing, nor is an absence."""
    parts = (part for one in rounds for parts in one.tables.values() for part in parts)
    return {part.player for part in parts if part.kind in PRESENT}


@paragraph("BIG", "4", "4.2")
def standings(rounds: Sequence[Round], lots: Mapping[int, int], edition: Edition) -> list[Placed[Standing]]:
    """By points, and what parts equal ones; the seeded lots come last, so that nobody shares a place."""
    return place(scored(rounds, lots, edition), criteria(numbers_of(rounds)), key=lambda row: row.lot)


def scored(rounds: Sequence[Round], lots: Mapping[int, int], edition: Edition) -> list[Standing]:
    """Everybody of the lots, whatever he played."""
    own: dict[int, dict[int, Seat]] = {player: {} for player in lots}
    for one in rounds:
        for player, seat in seats_of(one, edition).items():
            if player in own:
                own[player][one.number] = seat
    return [
        Standing(player, sum((seat.points for seat in seats.values()), Fraction(0)), seats, lots[player])
        for player, seats in own.items()
    ]


def numbers_of(rounds: Iterable[Round]) -> list[int]:
    return sorted(one.number for one in rounds)


@paragraph("BIG", "4.2")
def criteria(numbers: Sequence[int]) -> list[Criterion]:
    """From the last round back: the higher table, then the better place. In the first round, whose tables were drawn,
    the place, the share of the points, and then lots (BIG-2, BIG-4)."""
    chain = [one for number in numbers[:0:-1] for one in (by_table(number), by_place(number))]
    first = [one for number in numbers[:1] for one in (by_place(number), by_share(number))]
    points, lots = Criterion("points", lambda row: row.points), Criterion("lots", lambda row: -row.lot)
    return [points, *chain, *first, lots]


def by_table(number: int) -> Criterion:
    return Criterion(f"table:{number}", lambda row: -row.seats[number].table if number in row.seats else -NOWHERE)


def by_place(number: int) -> Criterion:
    return Criterion(f"place:{number}", lambda row: -row.seats[number].place if number in row.seats else -NOWHERE)


def by_share(number: int) -> Criterion:
    return Criterion("pbg", lambda row: row.seats[number].pbg if number in row.seats else -NOWHERE)
