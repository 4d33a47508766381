"""The parts of a page that explains a number: inputs, neighbours, steps, and the rules behind
it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.functional import Promise

from big_league import labels as big_labels
from pergioco.players.models import Player
from pergioco.players.naming import is_named
from pergioco.publishing import published
from pergioco.publishing.computed import Criteria
from pergioco.publishing.models import Line, PgrChange
from pergioco.publishing.published import Ranking, Version, circuit_of_kind
from pergioco.publishing.queries.ranking_form import DayForm, resolve_version
from pergioco.publishing.queries.ranking_labels import GREAT, family_of, ranking_title, why_address
from pergioco.rulekit.numbers import EXACT, to_points
from pergioco.stages.models import Game, OpeningRating, Season, Stage
from pergioco.website.regulations import rendering
from pergioco.website.regulations.rendering import AdoptedReading
from pergioco.website.regulations.text import Paragraph, get_pgm
from race import labels as race_labels
from race import rules as race_editions
from race import rules as race_rules
from rankings import labels, rules
from ratings.rules import expected_share, expected_total
from ratings.stage_games import REASONS, TracedGame, parse_trace

CRITERIA: dict[str, Criteria] = (
    labels.CRITERIA
    | {"race": race_labels.CRITERIA}
    | dict.fromkeys(big_labels.PARAGRAPHS, big_labels.CRITERIA)
)
PARAGRAPHS: dict[str, tuple[int, ...]] = labels.PARAGRAPHS | {"race": race_labels.PARAGRAPHS}
SIX = Decimal("0.000001")


def paragraphs_of_kind(kind: str) -> list[str]:
    family = family_of(kind)
    of_big = [f"BIG {number}" for number in big_labels.PARAGRAPHS.get(family, ())]
    return of_big or [f"PGM {number}" for number in PARAGRAPHS.get(family, ())]


@dataclass(frozen=True)
class RequestedVersion:
    """A version and the day in the request: links on the page keep it."""

    version: Version
    day: date | None

    def address(self, kind: str, player: Player) -> str:
        return why_address(kind, self.version.season, player, day=self.day)


@dataclass(frozen=True)
class Neighbour:
    """The line above or below, and the tie-break between the two; empty if they share a place."""

    line: Line
    criterion: str | Promise
    theirs: str
    own: str
    address: str


def requested_version(request: HttpRequest, season: Season) -> RequestedVersion:
    form = DayForm(request.GET, season=season)
    version = resolve_version(request, form)
    if version is None or form.errors:
        raise Http404
    return RequestedVersion(version, form.day)


def find_neighbours(
    of: RequestedVersion, ranking: Ranking, line: Line
) -> tuple[Neighbour | None, Neighbour | None]:
    above, below = ranking.around(line)
    return (
        explain_neighbour(of, ranking.kind, line, above, decided_by=line.decided_by)
        if above
        else None,
        explain_neighbour(of, ranking.kind, line, below, decided_by=below.decided_by)
        if below
        else None,
    )


def explain_neighbour(
    of: RequestedVersion, kind: str, own: Line, other: Line, *, decided_by: str
) -> Neighbour:
    criterion = CRITERIA[family_of(kind)].get(decided_by)
    return Neighbour(
        other,
        criterion.words if criterion else "",
        criterion.amount(other) if criterion else "",
        criterion.amount(own) if criterion else "",
        of.address(kind, other.player) if is_named(other.player, circuit_of_kind(kind)) else "",
    )


def rules_behind(
    season: Season, numbers: Iterable[int], settings: Mapping[str, Any]
) -> list[tuple[Paragraph, list[AdoptedReading]]]:
    """Each paragraph with the readings in force when the number was computed."""
    as_it_was = Season(year=season.year, settings={**season.settings, **settings})
    in_force = list(rendering.readings_in_force(as_it_was))
    paragraphs = get_pgm().paragraphs
    return [
        (paragraphs[n], [one for one in in_force if n in one.reading.paragraphs]) for n in numbers
    ]


def explain_ranking_line(
    of: RequestedVersion, ranking: Ranking, line: Line, player: Player
) -> dict[str, Any]:
    season, kind = of.version.season, family_of(ranking.kind)
    above, below = find_neighbours(of, ranking, line)
    return {
        "season": season,
        "kind": kind,
        "title": ranking_title(kind, None) if kind in GREAT else "",
        "player": player,
        "version": of.version,
        "state": published.version_state(of.version),
        "day": of.day,
        "circuit": ranking.circuit,
        "ranking": ranking,
        "line": line,
        "above": above,
        "below": below,
        "rules": rules_behind(season, PARAGRAPHS.get(kind, ()), ranking.settings),
    }


@dataclass(frozen=True)
class GamePart:
    """A player's line in the ranking of one game."""

    game: Game
    line: Line
    leader_points: Decimal
    address: str

    @property
    def last_played(self) -> date:
        return date.fromisoformat(self.line.detail["last_valid_on"])


@dataclass(frozen=True)
class RaceStagePart:
    """A player's result in one Race stage; `exact`: the points before rounding down."""

    stage: Stage
    place: int
    players: int
    exact: Decimal
    points: int
    is_dropped: bool


def game_parts(of: RequestedVersion, lines: dict[str, Line], player: Player) -> list[GamePart]:
    own = {
        kind.removeprefix("game:"): line for kind, line in lines.items() if kind.startswith("game:")
    }
    games = sorted(Game.objects.filter(slug__in=own), key=lambda game: game.name.casefold())
    return [
        GamePart(
            game,
            own[game.slug],
            labels.leader_points(own[game.slug]),
            of.address(f"game:{game.slug}", player),
        )
        for game in games
    ]


def explain_overall(of: RequestedVersion, ranking: Ranking, line: Line) -> dict[str, Any]:
    # Red and Blue use the same ratings.
    return {
        "games": game_parts(of, of.version.lines_of(line.player), line.player),
        "total": labels.blue_total(line),
        "average": labels.exact_average(line),
        "enough": edition_of_ranking(ranking).enough_pgrs,
    }


def edition_of_ranking(ranking: Ranking) -> rules.Edition:
    return rules.EDITIONS.begun_in(ranking.edition)


def explain_green(of: RequestedVersion, ranking: Ranking, line: Line) -> dict[str, Any]:
    lines, player = of.version.lines_of(line.player), line.player
    edition = edition_of_ranking(ranking)
    return {
        "places": [
            (
                kind,
                labels.NAMES[kind],
                lines.get(kind),
                line.detail[f"{kind}_points"],
                of.address(kind, player),
            )
            for kind in ("blue", "red")
        ],
        "led": [game for game in game_parts(of, lines, player) if game.leader_points],
        "leader_points": labels.leader_points(line),
        "place_points": edition.place_points,
        "leader_table": [Decimal(tenths) / 10 for tenths in edition.leader_tenths],
    }


def explain_race(of: RequestedVersion, ranking: Ranking, line: Line) -> dict[str, Any]:
    edition = race_editions.EDITIONS.begun_in(ranking.edition)
    lines, dropped = of.version.lines_of(line.player), race_labels.dropped_stages(line)
    stages = (
        Stage.objects.filter(slug__in=line.detail["results"])
        .select_related("game")
        .order_by("ends_on", "slug")
    )
    return {
        "stages": [
            race_stage_part(stage, lines[f"race:{stage.slug}"], edition, dropped)
            for stage in stages
        ],
        "k": edition.k,
        "most": race_rules.most_points_of_stage(edition),
        "most_players": edition.most_players,
    }


def race_stage_part(
    stage: Stage, line: Line, edition: race_editions.Edition, dropped: set[str]
) -> RaceStagePart:
    players = int(line.detail["players"])
    exact = race_rules.unrounded_points(players=players, position=line.rank, edition=edition)
    return RaceStagePart(stage, line.rank, players, exact, int(line.value), stage.slug in dropped)


def rating_history(of: RequestedVersion, game: Game, player: Player) -> dict[str, Any]:
    changes = of.version.changes().filter(game=game, player=player)
    return {
        "steps": list(changes.select_related("stage__season")),
        "opening": OpeningRating.objects.filter(game=game, player=player).first(),
    }


@dataclass(frozen=True)
class ExplainedGame:
    game: TracedGame
    opponent: Player | None
    expected: Decimal | None
    scored: Decimal | None
    reason: str | Promise


def explain_rating_change(change: PgrChange) -> dict[str, Any]:
    games = parse_trace(change.games)
    opponents = Player.objects.with_names().in_bulk(
        {game.opponent for game in games if game.opponent is not None}
    )
    gained, exact = unrounded_rating(change, games)
    return {
        "games": [explain_game_result(change, game, opponents) for game in games],
        "scored": change.scored,
        "gained": gained,
        "exact": exact,
        "moved": change.moved,
    }


def explain_game_result(
    change: PgrChange, game: TracedGame, opponents: dict[int, Player]
) -> ExplainedGame:
    opponent = opponents.get(game.opponent) if game.opponent is not None else None
    if game.half_points is None or game.opponent_before is None:
        return ExplainedGame(game, opponent, None, None, REASONS[game.reason])
    promised = expected_share(change.before, game.opponent_before).quantize(SIX, ROUND_HALF_UP)
    return ExplainedGame(
        game, opponent, promised, Decimal(game.half_points) / 2, REASONS[game.reason]
    )


def unrounded_rating(change: PgrChange, games: list[TracedGame]) -> tuple[Decimal, Decimal]:
    """The gain, and the new rating before its one rounding (PG-2), in points."""
    opponents = [
        game.opponent_before for game in games if game.counts and game.opponent_before is not None
    ]
    promised = expected_total(change.before, opponents)
    gained = EXACT.multiply(Decimal(change.k), EXACT.subtract(change.scored, promised))
    return gained, EXACT.add(to_points(change.before), gained)
