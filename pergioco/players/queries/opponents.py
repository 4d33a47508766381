"""A player's opponents and results against them, as stored with the rating changes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.utils.functional import Promise

from pergioco.players.models import Player
from pergioco.players.naming import named_in_public
from pergioco.publishing.models import Line, PgrChange
from pergioco.publishing.published import Published
from pergioco.rulekit.numbers import to_points, to_thousandths
from pergioco.stages.models import Game, Stage
from pergioco.stages.rules.standings import DRAW, WIN
from ratings.rules import expected_exactly
from ratings.stage_games import REASONS, TracedGame, parse_trace

MOST_SHOWN = 10
ORDINARY_GAME = "played"
Pair = tuple[Player, Player]


class Score(NamedTuple):
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __str__(self) -> str:
        return f"{self.wins}–{self.draws}–{self.losses}"

    @property
    def games(self) -> int:
        return sum(self)

    def after(self, half_points: int) -> "Score":
        won, drawn = half_points == WIN, half_points == DRAW
        return Score(self.wins + won, self.draws + drawn, self.losses + (not won and not drawn))

    def plus(self, other: "Score") -> "Score":
        return Score(*(one + more for one, more in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Opponent:
    player: Player
    total: Score
    games: list[tuple[Game, Score]]


def list_counted_games(changes: Iterable[PgrChange]) -> Iterator[tuple[PgrChange, TracedGame]]:
    for change in changes:
        yield from ((change, game) for game in parse_trace(change.games) if game.counts)


def find_frequent_opponents(changes: Iterable[PgrChange]) -> list[Opponent]:
    """Only players with a public name, the most frequent first."""
    scores: dict[int, dict[Game, Score]] = defaultdict(lambda: defaultdict(Score))
    for change, game in list_counted_games(changes):
        if game.opponent is not None and game.half_points is not None:
            own = scores[game.opponent]
            own[change.game] = own[change.game].after(game.half_points)
    named = named_in_public().filter(pk__in=scores).with_names()
    found = [build_opponent(player, scores[player.pk]) for player in named]
    return sorted(
        found, key=lambda one: (-one.total.games, one.player.person.search_key, one.player.pk)
    )[:MOST_SHOWN]


def build_opponent(player: Player, scores: Mapping[Game, Score]) -> Opponent:
    by_game = sorted(scores.items(), key=lambda pair: (-pair[1].games, pair[0].name.casefold()))
    return Opponent(player, add_scores(scores.values()), by_game)


def add_scores(scores: Iterable[Score]) -> Score:
    total = Score()
    for score in scores:
        total = total.plus(score)
    return total


@dataclass(frozen=True)
class Meeting:
    """A table where both sat or should have sat. A side is None if the stage did not change its
    rating."""

    stage: Stage
    round: int
    sides: tuple[TracedGame | None, TracedGame | None]

    @property
    def score(self) -> Score:
        wins, losses = (int(side_has_result(side, WIN)) for side in self.sides)
        return Score(wins, int(any(side_has_result(side, DRAW) for side in self.sides)), losses)

    @property
    def notes(self) -> list[str | Promise]:
        """Why the game was not an ordinary one, for either side."""
        return [
            REASONS[side.reason]
            for side in self.sides
            if side is not None and side.reason != ORDINARY_GAME
        ]


@dataclass(frozen=True)
class Expectation:
    """From the PGRs published now."""

    lines: tuple[Line, Line]
    scores: tuple[Decimal, Decimal]


@dataclass(frozen=True)
class GameComparison:
    game: Game
    score: Score
    expectation: Expectation | None  # only between two active PGRs
    meetings: list[Meeting]


@dataclass(frozen=True)
class CommonStage:
    """A stage that changed both ratings."""

    stage: Stage
    moved: tuple[Decimal, Decimal]
    met: bool


@dataclass(frozen=True)
class Comparison:
    total: Score
    games: list[GameComparison]
    events: list[CommonStage]


def compare_players(pair: Pair, version: Published) -> Comparison:
    rows = version.changes().filter(player__in=pair).select_related("stage__season", "stage__game")
    changes = list(rows)
    met = list(find_meetings(changes, pair))
    games = sorted(
        group_by_game(met, find_expectations(pair, version)),
        key=lambda one: (-len(one.meetings), one.game.name),
    )
    total = add_scores(meeting.score for meeting in met)
    return Comparison(
        total, games, list(find_common_stages(changes, pair, {meeting.stage.pk for meeting in met}))
    )


def find_meetings(changes: Iterable[PgrChange], pair: Pair) -> Iterator[Meeting]:
    """The latest first."""
    one, other = (player.pk for player in pair)
    rival = {one: other, other: one}
    found: dict[tuple[int, int, int], dict[int, TracedGame]] = defaultdict(dict)
    stages: dict[int, Stage] = {}
    for change in changes:
        stages[change.stage_id] = change.stage
        for game in parse_trace(change.games):
            if game.opponent == rival[change.player_id]:
                found[change.stage_id, game.round, game.table][change.player_id] = game
    for (stage, round_, _table), sides in reversed(found.items()):
        yield Meeting(stages[stage], round_, (sides.get(one), sides.get(other)))


def side_has_result(side: TracedGame | None, half_points: int) -> bool:
    return side is not None and side.half_points == half_points


def find_expectations(pair: Pair, version: Published) -> dict[Game, Expectation]:
    """For each game in which both have an active PGR."""
    shown = Line.objects.filter(
        computation__shown__publication=version.publication, player__in=pair
    )
    lines: dict[str, dict[int, Line]] = defaultdict(dict)
    for line in shown.filter(computation__kind__startswith="game:").select_related("computation"):
        lines[line.computation.kind.removeprefix("game:")][line.player_id] = line
    both = {
        slug: (own[pair[0].pk], own[pair[1].pk])
        for slug, own in lines.items()
        if len(own) == len(pair)
    }
    games = Game.objects.in_bulk(list(both), field_name="slug")
    return {games[slug]: build_expectation(own) for slug, own in both.items()}


def build_expectation(lines: tuple[Line, Line]) -> Expectation:
    one, other = (to_thousandths(line.value) for line in lines)
    return Expectation(lines, (expected_exactly(one, [other]), expected_exactly(other, [one])))


def group_by_game(
    met: Iterable[Meeting], expected: Mapping[Game, Expectation]
) -> Iterator[GameComparison]:
    # Also the games in which they never met but both have a PGR.
    by_game: dict[Game, list[Meeting]] = {game: [] for game in expected}
    for meeting in met:
        by_game.setdefault(meeting.stage.game, []).append(meeting)
    for game, own in by_game.items():
        yield GameComparison(
            game, add_scores(meeting.score for meeting in own), expected.get(game), own
        )


def find_common_stages(
    changes: Iterable[PgrChange], pair: Pair, met: set[int]
) -> Iterator[CommonStage]:
    """The latest first."""
    sides: dict[int, dict[int, PgrChange]] = defaultdict(dict)
    for change in changes:
        sides[change.stage_id][change.player_id] = change
    for stage, own in reversed(sides.items()):
        if len(own) == len(pair):
            one, other = (own[player.pk] for player in pair)
            yield CommonStage(one.stage, (points_moved(one), points_moved(other)), stage in met)


def points_moved(change: PgrChange) -> Decimal:
    return to_points(change.after - change.before)
