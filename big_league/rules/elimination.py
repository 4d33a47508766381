"""The final phases while they are played (BIG 4.3, 4.4), and the final order (BIG 7.2.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from big_league.rules.editions import Edition
from big_league.rules.phases import (
    PHASE_EDITIONS,
    Kind,
    Opening,
    Table,
    game_kind,
    order_still_in,
    plan_bracket,
    plan_groups,
    qualifying_rounds,
    seat_first_phase,
)
from big_league.rules.standings import (
    Round,
    Seat,
    Standing,
    players_of_rounds,
    round_numbers,
    score_rounds,
    seat_results,
    standing_criteria,
)
from big_league.rules.table import TWO_PLAYERS, Part, place_table, players_present
from pergioco.rulekit.ordering import Criterion, Placed, assign_places
from pergioco.rulekit.paragraph import paragraph

EVERYBODY = frozenset({"", "qualification"})  # phases in which all players have a table
FINAL = "final"


@dataclass(frozen=True)
class Finished:
    """`phase` is the last elimination round that the player reached; 0: none."""

    player: int
    before: Standing  # of the qualifying rounds
    phase: int
    place_in_final: int
    points: Fraction  # of all rounds
    seats: Mapping[int, Seat]  # round -> what it gave, of all rounds


@paragraph("BIG", "7.2.1")
def final_order(
    rounds: Sequence[Round], lots: Mapping[int, int], edition: Edition
) -> list[Placed[Finished]]:
    """By the phase reached and the places in the final; ties, also a draw in the final, as before
    it (BIG-19)."""
    first = [one for one in rounds if one.phase in EVERYBODY]
    later = [one for one in rounds if one.phase not in EVERYBODY]
    seats = {one.number: seat_results(one, edition) for one in later}
    finals = {one.number for one in later if one.phase == FINAL}
    rows = []
    for standing in score_rounds(first, lots, edition):
        own = {number: of[standing.player] for number, of in seats.items() if standing.player in of}
        phase = max(own, default=0)
        points = standing.points + sum(seat.points for seat in own.values())
        place_in_final = own[phase].place if phase in finals else 0
        rows.append(
            Finished(
                standing.player, standing, phase, place_in_final, points, {**standing.seats, **own}
            )
        )
    return assign_places(
        rows,
        (*PHASE_CRITERIA, *criteria_before_finals(standing_criteria(round_numbers(first)))),
        key=lambda row: row.before.lot,
    )


PHASE_CRITERIA = (
    Criterion("phase", lambda row: row.phase),
    Criterion(FINAL, lambda row: -row.place_in_final),
)


def criteria_before_finals(chain: Sequence[Criterion]) -> list[Criterion]:
    return [Criterion(one.code, lambda row, one=one: one.value(row.before)) for one in chain]


FROM_THE_END = ("final", "semifinal", "final_4", "final_8")
SEMIFINAL_TABLES = {"two": 2, "three": 3, "four": 2}  # of each phase, for one of the next


@paragraph("BIG", "7.2.1")
def name_phases(rounds: Sequence[Round], *, year: int) -> list[Round]:
    """The last rounds are final phases if they come after the qualifying rounds, and their players
    fit the seats of the phase; a final without phases (8.2.2) has none. Stored phases stay."""
    found, is_elimination = list(rounds), True
    largest = max(
        (len(players_present(parts)) for one in rounds[:1] for parts in one.tables.values()),
        default=TWO_PLAYERS,
    )
    kind, count = game_kind(largest), len(players_of_rounds(rounds))
    qualifying = least_qualifying_rounds(kind, count, year)
    for before_end, one in enumerate(reversed(rounds)):
        seats = sum(len(players_present(parts)) for parts in one.tables.values())
        room = seats_of_phase(before_end, kind, largest)
        is_elimination = is_elimination and seats < count and seats <= room
        number = len(rounds) - before_end
        if is_elimination and number > qualifying and not one.phase:
            found[number - 1] = replace(one, phase=FROM_THE_END[before_end])
    return found


def least_qualifying_rounds(kind: Kind, participants: int, year: int) -> int:
    # Where the organiser may choose, the fewer: the players seated tell the rest.
    return min(qualifying_rounds(PHASE_EDITIONS.in_force(year).finals[kind], participants)[0])


def seats_of_phase(before_end: int, kind: Kind, largest: int) -> int:
    """Zero before the named phases; tables of four or more have none before the semifinals."""
    named = 2 if kind == "four" else len(FROM_THE_END)
    return int(largest * SEMIFINAL_TABLES[kind] ** before_end) if before_end < named else 0


CODES = {"final": FINAL, "semifinal": "semifinal", "quarterfinal": "final_4"}


class Over(ValueError):
    """The final was played, or too few players are left for one."""


@dataclass(frozen=True)
class Phase:
    """`waiting` players skip this phase and play in the next one."""

    code: str
    tables: tuple[Table, ...]
    waiting: tuple[int, ...]
    opening: Opening


def elimination_rounds(rounds: Sequence[Round]) -> list[Round]:
    return [one for one in rounds if one.phase not in EVERYBODY]


def phase_code(opening: Opening) -> str:
    # Eight tables of two are the phase "final_8".
    size = opening.phase.rpartition("_")[2]
    return CODES.get(opening.phase) or f"final_{int(size) // TWO_PLAYERS}"


def begin_phase(qualified: Sequence[int], size: int) -> Phase:
    """With smaller tables if players left; `qualified` is in qualification order."""
    count = len(qualified)
    if count < TWO_PLAYERS:
        raise Over
    if size == TWO_PLAYERS:
        opening = plan_bracket(count, False)  # noqa: FBT003
    else:
        opening = plan_groups(count, min(size, count), False)  # noqa: FBT003
    waiting = tuple(qualified[: opening.straight])
    return Phase(phase_code(opening), seat_first_phase(qualified, opening), waiting, opening)


@paragraph("BIG", "4.3", "4.4")
def table_winner(table: Sequence[Part], qualification: Sequence[int], edition: Edition) -> int:
    """The first; a shared first place goes to the better qualified."""
    first = {one.player for one in place_table(table, edition) if one.place == 1}
    return next(player for player in qualification if player in first)


def players_still_in(
    rounds: Sequence[Round], qualification: Sequence[int], edition: Edition
) -> tuple[int, ...]:
    """Players who skipped the first phase and the winners of every table, in qualification
    order."""
    played = elimination_rounds(rounds)
    first = [part.player for table in played[0].tables.values() for part in table]
    size = max(map(len, played[0].tables.values()))
    waited = [player for player in qualification if player not in first][
        : count_waiting(played[0], size)
    ]
    left = {*waited, *first}
    for one in played:
        if one.phase == FINAL:
            raise Over
        for table in one.tables.values():
            left -= {part.player for part in table} - {table_winner(table, qualification, edition)}
    return order_still_in(qualification, left)


def count_waiting(one: Round, size: int) -> int:
    """Seats of the second phase that no table of the first one fills."""
    tables = len(one.tables)
    if one.phase == FINAL:
        return 0
    after = size if one.phase == "semifinal" else int(one.phase.rpartition("_")[2])
    return after - tables
