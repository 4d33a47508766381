"""The one shape of result that every reader returns, and the collector that builds it."""

import unicodedata
from collections.abc import Iterable
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
    """A remark for the organizer: a code, turned into words by `labels`, with values and line."""

    code: str
    line: int | None = None
    values: dict[str, Any] = field(default_factory=dict)


class Unreadable(Exception):
    """The only exception that leaves a reader: why the file was refused."""

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
    # of the single games, seen from a, in playing order; empty where the source hides them
    results: tuple[str, ...] = ()


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
    def pair(self) -> tuple[str, str]:
        return self.a, self.b

    @property
    def players(self) -> frozenset[str]:
        return frozenset(self.pair)

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
    def idle(self) -> tuple[Bye | Absence, ...]:
        return (*self.byes, *self.absences)

    @property
    def games(self) -> tuple[Game, ...]:
        return tuple(game for games in self.rounds.values() for game in games)


def compare_points(a_points: Decimal, b_points: Decimal) -> str:
    if a_points == b_points:
        return DRAW
    return WIN if a_points > b_points else LOSS


ZERO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))


def same_spelling(text: str) -> str:
    """Width, composition and spaces do not matter; case and accents do."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(ZERO_WIDTH)).split())


def same_name(text: str) -> str:
    """The key of a nickname where case does not matter either."""
    return same_spelling(text).casefold()


def code_with_line(code: str, first: int | None) -> str:
    # Sources without line numbers cannot say where the first one is.
    return code if first is not None else f"{code}_somewhere"


class Collector:
    """One for each file. Spellings that differ only by case, width or spaces are one player."""

    def __init__(self, source: str, format: str) -> None:  # noqa: A002 - the name of the field it fills
        self.source, self.format = source, format
        self.names: dict[str, str] = {}
        self.rounds: dict[int | None, list[Game]] = {}
        self.byes: list[Bye] = []
        self.absences: list[Absence] = []
        self.standings: list[Standing] = []
        self.warnings: list[Note] = []
        self.errors: list[Note] = []
        self.by_id: dict[str, Game] = {}
        self.by_pair: dict[tuple[int | None, frozenset[str]], Game] = {}
        self.busy: dict[tuple[int, str], int | None] = {}

    def warn(self, code: str, *, line: int | None = None, **values: Any) -> None:
        self.warnings.append(Note(code, line, values))

    def fail(self, code: str, *, line: int | None = None, **values: Any) -> None:
        self.errors.append(Note(code, line, values))

    def participant(self, name: str) -> str:
        return self.names.setdefault(same_name(name), " ".join(name.split()))

    def game(self, round_: int | None, game: Game) -> None:
        """Leaves out a game that repeats another (a warning) or contradicts it (an error)."""
        if game.kind == PENDING:
            self.fail_as_open(game)
        if not self.repeats(round_, game) and self.seat(round_, game.line, game.a, game.b):
            self.add(round_, game)

    def fail_as_open(self, game: Game) -> None:
        self.fail("game_still_open", line=game.line, a=game.a, b=game.b)

    def add(self, round_: int | None, game: Game) -> None:
        # Without checks: for sources where a player has many games in one round.
        self.rounds.setdefault(round_, []).append(game)
        if game.source_id:
            self.by_id[game.source_id] = game
        if round_ is not None:
            self.by_pair[round_, game.players] = game

    def repeats(self, round_: int | None, game: Game) -> bool:
        twin = (
            self.by_id.get(game.source_id)
            if game.source_id
            else self.by_pair.get((round_, game.players))
        )
        if twin is None:
            return False
        if twin.outcome == game.outcome and twin.kind == game.kind and twin.match == game.match:
            self.warn("repeated", line=game.line, a=twin.a, b=twin.b)
        else:
            code = code_with_line("contradicts", twin.line)
            self.fail(code, line=game.line, first=twin.line, a=twin.a, b=twin.b)
        return True

    def seat(self, round_: int | None, line: int | None, *names: str) -> bool:
        """A player sits at one table a round: False, with an error, if one sits already."""
        if round_ is None:
            return True
        taken = [name for name in names if (round_, name) in self.busy]
        for name in taken:
            first = self.busy[round_, name]
            code = code_with_line("player_twice", first)
            self.fail(code, line=line, player=name, round=round_, first=first)
        if not taken:
            self.busy |= {(round_, name): line for name in names}
        return not taken

    def bye(self, bye: Bye, *, line: int | None = None) -> None:
        if self.seat(bye.round, line, bye.player):
            self.byes.append(bye)

    def absence(self, absence: Absence, *, line: int | None = None) -> None:
        if self.seat(absence.round, line, absence.player):
            self.absences.append(absence)

    def unknown_among(self, known: Iterable[str]) -> None:
        # Unknown names would become unregistered participants.
        keys = {same_name(name) for name in known}
        for key, name in self.names.items():
            if keys and key not in keys:
                self.warn("unknown_nickname", nickname=name)

    def result(self, **more: Any) -> Result:
        return Result(
            source=self.source,
            format=self.format,
            participants=tuple(self.names.values()),
            rounds={number: tuple(games) for number, games in self.rounds.items()},
            byes=tuple(self.byes),
            absences=tuple(self.absences),
            standings=tuple(self.standings),
            warnings=tuple(self.warnings),
            errors=tuple(self.errors),
            **more,
        )
