"""What a dump tells of the computed numbers: the history of the ratings, the rankings, the points of the Race.

Without a day the rankings are those that the public sees, each season's as of the day of its publication. As of a day
they are computed for that day, from the ratings as they are known now: corrected results are corrected, games that were
declared void are void.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from django.db.models import QuerySet

from pergioco.imports.bundle.exporting import AT_ONCE, AsOf, Row, by_day, public_ids
from pergioco.ledger import content, publishing
from pergioco.ledger.content import is_of_a_stage
from pergioco.ledger.models import Computation, PgrChange, Publication
from pergioco.stages.models import Season
from risiko_master import compute as masters

RACE = "race:"  # the points of a Race stage stand in the ledger as a ranking of their own
CHANGE = ("stage__slug", "game__slug", "player", "before", "half_points", "expected", "valid_games", "after")


class Ranking(NamedTuple):
    kind: str
    as_of: date
    rows: Iterable[content.Row]


def thousandths(number: int) -> str:
    return f"{Decimal(number).scaleb(-3):.3f}"


def changes(as_of: AsOf) -> QuerySet[PgrChange]:
    return PgrChange.objects.current().filter(by_day(as_of, "ended_on"))


def change_rows(found: QuerySet[PgrChange]) -> Iterator[Row]:
    names = public_ids()
    for stage, game, player, before, half_points, expected, games, after in (
        found.in_order().values_list(*CHANGE).iterator(chunk_size=AT_ONCE)  # type: ignore[attr-defined]
    ):
        yield {
            "stage": stage,
            "game": game,
            "player": names[player],
            "before": thousandths(before),
            "scored": Decimal(half_points) / 2,
            "expected": f"{expected:.6f}",
            "games": games,
            "after": thousandths(after),
        }


def published() -> Iterator[Ranking]:
    for publication in Publication.objects.filter(is_current=True).order_by("season__year"):
        for computation in Computation.objects.filter(shown__publication=publication).order_by("shown__pk"):
            yield Ranking(computation.kind, publication.as_of, list(lines(computation)))


def lines(computation: Computation) -> Iterator[content.Row]:
    for line in computation.lines.order_by("position").iterator(chunk_size=AT_ONCE):
        yield content.Row(
            line.player_id, line.rank, line.value, line.is_shared, decided_by=line.decided_by, detail=line.detail
        )


def rankings_of(day: date) -> Iterator[Ranking]:
    for season in Season.objects.filter(year=day.year):
        for computed in publishing.compute(day, season):
            yield Ranking(computed.kind, day, computed.rows)


def rankings(as_of: AsOf) -> list[Ranking]:
    return list(published() if as_of is None else rankings_of(as_of))


def ranking_rows(found: Iterable[Ranking]) -> Iterator[Row]:
    names = public_ids()
    for one in found:
        if not is_of_a_stage(one.kind):
            yield from (ranking_row(one, row, names) for row in one.rows)


def race_rows(found: Iterable[Ranking]) -> Iterator[Row]:
    names = public_ids()
    for one in found:
        if one.kind.startswith(RACE):
            yield from (race_row(one, row, names) for row in one.rows)


def ranking_row(of: Ranking, row: content.Row, names: dict[int, str]) -> Row:
    return {
        "ranking": of.kind,
        "as_of": of.as_of,
        "rank": row.rank,
        "player": names[row.player],
        "value": with_zeros(of.kind, row.value),
        "active_pgrs": row.detail.get("active_pgrs"),
        "games": row.detail.get("games"),
        "decided_by": row.decided_by,
        "detail": row.detail,
    }


def with_zeros(kind: str, value: Decimal) -> Decimal | str:
    """PGRs and sums of them bear their three decimals, as everywhere; so does an Elo, and BIG points bear two."""
    if kind == "blue" or kind.startswith(("game:", "big-elo:")):
        return f"{value:.3f}"
    return f"{value:.2f}" if kind.startswith("big") else value


def master_rows(found: Iterable[Ranking]) -> tuple[list[Row], list[Row]]:
    """The points of each game, and the rankings after one game, after two and at the end."""
    names = public_ids()
    scores: list[Row] = []
    standings: list[Row] = []
    for one in found:
        if one.kind.startswith(masters.PREFIX):
            slug, what, *number = one.kind.removeprefix(masters.PREFIX).split(":")
            rows = scores if what == masters.GAME else standings
            about = {"stage": slug} | ({"round": int(number[0])} if number else {"phase": what})
            rows += [about | master_row(row, names) for row in one.rows]
    return scores, standings


def master_row(row: content.Row, names: dict[int, str]) -> Row:
    """A game has tables and places, a ranking has ranks."""
    return {
        "table": row.detail.get("table"),
        "place": row.rank,
        "rank": row.rank,
        "player": names[row.player],
        "thousandths": int(row.value.scaleb(3)),
    }


def race_row(of: Ranking, row: content.Row, names: dict[int, str]) -> Row:
    return {
        "stage": of.kind.removeprefix(RACE),
        "player": names[row.player],
        "position": row.rank,
        "players": row.detail["players"],
        "points": int(row.value),
    }
