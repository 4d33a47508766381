"""A stage as sheets, TRF file, picture, screen, frame or text."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.core import displays
from pergioco.core.addresses import absolute_url, rules_address
from pergioco.core.exports.download import WRITERS, ExportLinks
from pergioco.core.exports.sheet import Column, Sheet
from pergioco.core.share_image import Card, Place
from pergioco.publishing.queries.ranking_exports import NAME_WIDTH, PLACES, TOP, person_columns
from pergioco.rulekit.numbers import to_points
from pergioco.rulekit.text import tidy
from pergioco.stages import games
from pergioco.stages.models import Stage
from pergioco.stages.queries.stage_changes import RaceRow, RatedChange, row_of_player
from pergioco.stages.queries.stage_tables import Classified, CrossRow, PublicRound, TableRow
from pergioco.stages.queries.stage_view import Participant, StageView
from pergioco.stages.rules.standings import HALF_POINTS, Part

TRF_CONTENT_TYPE = "text/plain; charset=utf-8"
TRF_NAME_WIDTH = 33
TRF_RESULTS = {"win": "1", "draw": "=", "loss": "0"}
TRF_ABSENT = {"walkover": "+", "no_show": "-"}
TRF_BYES = {"win": "U", "draw": "H", "loss": "Z"}
TRF_SYSTEMS = {
    Stage.System.SWISS: "Individual: Swiss-System",
    Stage.System.ROUND_ROBIN: "Individual: Round-Robin",
}
WHITE, BLACK = "w", "b"


class StandingRow(NamedTuple):
    """A participant of a stage and what the stage changed for them."""

    who: Participant
    place: Classified | None
    change: RatedChange | None = None
    race: RaceRow | None = None


def standings_sheet(
    view: StageView,
    order: Sequence[Classified],
    changes: Sequence[RatedChange],
    race: Sequence[RaceRow],
) -> Sheet[StandingRow]:
    is_rated = view.stage.circuit == Stage.Circuit.PGM
    digits = max([1, *(row.decimals for row in order)])
    return Sheet(
        file=f"{view.stage.slug}-{stage_stamp(view)}",
        title=str(view.stage),
        stamp=stage_stamp(view),
        columns=[
            Column("rank", _("Pos."), lambda row: row.place and row.place.rank, width=6),
            *person_columns(lambda row: participant_cells(row.who)),
            Column("points", _("Points"), lambda row: row.place and row.place.points, digits),
            *(rated_columns(view) if is_rated else [decided_by_column()]),
        ],
        rows=rated_standings(order, changes, race)
        if is_rated
        else [StandingRow(row.who, row) for row in order],
        about={"stage": view.stage.slug, "season": view.stage.season.year},
    )


def decided_by_column() -> Column[StandingRow]:
    heading = pgettext("a place in a ranking", "Decided by")
    return Column(
        "decided_by", heading, lambda row: row.place and row.place.decided, width=NAME_WIDTH
    )


def rated_columns(view: StageView) -> list[Column[StandingRow]]:
    points = Column[StandingRow](
        "race_points", _("Race points"), lambda row: row.race and int(row.race.line.value)
    )
    return [
        Column(
            "pgr_before",
            _("PGR before"),
            lambda row: row.change and to_points(row.change.change.before),
            3,
        ),
        Column("pgr_change", _("PGR change"), lambda row: row.change and row.change.moved, 3),
        Column(
            "pgr_after",
            _("PGR after"),
            lambda row: row.change and to_points(row.change.change.after),
            3,
        ),
        *([points] if view.stage.race else []),
    ]


def rated_standings(
    order: Sequence[Classified], changes: Sequence[RatedChange], race: Sequence[RaceRow]
) -> Iterator[StandingRow]:
    placed = {row.who: row for row in order}
    rated = {row.who: row for row in changes}
    for who in dict.fromkeys([*placed, *rated]):
        yield StandingRow(who, placed.get(who), rated.get(who), row_of_player(race, who))


def participant_cells(who: Participant) -> list[str]:
    if not who.is_named:
        return [who.name, "", ""]
    return [who.name, who.player.person.city, who.player.person.country.name]


class PlayedTable(NamedTuple):
    round: int
    row: TableRow


def games_sheet(view: StageView, rounds: Sequence[PublicRound]) -> Sheet[PlayedTable]:
    return Sheet(
        file=f"{view.stage.slug}-games-{stage_stamp(view)}",
        title=str(view.stage),
        stamp=stage_stamp(view),
        columns=[
            Column("round", _("Round"), width=8),
            Column("table", _("Table"), lambda played: played.row.number, width=8),
            Column("first", _("First"), lambda played: played.row.who[0].name, width=NAME_WIDTH),
            Column(
                "second",
                _("Second"),
                lambda played: ", ".join(who.name for who in played.row.others),
                width=NAME_WIDTH,
            ),
            Column("result", _("Result"), lambda played: played.row.reading, width=NAME_WIDTH),
        ],
        rows=[PlayedTable(one.number, row) for one in rounds for row in one.rows],
        about={"stage": view.stage.slug, "season": view.stage.season.year},
    )


def stage_stamp(view: StageView) -> str:
    return f"v{view.revision.number}" if view.revision else ""


def stage_address(name: str, view: StageView, *more: object) -> str:
    return reverse(name, args=[view.stage.season.year, view.stage.slug, *more])


def list_stage_exports(view: StageView, values: Mapping[str, Any]) -> ExportLinks:
    # No files before the first pairing, no standings before the first point.
    if not values["rounds"]:
        return ExportLinks(
            rules=rules_address(view.stage.circuit),
            api=reverse("api-stage", args=[view.stage.slug]),
        )
    files = [(f"{_('Games')} {e.upper()}", stage_address("stage-games", view, e)) for e in WRITERS]
    if values["order"]:
        files = [
            (f"{_('Standings')} {e.upper()}", stage_address("stage-standings", view, e))
            for e in WRITERS
        ] + files
    if view.stage.is_closed and values["crosstable"]:
        files += [
            ("TRF", stage_address("stage-trf", view)),
            (_("Poster (PDF)"), stage_address("stage-poster", view)),
        ]
    return exports_with_files(files, view, values)


def exports_with_files(
    files: Sequence[tuple[str, str]], view: StageView, values: Mapping[str, Any]
) -> ExportLinks:
    return ExportLinks(
        rules=rules_address(view.stage.circuit),
        files=files,
        screen=stage_screen_address(view, values),
        frame=displays.embed_code(absolute_url(stage_address("stage-embed", view)), str(view.stage))
        if values["order"]
        else "",
        text=stage_as_text(view, values),
        api=reverse("api-stage", args=[view.stage.slug]),
    )


def stage_image_address(view: StageView) -> str:
    return stage_address("stage-image", view)


def stage_screen_address(view: StageView, values: Mapping[str, Any]) -> str:
    """The screen of the hall: tables of the last round, or standings once the stage is closed."""
    if view.stage.is_closed and values["order"]:
        return f"{view.page}?screen=1"
    last = max(one.number for one in values["rounds"])
    return f"{stage_address('stage-round', view, last)}?screen=1"


def stage_as_text(view: StageView, values: Mapping[str, Any]) -> str:
    if not values["order"]:
        return ""
    said = {**values, "order": values["order"][:TOP], "address": absolute_url(view.page)}
    return render_to_string("stages/public/copy.txt", said).strip()


class TrfSeat(NamedTuple):
    part: Part
    colour: str


def write_trf(view: StageView, rows: Sequence[CrossRow]) -> str | None:
    """Returns None if a player had two tables in one round: the format has room for one."""
    sat = seats_by_player(view)
    if any(len({one.part.round for one in own}) < len(own) for own in sat.values()):
        return None
    numbers = {row.who.player.pk: row.number for row in rows}
    names = unique_names(rows)
    lines = [
        *trf_head(view.stage, len(rows)),
        *(trf_player_line(row, names[row.number], sat, numbers) for row in rows),
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def seats_by_player(view: StageView) -> dict[int, list[TrfSeat]]:
    # The first seat plays white.
    found: dict[int, list[TrfSeat]] = defaultdict(list)
    for _place, table in view.tables(view.revision):
        for part, colour in zip(
            games.table_parts(table, view.same, view.void), (WHITE, BLACK), strict=False
        ):
            found[part.player].append(TrfSeat(part, colour))
    return found


def unique_names(rows: Iterable[CrossRow]) -> dict[int, str]:
    # Programs identify players by name: a shared name gets the start number.
    names = {row.number: tidy(row.who.name)[:TRF_NAME_WIDTH] for row in rows}
    shared = {name for name, times in Counter(names.values()).items() if times > 1}
    return {
        n: f"{name[: TRF_NAME_WIDTH - 5]} ({n})" if name in shared else name
        for n, name in names.items()
    }


def trf_head(stage: Stage, players: int) -> list[str]:
    days = (f"{day:%Y/%m/%d}" for day in (stage.starts_on, stage.ends_on))
    said = zip(("042", "052"), days, strict=True)
    system = TRF_SYSTEMS.get(Stage.System(stage.system), "Individual")
    return [
        f"012 {stage}",
        *(f"{code} {day}" for code, day in said),
        f"062 {players}",
        f"092 {system}",
    ]


def trf_player_line(
    row: CrossRow, name: str, sat: Mapping[int, list[TrfSeat]], numbers: Mapping[int, int]
) -> str:
    own = {one.part.round: one for one in sat[row.who.player.pk]}
    points = Decimal(sum(HALF_POINTS[one.part.outcome] for one in own.values())) / 2
    rank = row.rank if row.rank is not None else ""
    start = f"001 {row.number:>4}      {name:<{TRF_NAME_WIDTH}}".ljust(
        80
    ) + f"{points:>4.1f} {rank:>4}".ljust(11)
    return start + "".join(
        trf_block(own.get(round_), numbers).ljust(10)
        for round_ in range(1, max(own, default=0) + 1)
    )


def trf_block(one: TrfSeat | None, numbers: Mapping[int, int]) -> str:
    if one is None:
        return ""
    if one.part.opponent is None:
        return f"0000 - {TRF_BYES[one.part.outcome]}"
    code = TRF_ABSENT.get(one.part.kind) or TRF_RESULTS[one.part.outcome]
    return f"{numbers[one.part.opponent]:>4} {one.colour} {code}"


def stage_card(values: Mapping[str, Any]) -> Card:
    stage = values["stage"]
    return Card(
        title=str(stage.game),
        state=f"{values['outcome']}, {date_format(stage.ends_on, 'DATE_FORMAT')}",
        kind="race" if stage.race else "",
        places=tuple(card_place(row) for row in values["order"][:PLACES]),
    )


def card_place(row: Classified) -> Place:
    city = row.who.player.person.city if row.who.is_named else ""
    return Place(row.rank, row.who.name, city, row.value)
