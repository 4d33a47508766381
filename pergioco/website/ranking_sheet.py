"""A ranking as a sheet: the columns of the page, in its order."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.ledger import published
from pergioco.ledger.models import Line
from pergioco.ledger.published import Lines, Ranking, Version
from pergioco.stages.models import Game
from pergioco.website.ranking_tables import Row, Table, rows_of, table_of
from pergioco.website.ranking_words import title
from pergioco.website.sheets.sheet import Column, Sheet, Value
from pergioco.website.why_parts import paragraphs_of

AT_ONCE = 1000  # lines read together
NAME_WIDTH = 28


def sheet_of(version: Version, ranking: Ranking, game: Game | None = None) -> Sheet:
    table = table_of(ranking, version.season)
    return Sheet(
        file=f"{ranking.kind.replace(':', '-')}-{version.season.year}-{stamp(version)}",
        title=f"{title(ranking.kind, game)} {version.season.year}",
        stamp=stamp(version),
        columns=columns(table),
        rows=rows(ranking, table),
        about=about(version, ranking),
    )


def stamp(version: Version) -> str:
    return f"v{version.publication.number}" if version.publication else f"as-of-{version.as_of}"


def about(version: Version, ranking: Ranking) -> dict[str, Any]:
    return {
        "season": version.season.year,
        "kind": ranking.kind,
        "as_of": version.as_of,
        "state": published.state_of(version).code,
        "paragraphs": paragraphs_of(ranking.kind),
    }


def columns(table: Table) -> list[Column]:
    return [
        Column("rank", _("Pos."), width=6),
        Column("moved", _("Mov."), width=6),
        Column("player", _("Player"), width=NAME_WIDTH),
        Column("city", _("City"), width=NAME_WIDTH),
        Column("country", _("Country"), width=NAME_WIDTH),
        *(Column(one.key, f"{one.heading} {one.second}".strip(), one.decimals) for one in table.columns),
    ]


def rows(ranking: Ranking, table: Table) -> Iterator[list[Value]]:
    has_before = ranking.before is not None
    for lines in in_portions(ranking, ranking.lines):
        for row in rows_of(table, lines, moves=ranking.moves(lines)):
            numbers = [column.value(row.line) for column in table.columns]
            yield [row.line.rank, moved(row, has_before=has_before), *person(row), *numbers]


def in_portions(ranking: Ranking, lines: Lines) -> Iterator[list[Line]]:
    start = 0
    while portion := ranking.named(lines[start : start + AT_ONCE]):
        yield portion
        start += AT_ONCE


def moved(row: Row, *, has_before: bool) -> Value:
    if not has_before:
        return None
    return pgettext("player in a ranking", "new") if row.moved is None else row.moved


def person(row: Row) -> list[str]:
    if not row.is_named:
        return [row.name, "", ""]
    own = row.line.player.person
    return [row.name, own.city, own.country.name]
