"""Ratings of a day -> rules -> the rankings of a season: each game, Red, Blue and Green."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import Any

from pergioco.ledger.content import Computed, Row
from pergioco.ledger.holding import Holding, games_played, holdings
from pergioco.ledger.ranked import ranked_players
from pergioco.rulekit.placing import Placed
from pergioco.stages import season_settings
from pergioco.stages.models import Game, Season
from rankings.rules import editions, green, red_blue
from rankings.rules.activity import first_year, is_active
from rankings.rules.green import GreenStanding, Ingredients
from rankings.rules.red_blue import Active, Standing

THOUSAND = 1000


def rankings(day: date, season: Season) -> Iterator[Computed]:
    """As of that day. One pass over the ratings that moved in the window which makes them active."""
    edition = editions.for_season(season.year)
    counts = str(season_settings.value(season.settings, "more_games_played"))
    active = active_holdings(day, counts)
    settings = {"more_games_played": counts}
    leaders: dict[str, dict[int, int]] = {}
    for slug, of_game in by_game(active):
        placed = green.game_ranking(of_game)
        leaders[slug] = green.leader_tenths(placed, edition)
        yield Computed(f"game:{slug}", edition.since, game_rows(placed, leaders[slug]), settings)
    standings = red_blue.standings(active_players(active, counts, day), edition)
    red, blue = red_blue.red(standings), red_blue.blue(standings)
    yield Computed("red", edition.since, [red_row(p) for p in red], settings)
    yield Computed("blue", edition.since, [blue_row(p) for p in blue], settings)
    of = Ingredients(
        blue=green.place_points(blue, edition),
        red=green.place_points(red, edition),
        leaders=list(leaders.values()),
        games={s.player: s.games for s in standings},
    )
    yield Computed("green", edition.since, list(green_rows(green.green(of), leaders)), settings)


def active_holdings(day: date, counts: str) -> list[Holding]:
    """Of the players who are ranked on that day, what is active (PGM 23); with the games that break ties."""
    ranked = ranked_players(day)
    window = holdings(since=date(first_year(day.year), 1, 1), until=day)
    days = {last for last in {h.last_valid_on for h in window} if is_active(last_valid_game=last, year=day.year)}
    active = [h for h in window if h.last_valid_on in days and h.player in ranked]
    if counts != "year":
        return active
    this_year = {(h.game, h.player): h.games for h in holdings(since=date(day.year, 1, 1), until=day)}
    return [h._replace(games=this_year.get((h.game, h.player), 0)) for h in active]


def by_game(active: Iterable[Holding]) -> Iterator[tuple[str, list[Holding]]]:
    found: dict[int, list[Holding]] = defaultdict(list)
    for holding in active:
        found[holding.game].append(holding)
    slugs = dict(Game.objects.filter(pk__in=found).order_by("slug").values_list("pk", "slug"))
    for pk, slug in slugs.items():
        yield slug, found[pk]


def active_players(active: Iterable[Holding], counts: str, day: date) -> Iterator[Active]:
    pgrs: dict[int, list[int]] = defaultdict(list)
    games: dict[int, int] = defaultdict(int)
    for holding in active:
        pgrs[holding.player].append(holding.pgr)
        games[holding.player] += holding.games
    if counts == "lifetime":
        games |= games_played(until=day)
    for player, own in pgrs.items():
        yield Active(player, tuple(own), games[player])


def row(placed: Placed[Any], value: Decimal, detail: dict[str, Any]) -> Row:
    return Row(placed.row.player, placed.rank, value, placed.is_shared, placed.decided_by, detail)


def game_rows(placed: Sequence[Placed[Holding]], leaders: dict[int, int]) -> list[Row]:
    return [
        Row(
            player,
            rank,
            Decimal(pgr) / THOUSAND,
            is_shared,
            decided_by,
            {"games": games, "last_valid_on": str(last), "leader_tenths": leaders.get(player, 0)},
        )
        for rank, (_game, player, pgr, games, last), is_shared, decided_by in placed
    ]


def standing_detail(standing: Standing) -> dict[str, Any]:
    detail = vars(standing) | {"average": str(standing.average)}
    del detail["player"]
    return detail


def red_row(placed: Placed[Standing]) -> Row:
    return row(placed, Decimal(placed.row.overall), standing_detail(placed.row))


def blue_row(placed: Placed[Standing]) -> Row:
    return row(placed, Decimal(placed.row.total) / THOUSAND, standing_detail(placed.row))


def green_rows(placed: Sequence[Placed[GreenStanding]], leaders: dict[str, dict[int, int]]) -> Iterator[Row]:
    led: dict[int, dict[str, int]] = defaultdict(dict)
    for slug, tenths in leaders.items():
        for player, points in tenths.items():
            led[player][slug] = points
    for p in placed:
        detail = asdict(p.row)
        del detail["player"]
        yield row(p, p.row.points, detail | {"leaders": led[p.row.player]})
