"""A workbook that recomputes a player's Race by its own formulas (PGM 39 and 40)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from openpyxl import Workbook

from pergioco.core.exports import as_xlsx as sheets
from pergioco.core.exports.as_xlsx import Formula, Value, agreement_formula, cell_range
from pergioco.core.exports.sheet import Column
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.publishing.models import Line
from pergioco.publishing.published import Version
from pergioco.stages.models import Stage
from race import rules
from race.rules import Edition

FIRST_ROW = 2
PLACE_IN = "race:"


@dataclass(frozen=True)
class Result:
    """A player's place among the classified players of one Race stage."""

    stage: Stage
    players: int
    place: int
    points: int


@dataclass(frozen=True)
class Race:
    player: Player
    version: Version
    drops: str
    edition: Edition
    total: Line
    results: list[Result]


def race_of(player: Player, version: Version) -> Race | None:
    ranking, lines = version.ranking("race"), version.lines_of(player)
    if ranking is None or "race" not in lines:
        return None
    places = {
        kind.removeprefix(PLACE_IN): line
        for kind, line in lines.items()
        if kind.startswith(PLACE_IN)
    }
    stages = (
        Stage.objects.filter(slug__in=places).select_related("game").order_by("ends_on", "slug")
    )
    results = [read_result(stage, places[stage.slug]) for stage in stages]
    edition = rules.EDITIONS.in_force(version.season.year)
    return Race(
        player, version, str(ranking.settings["race_drops"]), edition, lines["race"], results
    )


def read_result(stage: Stage, line: Line) -> Result:
    return Result(stage, int(line.detail["players"]), line.rank, int(line.value))


def race_workbook(race: Race) -> Workbook:
    book = sheets.new_book()
    sheets.add_explanation(book, _("Explanation"), race_explanation(race))
    sheets.add_table(book, _("Stages"), race_stage_columns(), race_stage_rows(race))
    sheets.add_table(book, _("Total"), race_total_columns(), race_total_rows(race))
    return book


def race_explanation(race: Race) -> list[str]:
    values = {"player": public_name(race.player, PGM), "year": race.version.season.year}
    return [
        _("Race %(year)s: %(player)s") % values,
        _("As published, as of %(day)s.") % {"day": date_format(race.version.as_of, "DATE_FORMAT")},
        _(
            "Points of a stage = K × log N ÷ log (P + 1), rounded down: N classified players, P "
            "the place (PGM 39)."
        ),
        _(
            "The total leaves out the best and the worst result, as the season reads it (PGM 40, "
            "PG-24):"
        ),
        *(sentence for key, sentence in drop_words().items() if key == race.drops),
        _(
            "While the Race runs the sum ranks; when its last stage is closed, what is left after "
            "the two are dropped."
        ),
    ]


def drop_words() -> dict[str, str]:
    return {
        "results": _("Of the results that there are; one or two results leave nothing."),
        "absences_are_zero": _(
            "Of all stages that a season can have, a stage not played being zero."
        ),
        "only_with_twelve": _("Only if every stage that a season can have was played."),
    }


def race_stage_columns() -> list[Column[Any]]:
    return [
        Column(heading=_("Stage"), decimals=None, width=36),
        Column(heading="K", decimals=2, width=8),
        Column(heading=_("N (players)"), width=12),
        Column(heading=_("P (place)"), width=12),
        Column(heading=_("Points, computed here"), width=14),
        Column(heading=_("Points, published"), width=14),
        Column(heading=_("Check"), decimals=None, width=12),
    ]


def race_stage_rows(race: Race) -> Iterator[list[Value]]:
    for row, one in enumerate(race.results, FIRST_ROW):
        yield [
            str(one.stage),
            race.edition.k,
            one.players,
            one.place,
            Formula(f"=FLOOR(B{row}*LOG(C{row})/LOG(D{row}+1),1)"),
            one.points,
            agreement_formula(f"E{row}", f"F{row}"),
        ]


def race_total_columns() -> list[Column[Any]]:
    return [
        Column(heading=_("Results"), width=10),
        Column(heading=_("Most stages"), width=10),
        Column(heading=_("Sum"), width=10),
        Column(heading=_("Best"), width=10),
        Column(heading=_("Worst"), width=10),
        Column(heading=_("After drops, computed here"), width=14),
        Column(heading=_("Sum, published"), width=12),
        Column(heading=_("After drops, published"), width=14),
        Column(heading=_("Check of the sum"), decimals=None, width=12),
        Column(heading=_("Check after drops"), decimals=None, width=12),
    ]


AFTER_DROPS = {
    "results": "=IF(A2<=2,0,C2-D2-E2)",
    "absences_are_zero": "=C2-D2-IF(A2<B2,0,E2)",
    "only_with_twelve": "=IF(A2<B2,C2,C2-D2-E2)",
}


def race_total_rows(race: Race) -> Sequence[list[Value]]:
    points = cell_range(_("Stages"), f"$E${FIRST_ROW}:$E${FIRST_ROW + len(race.results) - 1}")
    return [
        [
            Formula(f"=COUNT({points})"),
            race.edition.most_stages,
            Formula(f"=SUM({points})"),
            Formula(f"=MAX({points})"),
            Formula(f"=MIN({points})"),
            Formula(AFTER_DROPS[race.drops]),
            int(race.total.detail["gross"]),
            int(race.total.detail["net"]),
            agreement_formula("C2", "G2"),
            agreement_formula("F2", "H2"),
        ]
    ]
