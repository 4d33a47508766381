"""Results of tournaments -> the BIG rankings of a day: of each tournament, of each game, general, and the Elo."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from big_league.facts import held, members, tournaments
from big_league.results import THOUSAND, Played, Result, play, settings_in
from big_league.rules import cycles, editions
from big_league.rules.cycles import Event, Total
from big_league.rules.editions import Edition
from big_league.rules.elo import Rated, elo_ranking
from pergioco.ledger.content import Computed, Row
from pergioco.rulekit.placing import Placed
from pergioco.rulekit.rounding import half_up
from pergioco.stages.models import Season

GENERAL, OF_GAME, OF_EVENT, ELO = "big", "big:", "big-event:", "big-elo:"


def rankings(day: date, season: Season) -> Iterator[Computed]:
    """As of that day: the tournaments that ended in the season, then what all tournaments up to that day add up to.
    One query where there is none."""
    played = play(tournaments(held(day)))
    if not played:
        return
    yield from (event(one) for one in played if one.tournament.ends_on.year == season.year)
    of = Rankings(editions.for_season(season.year), settings_in(season.settings), frozenset(members(day)))
    yield from of.points(played)
    yield from of.elo(played)


def events(day: date) -> Iterator[Computed]:
    """The results of every tournament up to that day, whatever the season."""
    return map(event, play(tournaments(held(day))))


def event(one: Played) -> Computed:
    read = {"players": len(one.results), "game": one.tournament.game, "is_final": one.tournament.is_final}
    rows = [event_row(result, one) for result in one.results]
    return Computed(f"{OF_EVENT}{one.tournament.slug}", one.edition.since, rows, dict(one.settings), read)


def event_row(result: Result, of: Played) -> Row:
    placed, league = result.placed, result.league
    return Row(
        placed.row.player,
        placed.rank,
        half_up(league.points, 2),
        decided_by=placed.decided_by,
        detail={
            "players": len(of.results),
            "table_points": str(half_up(placed.row.points, 2)),
            "rounds": list(rounds_of(result, of)),
            "base": str(half_up(league.base, 2)),
            "bonus": str(half_up(league.bonus, 2)),
            "multiplier": str(half_up(league.multiplier, 6)),
            "is_halved": league.is_halved,
            "mean": str(half_up(result.mean, 3)),
            "elo_before": result.elo,
            "elo_after": result.change.after if result.change else None,
        },
    )


def rounds_of(result: Result, of: Played) -> Iterator[dict[str, Any]]:
    """What each round gave: its table, the place there, the points; the share of the first one, which parts equals."""
    phases = {one.number: one.phase for one in of.tournament.rounds}
    for number, seat in sorted(result.placed.row.seats.items()):
        yield {
            "round": number,
            "phase": phases[number],
            "table": seat.table,
            "place": seat.place,
            "points": str(half_up(seat.points, 2)),
            "share": str(half_up(seat.pbg, 4)),
        }


@dataclass(frozen=True)
class Rankings:
    """Of those who stand in them."""

    edition: Edition
    settings: dict[str, int]
    members: frozenset[int]

    def points(self, played: Sequence[Played]) -> Iterator[Computed]:
        """A game whose cycle began keeps its ranking until the next final, however long that takes."""
        of = {game: cycles.current_cycle(list(map(as_event, own))) for game, own in by_game(played)}
        for game, cycle in of.items():
            totals = cycles.game_totals(cycle, self.edition)
            yield self.computed(f"{OF_GAME}{game}", self.placed(totals), read_of(cycle, played))
        totals = cycles.general_totals(of.values(), self.edition)
        yield self.computed(GENERAL, self.placed(totals), {"events": [e.slug for cycle in of.values() for e in cycle]})

    def placed(self, totals: Iterable[Total]) -> list[Row]:
        own = (total for total in totals if total.player in self.members)
        return list(map(total_row, cycles.points_ranking(own)))

    def elo(self, played: Sequence[Played]) -> Iterator[Computed]:
        """Never begun again: only the points are (BIG-11)."""
        for game, own in by_game(played):
            rated = [one for one in rated_in(own) if one.player in self.members]
            rows = list(map(elo_row, elo_ranking(rated)))
            yield self.computed(f"{ELO}{game}", rows, {"events": [one.tournament.slug for one in own]})

    def computed(self, kind: str, rows: list[Row], read: dict[str, Any]) -> Computed:
        return Computed(kind, self.edition.since, rows, self.settings, read)


def by_game(played: Iterable[Played]) -> list[tuple[str, list[Played]]]:
    found: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        found[one.tournament.game].append(one)
    return sorted(found.items())


def as_event(one: Played) -> Event:
    points = {result.placed.row.player: result.league.points for result in one.results}
    return Event(one.tournament.slug, one.tournament.game, one.tournament.is_final, points)


def read_of(cycle: Sequence[Event], played: Iterable[Played]) -> dict[str, Any]:
    """The events of the cycle; the final that began it and its champion, if there was one."""
    events = [event.slug for event in cycle]
    if not cycle[0].is_final:
        return {"events": events, "final": None, "champion": None}
    final = next(one for one in played if one.tournament.slug == cycle[0].slug)
    champion = final.results[0].placed.row.player
    return {"events": events, "final": cycle[0].slug, "champion": champion}


def total_row(placed: Placed[Total]) -> Row:
    total = placed.row
    results = {slug: str(half_up(points, 2)) for slug, points in total.results.items()}
    return Row(
        total.player,
        placed.rank,
        half_up(total.points, 2),
        placed.is_shared,
        placed.decided_by,
        {"results": results, "counted": list(total.counted)},
    )


def rated_in(played: Iterable[Played]) -> Iterable[Rated]:
    """Of one game: what everybody holds after his last tournament, and how much that one moved."""
    found: dict[int, Rated] = {}
    for one in played:
        for change in (result.change for result in one.results):
            if change is not None:
                before = found.get(change.player)
                found[change.player] = Rated.after(change, one.tournament.slug, before)
    return found.values()


def elo_row(placed: Placed[Rated]) -> Row:
    one = placed.row
    detail = {"events": one.events, "games": one.games, "moved": one.moved, "last": one.last}
    value = Decimal(one.elo) / THOUSAND
    return Row(one.player, placed.rank, value, placed.is_shared, placed.decided_by, detail)
