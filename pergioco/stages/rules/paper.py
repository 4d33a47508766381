"""Rounds typed from paper: each line a round, each game two start numbers of two digits and a result. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pergioco.stages.rules.berger import Pair
from pergioco.stages.rules.results import EMPTY, sign_typed

SPACES = re.compile(r"[\s,;.:–]+")
GAME = re.compile(r"(\d\d)(\d\d)([1X2=3+\-−0?])", re.IGNORECASE)
REST = re.compile(r"(\d\d)([BHZ])", re.IGNORECASE)
NOT_YET = "?"  # the pairing is known, its result is not


@dataclass(frozen=True)
class Game:
    players: Pair
    sign: str


@dataclass(frozen=True)
class Trouble:
    """A code with its values, at a line of what was typed."""

    line: int
    code: str
    values: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Paper:
    rounds: tuple[tuple[Game, ...], ...]
    troubles: tuple[Trouble, ...]


def read(text: str, players: Sequence[int]) -> Paper:
    """`players` stand in the order of their start numbers, from 1."""
    rounds: list[tuple[Game, ...]] = []
    troubles: list[Trouble] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            rounds.append(tuple(games(SPACES.sub("", line), players)))
        except Unclear as unclear:
            troubles.append(Trouble(number, unclear.code, {"text": unclear.text}))
    return Paper(tuple(rounds), tuple(troubles))


class Unclear(Exception):
    def __init__(self, code: str, text: str) -> None:
        super().__init__(code)
        self.code, self.text = code, text


def games(line: str, players: Sequence[int]) -> Iterator[Game]:
    """The last pair of a round fills itself: its result is enough."""
    left = dict.fromkeys(range(1, len(players) + 1))
    while line:
        if len(line) == 1 and len(left) == len(("first", "second")):
            line = "".join(f"{number:02}" for number in left) + line
        found = GAME.match(line) or REST.match(line)
        if found is None:
            raise Unclear("not_a_game", line)
        *numbers, key = found.groups()
        seated = tuple(players[taken(number, left, len(players)) - 1] for number in numbers)
        yield Game(seated, EMPTY if key == NOT_YET else sign_typed(key))
        line = line[found.end() :]


def taken(typed: str, left: dict[int, None], players: int) -> int:
    """The start number, which nobody else of this round may bear."""
    number = int(typed)
    if number not in left:
        raise Unclear("twice" if 1 <= number <= players else "no_such_number", typed)
    del left[number]
    return number
