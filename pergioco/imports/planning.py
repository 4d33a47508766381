"""From a line-up and the organizer's choices to the tables of a stage."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_FLOOR, Decimal

from pergioco.imports.canonical import DRAW, LOSS, VOID, WIN, Game, Match
from pergioco.imports.lineup import Idle, Lineup, Placed
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.rules import results

ONE_GAME, BY_SCORE = "one", "score"
HALF = Decimal("0.5")
LONGEST_KEY = 80
MOST_GAMES = 20  # of one match; platforms allow nine
PLAYED_SIGN = {WIN: results.FIRST, LOSS: results.SECOND, DRAW: results.DRAW}
ABSENT_SIGN = {WIN: results.SECOND_ABSENT, LOSS: results.FIRST_ABSENT, DRAW: results.DRAW}


@dataclass(frozen=True)
class Choices:
    """What a person decided. Nobody is absent, and nobody has a bye, unless it stands here."""

    absent: frozenset[str] = frozenset()  # keys of games of which the loser did not come
    byes: frozenset[str] = frozenset()  # keys of `Idle`
    matches: str = ONE_GAME
    players: Mapping[str, int] = field(default_factory=dict)  # nickname -> player


@dataclass(frozen=True)
class Single:
    """One game as it will stand in the stage."""

    sign: str
    platform_key: str


def plan(lineup: Lineup, choices: Choices) -> tuple[RoundFacts, ...]:
    rounds = []
    for number in lineup.rounds:
        tables = [*games_of(number, lineup, choices), *byes_of(number, lineup, choices)]
        numbered = (numbered_table(place, table) for place, table in enumerate(tables, 1))
        rounds.append(RoundFacts(number, tuple(numbered)))
    return tuple(round_ for round_ in rounds if round_.tables)


def numbered_table(number: int, table: TableFacts) -> TableFacts:
    return TableFacts(number, table.seats, table.source_line, table.platform_key)


def games_of(number: int, lineup: Lineup, choices: Choices) -> Iterator[TableFacts]:
    for place in lineup.placed:
        if place.round != number:
            continue
        pair = (choices.players[place.game.a], choices.players[place.game.b])
        for single in singles_of(place, choices):
            parts = results.parts_of(single.sign, len(pair)) or ()
            seats = tuple(
                SeatFacts(player, outcome, kind, played_on=day_of(place.game))
                for player, (outcome, kind) in zip(pair, parts, strict=True)
            )
            yield TableFacts(0, seats, place.game.line, single.platform_key[:LONGEST_KEY])


def day_of(game: Game) -> date | None:
    try:
        return date.fromisoformat(game.played_on) if game.played_on else None
    except ValueError:
        return None


def singles_of(place: Placed, choices: Choices) -> list[Single]:
    """Each game of a match is rated (reading PG-11); an absence is one only if a person said so (PG-5 to PG-9)."""
    game, was_absent = place.game, place.key in choices.absent
    if game.kind == VOID:
        return []
    if game.result not in PLAYED_SIGN:
        return [Single(results.BOTH_ABSENT, game.source_id)] if was_absent else []
    if game.match is None:
        return [Single(sign_of(game.result, was_absent=was_absent), game.source_id)]
    found = game.match.results or (by_score(game.match) if choices.matches == BY_SCORE else ()) or (game.result,)
    ids = [*(game.match.game_ids or (game.source_id,)), *([""] * len(found))]
    lost = game.result
    return [
        Single(sign_of(result, was_absent=was_absent and result == lost), key)
        for result, key in zip(found, ids, strict=False)
    ]


def sign_of(result: str, *, was_absent: bool) -> str:
    return (ABSENT_SIGN if was_absent else PLAYED_SIGN)[result]


def by_score(match: Match) -> tuple[str, ...]:
    """As many wins as whole points, and a draw where halves remain: any other split gives the same sum."""
    a, b = match.a_points, match.b_points
    if a is None or b is None or (a + b) % 1 or a + b > MOST_GAMES:
        return ()
    wins, losses = (int(points.to_integral_value(ROUND_FLOOR)) for points in (a, b))
    return (WIN,) * wins + (LOSS,) * losses + ((DRAW,) if a % 1 == HALF else ())


def byes_of(number: int, lineup: Lineup, choices: Choices) -> Iterator[TableFacts]:
    for idle in lineup.idle:
        if idle.round == number and idle.key in choices.byes:
            yield TableFacts(0, (seat_of(idle, choices.players[idle.player]),))


def seat_of(idle: Idle, player: int) -> SeatFacts:
    """A bye is never a game (reading PG-10)."""
    parts = results.parts_of(results.HALF_BYE if idle.is_half else results.BYE, 1) or ()
    return SeatFacts(player, *parts[0])


def last_tables(rounds: tuple[RoundFacts, ...]) -> dict[int, int]:
    """Player -> the last round with a table."""
    found: dict[int, int] = {}
    for round_ in rounds:
        found.update({seat.player: round_.number for table in round_.tables for seat in table.seats})
    return found


def withdrawn(lineup: Lineup, last: Mapping[int, int], players: Mapping[str, int]) -> dict[int, int]:
    """Of `last_tables` those who were away from then to the end."""
    end = max(last.values(), default=0)
    away = {players[name] for name, numbers in lineup.away.items() if end in numbers}
    return {player: number for player, number in last.items() if player in away and number < end}
