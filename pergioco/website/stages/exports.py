"""How a stage is taken away: as sheets, on a wall, in a frame, as text."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.stages.models import Stage
from pergioco.website import embed
from pergioco.website.addresses import rules_of, whole
from pergioco.website.ranking_exports import TOP
from pergioco.website.sheets.download import WRITERS
from pergioco.website.sheets.exports import Exports
from pergioco.website.sheets.sheet import Column, Sheet, Value
from pergioco.website.stages.numbers import Change, RaceRow, own
from pergioco.website.stages.people import Participant
from pergioco.website.stages.seen import Seen
from pergioco.website.stages.tables import Classified, RoundRows

NAME_WIDTH = 28
THOUSAND = 1000


def standings_sheet(
    seen: Seen, order: Sequence[Classified], changes: Sequence[Change], race: Sequence[RaceRow]
) -> Sheet:
    """The place in the stage, and what it did: one row for each player."""
    is_rated = seen.stage.circuit == Stage.Circuit.PGM
    rest = rated_columns(seen) if is_rated else [decided_by()]
    columns = [
        Column("rank", _("Pos."), width=6),
        Column("player", _("Player"), width=NAME_WIDTH),
        Column("city", _("City"), width=NAME_WIDTH),
        Column("country", _("Country"), width=NAME_WIDTH),
        Column("points", _("Points"), max([1, *(row.decimals for row in order)])),
        *rest,
    ]
    rows = standings_rows(order, changes, race) if is_rated else order_rows(order)
    return Sheet(
        file=f"{seen.stage.slug}-{stamp(seen)}",
        title=str(seen.stage),
        stamp=stamp(seen),
        columns=columns,
        rows=[row[: len(columns)] for row in rows],
        about={"stage": seen.stage.slug, "season": seen.stage.season.year},
    )


def decided_by() -> Column:
    return Column("decided_by", pgettext("a place in a ranking", "Decided by"), width=NAME_WIDTH)


def rated_columns(seen: Seen) -> list[Column]:
    return [
        Column("pgr_before", _("PGR before"), 3),
        Column("pgr_change", _("PGR change"), 3),
        Column("pgr_after", _("PGR after"), 3),
        *([Column("race_points", _("Race points"))] if seen.stage.race else []),
    ]


def order_rows(order: Sequence[Classified]) -> Iterator[list[Value]]:
    for row in order:
        yield [row.rank, *person(row.who), row.points, row.decided]


def standings_rows(
    order: Sequence[Classified], changes: Sequence[Change], race: Sequence[RaceRow]
) -> Iterator[list[Value]]:
    """The classified, then who has a rating of the stage without a place in it."""
    placed = {row.who: row for row in order}
    rated = {row.who: row for row in changes}
    for who in dict.fromkeys([*placed, *rated]):
        place, change, points = placed.get(who), rated.get(who), own(race, who)
        yield [
            place.rank if place else None,
            *person(who),
            place.points if place else None,
            *(pgr(change) if change else (None,) * 3),
            int(points.line.value) if points else None,
        ]


def person(who: Participant) -> list[str]:
    if not who.is_named:
        return [who.name, "", ""]
    return [who.name, who.player.person.city, who.player.person.country.name]


def pgr(row: Change) -> tuple[Decimal, Decimal, Decimal]:
    return Decimal(row.change.before) / THOUSAND, row.moved, Decimal(row.change.after) / THOUSAND


def games_sheet(seen: Seen, rounds: Sequence[RoundRows]) -> Sheet:
    return Sheet(
        file=f"{seen.stage.slug}-games-{stamp(seen)}",
        title=str(seen.stage),
        stamp=stamp(seen),
        columns=[
            Column("round", _("Round"), width=8),
            Column("table", _("Table"), width=8),
            Column("first", _("First"), width=NAME_WIDTH),
            Column("second", _("Second"), width=NAME_WIDTH),
            Column("result", _("Result"), width=NAME_WIDTH),
        ],
        rows=[
            [one.number, row.number, row.who[0].name, ", ".join(who.name for who in row.others), row.reading]
            for one in rounds
            for row in one.rows
        ],
        about={"stage": seen.stage.slug, "season": seen.stage.season.year},
    )


def stamp(seen: Seen) -> str:
    return f"v{seen.revision.number}" if seen.revision else ""


def address(name: str, seen: Seen, *more: object) -> str:
    return reverse(name, args=[seen.stage.season.year, seen.stage.slug, *more])


def exports_of(seen: Seen, values: Mapping[str, Any]) -> Exports:
    """What there is to take: nothing before somebody is paired, and no standings before somebody has a point."""
    if not values["rounds"]:
        return Exports(rules=rules_of(seen.stage.circuit), api=reverse("api-stage", args=[seen.stage.slug]))
    files = [(f"{_('Games')} {e.upper()}", address("stage-games", seen, e)) for e in WRITERS]
    if values["order"]:
        files = [(f"{_('Standings')} {e.upper()}", address("stage-standings", seen, e)) for e in WRITERS] + files
    if seen.stage.is_closed and values["crosstable"]:
        files += [("TRF", address("stage-trf", seen)), (_("Poster (PDF)"), address("stage-poster", seen))]
    return with_files(files, seen, values)


def with_files(files: Sequence[tuple[str, str]], seen: Seen, values: Mapping[str, Any]) -> Exports:
    return Exports(
        rules=rules_of(seen.stage.circuit),
        files=files,
        screen=screen_of(seen, values),
        frame=embed.code(whole(address("stage-embed", seen)), str(seen.stage)) if values["order"] else "",
        text=text_of(seen, values),
        api=reverse("api-stage", args=[seen.stage.slug]),
    )


def picture_of(seen: Seen) -> str:
    return address("stage-image", seen)


def screen_of(seen: Seen, values: Mapping[str, Any]) -> str:
    """What the hall waits for: the tables of the last round; once the stage is closed, the standings."""
    if seen.stage.is_closed and values["order"]:
        return f"{seen.page}?screen=1"
    last = max(one.number for one in values["rounds"])
    return f"{address('stage-round', seen, last)}?screen=1"


def text_of(seen: Seen, values: Mapping[str, Any]) -> str:
    """The first places, as one writes them in a message."""
    if not values["order"]:
        return ""
    said = {**values, "order": values["order"][:TOP], "address": whole(seen.page)}
    return render_to_string("website/stages/copy.txt", said).strip()
