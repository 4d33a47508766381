"""The rankings of a Master as files: the columns of the page, exact numbers."""

from collections.abc import Iterator
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.website.masters.page import Row, Shown
from pergioco.website.sheets.sheet import Column, Sheet, Value
from pergioco.website.stages.exports import NAME_WIDTH, person
from risiko_master.standing_labels import round_name


def sheet_of(shown: Shown, what: str) -> Sheet:
    stage, stamp = shown.stage, f"v{shown.publication.number}"
    return Sheet(
        file=f"{stage.slug}-{what}-{stamp}",
        title=str(stage),
        stamp=stamp,
        columns=columns(shown, what),
        rows=rows(shown, what),
        about={"stage": stage.slug, "season": stage.season.year, "ranking": what},
    )


def columns(shown: Shown, what: str) -> list[Column]:
    phases = {number: shown.computations[f"game:{number}"].read["phase"] for number in shown.rounds}
    games = [Column(f"game_{n}", str(round_name(n, phases[n])), 3) for n in shown.rounds_of(what)]
    return [
        Column("rank", _("Pos."), width=6),
        Column("player", _("Player"), width=NAME_WIDTH),
        Column("city", _("City"), width=NAME_WIDTH),
        Column("country", _("Country"), width=NAME_WIDTH),
        *games,
        Column("points", _("Points"), 3),
        Column("decided_by", pgettext("a place in a ranking", "Decided by"), width=NAME_WIDTH),
        Column("goes_on", _("Goes on"), width=NAME_WIDTH),
    ]


def rows(shown: Shown, what: str) -> Iterator[list[Value]]:
    for row in shown.standings(what):
        games = [points(row, number) for number in shown.rounds_of(what)]
        yield [row.line.rank, *person(row.who), *games, row.line.value, str(row.decided), str(row.way)]


def points(row: Row, number: int) -> Decimal | None:
    own = row.line.detail["games"].get(str(number))
    return None if own is None else Decimal(own).scaleb(-3)
