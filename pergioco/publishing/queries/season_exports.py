"""Exports of many tables as one zip: a season's public bundle, rankings, stages, or the whole
database.

A season bundle contains only what is public."""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from itertools import chain
from typing import IO, Any

from django.contrib.auth.models import AnonymousUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core.database import isolate_snapshot
from pergioco.core.declarations import is_foreign, list_declarations
from pergioco.core.exports import as_csv, as_json, as_xlsx
from pergioco.core.exports.sheet import Column, Sheet, Value
from pergioco.players.services.personal_data import Field, list_readable_fields
from pergioco.publishing import published
from pergioco.publishing.models import Freeze, Publication
from pergioco.publishing.published import Published
from pergioco.publishing.queries.archive import final_freezes
from pergioco.publishing.queries.ranking_exports import make_ranking_sheet
from pergioco.publishing.queries.ranking_labels import GREAT, family_of
from pergioco.stages import labels
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.queries import stage_exports, stage_page
from pergioco.stages.queries.calendar import Fixture, build_fixtures, with_entry_counts
from pergioco.stages.queries.stage_view import StageView, name_participants, stages_for_view
from pergioco.website.regulations import rendering
from pergioco.website.regulations.rendering import FIRST_SEASON, AdoptedReading
from risiko_master.compute import FINAL, QUALIFICATION
from risiko_master.master_page import PublishedMaster
from risiko_master.master_page import ranking_sheet as sheet_of_master

FOLDERS = {"game": "games", "big-game": "big", "big-elo": "big-elo"}
RANKING_KINDS = Q(kind__in=GREAT) | Q(kind__regex="^(game|big|big-elo):")
SOME_DAY = (1980, 1, 1, 0, 0, 0)  # first date of the ZIP format: equal content gives equal bytes
ReportProgress = Callable[[dict[str, int]], None]
RowCounts = dict[str, int]  # table -> how many rows
SHEET_WRITERS = {"csv": as_csv.write_csv, "xlsx": as_xlsx.write_xlsx}
TEXT_WIDTH = 24


def write_season_bundle(freeze: Freeze, into: IO[bytes]) -> None:
    # Writes one file at a time: never more than one sheet is in memory.
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as files:
        add_file(files, "season.json", as_json.dump_json(season_metadata(freeze)).encode())
        add_file(
            files,
            "rankings.txt",
            Freeze.objects.values_list("document", flat=True).get(pk=freeze.pk).encode(),
        )
        for name, sheet in season_sheets(freeze):
            with files.open(zip_entry(f"{name}.json"), "w") as one:
                as_json.write_json(sheet, one)


def add_file(files: zipfile.ZipFile, name: str, content: bytes) -> None:
    files.writestr(zip_entry(name), content)


def zip_entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, SOME_DAY)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def season_sheets(freeze: Freeze) -> Iterator[tuple[str, Sheet[Any]]]:
    if freeze.publication is not None:
        yield from ranking_sheets(freeze.publication)
    yield from stage_sheets(freeze.season)


def ranking_sheets(publication: Publication) -> Iterator[tuple[str, Sheet[Any]]]:
    for kind, sheet in sheets_of_kinds(publication, RANKING_KINDS):
        slug = kind.partition(":")[2]
        name = f"{FOLDERS[family_of(kind)]}/{slug}" if slug else kind
        yield f"rankings/{name}", sheet


def big_sheets(publication: Publication) -> Iterator[tuple[str, Sheet[Any]]]:
    for kind, sheet in sheets_of_kinds(publication, Q(kind__startswith="big")):
        yield f"big/{kind.replace(':', '/')}", sheet


def sheets_of_kinds(publication: Publication, kinds: Q) -> Iterator[tuple[str, Sheet[Any]]]:
    version = Published(publication.season, publication.as_of, publication)
    games = Game.objects.in_bulk(field_name="slug")
    shown = publication.shown.filter(kinds).order_by("kind")
    for kind in shown.values_list("kind", flat=True):
        ranking = version.ranking(kind)
        if ranking is not None:
            yield kind, make_ranking_sheet(version, ranking, games.get(kind.partition(":")[2]))


def stage_sheets(season: Season) -> Iterator[tuple[str, Sheet[Any]]]:
    for stage in stages_for_view().filter(season=season).order_by("starts_on", "pk"):
        view = StageView(stage, today=timezone.localdate())
        found = stage_page.stage_results(
            view, name_participants(view.players.values(), stage.circuit, reader=AnonymousUser())
        )
        if found["order"]:
            sheet = stage_exports.standings_sheet(
                view, found["order"], found["changes"], found["race"]
            )
            yield f"stages/{stage.slug}/standings", sheet
        if found["rounds"]:
            yield f"stages/{stage.slug}/games", stage_exports.games_sheet(view, found["rounds"])


def season_metadata(freeze: Freeze) -> dict[str, Any]:
    season = freeze.season
    has_rules = season.year >= FIRST_SEASON
    return {
        "season": season.year,
        "starts_on": season.starts_on,
        "ends_on": season.ends_on,
        "final_since": freeze.frozen_at,
        "sha256": freeze.sha256,
        "settings": season.settings,
        "readings": [reading_metadata(one) for one in rendering.readings_in_force(season)]
        if has_rules
        else [],
    }


def reading_metadata(one: AdoptedReading) -> dict[str, Any]:
    paragraphs = [f"PGM {number}" for number in one.reading.paragraphs]
    return {"reading": one.reading.code, "paragraphs": paragraphs, "adopted": one.adopted}


def export_rankings(into: IO[bytes], year: int, tell: ReportProgress) -> RowCounts:
    season = Season.objects.get(year=year)
    publication = published.find_publication(season)
    if publication is None:
        return {}
    return write_sheets(into, chain(ranking_sheets(publication), big_sheets(publication)), tell)


def export_stages(into: IO[bytes], year: int, tell: ReportProgress) -> RowCounts:
    season = Season.objects.get(year=year)
    return write_sheets(into, calendar_and_stage_sheets(season), tell)


def calendar_and_stage_sheets(season: Season) -> Iterator[tuple[str, Sheet[Any]]]:
    yield "calendar", calendar_sheet(season)
    yield from stage_sheets(season)
    for stage in Stage.objects.filter(circuit=Stage.Circuit.RKM, season=season).select_related(
        "game", "season"
    ):
        shown = PublishedMaster(stage, AnonymousUser())
        for what in (QUALIFICATION, FINAL):
            if shown.standings(what):
                yield f"stages/{stage.slug}/{what}", sheet_of_master(shown, what)


def export_year(into: IO[bytes], year: int, tell: ReportProgress) -> RowCounts:
    # Empty until the year is final.
    freeze = final_freezes().filter(season__year=year).first()
    if freeze is None:
        return {}
    write_season_bundle(freeze, into)
    with zipfile.ZipFile(into) as files:
        return {
            name: len(json.loads(files.read(name)).get("rows", ()))
            for name in files.namelist()
            if "/" in name
        }


@transaction.atomic
def export_tables(into: IO[bytes], year: int, tell: ReportProgress) -> RowCounts:
    # Snapshot isolation: all tables as of one moment.
    isolate_snapshot()
    return write_sheets(
        into, ((model._meta.label, model_sheet(model)) for model in exported_models()), tell
    )


def exported_models() -> list[type[models.Model]]:
    own = [
        model
        for model, declared in list_declarations()
        if declared.export and not is_foreign(model)
    ]
    return sorted(own, key=lambda model: model._meta.label)


def model_sheet(model: type[models.Model]) -> Sheet[Any]:
    fields = [field for field in list_readable_fields(model) if is_exported_field(field)]
    rows = model._meta.base_manager.order_by("pk").values_list(*(field.attname for field in fields))
    return Sheet(
        file=model._meta.label_lower,
        title=str(model._meta.verbose_name_plural),
        stamp=timezone.localtime().strftime("%Y-%m-%d %H:%M"),
        columns=[model_column(field, at) for at, field in enumerate(fields)],
        rows=rows.iterator(),
    )


def model_column(field: Field, at: int) -> Column[tuple[Any, ...]]:
    return Column(
        field.attname,
        str(field.verbose_name),
        lambda row: cell_value(row[at]),
        field_decimals(field),
        TEXT_WIDTH,
    )


def is_exported_field(field: Field) -> bool:
    return not field.many_to_many and not isinstance(field, models.BinaryField)


def field_decimals(field: Field) -> int:
    return int(getattr(field, "decimal_places", 0) or 0)


def cell_value(value: Any) -> Value:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    if isinstance(value, dict | list):
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    return (
        value
        if value is None or isinstance(value, int | Decimal) or hasattr(value, "isoformat")
        else str(value)
    )


def calendar_sheet(season: Season) -> Sheet[Fixture]:
    today = timezone.localdate()
    columns: list[Column[Fixture]] = [
        Column("starts_on", _("Starts on"), lambda one: one.stage.starts_on),
        Column("ends_on", _("Ends on"), lambda one: one.stage.ends_on),
        Column("game", _("Game"), lambda one: str(one.stage.game), width=TEXT_WIDTH),
        Column(
            "circuit", _("Circuit"), lambda one: one.stage.get_circuit_display(), width=TEXT_WIDTH
        ),
        Column(
            "platform",
            _("Platform"),
            lambda one: one.stage.get_platform_display(),
            width=TEXT_WIDTH,
        ),
        Column("race", _("Race"), lambda one: one.race_number),
        Column(
            "state", _("State"), lambda one: label_stage_state(one.stage, today), width=TEXT_WIDTH
        ),
        Column("slug", _("Address"), lambda one: one.stage.slug, width=TEXT_WIDTH),
    ]
    found = build_fixtures(
        with_entry_counts(Stage.objects.filter(season=season).order_by("starts_on", "id"))
    )
    return Sheet(
        f"calendar-{season.year}", f"{_('Calendar')} {season.year}", str(today), columns, found
    )


def label_stage_state(stage: Stage, today: date) -> str:
    return str(labels.STATE_LABELS[labels.stage_state(stage, today=today, is_final=False)])


def write_sheets(
    into: IO[bytes], sheets: Iterable[tuple[str, Sheet[Any]]], tell: ReportProgress
) -> RowCounts:
    # One table at a time: never more than one is in memory.
    done: RowCounts = {}
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as files:
        for name, sheet in sheets:
            whole = sheet.in_memory()
            for ending, write_sheet in SHEET_WRITERS.items():
                with files.open(zip_entry(f"{name}.{ending}"), "w") as one:
                    write_sheet(whole, one)
            done[name] = len(list(whole.rows))
            tell(done)
    return done
