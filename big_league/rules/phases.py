"""Rounds to play and final phases, with the printed rows of chapter 8 (BIG 4.3, 4.4, 8.1, 8.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from big_league.rules.table import TWO_PLAYERS
from pergioco.rulekit.editions import Editions
from pergioco.rulekit.paragraph import paragraph

Kind = Literal["two", "three", "four"]
Code = Literal["two", "three", "four", "dominion", "hardcore", "potions"]
NO_END = 10**6  # a row that ends in “+”


@dataclass(frozen=True)
class Rounds:
    """Swiss rounds for `least` to `most` players; `before_final` of them are enough before a final
    (0: unsaid)."""

    least: int
    most: int
    rounds: int
    before_final: int = 0


@dataclass(frozen=True)
class Row:
    """Rounds to qualify (the organiser chooses between two), and the printed numbers of qualified
    players."""

    least: int
    most: int
    rounds: tuple[int, ...]
    qualified: tuple[int, ...] = ()
    unbeaten_is_champion: bool = False


@dataclass(frozen=True)
class Format:
    """`final`: players at the final table, 0 without a final phase. `by_losses`: at most one loss
    qualifies."""

    final: int
    rows: tuple[Row, ...]
    by_losses: bool = False


@dataclass(frozen=True)
class PhaseEdition:
    since: int
    rounds: Mapping[Kind, tuple[Rounds, ...]]
    finals: Mapping[str, Format]


ROWS_FOR_TWO = (
    Row(6, 6, (3,), (1, 3), unbeaten_is_champion=True),
    Row(7, 8, (3,), (4,)),
    Row(9, 10, (3,), (4, 5, 6)),
    Row(11, 12, (3,), (5, 6, 7)),
    Row(13, 14, (3,), (6, 7, 8)),
    Row(15, 16, (3,), (8,)),
    Row(17, 18, (4,), (5, 6, 7)),
    Row(19, 20, (4,), (6, 7)),
    Row(21, 22, (4,), (6, 7, 8)),
    Row(23, 24, (4,), (7, 8)),
    Row(25, 26, (4,), (6, 7, 8)),
    Row(27, 28, (4,), (8, 9)),
    Row(29, 32, (4,), (9, 10)),
    Row(33, NO_END, (4,), (11, 12, 13, 14, 15)),
)
UP_TO_33 = (
    Row(6, 6, (2,), (3,)),
    Row(7, 12, (3,), (3,)),
    Row(13, 24, (3,), (9,)),
    Row(25, 27, (3,), (7,)),
    Row(28, 33, (3,), (9,)),
)
ROWS_FOR_THREE = (*UP_TO_33, Row(34, NO_END, (4,), (9,)))
ROWS_OF_DOMINION = (*UP_TO_33, Row(34, 48, (4,), (9,)))
# Sixteen is printed in two rows: the first one holds (BIG-17).
ROWS_FOR_FOUR = (Row(6, 16, (2,), (4,)), Row(17, 32, (2, 3), (10,)), Row(33, NO_END, (3, 4), (10,)))
# how many go on to tables of two is unsaid
ROWS_OF_POTIONS = tuple(Row(row.least, row.most, row.rounds) for row in ROWS_FOR_FOUR)

PHASE_EDITIONS = Editions(
    PhaseEdition(
        since=2026,
        rounds={
            "two": (
                Rounds(6, 8, 3, 2),
                Rounds(9, 16, 4, 3),
                Rounds(17, 32, 5, 4),
                Rounds(33, 48, 6, 5),
            ),
            "three": (Rounds(6, 9, 2), Rounds(10, 27, 3, 2), Rounds(28, NO_END, 4, 3)),
            "four": (Rounds(6, 16, 2), Rounds(17, NO_END, 3)),
        },
        finals={
            "two": Format(2, ROWS_FOR_TWO, by_losses=True),
            "three": Format(3, ROWS_FOR_THREE),
            "four": Format(4, ROWS_FOR_FOUR),
            "dominion": Format(3, ROWS_OF_DOMINION),
            "hardcore": Format(0, (Row(6, NO_END, (4,)),)),
            "potions": Format(2, ROWS_OF_POTIONS),
        },
    ),
    first_reaches_back=True,
)


THREE_PLAYERS = 3
ROUND_ROBIN = 4  # so few players of a two-player game meet each other once
PHASE_NAMES = {1: "champion", 2: "final", 4: "semifinal", 8: "quarterfinal"}
Table = tuple[int, ...]
RowOf = TypeVar("RowOf", Row, Rounds)


class NoShape(ValueError):
    """No final of this size fits the number of qualified players."""


@dataclass(frozen=True)
class Advice:
    """`before_final`: fewer rounds and a final (0: unsaid); `is_printed`: the regulation has this
    row."""

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
    """The best `straight` players skip the first phase; `playing` others play at its tables."""

    phase: str
    straight: int
    playing: int
    tables: int
    is_printed: bool


def find_row(rows: Sequence[RowOf], players: int) -> tuple[RowOf, bool]:
    """The row for that number of players, or the nearest one and False."""
    inside = next((row for row in rows if row.least <= players <= row.most), None)
    return inside or (rows[0] if players < rows[0].least else rows[-1]), inside is not None


def game_kind(seats: int) -> Kind:
    """The chapter has three kinds of games, by the players at a table."""
    return "two" if seats == TWO_PLAYERS else "three" if seats == THREE_PLAYERS else "four"


@paragraph("BIG", "8.1.1", "8.1.2", "8.1.3")
def recommend_rounds(players: int, kind: Kind, edition: PhaseEdition, *, extra: int = 0) -> Advice:
    """The fewest rounds that avoid a shared first place, plus `extra` of the game."""
    row, is_inside = find_row(edition.rounds[kind], players)
    before_final = row.before_final and row.before_final + extra
    is_round_robin = kind == "two" and players == ROUND_ROBIN
    rounds = players - 1 if is_round_robin else row.rounds + extra
    return Advice(rounds, before_final, is_round_robin, is_inside)


@paragraph("BIG", "8.1.1", "8.1.2", "8.1.3", "8.2.2")
def qualifying_rounds(shape: Format, participants: int) -> tuple[tuple[int, ...], bool]:
    """Rounds to choose from before the final phase, and whether the row is printed."""
    row, is_inside = find_row(shape.rows, participants)
    return row.rounds, is_inside


@paragraph("BIG", "8.1.1")
def through_by_losses(shape: Format, records: Sequence[Record], *, rounds: int) -> tuple[int, ...]:
    """All with at most one loss, in the order of the standings; a draw is a win here (BIG-15)."""
    row, _ = find_row(shape.rows, len(records))
    unbeaten = tuple(r.player for r in records if r.wins + r.draws >= rounds)
    if row.unbeaten_is_champion and len(unbeaten) == 1:
        return unbeaten
    return tuple(r.player for r in records if r.wins + r.draws >= rounds - 1)


@paragraph("BIG", "8.1.1", "8.1.2", "8.1.3")
def plan_opening(shape: Format, *, participants: int, qualified: int) -> Opening:
    """For any number of qualified players, printed or not."""
    row, is_inside = find_row(shape.rows, participants)
    is_printed = is_inside and qualified in row.qualified
    return (
        plan_bracket(qualified, is_printed)
        if shape.final == TWO_PLAYERS
        else plan_groups(qualified, shape.final, is_printed)
    )


@paragraph("BIG", "4.3", "8.1.1")
def plan_bracket(qualified: int, is_printed: bool) -> Opening:  # noqa: FBT001 - a field of what it makes
    """The phase is the next power of two; missing players let the best skip a phase (BIG-15)."""
    if qualified < 1:
        raise NoShape(qualified)
    size = 1 << (qualified - 1).bit_length()
    playing = 2 * qualified - size if qualified > 1 else 0
    name = PHASE_NAMES.get(size, f"last_{size}")
    return Opening(name, qualified - playing, playing, playing // TWO_PLAYERS, is_printed)


@paragraph("BIG", "4.4", "8.1.2", "8.1.3")
def plan_groups(qualified: int, final: int, is_printed: bool) -> Opening:  # noqa: FBT001 - a field of what it makes
    """Semifinals at tables of the final's size: winners and players who skipped it meet there."""
    if qualified == final:
        return Opening("final", 0, final, 1, is_printed)
    tables, left_over = divmod(qualified - final, max(final - 1, 1))
    if left_over or not 0 < tables <= final:
        raise NoShape(qualified)
    return Opening("semifinal", final - tables, tables * final, tables, is_printed)


@paragraph("BIG", "4.3")
def first_against_last(playing: Sequence[int]) -> tuple[Table, ...]:
    """In qualification order: the first meets the last, and so on (BIG-16)."""
    half = len(playing) // TWO_PLAYERS
    return tuple(zip(playing[:half], reversed(playing[half:]), strict=True))


@paragraph("BIG", "4.4")
def across_tables(playing: Sequence[int], tables: int) -> tuple[Table, ...]:
    """Dealt table by table, the last deal in reverse: 1-4-9, 2-5-8, 3-6-7 (BIG-18)."""
    deals = [list(playing[at : at + tables]) for at in range(0, len(playing), tables)]
    return tuple(zip(*deals[:-1], deals[-1][::-1], strict=True))


@paragraph("BIG", "4.3", "4.4")
def seat_first_phase(qualified: Sequence[int], begins: Opening) -> tuple[Table, ...]:
    playing = qualified[begins.straight :]
    if not begins.tables:
        return ()
    if begins.playing == TWO_PLAYERS * begins.tables:
        return first_against_last(playing)
    return across_tables(playing, begins.tables)


@paragraph("BIG", "4.3")
def order_still_in(qualified: Sequence[int], left: Iterable[int]) -> tuple[int, ...]:
    """In qualification order, not by the last opponents (BIG-16)."""
    there = set(left)
    return tuple(player for player in qualified if player in there)


RESTING_YEARS = 2  # years, whether or not a final was held in them (BIG-20)


@dataclass(frozen=True)
class Pick:
    year: int
    title: str


@paragraph("BIG", "8.2.2")
def resting_titles(history: Iterable[Pick], year: int) -> dict[str, int]:
    """Title -> year, of the games that should rest at this year's final: a warning, no bar."""
    return {pick.title: pick.year for pick in history if 0 < year - pick.year <= RESTING_YEARS}
