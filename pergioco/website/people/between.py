"""What two players have between them, from what was stored with their ratings: each win as it counts for the winner."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils.functional import Promise

from pergioco.ledger.models import Line, PgrChange
from pergioco.ledger.published import Published
from pergioco.players.models import Player
from pergioco.stages.games import THOUSAND
from pergioco.stages.models import Game, Stage
from pergioco.stages.rules.parts import DRAW, WIN
from pergioco.website.people.opponents import Score, added_up
from ratings.labels import REASONS
from ratings.rules.pgr import expected_exactly
from ratings.trace import TracedGame, parse

PLAYED = "played"
Pair = tuple[Player, Player]


@dataclass(frozen=True)
class Meeting:
    """A table at which the two sat, or should have; nothing on a side whose rating the stage did not touch."""

    stage: Stage
    round: int
    sides: tuple[TracedGame | None, TracedGame | None]

    @property
    def score(self) -> Score:
        wins, losses = (int(has(side, WIN)) for side in self.sides)
        return Score(wins, int(any(has(side, DRAW) for side in self.sides)), losses)

    @property
    def notes(self) -> list[str | Promise]:
        """Why it was no ordinary game, on either side."""
        return [REASONS[side.reason] for side in self.sides if side is not None and side.reason != PLAYED]


@dataclass(frozen=True)
class Expectation:
    """From the PGRs that are published now."""

    lines: tuple[Line, Line]
    scores: tuple[Decimal, Decimal]


@dataclass(frozen=True)
class InGame:
    game: Game
    score: Score
    expectation: Expectation | None  # only between two active PGRs
    meetings: list[Meeting]


@dataclass(frozen=True)
class Event:
    """A stage that moved both ratings."""

    stage: Stage
    moved: tuple[Decimal, Decimal]
    met: bool


@dataclass(frozen=True)
class Between:
    total: Score
    games: list[InGame]
    events: list[Event]


def between(pair: Pair, version: Published) -> Between:
    rows = version.changes().filter(player__in=pair).select_related("stage__season", "stage__game")
    changes = list(rows)
    met = list(meetings(changes, pair))
    games = sorted(in_games(met, expectations(pair, version)), key=lambda one: (-len(one.meetings), one.game.name))
    total = added_up(meeting.score for meeting in met)
    return Between(total, games, list(events(changes, pair, {meeting.stage.pk for meeting in met})))


def meetings(changes: Iterable[PgrChange], pair: Pair) -> Iterator[Meeting]:
    """The latest first."""
    one, other = (player.pk for player in pair)
    rival = {one: other, other: one}
    found: dict[tuple[int, int, int], dict[int, TracedGame]] = defaultdict(dict)
    stages: dict[int, Stage] = {}
    for change in changes:
        stages[change.stage_id] = change.stage
        for game in parse(change.games):
            if game.opponent == rival[change.player_id]:
                found[change.stage_id, game.round, game.table][change.player_id] = game
    for (stage, round_, _table), sides in reversed(found.items()):
        yield Meeting(stages[stage], round_, (sides.get(one), sides.get(other)))


def has(side: TracedGame | None, half_points: int) -> bool:
    return side is not None and side.half_points == half_points


def expectations(pair: Pair, version: Published) -> dict[Game, Expectation]:
    """Of each game in which both have an active PGR."""
    shown = Line.objects.filter(computation__shown__publication=version.publication, player__in=pair)
    lines: dict[str, dict[int, Line]] = defaultdict(dict)
    for line in shown.filter(computation__kind__startswith="game:").select_related("computation"):
        lines[line.computation.kind.removeprefix("game:")][line.player_id] = line
    both = {slug: (own[pair[0].pk], own[pair[1].pk]) for slug, own in lines.items() if len(own) == len(pair)}
    games = Game.objects.in_bulk(list(both), field_name="slug")
    return {games[slug]: expectation(own) for slug, own in both.items()}


def expectation(lines: tuple[Line, Line]) -> Expectation:
    one, other = (int(line.value * THOUSAND) for line in lines)
    return Expectation(lines, (expected_exactly(one, [other]), expected_exactly(other, [one])))


def in_games(met: Iterable[Meeting], expected: Mapping[Game, Expectation]) -> Iterator[InGame]:
    """Where they met, and where they could measure up to each other."""
    by_game: dict[Game, list[Meeting]] = {game: [] for game in expected}
    for meeting in met:
        by_game.setdefault(meeting.stage.game, []).append(meeting)
    for game, own in by_game.items():
        yield InGame(game, added_up(meeting.score for meeting in own), expected.get(game), own)


def events(changes: Iterable[PgrChange], pair: Pair, met: set[int]) -> Iterator[Event]:
    """The latest first."""
    sides: dict[int, dict[int, PgrChange]] = defaultdict(dict)
    for change in changes:
        sides[change.stage_id][change.player_id] = change
    for stage, own in reversed(sides.items()):
        if len(own) == len(pair):
            one, other = (own[player.pk] for player in pair)
            yield Event(one.stage, (moved(one), moved(other)), stage in met)


def moved(change: PgrChange) -> Decimal:
    return Decimal(change.after - change.before).scaleb(-3)
