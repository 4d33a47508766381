"""Orders the games of a source into rounds, and plans the tables of a stage from them."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_FLOOR, Decimal
from functools import cached_property

from pergioco.imports.canonical import (
    ARBITRATED,
    DOUBLE_FORFEIT,
    DRAW,
    FORFEIT,
    LOSS,
    MATCH,
    PLAYED,
    UNRATED,
    VOID,
    WIN,
    Game,
    Match,
    Note,
    Result,
)
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.rules import results

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
    """A player without a game in a round: a bye, or nothing (PG-8)."""

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
        """Player -> the rounds in which they are paired."""
        found: dict[str, set[int]] = defaultdict(set)
        for place in self.placed:
            for name in place.game.players:
                found[name].add(place.round)
        return dict(found)

    @cached_property
    def rounds(self) -> list[int]:
        alone = {idle.round for idle in self.result.idle}
        return sorted({place.round for place in self.placed} | alone)

    @cached_property
    def shown(self) -> list[Placed]:
        """Absences that the source itself states."""
        return [
            p for p in self.placed if p.game.kind in {FORFEIT, DOUBLE_FORFEIT} or is_unplayed_win(p)
        ]

    @cached_property
    def arbitrated(self) -> list[Placed]:
        return [p for p in self.placed if p.game.kind == ARBITRATED and p.loser]

    @cached_property
    def suspects(self) -> list[Placed]:
        """Lost games that may have been absences: the player's first one, and one before being
        away."""
        lost = [p for p in self.placed if p.game.kind in {PLAYED, MATCH} and p.loser]
        return [p for p in lost if self.is_first(p) or self.is_followed_by_absence(p)]

    def is_first(self, place: Placed) -> bool:
        return place.round == min(self.playing[place.loser])

    def is_followed_by_absence(self, place: Placed) -> bool:
        return place.round + 1 in self.rounds and place.round + 1 in self.away.get(
            place.loser, set()
        )

    @cached_property
    def away(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = defaultdict(set)
        for idle in self.idle:
            if not idle.is_bye:
                found[idle.player].add(idle.round)
        return dict(found)

    @cached_property
    def matches_in_question(self) -> list[Placed]:
        """Matches whose single games are not given."""
        return [
            p
            for p in self.placed
            if p.game.kind == MATCH and not (p.game.match and p.game.match.results)
        ]

    @cached_property
    def idle(self) -> list[Idle]:
        """Byes and absences, stated or deduced, round by round."""

        said = {(bye.player, bye.round): bye.type for bye in self.result.byes}
        return [
            Idle(f"{round_}-{index}", name, round_, bool(bye), bye == "half")
            for round_ in ([] if self.rounds_proposed else self.rounds)
            for index, name in enumerate(self.result.participants)
            for bye in [said.get((name, round_))]
            if name in self.seen and round_ not in self.playing.get(name, set())
        ]

    @cached_property
    def seen(self) -> set[str]:
        """Players with a game, bye or absence; a name on a list alone takes no part."""
        alone = {idle.player for idle in self.result.idle}
        return set(self.playing) | alone


def is_unplayed_win(place: Placed) -> bool:
    return place.game.kind == UNRATED and bool(place.loser)


def line_up(
    result: Result, *, one_game_a_round: bool, divisions: Collection[int] | None = None
) -> Lineup:
    """`divisions`: those that belong to the stage; None means all."""
    placed = [
        Placed(f"g{number}", round_ or 0, game)
        for number, (round_, game) in enumerate(games_in_order(result))
        if divisions is None or game.division is None or game.division in divisions
    ]
    propose = None in result.rounds or (one_game_a_round and sits_twice(placed))
    return Lineup(result, tuple(propose_rounds(placed) if propose else placed), propose)


def games_in_order(result: Result) -> Iterator[tuple[int | None, Game]]:
    for round_ in sorted(result.rounds, key=lambda number: number or 0):
        for game in result.rounds[round_]:
            yield round_, game


def sits_twice(placed: Sequence[Placed]) -> bool:
    # Against different opponents; several games against the same one are a match.
    met: dict[tuple[int, str], set[frozenset[str]]] = defaultdict(set)
    for place in placed:
        for name in place.game.players:
            met[place.round, name].add(place.game.players)
    return any(len(pairs) > 1 for pairs in met.values())


def propose_rounds(placed: Sequence[Placed]) -> list[Placed]:
    """In the order of play: each game in the first round after the last one of both players."""
    last: dict[str, int] = defaultdict(int)
    found = []
    for place in placed:
        round_ = 1 + max(last[name] for name in place.game.players)
        last.update(dict.fromkeys(place.game.players, round_))
        found.append(replace(place, round=round_))
    return sorted(found, key=lambda place: place.round)


def out_of_range(lineup: Lineup) -> list[Note]:
    wrong = [number for number in lineup.rounds if not 1 <= number <= MOST_ROUNDS]
    return [Note("round_out_of_range", None, {"round": n, "most": MOST_ROUNDS}) for n in wrong]


ONE_GAME, BY_SCORE = "one", "score"
HALF = Decimal("0.5")
LONGEST_KEY = 80
MOST_GAMES = 20  # of one match; platforms allow nine
PLAYED_SIGN = {WIN: results.FIRST, LOSS: results.SECOND, DRAW: results.DRAW}
ABSENT_SIGN = {WIN: results.SECOND_ABSENT, LOSS: results.FIRST_ABSENT, DRAW: results.DRAW}


@dataclass(frozen=True)
class Choices:
    """The organizer's decisions. Absences and byes exist only if they are listed here."""

    absent: frozenset[str] = frozenset()  # keys of games of which the loser did not come
    byes: frozenset[str] = frozenset()  # keys of `Idle`
    matches: str = ONE_GAME
    players: Mapping[str, int] = field(default_factory=dict)  # nickname -> player


def plan_rounds(lineup: Lineup, choices: Choices) -> tuple[RoundFacts, ...]:
    rounds = []
    for number in lineup.rounds:
        tables = [*plan_games(number, lineup, choices), *plan_byes(number, lineup, choices)]
        numbered = (replace(table, number=place) for place, table in enumerate(tables, 1))
        rounds.append(RoundFacts(number, tuple(numbered)))
    return tuple(round_ for round_ in rounds if round_.tables)


def plan_games(number: int, lineup: Lineup, choices: Choices) -> Iterator[TableFacts]:
    for place in lineup.placed:
        if place.round == number:
            pair, day = [choices.players[name] for name in place.game.pair], day_played(place.game)
            for sign, key in list_singles(place, choices):
                parts = results.parts_of_sign(sign, len(pair)) or ()
                seats = tuple(
                    SeatFacts(player, outcome, kind, played_on=day)
                    for player, (outcome, kind) in zip(pair, parts, strict=True)
                )
                yield TableFacts(0, seats, place.game.line, key[:LONGEST_KEY])


def day_played(game: Game) -> date | None:
    try:
        return date.fromisoformat(game.played_on) if game.played_on else None
    except ValueError:
        return None


def list_singles(place: Placed, choices: Choices) -> list[tuple[str, str]]:
    """Sign and platform key of each game that the stage will hold: each game of a match is rated
    (reading PG-11); an absence is one only if a person said so (PG-5 to PG-9)."""
    game, was_absent = place.game, place.key in choices.absent
    if game.kind == VOID:
        return []
    if game.result not in PLAYED_SIGN:
        return [(results.BOTH_ABSENT, game.source_id)] if was_absent else []
    # A single game is a match of one.
    match = game.match or Match(results=(game.result,))
    found = (
        match.results
        or (split_score(match) if choices.matches == BY_SCORE else ())
        or (game.result,)
    )
    ids = [*(match.game_ids or (game.source_id,)), *([""] * len(found))]
    signs = (
        (ABSENT_SIGN if was_absent and result == game.result else PLAYED_SIGN)[result]
        for result in found
    )
    return list(zip(signs, ids, strict=False))


def split_score(match: Match) -> tuple[str, ...]:
    """Wins for whole points, a draw for halves: any other split gives the same sum."""
    a, b = match.a_points, match.b_points
    if a is None or b is None or (a + b) % 1 or a + b > MOST_GAMES:
        return ()
    wins, losses = (int(points.to_integral_value(ROUND_FLOOR)) for points in (a, b))
    return (WIN,) * wins + (LOSS,) * losses + ((DRAW,) if a % 1 == HALF else ())


def plan_byes(number: int, lineup: Lineup, choices: Choices) -> Iterator[TableFacts]:
    # A bye is never a game (reading PG-10).
    for idle in lineup.idle:
        if idle.round == number and idle.key in choices.byes:
            sign = results.HALF_BYE if idle.is_half else results.BYE
            parts = results.parts_of_sign(sign, 1) or ()
            yield TableFacts(0, (SeatFacts(choices.players[idle.player], *parts[0]),))


def last_tables(rounds: tuple[RoundFacts, ...]) -> dict[int, int]:
    """Player -> the last round with a table."""
    return {
        seat.player: round_.number
        for round_ in rounds
        for table in round_.tables
        for seat in table.seats
    }


def find_withdrawn(
    lineup: Lineup, last: Mapping[int, int], players: Mapping[str, int]
) -> dict[int, int]:
    """Those of `last_tables` who were away from then to the end."""
    end = max(last.values(), default=0)
    away = {players[name] for name, numbers in lineup.away.items() if end in numbers}
    return {player: number for player, number in last.items() if player in away and number < end}
