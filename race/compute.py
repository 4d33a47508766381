"""Results of Race stages -> rules -> points of each stage, and the Race of a season."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import cast

from django.utils import timezone

from pergioco.ledger.content import Computed, Row
from pergioco.ledger.ranked import ranked_players
from pergioco.stages import season_settings
from pergioco.stages.games import closed_stages, parts_by_stage
from pergioco.stages.models import Season, Stage
from pergioco.stages.rules.parts import Part
from pergioco.stages.rules.standings import scores
from race.rules import editions
from race.rules.editions import Edition
from race.rules.points import Drops, RacePoints, StageScore, Total, most_possible, race_ranking, stage_points, total

OF_STAGE = "race:"  # the points of one stage


def rankings(day: date, season: Season) -> Iterator[Computed]:
    """As of that day: one ranking for each Race stage that is closed, then the Race."""
    if not editions.is_held(season.year):
        return
    edition = editions.for_season(season.year)
    planned = Stage.objects.filter(season=season, race=True).exclude(status=Stage.Status.CANCELLED)
    held = list(closed_stages().filter(season=season, race=True, ends_on__lte=day))
    points = dict(scored(held, day, edition))
    for stage, rows in points.items():
        yield Computed(f"{OF_STAGE}{stage.slug}", edition.since, [stage_row(row) for row in rows])
    drops = cast("Drops", season_settings.value(season.settings, "race_drops"))
    left = planned.count() - len(held)
    yield race(points, drops=drops, left=left, edition=edition)


def scored(stages: Sequence[Stage], day: date, edition: Edition) -> Iterator[tuple[Stage, list[RacePoints]]]:
    wanted = Stage.objects.filter(pk__in=[stage.pk for stage in stages])
    parts = dict(parts_by_stage(wanted, today=timezone.localdate()))
    ranked = ranked_players(day)
    for stage in stages:
        eligible = {player for player, since in ranked.items() if since <= stage.starts_on}
        scores = list(scores_of(parts.get(stage.pk, []), eligible, is_swiss=stage.system == Stage.System.SWISS))
        yield stage, stage_points(scores, edition) if scores else []


def scores_of(parts: Sequence[Part], eligible: set[int], *, is_swiss: bool) -> Iterator[StageScore]:
    """The classified who may earn points (PG-22, PG-23), on the points as scored, byes included."""
    for player, half_points in scores(parts, is_swiss=is_swiss):
        if player in eligible:
            yield StageScore(player, half_points)


def stage_row(row: RacePoints) -> Row:
    return Row(row.player, row.position, Decimal(row.points), detail={"players": row.players})


def race(points: dict[Stage, list[RacePoints]], *, drops: Drops, left: int, edition: Edition) -> Computed:
    results: dict[int, dict[str, int]] = defaultdict(dict)
    for stage, scored_there in points.items():
        for one in scored_there:
            results[one.player][stage.slug] = one.points
    totals = [total(p, list(own.values()), stages=edition.most_stages, drops=drops) for p, own in results.items()]
    is_over = bool(points) and left == 0
    placed = race_ranking(totals, is_over=is_over)
    rows = [
        Row(
            p.row.player,
            p.rank,
            Decimal(p.row.net if is_over else p.row.gross),
            p.is_shared,
            p.decided_by,
            detail(
                p.row,
                results[p.row.player],
                most_possible(p.row.results, stages_left=left, drops=drops, edition=edition),
            ),
        )
        for p in placed
    ]
    read = {"stages": [stage.slug for stage in points], "left": left, "is_over": is_over}
    return Computed("race", edition.since, rows, {"race_drops": drops}, read)


def detail(total: Total, results: dict[str, int], most: int) -> dict[str, object]:
    return {
        "results": results,
        "gross": total.gross,
        "net": total.net,
        "dropped": list(total.dropped),
        "most_possible": most,
    }
