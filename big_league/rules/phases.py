"""How many rounds to play, and what follows them: the final phases (BIG 4.3, 4.4, 8.1 and 8.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from big_league.rules.phase_tables import Edition, Format, Kind, Rounds, Row
from pergioco.rulekit.paragraph import paragraph

PAIR, THREE = 2, 3
ROUND_ROBIN = 4  # so few players of a two-player game meet each other once
NAMES = {1: "champion", 2: "final", 4: "semifinal", 8: "quarterfinal"}
Table = tuple[int, ...]
RowOf = TypeVar("RowOf", Row, Rounds)


class NoShape(ValueError):
    """So many qualified players cannot be brought to such a final."""


@dataclass(frozen=True)
class Advice:
    """Swiss rounds, or fewer of them and a final (0: unsaid). Not printed: outside the rows of the regulation."""

    rounds: int
    before_final: int
    is_round_robin: bool
    is_printed: bool


@dataclass(frozen=True)
class Record:
    player: int
    wins: int
    draws: int


@dataclass(frozen=True)
class Opening:
    """How the final phase begins: the best go straight to the phase after it, the others play at so many tables."""

    phase: str
    straight: int
    playing: int
    tables: int
    is_printed: bool


def row_of(rows: Sequence[RowOf], players: int) -> tuple[RowOf, bool]:
    """The row of so many players; outside of all of them the nearest one, and that it is not printed."""
    inside = next((row for row in rows if row.least <= players <= row.most), None)
    return inside or (rows[0] if players < rows[0].least else rows[-1]), inside is not None


def kind_of(seats: int) -> Kind:
    """By the players at a table: the chapter has three kinds of games."""
    return "two" if seats == PAIR else "three" if seats == THREE else "four"


@paragraph("BIG", "8.1.1", "8.1.2", "8.1.3")
def recommended(players: int, kind: Kind, edition: Edition, *, extra: int = 0) -> Advice:
    """The least rounds that leave no shared first place; some games ask for more (`extra`)."""
    row, is_inside = row_of(edition.rounds[kind], players)
    before_final = row.before_final and row.before_final + extra
    is_round_robin = kind == "two" and players == ROUND_ROBIN
    rounds = players - 1 if is_round_robin else row.rounds + extra
    return Advice(rounds, before_final, is_round_robin, is_inside)


@paragraph("BIG", "8.1.1", "8.1.2", "8.1.3", "8.2.2")
def qualifying_rounds(shape: Format, participants: int) -> tuple[tuple[int, ...], bool]:
    """Rounds to choose from before the final phase, and whether the row is printed."""
    row, is_inside = row_of(shape.rows, participants)
    return row.rounds, is_inside


@paragraph("BIG", "8.1.1")
def through_by_losses(shape: Format, records: Sequence[Record], *, rounds: int) -> tuple[int, ...]:
    """Whoever lost once at most, in the order of the standings; a draw is a win here (BIG-15)."""
    row, _ = row_of(shape.rows, len(records))
    unbeaten = tuple(r.player for r in records if r.wins + r.draws >= rounds)
    if row.unbeaten_is_champion and len(unbeaten) == 1:
        return unbeaten
    return tuple(r.player for r in records if r.wins + r.draws >= rounds - 1)


@paragraph("BIG", "8.1.1", "8.1.2", "8.1.3")
def opening(shape: Format, *, participants: int, qualified: int) -> Opening:
    """For any number of qualified players, printed or not."""
    row, is_inside = row_of(shape.rows, participants)
    is_printed = is_inside and qualified in row.qualified
    return bracket(qualified, is_printed) if shape.final == PAIR else groups(qualified, shape.final, is_printed)


@paragraph("BIG", "4.3", "8.1.1")
def bracket(qualified: int, is_printed: bool) -> Opening:  # noqa: FBT001 - a field of what it makes
    """The phase is the next power of two; whoever is missing there lets one of the best go straight on (BIG-15)."""
    if qualified < 1:
        raise NoShape(qualified)
    size = 1 << (qualified - 1).bit_length()
    playing = 2 * qualified - size if qualified > 1 else 0
    name = NAMES.get(size, f"last_{size}")
    return Opening(name, qualified - playing, playing, playing // PAIR, is_printed)


@paragraph("BIG", "4.4", "8.1.2", "8.1.3")
def groups(qualified: int, final: int, is_printed: bool) -> Opening:  # noqa: FBT001 - a field of what it makes
    """Semifinals at tables as great as the final: each winner, and those who went straight on, sit there."""
    if qualified == final:
        return Opening("final", 0, final, 1, is_printed)
    tables, left_over = divmod(qualified - final, max(final - 1, 1))
    if left_over or not 0 < tables <= final:
        raise NoShape(qualified)
    return Opening("semifinal", final - tables, tables * final, tables, is_printed)


@paragraph("BIG", "4.3")
def first_against_last(playing: Sequence[int]) -> tuple[Table, ...]:
    """In the order of the qualification: the first meets the last, the second the last but one (BIG-16)."""
    half = len(playing) // PAIR
    return tuple(zip(playing[:half], reversed(playing[half:]), strict=True))


@paragraph("BIG", "4.4")
def across_tables(playing: Sequence[int], tables: int) -> tuple[Table, ...]:
    """Dealt table by table, the last deal the other way round: 1-4-9, 2-5-8, 3-6-7 (BIG-18)."""
    deals = [list(playing[at : at + tables]) for at in range(0, len(playing), tables)]
    return tuple(zip(*deals[:-1], deals[-1][::-1], strict=True))


@paragraph("BIG", "4.3", "4.4")
def seated(qualified: Sequence[int], begins: Opening) -> tuple[Table, ...]:
    """The tables of the first phase; `qualified` is ordered by the qualification."""
    playing = qualified[begins.straight :]
    if not begins.tables:
        return ()
    if begins.playing == PAIR * begins.tables:
        return first_against_last(playing)
    return across_tables(playing, begins.tables)


@paragraph("BIG", "4.3")
def next_phase(qualified: Sequence[int], left: Iterable[int]) -> tuple[int, ...]:
    """Who is still there, again in the order of the qualification, whoever beat whom (BIG-16)."""
    there = set(left)
    return tuple(player for player in qualified if player in there)
