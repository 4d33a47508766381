"""What the published numbers of BIG were made from: results, steps and cycles."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from html import escape
from itertools import groupby
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe

from big_league.compute import OF_EVENT
from big_league.rules import editions
from big_league.rules.editions import Edition
from big_league.rules.league import bonus_of_first
from pergioco.players.models import Player
from pergioco.publishing.models import Line
from pergioco.publishing.published import Ranking, Version
from pergioco.publishing.queries.explanations import RequestedVersion
from pergioco.publishing.queries.ranking_labels import ranking_address
from pergioco.rulekit.numbers import half_up, to_points
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Game, Season, Stage


@dataclass(frozen=True)
class EventResult:
    """A player's result in one tournament, with the intermediates of the rule."""

    stage: Stage
    line: Line
    counts: bool = True

    @property
    def before(self) -> Decimal:
        return to_points(self.line.detail["elo_before"])

    @property
    def after(self) -> Decimal | None:
        # None if the player faced no opponent.
        after = self.line.detail["elo_after"]
        return None if after is None else to_points(after)

    @property
    def moved(self) -> Decimal | None:
        return None if self.after is None else self.after - self.before


def event_lines(of: RequestedVersion, player: Player, slugs: Iterable[str]) -> dict[str, Line]:
    # Earlier seasons are read as they are published today.
    kinds = {f"{OF_EVENT}{slug}" for slug in slugs}
    found = {kind: line for kind, line in of.version.lines_of(player).items() if kind in kinds}
    earlier = Line.objects.filter(
        player=player,
        computation__kind__in=kinds - set(found),
        computation__shown__publication__is_current=True,
    )
    found |= {
        line.computation.kind: line for line in earlier.select_related("computation").distinct()
    }
    return {kind.removeprefix(OF_EVENT): line for kind, line in found.items()}


def event_results(
    of: RequestedVersion, player: Player, slugs: Iterable[str], *, counted: Iterable[str]
) -> list[EventResult]:
    lines, counting = event_lines(of, player, slugs), set(counted)
    stages = (
        Stage.objects.filter(slug__in=lines)
        .select_related("game", "season")
        .order_by("ends_on", "slug")
    )
    return [EventResult(stage, lines[stage.slug], stage.slug in counting) for stage in stages]


def explain_points(of: RequestedVersion, ranking: Ranking, line: Line) -> dict[str, Any]:
    edition = editions.EDITIONS.in_force(of.version.season.year)
    return {
        "results": event_results(
            of, line.player, line.detail["results"], counted=line.detail["counted"]
        ),
        "most": edition.best_of_game if ranking.kind != "big" else edition.best_in_general,
        "edition": edition,
    }


def explain_elo(of: RequestedVersion, ranking: Ranking, line: Line) -> dict[str, Any]:
    return {
        "results": [
            one
            for one in event_results(of, line.player, ranking.read["events"], counted=())
            if one.after
        ],
        "start": ranking.settings["big_elo_start"],
        "k": ranking.settings["big_elo_k"],
    }


@dataclass(frozen=True)
class LeagueSteps:
    """The steps of the league points; `detail` as a published line holds it."""

    detail: Mapping[str, Any]
    points: Decimal
    edition: Edition

    @property
    def rewarded(self) -> int:
        return int(self.detail["players"]) // self.edition.bonus_share

    @property
    def first_bonus(self) -> Decimal:
        return half_up(bonus_of_first(self.detail["players"], self.edition), 2)

    @property
    def own(self) -> Decimal:
        return to_points(self.detail["elo_before"])

    @property
    def difference(self) -> Decimal:
        return Decimal(self.detail["mean"]) - self.own


MOST_RESULTS = 10


@dataclass(frozen=True)
class CountedResult:
    game: str  # its name where the line is made of several games
    points: Decimal
    counts: bool


def counted_results(line: Line, games: Mapping[str, str]) -> list[CountedResult]:
    """Grouped by game, best results first; games in the order of their best result."""
    counted = set(line.detail["counted"])
    found = [
        CountedResult(games.get(slug, ""), Decimal(p), slug in counted)
        for slug, p in line.detail["results"].items()
    ]
    best: dict[str, Decimal] = {}
    for one in found:
        best[one.game] = max(one.points, best.get(one.game, one.points))
    return sorted(found, key=lambda one: (-best[one.game], one.game, not one.counts, -one.points))


def results_html(line: Line, games: Mapping[str, str] | None = None) -> SafeString:
    results = counted_results(line, games or {})
    parts = [
        game_results_html(game, own)
        for game, own in groupby(results[:MOST_RESULTS], key=lambda one: one.game)
    ]
    more = f" +{len(results) - MOST_RESULTS}" if len(results) > MOST_RESULTS else ""
    text = f'<span class="results">{"; ".join(parts)}{more}</span>'
    return mark_safe(text)  # noqa: S308 - each text in it is escaped  # nosec B308, B703


def game_results_html(game: str, results: Iterable[CountedResult]) -> str:
    return f"{escape(game)} {' · '.join(map(result_html, results))}".strip()


def result_html(one: CountedResult) -> str:
    text = escape(number_format(one.points, 2, use_l10n=True))
    return f"<strong>{text}</strong>" if one.counts else f"({text})"


ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class GameRankings:
    """The addresses of both rankings of one game."""

    game: Game
    points: str
    elo: str


@dataclass(frozen=True)
class EndedRanking:
    """A ranking as it was on the day before a final ended it."""

    final: Stage
    until: date
    address: str


@dataclass(frozen=True)
class Cycle:
    """`final` opened the cycle and made the champion; both are None before the first final."""

    final: Stage | None
    champion: Player | None
    earlier: list[EndedRanking]
    here: GameRankings | None
    games: list[GameRankings]


def describe_cycle(version: Version, ranking: Ranking, game: Game | None) -> Cycle:
    # No final ends the general ranking: it lists the rankings of its games instead.
    if game is None:
        return Cycle(None, None, [], None, rankings_of_all_games(version))
    finals = list(finals_held(game, version.as_of))
    champion = reigning_champion(ranking)
    opened = next((final for final in finals if final.slug == ranking.read.get("final")), None)
    earlier = (
        ended_rankings(ranking.kind, finals, version.season)
        if ranking.kind.startswith("big:")
        else []
    )
    return Cycle(opened, champion, earlier, game_rankings(game, version.season, version), [])


def reigning_champion(ranking: Ranking) -> Player | None:
    champion = ranking.read.get("champion")
    return Player.objects.with_names().filter(pk=champion).first() if champion else None


def finals_held(game: Game, day: date) -> QuerySet[Stage]:
    held = closed_stages(Stage.Circuit.BIG).filter(game=game, final=True, ends_on__lte=day)
    return held.select_related("season", "game").order_by("-ends_on", "-slug")


def ended_rankings(kind: str, finals: Iterable[Stage], season: Season) -> list[EndedRanking]:
    # Most of these seasons are already loaded with the finals.
    days = {final: final.starts_on - ONE_DAY for final in finals}
    seasons = {one.year: one for one in (season, *(final.season for final in days))}
    if others := {day.year for day in days.values()} - seasons.keys():
        seasons |= Season.objects.in_bulk(others, field_name="year")
    return [
        EndedRanking(final, day, ranking_address("ranking", kind, seasons[day.year], day=day))
        for final, day in days.items()
        if day.year in seasons
    ]


def game_rankings(game: Game, season: Season, version: Version) -> GameRankings:
    day = None if version.publication else version.as_of
    points, elo = (
        ranking_address("ranking", f"{kind}:{game.slug}", season, day=day)
        for kind in ("big", "big-elo")
    )
    return GameRankings(game, points, elo)


def rankings_of_all_games(version: Version) -> list[GameRankings]:
    if version.publication is None:
        return []
    its_ranking = version.publication.shown.filter(kind=Concat(Value("big:"), OuterRef("slug")))
    games = Game.objects.filter(Exists(its_ranking))
    return [
        game_rankings(game, version.season, version)
        for game in sorted(games, key=lambda game: game.name.casefold())
    ]
