"""The games of a source in the order of a stage: each in its round, with a key by which a form can speak of it."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pergioco.imports.canonical import (
    ARBITRATED,
    DOUBLE_FORFEIT,
    FORFEIT,
    LOSS,
    MATCH,
    PLAYED,
    UNRATED,
    WIN,
    Game,
    Note,
    Result,
)

MOST_ROUNDS = 100


@dataclass(frozen=True)
class Placed:
    key: str  # the game's place in the source: the same for the same bytes
    round: int
    game: Game

    @property
    def loser(self) -> str:
        return {WIN: self.game.b, LOSS: self.game.a}.get(self.game.result, "")


@dataclass(frozen=True)
class Idle:
    """Somebody without a game in a round: a bye, or nothing (PG-8)."""

    key: str
    player: str
    round: int
    is_bye: bool
    is_half: bool = False


@dataclass(frozen=True)
class Lineup:
    result: Result
    placed: tuple[Placed, ...]
    rounds_proposed: bool

    @cached_property
    def playing(self) -> dict[str, set[int]]:
        """Player -> the rounds in which he is paired."""
        found: dict[str, set[int]] = defaultdict(set)
        for place in self.placed:
            for name in place.game.players:
                found[name].add(place.round)
        return dict(found)

    @cached_property
    def rounds(self) -> list[int]:
        idle = {bye.round for bye in self.result.byes} | {absence.round for absence in self.result.absences}
        return sorted({place.round for place in self.placed} | idle)

    @cached_property
    def shown(self) -> list[Placed]:
        """Absences that the source itself writes down."""
        return [p for p in self.placed if p.game.kind in {FORFEIT, DOUBLE_FORFEIT} or is_unplayed_win(p)]

    @cached_property
    def arbitrated(self) -> list[Placed]:
        return [p for p in self.placed if p.game.kind == ARBITRATED and p.loser]

    @cached_property
    def suspects(self) -> list[Placed]:
        """Lost games that may have been absences: the first paired one, and one after which the player was away."""
        lost = [p for p in self.placed if p.game.kind in {PLAYED, MATCH} and p.loser]
        return [p for p in lost if self.is_first(p) or self.is_followed_by_absence(p)]

    def is_first(self, place: Placed) -> bool:
        return place.round == min(self.playing[place.loser])

    def is_followed_by_absence(self, place: Placed) -> bool:
        return place.round + 1 in self.rounds and place.round + 1 in self.away.get(place.loser, set())

    @cached_property
    def away(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = defaultdict(set)
        for idle in self.idle:
            if not idle.is_bye:
                found[idle.player].add(idle.round)
        return dict(found)

    @cached_property
    def matches_in_question(self) -> list[Placed]:
        """Matches of which the single games are not given."""
        return [p for p in self.placed if p.game.kind == MATCH and not (p.game.match and p.game.match.results)]

    @cached_property
    def idle(self) -> list[Idle]:
        """Byes and absences, said or deduced, round by round."""
        index = {name: number for number, name in enumerate(self.result.participants)}
        said = {(bye.player, bye.round): bye.type for bye in self.result.byes}
        return [
            Idle(f"{round_}-{index[name]}", name, round_, (name, round_) in said, said.get((name, round_)) == "half")
            for round_ in ([] if self.rounds_proposed else self.rounds)
            for name in self.result.participants
            if name in self.seen and round_ not in self.playing.get(name, set())
        ]

    @cached_property
    def seen(self) -> set[str]:
        """Who plays at all, or is said to sit out: a name on a list only takes no part."""
        alone = {bye.player for bye in self.result.byes} | {absence.player for absence in self.result.absences}
        return set(self.playing) | alone


def is_unplayed_win(place: Placed) -> bool:
    return place.game.kind == UNRATED and bool(place.loser)


def line_up(result: Result, *, one_game_a_round: bool, divisions: Collection[int] | None = None) -> Lineup:
    """`divisions` are those that belong to the stage; None means all."""
    placed = [
        Placed(f"g{number}", round_ or 0, game)
        for number, (round_, game) in enumerate(in_order(result))
        if divisions is None or game.division is None or game.division in divisions
    ]
    propose = None in result.rounds or (one_game_a_round and sits_twice(placed))
    return Lineup(result, tuple(proposed(placed) if propose else placed), propose)


def in_order(result: Result) -> Iterator[tuple[int | None, Game]]:
    for round_ in sorted(result.rounds, key=lambda number: number or 0):
        for game in result.rounds[round_]:
            yield round_, game


def sits_twice(placed: Sequence[Placed]) -> bool:
    """Against different opponents in one round: several games against the same one are a match."""
    met: dict[tuple[int, str], set[frozenset[str]]] = defaultdict(set)
    for place in placed:
        for name in place.game.players:
            met[place.round, name].add(place.game.players)
    return any(len(pairs) > 1 for pairs in met.values())


def proposed(placed: Sequence[Placed]) -> list[Placed]:
    """In the order of play, each game in the first round after the last one of both players."""
    last: dict[str, int] = defaultdict(int)
    found = []
    for place in placed:
        round_ = 1 + max(last[name] for name in place.game.players)
        last.update(dict.fromkeys(place.game.players, round_))
        found.append(replace(place, round=round_))
    return sorted(found, key=lambda place: place.round)


def out_of_range(lineup: Lineup) -> list[Note]:
    wrong = [number for number in lineup.rounds if not 1 <= number <= MOST_ROUNDS]
    return [Note("round_out_of_range", None, {"round": number, "most": MOST_ROUNDS}) for number in wrong]
