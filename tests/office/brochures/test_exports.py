"""Saved exports: every table as CSV and XLSX, no text of which ever runs; destroyed in time, and
with an erasure."""

import csv
import io
import zipfile
from datetime import timedelta

import pytest
from django.apps import apps
from django.utils import timezone
from openpyxl import load_workbook

from pergioco.core import jobs
from pergioco.core.audit_log.models import AuditEntry
from pergioco.office.brochures import registry
from pergioco.office.models import Export
from pergioco.office.services import exports
from pergioco.players.services import erasing
from pergioco.rulekit.text import tidy
from pergioco.stages.models import Season
from tests import factories
from tests.publishing import year

pytestmark = pytest.mark.django_db
LIST = "/en/staff/exports/"
SECRETS = {"core.User": "password", "core.OutgoingMail": "raw"}
PAYLOADS = [
    "=1+1",
    "+39 011 555",
    "-2+3",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(A1)",
    " =1+1",
    '=HYPERLINK("http://example.org","x")',
    "=cmd|'/c calc'!A1\x07\u202e",
]


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def hostile() -> Season:
    """Fourteen people with names that would run; each of them has played."""
    people = [
        factories.registered(first_name=text, last_name=f"No{n}", city=text)
        for n, text in enumerate(PAYLOADS, 10)
    ]
    game = factories.game()
    for number, (one, other) in enumerate(zip(people[::2], people[1::2], strict=True), 1):
        year.played(one, other, on=timezone.localdate().replace(month=1, day=number), game=game)
    year.publish(2026)
    return Season.objects.get(year=2026)


@pytest.fixture
def desk(client, staff):
    client.force_login(staff)
    return client


def written(what: str, season: Season | None) -> Export:
    row = exports.request_export(what, "en", season=season, by=None)
    assert jobs.run(row.job_id)
    row = Export.objects.get(pk=row.pk)
    assert row.state == "done"
    return row


def tables(row: Export) -> tuple[dict[str, list[list[str]]], dict[str, list[list]]]:
    """Name -> rows of text, and name -> rows of cells."""
    files = zipfile.ZipFile(io.BytesIO(bytes(row.content)))
    as_csv, as_xlsx = {}, {}
    for name in files.namelist():
        table, _dot, ending = name.rpartition(".")
        if ending == "csv":
            as_csv[table] = list(csv.reader(io.StringIO(files.read(name).decode("utf-8-sig"))))
        else:
            as_xlsx[table] = list(load_workbook(io.BytesIO(files.read(name))).active.iter_rows())
    return as_csv, as_xlsx


@pytest.mark.parametrize("what", ["rankings", "stages", "tables"])
def test_fourteen_names_that_would_run_are_read_back_as_text(hostile, what):
    as_csv, as_xlsx = tables(written(what, hostile))
    cells = {cell for rows in as_csv.values() for row in rows for cell in row}
    typed = [
        cell for rows in as_xlsx.values() for row in rows for cell in row if cell.value is not None
    ]

    assert [cell.value for cell in typed if cell.data_type == "f"] == []
    texts = {cell.value for cell in typed if cell.data_type == "s"}
    for number, payload in enumerate(PAYLOADS, 10):
        name = tidy(payload) if what == "tables" else tidy(f"{payload} No{number}")
        shown = f"'{name}" if name.startswith(tuple("=+-@＝＋－＠")) else name
        assert shown in cells, name
        assert shown in texts, name
    assert not any(sign in cell for cell in cells for sign in ("\x07", "\u202e", "\t", "\r"))


def test_the_numbers_of_both_ways_of_writing_are_the_same(hostile):
    as_csv, as_xlsx = tables(written("rankings", hostile))

    assert as_csv.keys() == as_xlsx.keys()
    for name, rows in as_csv.items():
        assert len(rows) == len(as_xlsx[name])
        value = [(row[0], float(row[-2])) for row in rows[1:]]
        assert value == [(str(row[0].value), float(row[-2].value)) for row in as_xlsx[name][1:]]


def test_nothing_secret_is_in_the_tables_of_the_portal(hostile):
    as_csv, _as_xlsx = tables(written("tables", None))

    for label, secret in SECRETS.items():
        heading = str(apps.get_model(label)._meta.get_field(secret).verbose_name)
        assert heading not in as_csv[label][0]
    assert "e-mail without a login" in as_csv["players.Person"][0]


def test_the_whole_federation_leaves_as_its_bundle(hostile):
    row = written("federation", None)

    with zipfile.ZipFile(io.BytesIO(bytes(row.content))) as files:
        assert "players.csv" in files.namelist()
    assert row.rows["players.csv"] == len(PAYLOADS)


def test_a_year_for_the_archive_must_be_final(hostile, desk):
    row = exports.request_export("year", "en", season=hostile, by=None)
    assert jobs.run(row.job_id)

    assert Export.objects.get().state == "failed"
    assert "There was nothing to write" in desk.get(LIST).content.decode()


def test_a_final_year_is_one_file_for_the_archive():
    season, *_more = year.year_over()
    year.made_final(season)
    row = written("year", season)

    assert row.rows["rankings/red.json"] > 0


def test_staff_ask_wait_and_take_it_away(desk, hostile, staff):
    desk.post(LIST, {"what": "rankings", "season": hostile.pk, "language": "it"})
    row = Export.objects.get()
    assert desk.get(LIST)["Refresh"] == "3"
    assert desk.post(f"{LIST}{row.pk}/file/").status_code == 404

    assert jobs.run(row.job_id)
    page = desk.get(LIST)
    assert "Refresh" not in page
    assert "rankings/red: 14" in page.content.decode()
    answer = desk.post(f"{LIST}{row.pk}/file/")
    assert answer["Cache-Control"] == "no-store, private"
    assert answer["Content-Disposition"] == 'attachment; filename="pergioco-rankings-2026-it.zip"'
    assert AuditEntry.objects.get(action="export.taken").actor == staff


def test_while_it_is_written_the_list_tells_how_far_it_is(desk, hostile, monkeypatch):
    seen = []

    def slowly(into, _year, report):
        report({"rankings/red": 14})
        seen.append(desk.get(LIST))
        into.write(b"-")
        return {"rankings/red": 14, "rankings/blue": 3}

    monkeypatch.setattr(exports.registry, "get_writer", lambda _what: slowly)
    assert jobs.run(exports.request_export("rankings", "en", season=hostile, by=None).job_id)

    assert "rankings/red: 14" in seen[0].content.decode()
    assert seen[0]["Refresh"] == "3"
    assert "rankings/blue: 3" in desk.get(LIST).content.decode()


def test_opening_the_address_takes_nothing_away(desk, hostile):
    assert desk.get(f"{LIST}{written('rankings', hostile).pk}/file/").status_code == 405


def test_after_seven_days_it_is_destroyed(hostile, clock):
    written("rankings", hostile)
    clock.move_to(timezone.now() + timedelta(days=6, hours=23))
    exports.delete_old_exports()
    assert Export.objects.exists()

    clock.move_to(timezone.now() + timedelta(hours=2))
    exports.delete_old_exports()
    assert not Export.objects.exists()


def test_an_erasure_destroys_what_was_written_before_it(hostile):
    written("tables", None)
    erasing.erase_player(factories.registered(), by=None)

    assert not Export.objects.exists()


def test_asking_twice_writes_one_and_a_job_run_twice_changes_nothing(hostile):
    first = exports.request_export("rankings", "en", season=hostile, by=None)
    assert exports.request_export("rankings", "en", season=hostile, by=None) == first
    assert jobs.run(first.job_id)
    before = Export.objects.get().made_at
    assert exports.write_export(first.pk) is None

    assert Export.objects.get().made_at == before


def test_every_kind_of_export_has_its_words_and_its_writer():
    assert exports.KINDS.keys() == registry.exports.keys()
    assert all(callable(registry.get_writer(what)) for what in exports.KINDS)
