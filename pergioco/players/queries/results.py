"""A player's stages, RisiKo! Masters and BIG championships, as published."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise

from big_league import explanations
from pergioco.players.models import Player
from pergioco.publishing.models import Line, PgrChange
from pergioco.publishing.published import Published
from pergioco.publishing.queries.ranking_labels import ranking_address, why_address
from pergioco.rulekit.numbers import to_points
from pergioco.rulekit.ordering import Placed
from pergioco.stages.games import parts_by_stage
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.rules.standings import Part, Score, rank_scores, score_parts
from risiko_master import labels
from risiko_master.compute import FINAL, GAME, PREFIX, QUALIFICATION, ROUND_1

FINAL_WON = Q(
    position=1,
    computation__kind__startswith="big-event:",
    computation__read__is_final=True,
    computation__shown__publication__is_current=True,
)
BEST_FIRST = (FINAL, QUALIFICATION, ROUND_1)  # the most telling ranking first
# The public rankings of each Master, without its single games
MASTER_LINES = Q(
    ~Q(computation__kind__contains=f":{GAME}:"),
    computation__kind__startswith=PREFIX,
    computation__shown__publication__is_current=True,
)
PER_PAGE = 20


@dataclass(frozen=True)
class Championship:
    game: Game
    ranking: str
    points: Line | None
    why_points: str
    elo: Line | None
    why_elo: str

    @property
    def results(self) -> str:
        return explanations.results_html(self.points) if self.points else ""


def list_championships(
    player: Player, version: Published, lines: Mapping[str, Line]
) -> list[Championship]:
    """Sorted by the names of the games."""
    slugs = {kind.partition(":")[2] for kind in lines if kind.startswith(("big:", "big-elo:"))}
    games = (
        sorted(Game.objects.filter(slug__in=slugs), key=lambda game: game.name.casefold())
        if slugs
        else []
    )
    return [build_championship(game, player, version, lines) for game in games]


def build_championship(
    game: Game, player: Player, version: Published, lines: Mapping[str, Line]
) -> Championship:
    points, elo = f"big:{game.slug}", f"big-elo:{game.slug}"
    return Championship(
        game,
        ranking_address("ranking", points, version.season),
        lines.get(points),
        why_address(points, version.season, player),
        lines.get(elo),
        why_address(elo, version.season, player),
    )


def find_finals_won(players: Q) -> list[tuple[Stage, int]]:
    """Published national finals with the ids of their champions, the latest first. `players`
    filters lines."""
    won = Line.objects.filter(players & FINAL_WON)
    champions = {
        kind.partition(":")[2]: player
        for kind, player in won.values_list("computation__kind", "player").distinct()
    }
    if not champions:
        return []
    stages = (
        Stage.objects.filter(slug__in=champions)
        .select_related("game", "season")
        .order_by("-ends_on", "slug")
    )
    return [(stage, champions[stage.slug]) for stage in stages]


def load_champions(stages: Iterable[tuple[Stage, int]]) -> list[tuple[Stage, Player]]:
    found = list(stages)
    players = Player.objects.with_names().in_bulk([player for _stage, player in found])
    return [(stage, players[player]) for stage, player in found]


@dataclass(frozen=True)
class Master:
    """The most telling published line of a Master, and the ranking that it belongs to."""

    stage: Stage
    line: Line
    what: str
    why: str

    @property
    def ended_on(self) -> date:
        return self.stage.ends_on

    @property
    def ranking(self) -> str | Promise:
        return labels.RANKINGS[self.what]

    @property
    def rank(self) -> int | None:
        # The other rankings of a day are no final order.
        return self.line.rank if self.what == FINAL else None

    @property
    def points(self) -> str:
        return labels.line_points(self.line)


def is_master_won(line: Line) -> bool:
    # A shared first place counts as won.
    return line.rank == 1 and line.computation.kind.endswith(f":{FINAL}")


def list_masters(lines: Iterable[Line]) -> list[Master]:
    """The latest first. `lines` may contain lines of other rankings."""
    own: dict[str, dict[str, Line]] = defaultdict(dict)
    for line in lines:
        if slug := labels.slug_in_kind(line.computation.kind):
            own[slug][line.computation.kind.rpartition(":")[2]] = line
    stages = Stage.objects.filter(slug__in=own).select_related("game", "season") if own else ()
    in_order = sorted(stages, key=lambda one: (one.ends_on, one.slug), reverse=True)
    return [build_master(stage, own[stage.slug]) for stage in in_order]


def build_master(stage: Stage, lines: Mapping[str, Line]) -> Master:
    what = next(one for one in BEST_FIRST if one in lines)
    why = reverse("risiko-why", args=[stage.slug, lines[what].player.public_id])
    return Master(stage, lines[what], what, why)


def latest_master(masters: Iterable[Master], season: Season) -> Master | None:
    return next((one for one in masters if one.stage.season_id == season.pk), None)


@dataclass(frozen=True)
class PlayedStage:
    change: PgrChange
    place: Placed[Score] | None  # None without a place in the standings

    @property
    def points(self) -> Decimal | None:
        return Decimal(self.place.row.half_points) / 2 if self.place else None

    @property
    def moved(self) -> Decimal:
        return to_points(self.change.after - self.change.before)


def paginate_stages(
    changes: Sequence[PgrChange], masters: Sequence[Master], number: str | None
) -> Page[PgrChange | Master]:
    """The latest first."""
    every: list[PgrChange | Master] = [*changes, *masters]
    return Paginator(sorted(every, key=stage_order, reverse=True), PER_PAGE).get_page(number)


def stage_order(one: PgrChange | Master) -> tuple[date, bytes]:
    return one.ended_on, one.stage.slug.encode()


def list_played_stages(
    player: Player, shown: Sequence[PgrChange | Master]
) -> list[PlayedStage | Master]:
    rated = [one.stage_id for one in shown if isinstance(one, PgrChange)]
    stages = Stage.objects.filter(pk__in=rated)
    parts = dict(parts_by_stage(stages, today=timezone.localdate())) if rated else {}
    return [
        one
        if isinstance(one, Master)
        else PlayedStage(one, find_place_in_stage(player, one.stage, parts.get(one.stage_id, [])))
        for one in shown
    ]


def find_place_in_stage(player: Player, stage: Stage, parts: list[Part]) -> Placed[Score] | None:
    order = rank_scores(score_parts(parts, is_swiss=stage.system == Stage.System.SWISS))
    return next((place for place in order if place.row.player == player.pk), None)
