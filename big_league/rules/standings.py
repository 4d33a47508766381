"""The order of a tournament after its rounds (BIG 4 and 4.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from big_league.rules.editions import Edition
from big_league.rules.table import Part, place_table, players_present
from pergioco.rulekit.ordering import Criterion, Placed, assign_places
from pergioco.rulekit.paragraph import paragraph


@paragraph("BIG", "4.2")
def points_shares(nets: Sequence[Decimal], *, seats: int, edition: Edition) -> list[Fraction]:
    """Each net score over the table's sum, with a ghost for each empty seat; equal shares of
    nothing (BIG-3)."""
    scores = [Fraction(net) for net in nets]
    ghosts = (seats - len(scores)) * ghost_score(scores, edition)
    whole = sum(scores) + ghosts
    return [score / whole if whole > 0 else Fraction(1, seats) for score in scores]


@paragraph("BIG", "4.2")
def ghost_score(scores: Sequence[Fraction], edition: Edition) -> Fraction:
    """Nine tenths of the real players' mean; it takes no place and no points (BIG-3)."""
    return edition.ghost_share * sum(scores) / len(scores)


NOWHERE = 10**6  # below every table, and behind every place: who did not play that round
PRESENT = frozenset({"", "played", "quit", "walkover"})


@dataclass(frozen=True)
class Round:
    """Table numbers count from the highest; `phase` is empty in qualifying rounds."""

    number: int
    tables: Mapping[int, Sequence[Part]]
    phase: str = ""


@dataclass(frozen=True)
class Seat:
    """A player's part of one round."""

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


def seat_results(one: Round, edition: Edition) -> dict[int, Seat]:
    """Ghosts fill every table up to the largest one of the round."""
    there = {
        number: parts for number, table in one.tables.items() if (parts := players_present(table))
    }
    largest = max(map(len, there.values()), default=0)
    found = {}
    for number, parts in there.items():
        shares = points_shares([part.net for part in parts], seats=largest, edition=edition)
        of = {part.player: share for part, share in zip(parts, shares, strict=True)}
        for one_placed in place_table(parts, edition):
            found[one_placed.player] = Seat(
                number, one_placed.place, one_placed.points, of[one_placed.player]
            )
    return found


def players_of_rounds(rounds: Sequence[Round]) -> set[int]:
    """At least one round played (BIG-6): byes and absences do not count."""
    parts = (part for one in rounds for parts in one.tables.values() for part in parts)
    return {part.player for part in parts if part.kind in PRESENT}


@paragraph("BIG", "4", "4.2")
def order_standings(
    rounds: Sequence[Round], lots: Mapping[int, int], edition: Edition
) -> list[Placed[Standing]]:
    """By points and tie-breaks; seeded lots come last, so no place is shared."""
    return assign_places(
        score_rounds(rounds, lots, edition),
        standing_criteria(round_numbers(rounds)),
        key=lambda row: row.lot,
    )


def score_rounds(
    rounds: Sequence[Round], lots: Mapping[int, int], edition: Edition
) -> list[Standing]:
    """Of all players with a lot, also those who played no round."""
    own: dict[int, dict[int, Seat]] = {player: {} for player in lots}
    for one in rounds:
        for player, seat in seat_results(one, edition).items():
            if player in own:
                own[player][one.number] = seat
    return [
        Standing(
            player, sum((seat.points for seat in seats.values()), Fraction(0)), seats, lots[player]
        )
        for player, seats in own.items()
    ]


def round_numbers(rounds: Iterable[Round]) -> list[int]:
    return sorted(one.number for one in rounds)


@paragraph("BIG", "4.2")
def standing_criteria(numbers: Sequence[int]) -> list[Criterion]:
    """From the last round back: the higher table, then the better place. The first round has drawn
    tables: the place, the share of the points, then lots (BIG-2, BIG-4)."""
    chain = [
        one
        for number in numbers[:0:-1]
        for one in (table_criterion(number), place_criterion(number))
    ]
    first = [
        one for number in numbers[:1] for one in (place_criterion(number), share_criterion(number))
    ]
    points, lots = (
        Criterion("points", lambda row: row.points),
        Criterion("lots", lambda row: -row.lot),
    )
    return [points, *chain, *first, lots]


def table_criterion(number: int) -> Criterion:
    return Criterion(
        f"table:{number}", lambda row: -row.seats[number].table if number in row.seats else -NOWHERE
    )


def place_criterion(number: int) -> Criterion:
    return Criterion(
        f"place:{number}", lambda row: -row.seats[number].place if number in row.seats else -NOWHERE
    )


def share_criterion(number: int) -> Criterion:
    return Criterion("pbg", lambda row: row.seats[number].pbg if number in row.seats else -NOWHERE)
