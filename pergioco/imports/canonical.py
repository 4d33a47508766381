"""What every reader returns, whatever it read: one result, in one shape, with its notes."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

WIN, LOSS, DRAW, NOBODY, OPEN = "1-0", "0-1", "1/2-1/2", "0-0", "*"
MIRROR = {WIN: LOSS, LOSS: WIN}

# kinds of game
PLAYED, FORFEIT, DOUBLE_FORFEIT = "played", "forfeit", "double_forfeit"
UNRATED, MATCH, ARBITRATED, VOID, PENDING = "unrated", "match", "arbitrated", "void", "pending"


@dataclass(frozen=True)
class Note:
    """Something to tell the organizer: a code that the page turns into words, with its values and its line."""

    code: str
    line: int | None = None
    values: dict[str, Any] = field(default_factory=dict)


class Unreadable(Exception):
    """The one exception that leaves a reader: the file was refused, and why."""

    def __init__(self, code: str, *, line: int | None = None, **values: Any) -> None:
        super().__init__(code)
        self.note = Note(code, line, values)


@dataclass(frozen=True)
class Match:
    """Several games of one pair in one round."""

    format: str = ""
    a_points: Decimal | None = None
    b_points: Decimal | None = None
    game_ids: tuple[str, ...] = ()
    results: tuple[
        str, ...
    ] = ()  # of the single games, seen from a, in playing order; empty where the source hides them


@dataclass(frozen=True)
class Game:
    a: str
    b: str
    result: str
    kind: str = PLAYED
    source_id: str = ""
    division: int | None = None
    line: int | None = None
    match: Match | None = None
    played_on: str = ""  # ISO date, where the source says it

    @property
    def players(self) -> frozenset[str]:
        return frozenset((self.a, self.b))

    @property
    def outcome(self) -> tuple[str, str, str]:
        """The same for a game written from either side."""
        if self.a <= self.b:
            return self.a, self.b, self.result
        return self.b, self.a, MIRROR.get(self.result, self.result)


@dataclass(frozen=True)
class Bye:
    player: str
    round: int
    type: str  # pairing, half, full
    points: Decimal
    confirm: bool = False


@dataclass(frozen=True)
class Absence:
    player: str
    round: int
    reason: str


@dataclass(frozen=True)
class Standing:
    player: str
    points: Decimal
    rank: int | None = None
    division: int | None = None
    disqualified: bool = False


@dataclass(frozen=True)
class Result:
    source: str
    format: str
    participants: tuple[str, ...]
    rounds: dict[int | None, tuple[Game, ...]]  # None: the source has no rounds
    byes: tuple[Bye, ...] = ()
    absences: tuple[Absence, ...] = ()
    standings: tuple[Standing, ...] = ()
    source_stage_id: str = ""
    variant: str = ""
    participant_ids: dict[str, str] = field(default_factory=dict)
    divisions: dict[int, tuple[str, ...]] = field(default_factory=dict)
    point_system: dict[str, Decimal] = field(default_factory=dict)
    warnings: tuple[Note, ...] = ()
    errors: tuple[Note, ...] = ()

    @property
    def complete(self) -> bool:
        return not self.errors

    @property
    def games(self) -> tuple[Game, ...]:
        return tuple(game for games in self.rounds.values() for game in games)


def compare(a_points: Decimal, b_points: Decimal) -> str:
    """The result, from the points of both sides."""
    if a_points == b_points:
        return DRAW
    return WIN if a_points > b_points else LOSS
