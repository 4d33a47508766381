"""A ranking as a file, a picture, a screen, a frame or text."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.core import displays
from pergioco.core.addresses import absolute_url, rules_address
from pergioco.core.exports.download import WRITERS, ExportLinks
from pergioco.core.exports.sheet import Column, Sheet, T, Value
from pergioco.core.share_image import Place
from pergioco.players.naming import is_named, public_name
from pergioco.publishing import published
from pergioco.publishing.models import Line
from pergioco.publishing.published import Lines, Ranking, Version
from pergioco.publishing.queries.explanations import paragraphs_of_kind
from pergioco.publishing.queries.leaders import Leader, make_leaders
from pergioco.publishing.queries.ranking_labels import (
    family_of,
    group_bands,
    label_version_state,
    ranking_address,
    ranking_title,
)
from pergioco.publishing.queries.ranking_rows import Row, Table, build_rows, ranking_table
from pergioco.stages.models import Game, Stage

TOP = 10
AT_ONCE = 1000  # lines read together
NAME_WIDTH = 28
PLACES = 3


def top_leaders(ranking: Ranking, places: int) -> list[Leader]:
    return make_leaders(family_of(ranking.kind), ranking.named(ranking.lines[:places]))


def list_ranking_exports(
    version: Version, ranking: Ranking, game: Game | None, day: date | None, text: str
) -> ExportLinks:
    kind, season = ranking.kind, version.season
    screen = ranking_address("ranking", kind, season, day=day)
    frame = absolute_url(ranking_address("ranking-embed", kind, season))
    return ExportLinks(
        rules=rules_address(ranking.circuit),
        files=[
            (one.upper(), ranking_address("ranking-file", kind, season, one, day=day))
            for one in WRITERS
        ],
        screen=f"{screen}{'&' if day else '?'}screen=1",
        frame=displays.embed_code(frame, f"{ranking_title(kind, game)} {season.year}"),
        text=text,
        feed=ranking_feed(ranking, game),
        api=ranking_api_address(kind, season.year, day),
    )


def ranking_feed(ranking: Ranking, game: Game | None) -> str:
    # A game has a feed of its results; the feed of rankings has those of PerGioco Masters only.
    if game is not None:
        return reverse("feed-game", args=[game.slug])
    return "" if ranking.circuit else reverse("feed-rankings")


def ranking_as_text(
    version: Version, ranking: Ranking, first: str, game: Game | None, state: str
) -> str:
    day = None if version.publication and version.publication.is_current else version.as_of
    values: dict[str, Any] = {
        "title": ranking_title(ranking.kind, game),
        "circuit": Stage.Circuit(ranking.circuit or Stage.Circuit.PGM).label,
        "version": version,
        "state_words": state,
        "first": first,
        "address": absolute_url(ranking_address("ranking", ranking.kind, version.season, day=day)),
    }
    return render_to_string("publishing/rankings/copy.txt", values).strip()


def first_places(ranking: Ranking, rows: list[Row]) -> str:
    values = {"bands": group_bands(ranking, rows[:TOP])}
    return render_to_string("publishing/rankings/first.txt", values).strip()


def ranking_api_address(kind: str, year: int, day: date | None) -> str:
    name, _colon, slug = kind.partition(":")
    query = {"at": day.isoformat()} if day else None
    return reverse(
        f"api-{family_of(kind)}-ranking" if slug else "api-ranking",
        args=[year, slug or name],
        query=query,
    )


def make_ranking_sheet(version: Version, ranking: Ranking, game: Game | None = None) -> Sheet[Row]:
    table = ranking_table(ranking, version.season)
    return Sheet(
        file=f"{ranking.kind.replace(':', '-')}-{version.season.year}-{version_stamp(version)}",
        title=f"{ranking_title(ranking.kind, game)} {version.season.year}",
        stamp=version_stamp(version),
        columns=sheet_columns(table, has_before=ranking.before is not None),
        rows=sheet_rows(ranking, table),
        about=sheet_metadata(version, ranking),
    )


def version_stamp(version: Version) -> str:
    return f"v{version.publication.number}" if version.publication else f"as-of-{version.as_of}"


def sheet_metadata(version: Version, ranking: Ranking) -> dict[str, Any]:
    return {
        "season": version.season.year,
        "kind": ranking.kind,
        "as_of": version.as_of,
        "state": published.version_state(version).code,
        "paragraphs": paragraphs_of_kind(ranking.kind),
    }


def sheet_columns(table: Table, *, has_before: bool) -> list[Column[Row]]:
    return [
        Column("rank", _("Pos."), lambda row: row.line.rank, width=6),
        Column("moved", _("Mov."), lambda row: moved_value(row) if has_before else None, width=6),
        *person_columns(person_cells),
        *(
            replace(one.of(lambda row: row.line), heading=f"{one.heading} {one.second}".strip())
            for one in table.columns
        ),
    ]


def person_columns(person: Callable[[T], list[str]]) -> list[Column[T]]:
    return [
        Column("player", _("Player"), lambda row: person(row)[0], width=NAME_WIDTH),
        Column("city", _("City"), lambda row: person(row)[1], width=NAME_WIDTH),
        Column("country", _("Country"), lambda row: person(row)[2], width=NAME_WIDTH),
    ]


def sheet_rows(ranking: Ranking, table: Table) -> Iterator[Row]:
    for lines in in_portions(ranking, ranking.lines):
        yield from build_rows(
            table, ((line, line.player) for line in lines), moves=ranking.moves(lines)
        )


def in_portions(ranking: Ranking, lines: Lines) -> Iterator[list[Line]]:
    start = 0
    while portion := ranking.named(lines[start : start + AT_ONCE]):
        yield portion
        start += AT_ONCE


def moved_value(row: Row) -> Value:
    return pgettext("player in a ranking", "new") if row.moved is None else row.moved


def person_cells(row: Row) -> list[str]:
    if not row.is_named:
        return [row.name, "", ""]
    own = row.player.person
    return [row.name, own.city, own.country.name]


def state_line(version: Version, kind: str) -> str:
    words = {
        "version": version,
        "state_words": label_version_state(published.version_state(version), kind),
    }
    return render_to_string("publishing/rankings/state_line.html", words).strip()


def leader_place(leader: Leader) -> Place:
    player = leader.line.player
    city = player.person.city if is_named(player, leader.circuit) else ""
    return Place(leader.line.rank, public_name(player, leader.circuit), city, leader.value)
