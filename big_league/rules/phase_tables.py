"""The printed rows of chapter 8: rounds to play, and formats of the finals. An edition in force is never edited."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["two", "three", "four"]
Code = Literal["two", "three", "four", "dominion", "hardcore", "potions"]
NO_END = 10**6  # a row that ends in “+”


@dataclass(frozen=True)
class Rounds:
    """Players from … to …: Swiss rounds at least, and how many are enough if a final follows (0: unsaid)."""

    least: int
    most: int
    rounds: int
    before_final: int = 0


@dataclass(frozen=True)
class Row:
    """Participants from … to …: rounds to qualify (the organiser chooses where two are given), and how many qualify.

    More numbers than one are the printed cases.
    """

    least: int
    most: int
    rounds: tuple[int, ...]
    qualified: tuple[int, ...] = ()
    unbeaten_is_champion: bool = False


@dataclass(frozen=True)
class Format:
    """`final`: players at the table of the final, none where no final phase is played. By losses: whoever lost once at
    most goes through, whatever their number."""

    final: int
    rows: tuple[Row, ...]
    by_losses: bool = False


@dataclass(frozen=True)
class Edition:
    since: int
    rounds: Mapping[Kind, tuple[Rounds, ...]]
    finals: Mapping[Code, Format]


TWO = (
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
THREE = (*UP_TO_33, Row(34, NO_END, (4,), (9,)))
DOMINION = (*UP_TO_33, Row(34, 48, (4,), (9,)))
# Sixteen is printed in two rows: the first one holds (BIG-17).
FOUR = (Row(6, 16, (2,), (4,)), Row(17, 32, (2, 3), (10,)), Row(33, NO_END, (3, 4), (10,)))
POTIONS = tuple(Row(row.least, row.most, row.rounds) for row in FOUR)  # how many go on to tables of two is unsaid

EDITIONS = (
    Edition(
        since=2026,
        rounds={
            "two": (Rounds(6, 8, 3, 2), Rounds(9, 16, 4, 3), Rounds(17, 32, 5, 4), Rounds(33, 48, 6, 5)),
            "three": (Rounds(6, 9, 2), Rounds(10, 27, 3, 2), Rounds(28, NO_END, 4, 3)),
            "four": (Rounds(6, 16, 2), Rounds(17, NO_END, 3)),
        },
        finals={
            "two": Format(2, TWO, by_losses=True),
            "three": Format(3, THREE),
            "four": Format(4, FOUR),
            "dominion": Format(3, DOMINION),
            "hardcore": Format(0, (Row(6, NO_END, (4,)),)),
            "potions": Format(2, POTIONS),
        },
    ),
)


def for_year(year: int) -> Edition:
    """For a year before the first edition the first one."""
    in_force = (edition for edition in EDITIONS if edition.since <= year)
    return max(in_force, default=EDITIONS[0], key=lambda edition: edition.since)
