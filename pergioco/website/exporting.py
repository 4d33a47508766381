"""Many tables in one zip, each as CSV and XLSX, by the one writer that lets no text become a formula."""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import IO, Any

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.checks import is_ours
from pergioco.ledger import published
from pergioco.ledger.models import Publication
from pergioco.ledger.stillness import hold_still
from pergioco.players.exporting import Field, readable_fields
from pergioco.stages.models import Game, Season, Stage
from pergioco.website import archive, season_bundle
from pergioco.website.calendar.fixtures import fixtures, with_entries
from pergioco.website.masters.page import Shown
from pergioco.website.masters.sheets import sheet_of as sheet_of_master
from pergioco.website.ranking_sheet import sheet_of
from pergioco.website.season_bundle import described
from pergioco.website.sheets import as_csv, as_xlsx
from pergioco.website.sheets.sheet import Column, Sheet, Value
from pergioco.website.stages import states
from risiko_master.compute import FINAL, QUALIFICATION

Tell = Callable[[dict[str, int]], None]
Rows = dict[str, int]  # table -> how many rows
WRITERS = {"csv": as_csv, "xlsx": as_xlsx}
NEVER_TAKEN = frozenset({"ledger.Mark", "brochures.Page"})
TEXT_WIDTH = 24


def rankings(into: IO[bytes], year: int, tell: Tell) -> Rows:
    season = Season.objects.get(year=year)
    publication = published.publication_of(season)
    if publication is None:
        return {}
    return write_all(into, chain(season_bundle.of_rankings(publication), of_big(publication)), tell)


def of_big(publication: Publication) -> Iterator[tuple[str, Sheet]]:
    version = published.Published(publication.season, publication.as_of, publication)
    games = Game.objects.in_bulk(field_name="slug")
    kinds = publication.shown.filter(kind__startswith="big").order_by("kind").values_list("kind", flat=True)
    for kind in kinds:
        found = version.ranking(kind)
        if found is not None:
            yield f"big/{kind.replace(':', '/')}", sheet_of(version, found, games.get(kind.partition(":")[2]))


def stages(into: IO[bytes], year: int, tell: Tell) -> Rows:
    season = Season.objects.get(year=year)
    return write_all(into, tables_of_stages(season), tell)


def tables_of_stages(season: Season) -> Iterator[tuple[str, Sheet]]:
    yield "calendar", calendar_sheet(season)
    yield from season_bundle.of_stages(season)
    for stage in Stage.objects.filter(circuit=Stage.Circuit.RKM, season=season).select_related("game", "season"):
        shown = Shown(stage, AnonymousUser())
        for what in (QUALIFICATION, FINAL):
            if shown.standings(what):
                yield f"stages/{stage.slug}/{what}", sheet_of_master(shown, what)


def year(into: IO[bytes], year: int, tell: Tell) -> Rows:
    """Nothing before the year is final."""
    freeze = archive.final().filter(season__year=year).first()
    if freeze is None:
        return {}
    season_bundle.write(freeze, into)
    with zipfile.ZipFile(into) as files:
        return {name: len(json.loads(files.read(name)).get("rows", ())) for name in files.namelist() if "/" in name}


@transaction.atomic
def tables(into: IO[bytes], year: int, tell: Tell) -> Rows:
    """All that is stored and not secret, of one moment."""
    hold_still()
    return write_all(into, ((model._meta.label, table_of(model)) for model in stored()), tell)


def stored() -> list[type[models.Model]]:
    own = [model for model in apps.get_models() if is_ours(model) and model._meta.label not in NEVER_TAKEN]
    return sorted(own, key=lambda model: model._meta.label)


def table_of(model: type[models.Model]) -> Sheet:
    fields = [field for field in readable_fields(model._meta.label) if is_taken(field)]
    rows = model._meta.base_manager.order_by("pk").values_list(*(field.attname for field in fields))
    return Sheet(
        file=model._meta.label_lower,
        title=str(model._meta.verbose_name_plural),
        stamp=timezone.localtime().strftime("%Y-%m-%d %H:%M"),
        columns=[Column(field.attname, str(field.verbose_name), decimals_of(field), TEXT_WIDTH) for field in fields],
        rows=([cell(value) for value in row] for row in rows.iterator()),
    )


def is_taken(field: Field) -> bool:
    return not field.many_to_many and not isinstance(field, models.BinaryField)


def decimals_of(field: Field) -> int:
    return int(getattr(field, "decimal_places", 0) or 0)


def cell(value: Any) -> Value:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    if isinstance(value, dict | list):
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
    return value if value is None or isinstance(value, int | Decimal) or hasattr(value, "isoformat") else str(value)


def calendar_sheet(season: Season) -> Sheet:
    columns = [
        Column("starts_on", _("Starts on")),
        Column("ends_on", _("Ends on")),
        Column("game", _("Game"), width=TEXT_WIDTH),
        Column("circuit", _("Circuit"), width=TEXT_WIDTH),
        Column("platform", _("Platform"), width=TEXT_WIDTH),
        Column("race", _("Race")),
        Column("state", _("State"), width=TEXT_WIDTH),
        Column("slug", _("Address"), width=TEXT_WIDTH),
    ]
    today = timezone.localdate()
    found = fixtures(with_entries(Stage.objects.filter(season=season).order_by("starts_on", "id")))
    rows = [
        [
            one.stage.starts_on,
            one.stage.ends_on,
            str(one.stage.game),
            one.stage.get_circuit_display(),
            one.stage.get_platform_display(),
            one.race_number,
            str(states.WORDS[states.code_of(one.stage, today=today, is_final=False)]),
            one.stage.slug,
        ]
        for one in found
    ]
    return Sheet(f"calendar-{season.year}", f"{_('Calendar')} {season.year}", str(today), columns, rows)


def write_all(into: IO[bytes], sheets: Iterable[tuple[str, Sheet]], tell: Tell) -> Rows:
    """One table after the other, so that never more than one is in memory."""
    done: Rows = {}
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as files:
        for name, sheet in sheets:
            whole = replace(sheet, rows=list(sheet.rows))
            for ending, writer in WRITERS.items():
                with files.open(described(f"{name}.{ending}"), "w") as one:
                    writer.write(whole, one)
            done[name] = len(list(whole.rows))
            tell(done)
    return done
