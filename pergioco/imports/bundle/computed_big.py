"""What a dump tells of BIG tournaments: everybody's result, and what it did to the Elo."""

from collections.abc import Iterable, Iterator
from datetime import date

from big_league.compute import OF_EVENT, events
from pergioco.imports.bundle.computed import Ranking, thousandths
from pergioco.imports.bundle.exporting import AsOf, Row, public_ids
from pergioco.ledger import content
from pergioco.stages.models import Stage


def results(as_of: AsOf, rankings: Iterable[Ranking]) -> list[Ranking]:
    """Without a day those that the public sees; as of a day all up to it, whatever their season."""
    return until(as_of) if as_of else [one for one in rankings if one.kind.startswith(OF_EVENT)]


def until(day: date) -> list[Ranking]:
    return [Ranking(one.kind, day, one.rows) for one in events(day)]


def slug_of(one: Ranking) -> str:
    return one.kind.removeprefix(OF_EVENT)


def result_rows(found: Iterable[Ranking]) -> Iterator[Row]:
    names = public_ids()
    for one in found:
        yield from (result_row(slug_of(one), row, names) for row in one.rows)


def result_row(stage: str, row: content.Row, names: dict[int, str]) -> Row:
    told = {name: row.detail[name] for name in ("table_points", "base", "bonus", "multiplier")}
    return {"stage": stage, "player": names[row.player], "place": row.rank, **told, "league_points": f"{row.value:.2f}"}


def elo_rows(found: Iterable[Ranking]) -> Iterator[Row]:
    """Of those who sat opposite somebody."""
    names = public_ids()
    games = dict(Stage.objects.filter(circuit=Stage.Circuit.BIG).values_list("slug", "game__slug"))
    for one in found:
        for row in one.rows:
            if row.detail["elo_after"] is not None:
                yield {
                    "stage": slug_of(one),
                    "game": games[slug_of(one)],
                    "player": names[row.player],
                    "before": thousandths(row.detail["elo_before"]),
                    "after": thousandths(row.detail["elo_after"]),
                }
