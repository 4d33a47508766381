"""A player's Race, stage by stage, computed again by the cells themselves (PGM 39 and 40)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from openpyxl import Workbook

from pergioco.brochures.book import agreement
from pergioco.ledger.models import Line
from pergioco.ledger.published import Version
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.rulekit import workbook as sheets
from pergioco.rulekit.workbook import WHOLE, Column, Formula, Value, reference
from pergioco.stages.models import Stage
from race.rules import editions
from race.rules.editions import Edition

FIRST_ROW = 2
PLACE_IN = "race:"


@dataclass(frozen=True)
class Result:
    """A player's place among the classified of one Race stage."""

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
    """`None` for who has no result in the Race of that season."""
    ranking, lines = version.ranking("race"), version.lines_of(player)
    if ranking is None or "race" not in lines:
        return None
    places = {kind.removeprefix(PLACE_IN): line for kind, line in lines.items() if kind.startswith(PLACE_IN)}
    stages = Stage.objects.filter(slug__in=places).select_related("game").order_by("ends_on", "slug")
    results = [result(stage, places[stage.slug]) for stage in stages]
    edition = editions.for_season(version.season.year)
    return Race(player, version, str(ranking.settings["race_drops"]), edition, lines["race"], results)


def result(stage: Stage, line: Line) -> Result:
    return Result(stage, int(line.detail["players"]), line.rank, int(line.value))


def workbook(race: Race) -> Workbook:
    book = sheets.new_book()
    sheets.add_explanation(book, _("Explanation"), explanation(race))
    sheets.add_table(book, _("Stages"), stage_columns(), stage_rows(race))
    sheets.add_table(book, _("Total"), total_columns(), total_rows(race))
    return book


def explanation(race: Race) -> list[str]:
    values = {"player": public_name(race.player), "year": race.version.season.year}
    return [
        _("Race %(year)s: %(player)s") % values,
        _("As published, as of %(day)s.") % {"day": date_format(race.version.as_of, "DATE_FORMAT")},
        _("Points of a stage = K × log N ÷ log (P + 1), rounded down: N classified players, P the place (PGM 39)."),
        _("The total leaves out the best and the worst result, as the season reads it (PGM 40, PG-24):"),
        *(sentence for key, sentence in drop_words().items() if key == race.drops),
        _("While the Race runs the sum ranks; when its last stage is closed, what is left after the two are dropped."),
    ]


def drop_words() -> dict[str, str]:
    return {
        "results": _("Of the results that there are; one or two results leave nothing."),
        "absences_are_zero": _("Of all stages that a season can have, a stage not played being zero."),
        "only_with_twelve": _("Only if every stage that a season can have was played."),
    }


def stage_columns() -> list[Column]:
    return [
        Column(_("Stage"), 36),
        Column("K", 8, "0.00"),
        Column(_("N (players)"), 12, WHOLE),
        Column(_("P (place)"), 12, WHOLE),
        Column(_("Points, computed here"), 14, WHOLE),
        Column(_("Points, published"), 14, WHOLE),
        Column(_("Check"), 12),
    ]


def stage_rows(race: Race) -> Iterator[list[Value]]:
    for row, one in enumerate(race.results, FIRST_ROW):
        yield [
            str(one.stage),
            race.edition.k,
            one.players,
            one.place,
            Formula(f"=FLOOR(B{row}*LOG(C{row})/LOG(D{row}+1),1)"),
            one.points,
            agreement(f"E{row}", f"F{row}"),
        ]


def total_columns() -> list[Column]:
    return [
        Column(_("Results"), 10, WHOLE),
        Column(_("Most stages"), 10, WHOLE),
        Column(_("Sum"), 10, WHOLE),
        Column(_("Best"), 10, WHOLE),
        Column(_("Worst"), 10, WHOLE),
        Column(_("After drops, computed here"), 14, WHOLE),
        Column(_("Sum, published"), 12, WHOLE),
        Column(_("After drops, published"), 14, WHOLE),
        Column(_("Check of the sum"), 12),
        Column(_("Check after drops"), 12),
    ]


AFTER_DROPS = {
    "results": "=IF(A2<=2,0,C2-D2-E2)",
    "absences_are_zero": "=C2-D2-IF(A2<B2,0,E2)",
    "only_with_twelve": "=IF(A2<B2,C2,C2-D2-E2)",
}


def total_rows(race: Race) -> Sequence[list[Value]]:
    points = reference(_("Stages"), f"$E${FIRST_ROW}:$E${FIRST_ROW + len(race.results) - 1}")
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
            agreement("C2", "G2"),
            agreement("F2", "H2"),
        ]
    ]
