"""Rankings as printed tables, like those of the pages, and the chart of the leaders' ratings."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.core.addresses import absolute_url
from pergioco.core.formats import format_thousandths
from pergioco.office.brochures.blocks import (
    SMALL,
    Block,
    Column,
    People,
    heading_block,
    note_block,
    person_cells,
    person_columns,
    status_block,
    table_block,
)
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.queries.chart import MOST_LINES, Chart, ChartRating, draw_chart
from pergioco.players.rules.people import PGM
from pergioco.publishing.models import PgrChange, Publication
from pergioco.publishing.published import Published, Ranking, lines_with_names, version_state
from pergioco.publishing.queries.ranking_exports import in_portions
from pergioco.publishing.queries.ranking_labels import (
    family_of,
    group_bands,
    label_version_state,
    ranking_address,
)
from pergioco.publishing.queries.ranking_rows import Cell, Row, Table, build_rows, ranking_table
from pergioco.stages.models import Game

PIECES = {"big-elo": "big", "big-event": "big"}


def piece_of(kind: str) -> str:
    name = family_of(kind)
    return PIECES.get(name, name)


def version_of_publication(publication: Publication) -> Published:
    return Published(publication.season, publication.as_of, publication)


def format_as_of(version: Published) -> str:
    return date_format(version.as_of, "SHORT_DATE_FORMAT")


def version_stamp(version: Published) -> str:
    """Which version it is, and the address of the one in force."""
    assert version.publication is not None
    values = {
        "season": version.season,
        "n": version.publication.number,
        "day": format_as_of(version),
    }
    where = absolute_url(ranking_address("ranking", "red", version.season)).removesuffix("red/")
    label = _("%(season)s · version %(n)s · as of %(day)s") % values
    return f"{label} · {where}"


def published_state_block(version: Published, *, piece: str = "") -> Block:
    """`piece` is the family of the ranking."""
    said = _("As published, as of %(day)s.") % {"day": format_as_of(version)}
    return status_block(label_version_state(version_state(version), piece), said, piece=piece)


def ranking_blocks(
    version: Published, ranking: Ranking, people: People, *, at_most: int | None = None
) -> list[Block]:
    """The table, then the number of players left out. `at_most`: only the first places."""
    shown = ranking_table(ranking, version.season)
    candidates = list(printed_rows(ranking, shown, at_most))
    rows = [row for row in candidates if people.admits(row.line.player, ranking.circuit)]
    own = [
        (words, [ranking_cells(row, ranking.circuit) for row in in_band])
        for words, in_band in group_bands(ranking, rows)
    ]
    is_race = ranking.kind == "race"
    columns = [*person_columns(), *number_columns(shown, is_race=is_race)]
    found = table_block(columns, own, piece=piece_of(ranking.kind), size=SMALL if is_race else 8.5)
    return [
        found,
        *(legend_blocks(shown) if is_race else []),
        *people.note(len(candidates) - len(rows)),
    ]


def printed_rows(ranking: Ranking, shown: Table, at_most: int | None) -> Iterator[Row]:
    for lines in in_portions(ranking, ranking.lines[:at_most]):
        yield from build_rows(shown, ((line, line.player) for line in lines), moves={})


def number_columns(shown: Table, *, is_race: bool) -> Iterator[Column]:
    # Race stages are headed by their number; the legend below the table names them.
    for column in shown.columns:
        heading = str(column.heading)
        yield Column(heading.partition(".")[0] if is_race and column.second else heading)


def ranking_cells(row: Row, circuit: str) -> list[Any]:
    before, after = (list(map(cell_data, cells)) for cells in (row.before, row.after))
    return [str(row.line.rank), *person_cells(row.line.player, circuit), *before, row.value, *after]


def cell_data(one: Cell) -> Any:
    return {"text": one.text, "struck": True} if one.is_struck else one.text


def legend_blocks(shown: Table) -> list[Block]:
    stages = [f"{column.heading} {column.second}" for column in shown.columns if column.second]
    return [note_block(" · ".join(stages))] if stages else []


def list_games_of_kinds(kinds: list[str]) -> list[tuple[str, Game]]:
    """Kind and game, in the order of the games' names."""
    games = Game.objects.in_bulk([kind.partition(":")[2] for kind in kinds], field_name="slug")
    pairs = [(kind, games[kind.partition(":")[2]]) for kind in kinds]
    return sorted(pairs, key=lambda pair: pair[1].name.casefold())


def course_blocks(version: Published, people: People) -> list[Block]:
    """Empty while there is nothing to draw."""
    red = version.ranking("red")
    leaders = [line.player for line in lines_with_names(red.lines[:MOST_LINES])] if red else []
    shown = [player for player in leaders if people.admits(player, PGM)]
    changes = list(version.changes().filter(player__in=shown).select_related("game"))
    if not changes:
        return []
    game = min(
        Counter(change.game for change in changes).most_common(),
        key=lambda pair: (-pair[1], pair[0].slug),
    )[0]
    drawn = draw_chart(
        rating_series([change for change in changes if change.game_id == game.pk], shown)
    )
    if drawn is None:
        return []
    title = _("The first of Red at %(game)s: the course of their PGRs") % {"game": game.name}
    return [
        heading_block(title),
        {"kind": "course", "chart": chart_data(drawn), "table": chart_table(drawn)},
    ]


def rating_series(
    changes: Iterable[PgrChange], players: Iterable[Player]
) -> list[tuple[str, list[ChartRating]]]:
    own: dict[int, list[ChartRating]] = {}
    for change in changes:
        own.setdefault(change.player_id, []).append(ChartRating(change.ended_on, change.after))
    return [(public_name(player, PGM), own.get(player.pk, [])) for player in players]


def chart_data(drawn: Chart) -> Block:
    return {
        "width": drawn.width,
        "height": drawn.height,
        "left": drawn.left,
        "right": drawn.right,
        "bottom": drawn.bottom,
        "rules": [[y, str(pgr)] for y, pgr in drawn.rules],
        "days": [[x, date_format(day, "SHORT_DATE_FORMAT")] for x, day in drawn.days],
        "lines": [[[point.x, point.y] for point in one.points] for one in drawn.lines],
    }


def chart_table(drawn: Chart) -> Block:
    # The drawing in numbers, for readers who cannot see it.
    columns = [
        Column(_("Line")),
        Column(_("Player"), 3, is_number=False),
        Column(_("Stages")),
        Column(_("First PGR")),
        Column(_("Last PGR")),
    ]
    rows = [
        [
            str(one.number),
            one.name,
            str(len(one.points)),
            format_thousandths(one.points[0].rating.pgr),
            format_thousandths(one.points[-1].rating.pgr),
        ]
        for one in drawn.lines
    ]
    return table_block(columns, [("", rows)])
