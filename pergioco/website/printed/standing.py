"""The rankings as tables for paper: the columns of the page, in its order and to its digits."""

from collections.abc import Iterator
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.ledger.models import Publication
from pergioco.ledger.published import Published, Ranking, state_of
from pergioco.stages.models import Game
from pergioco.website.addresses import whole
from pergioco.website.printed.blocks import SMALL, Block, Column, People, note, person, place_and_person, state, table
from pergioco.website.ranking_sheet import in_portions
from pergioco.website.ranking_tables import Cell, Row, Table, rows_of, table_of
from pergioco.website.ranking_words import address, bands, kind_of, state_words

PIECES = {"big-elo": "big", "big-event": "big"}


def piece_of(kind: str) -> str:
    name = kind_of(kind)
    return PIECES.get(name, name)


def version_of(publication: Publication) -> Published:
    return Published(publication.season, publication.as_of, publication)


def as_of(version: Published) -> str:
    return date_format(version.as_of, "SHORT_DATE_FORMAT")


def stamp(version: Published) -> str:
    """Which version it is, and where the one that is in force stands."""
    assert version.publication is not None
    values = {"season": version.season, "n": version.publication.number, "day": as_of(version)}
    where = whole(address("ranking", "red", version.season)).removesuffix("red/")
    told = _("%(season)s · version %(n)s · as of %(day)s") % values
    return f"{told} · {where}"


def state_block(version: Published, *, piece: str = "") -> Block:
    """The piece is that of the family of its ranking."""
    said = _("As published, as of %(day)s.") % {"day": as_of(version)}
    return state(state_words(state_of(version), piece), said, piece=piece)


def ranking_blocks(version: Published, ranking: Ranking, people: People, *, at_most: int | None = None) -> list[Block]:
    """The table, and below it who is missing. With `at_most` only the first places."""
    shown = table_of(ranking, version.season)
    asked = list(printed_rows(ranking, shown, at_most))
    rows = [row for row in asked if people.admits(row.line.player)]
    own = [(words, [cells_of(row) for row in in_band]) for words, in_band in bands(ranking, rows)]
    is_race = ranking.kind == "race"
    columns = [*place_and_person(), *number_columns(shown, is_race=is_race)]
    found = table(columns, own, piece=piece_of(ranking.kind), size=SMALL if is_race else 8.5)
    return [found, *(legend(shown) if is_race else []), *people.note(len(asked) - len(rows))]


def printed_rows(ranking: Ranking, shown: Table, at_most: int | None) -> Iterator[Row]:
    for lines in in_portions(ranking, ranking.lines[:at_most]):
        yield from rows_of(shown, lines, moves={})


def number_columns(shown: Table, *, is_race: bool) -> Iterator[Column]:
    """The stages of a Race by their numbers alone: what they are stands below the table."""
    for column in shown.columns:
        heading = str(column.heading)
        yield Column(heading.partition(".")[0] if is_race and column.second else heading)


def cells_of(row: Row) -> list[Any]:
    before, after = (list(map(cell, cells)) for cells in (row.before, row.after))
    return [str(row.line.rank), *person(row.line.player), *before, row.value, *after]


def cell(one: Cell) -> Any:
    return {"text": one.text, "struck": True} if one.is_struck else one.text


def legend(shown: Table) -> list[Block]:
    stages = [f"{column.heading} {column.second}" for column in shown.columns if column.second]
    return [note(" · ".join(stages))] if stages else []


def games_of(kinds: list[str]) -> list[tuple[str, Game]]:
    """Kind and game, in the order of the games' names."""
    games = Game.objects.in_bulk([kind.partition(":")[2] for kind in kinds], field_name="slug")
    pairs = [(kind, games[kind.partition(":")[2]]) for kind in kinds]
    return sorted(pairs, key=lambda pair: pair[1].name.casefold())
