"""Gathers what a reader finds, refuses doubles, and keeps the notes."""

from collections.abc import Iterable
from typing import Any

from pergioco.imports.canonical import Absence, Bye, Game, Note, Result, Standing
from pergioco.imports.nicknames import same_name


def told(code: str, first: int | None) -> str:
    """Sources without lines cannot say where the first of two stands."""
    return code if first is not None else f"{code}_somewhere"


class Collector:
    """One for each file read. Spellings that differ only by case, width or spaces are one player."""

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
        self.by_pair: dict[tuple[int, frozenset[str]], Game] = {}
        self.busy: dict[tuple[int, str], int | None] = {}

    def warn(self, code: str, *, line: int | None = None, **values: Any) -> None:
        self.warnings.append(Note(code, line, values))

    def fail(self, code: str, *, line: int | None = None, **values: Any) -> None:
        self.errors.append(Note(code, line, values))

    def participant(self, name: str) -> str:
        return self.names.setdefault(same_name(name), name)

    def game(self, round_: int | None, game: Game) -> bool:
        """False if the game was there already (said), or contradicts what was (refused)."""
        if self.repeats(round_, game) or self.is_double_booked(round_, game):
            return False
        self.add(round_, game)
        return True

    def add(self, round_: int | None, game: Game) -> None:
        """Without any check: for sources in which a player has many games in one round."""
        self.rounds.setdefault(round_, []).append(game)
        if game.source_id:
            self.by_id[game.source_id] = game
        if round_ is not None:
            self.by_pair[round_, game.players] = game

    def repeats(self, round_: int | None, game: Game) -> bool:
        twin = self.twin(round_, game)
        if twin is None:
            return False
        if twin.outcome == game.outcome and twin.kind == game.kind and twin.match == game.match:
            self.warn("repeated", line=game.line, first=twin.line, a=twin.a, b=twin.b, id=game.source_id)
        else:
            self.fail(told("contradicts", twin.line), line=game.line, first=twin.line, a=twin.a, b=twin.b, round=round_)
        return True

    def twin(self, round_: int | None, game: Game) -> Game | None:
        if game.source_id:
            return self.by_id.get(game.source_id)
        if round_ is None:
            return None
        return self.by_pair.get((round_, game.players))

    def is_double_booked(self, round_: int | None, game: Game) -> bool:
        """A player sits at one table a round."""
        if round_ is None:
            return False
        taken = [name for name in (game.a, game.b) if (round_, name) in self.busy]
        for name in taken:
            first = self.busy[round_, name]
            self.fail(told("player_twice", first), line=game.line, player=name, round=round_, first=first)
        if not taken:
            self.occupy(round_, game.line, game.a, game.b)
        return bool(taken)

    def occupy(self, round_: int, line: int | None, *names: str) -> None:
        for name in names:
            self.busy[round_, name] = line

    def bye(self, bye: Bye, *, line: int | None = None) -> None:
        if self.seat_alone(bye.player, bye.round, line):
            self.byes.append(bye)

    def absence(self, absence: Absence, *, line: int | None = None) -> None:
        if self.seat_alone(absence.player, absence.round, line):
            self.absences.append(absence)

    def seat_alone(self, player: str, round_: int, line: int | None) -> bool:
        if (round_, player) in self.busy:
            first = self.busy[round_, player]
            self.fail(told("player_twice", first), line=line, player=player, round=round_, first=first)
            return False
        self.occupy(round_, line, player)
        return True

    def unknown_among(self, known: Iterable[str]) -> None:
        """Says which names are no known nicknames: they would become unregistered participants."""
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
