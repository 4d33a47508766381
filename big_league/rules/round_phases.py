"""The phase of each round of a national final, from its number and the format (BIG 7.2.1 and 8.1)."""

from collections.abc import Sequence
from dataclasses import replace

from big_league.rules.phase_tables import Kind
from big_league.rules.phase_tables import for_year as tables_for_year
from big_league.rules.phases import kind_of, qualifying_rounds
from big_league.rules.standings import Round, players
from big_league.rules.table import PAIR, present
from pergioco.rulekit.paragraph import paragraph

FROM_THE_END = ("final", "semifinal", "final_4", "final_8")
SEMIFINAL_TABLES = {"two": 2, "three": 3, "four": 2}  # of each phase, for one of the next


@paragraph("BIG", "7.2.1")
def with_phases(rounds: Sequence[Round], *, year: int) -> list[Round]:
    """The last rounds are the final phases: those beyond the rounds that qualify in which no more players sit than the
    phase has seats. So a final without them (8.2.2) has none. What is told of a round stays as it is told."""
    found, is_elimination = list(rounds), True
    largest = max((len(present(parts)) for one in rounds[:1] for parts in one.tables.values()), default=PAIR)
    kind, everybody = kind_of(largest), len(players(rounds))
    qualifying = least_rounds(kind, everybody, year)
    for before_end, one in enumerate(reversed(rounds)):
        seats = sum(len(present(parts)) for parts in one.tables.values())
        room = seats_of_phase(before_end, kind, largest)
        is_elimination = is_elimination and seats < everybody and seats <= room
        number = len(rounds) - before_end
        if is_elimination and number > qualifying and not one.phase:
            found[number - 1] = replace(one, phase=FROM_THE_END[before_end])
    return found


def least_rounds(kind: Kind, participants: int, year: int) -> int:
    """Where the organiser may choose, the fewer: what follows is told by who sits there."""
    return min(qualifying_rounds(tables_for_year(year).finals[kind], participants)[0])


def seats_of_phase(before_end: int, kind: Kind, largest: int) -> int:
    """None before those that have a name; at great tables none before the semifinals."""
    named = 2 if kind == "four" else len(FROM_THE_END)
    return int(largest * SEMIFINAL_TABLES[kind] ** before_end) if before_end < named else 0
