"""The rankings of a season from the ratings of a day: each game, Red, Blue and Green."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any

from pergioco.publishing.computed import Computed, Row
from pergioco.publishing.held_ratings import (
    HeldRating,
    count_valid_games,
    ranked_players,
    read_held_ratings,
)
from pergioco.rulekit.numbers import PER_POINT
from pergioco.rulekit.ordering import Placed
from pergioco.stages import seasons
from pergioco.stages.models import Game, Season
from rankings import rules
from rankings.rules import (
    Active,
    GreenStanding,
    Ingredients,
    Standing,
    first_active_year,
    is_active,
)


def compute_season_rankings(day: date, season: Season) -> Iterator[Computed]:
    edition = rules.EDITIONS.in_force(season.year)
    counts = str(seasons.season_setting(season.settings, "more_games_played"))
    active = active_holdings(day, counts)
    settings = {"more_games_played": counts}
    leaders: dict[str, dict[int, int]] = {}
    for slug, of_game in group_by_game(active):
        placed = rules.rank_game(of_game)
        leaders[slug] = rules.leader_tenths(placed, edition)
        yield Computed(
            f"game:{slug}", edition.since, game_ranking_rows(placed, leaders[slug]), settings
        )
    standings = rules.overall_standings(active_players(active, counts, day), edition)
    red, blue = rules.rank_red(standings), rules.rank_blue(standings)
    reds = [standing_row(p, Decimal(p.row.overall)) for p in red]
    yield Computed("red", edition.since, reds, settings)
    blues = [standing_row(p, Decimal(p.row.total) / PER_POINT) for p in blue]
    yield Computed("blue", edition.since, blues, settings)
    of = Ingredients(
        blue=rules.place_points(blue, edition),
        red=rules.place_points(red, edition),
        leaders=list(leaders.values()),
        games={s.player: s.games for s in standings},
    )
    yield Computed(
        "green", edition.since, list(green_rows(rules.rank_green(of), leaders)), settings
    )


def active_holdings(day: date, counts: str) -> list[HeldRating]:
    # Active ratings of ranked players (PGM 23), with the games that break ties.
    ranked = ranked_players(day)
    window = read_held_ratings(since=date(first_active_year(day.year), 1, 1), until=day)
    days = {
        last
        for last in {h.last_valid_on for h in window}
        if is_active(last_valid_game=last, year=day.year)
    }
    active = [h for h in window if h.last_valid_on in days and h.player in ranked]
    if counts != "year":
        return active
    this_year = {
        (h.game, h.player): h.games
        for h in read_held_ratings(since=date(day.year, 1, 1), until=day)
    }
    return [h._replace(games=this_year.get((h.game, h.player), 0)) for h in active]


def group_by_game(active: Iterable[HeldRating]) -> Iterator[tuple[str, list[HeldRating]]]:
    found: dict[int, list[HeldRating]] = defaultdict(list)
    for holding in active:
        found[holding.game].append(holding)
    slugs = dict(Game.objects.filter(pk__in=found).order_by("slug").values_list("pk", "slug"))
    for pk, slug in slugs.items():
        yield slug, found[pk]


def active_players(active: Iterable[HeldRating], counts: str, day: date) -> Iterator[Active]:
    pgrs: dict[int, list[int]] = defaultdict(list)
    games: dict[int, int] = defaultdict(int)
    for holding in active:
        pgrs[holding.player].append(holding.pgr)
        games[holding.player] += holding.games
    if counts == "lifetime":
        games |= count_valid_games(until=day)
    for player, own in pgrs.items():
        yield Active(player, tuple(own), games[player])


def ranking_row(placed: Placed[Any], value: Decimal, detail: dict[str, Any]) -> Row:
    return Row(placed.row.player, placed.rank, value, placed.is_shared, placed.decided_by, detail)


def game_ranking_rows(placed: Sequence[Placed[HeldRating]], leaders: dict[int, int]) -> list[Row]:
    return [
        Row(
            player,
            rank,
            Decimal(pgr)
            / PER_POINT,  # without zeros at its end: the hash of a ranking is made of its text
            is_shared,
            decided_by,
            {"games": games, "last_valid_on": str(last), "leader_tenths": leaders.get(player, 0)},
        )
        for rank, (_game, player, pgr, games, last), is_shared, decided_by in placed
    ]


def standing_row(placed: Placed[Standing], value: Decimal) -> Row:
    detail = vars(placed.row) | {"average": str(placed.row.average)}
    del detail["player"]
    return ranking_row(placed, value, detail)


def green_rows(
    placed: Sequence[Placed[GreenStanding]], leaders: dict[str, dict[int, int]]
) -> Iterator[Row]:
    led: dict[int, dict[str, int]] = defaultdict(dict)
    for slug, tenths in leaders.items():
        for player, points in tenths.items():
            led[player][slug] = points
    for p in placed:
        detail = asdict(p.row)
        del detail["player"]
        yield ranking_row(p, p.row.points, detail | {"leaders": led[p.row.player]})
