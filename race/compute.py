"""Points of each closed Race stage, and the Race of a season."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import cast

from django.utils import timezone

from pergioco.publishing.computed import Computed, Row
from pergioco.publishing.held_ratings import ranked_players
from pergioco.stages import seasons
from pergioco.stages.games import closed_stages, parts_by_stage
from pergioco.stages.models import Season, Stage
from pergioco.stages.rules.standings import Part, score_parts
from race import rules
from race.rules import (
    Drops,
    Edition,
    RacePoints,
    StageScore,
    most_possible,
    race_ranking,
    season_total,
    stage_points,
)

OF_STAGE = "race:"  # the points of one stage


def compute_race_rankings(day: date, season: Season) -> Iterator[Computed]:
    if not rules.is_race_held(season.year):
        return
    edition = rules.EDITIONS.in_force(season.year)
    planned = Stage.objects.filter(season=season, race=True).exclude(status=Stage.Status.CANCELLED)
    held = list(closed_stages().filter(season=season, race=True, ends_on__lte=day))
    points = dict(score_stages(held, day, edition))
    for stage, rows in points.items():
        yield Computed(
            f"{OF_STAGE}{stage.slug}", edition.since, [stage_points_row(row) for row in rows]
        )
    drops = cast("Drops", seasons.season_setting(season.settings, "race_drops"))
    left = planned.count() - len(held)
    yield compute_race(points, drops=drops, left=left, edition=edition)


def score_stages(
    stages: Sequence[Stage], day: date, edition: Edition
) -> Iterator[tuple[Stage, list[RacePoints]]]:
    wanted = Stage.objects.filter(pk__in=[stage.pk for stage in stages])
    parts = dict(parts_by_stage(wanted, today=timezone.localdate()))
    ranked = ranked_players(day)
    for stage in stages:
        eligible = {player for player, since in ranked.items() if since <= stage.starts_on}
        scores = list(
            eligible_scores(
                parts.get(stage.pk, []), eligible, is_swiss=stage.system == Stage.System.SWISS
            )
        )
        yield stage, stage_points(scores, edition) if scores else []


def eligible_scores(
    parts: Sequence[Part], eligible: set[int], *, is_swiss: bool
) -> Iterator[StageScore]:
    # Only registered players earn points (PG-22, PG-23), on points as scored, byes included.
    for player, half_points in score_parts(parts, is_swiss=is_swiss):
        if player in eligible:
            yield StageScore(player, half_points)


def stage_points_row(row: RacePoints) -> Row:
    return Row(row.player, row.position, Decimal(row.points), detail={"players": row.players})


def compute_race(
    points: dict[Stage, list[RacePoints]], *, drops: Drops, left: int, edition: Edition
) -> Computed:
    results: dict[int, dict[str, int]] = defaultdict(dict)
    for stage, scored_there in points.items():
        for one in scored_there:
            results[one.player][stage.slug] = one.points
    totals = [
        season_total(p, list(own.values()), stages=edition.most_stages, drops=drops)
        for p, own in results.items()
    ]
    is_over = bool(points) and left == 0
    placed = race_ranking(totals, is_over=is_over)
    rows = [
        Row(
            p.row.player,
            p.rank,
            Decimal(p.row.net if is_over else p.row.gross),
            p.is_shared,
            p.decided_by,
            {
                "results": results[p.row.player],
                "gross": p.row.gross,
                "net": p.row.net,
                "dropped": list(p.row.dropped),
                "most_possible": most_possible(
                    p.row.results, stages_left=left, drops=drops, edition=edition
                ),
            },
        )
        for p in placed
    ]
    read = {"stages": [stage.slug for stage in points], "left": left, "is_over": is_over}
    return Computed("race", edition.since, rows, {"race_drops": drops}, read)
