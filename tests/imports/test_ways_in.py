"""The pages that lead to a preview: file, template; and what hostile or careless files end in."""

import io
import zipfile

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation

from pergioco.imports import sources
from pergioco.imports.readers import spreadsheet
from pergioco.imports.readers.spreadsheet import COLUMNS, read_csv
from pergioco.stages.models import Revision, SourceFile
from tests import factories
from tests.conftest import signed_in
from tests.imports.sample_files import raw
from tests.imports.steps import confirm, own_stage, table_of
from tests.imports.test_hostile_files import READERS, mutants

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
A_FEW = 6
MEGABYTE = 1024 * 1024


@pytest.fixture
def stage(organizer):
    return own_stage(organizer)


@pytest.fixture
def client(organizer):
    return signed_in(organizer)


def upload(client, stage, content: bytes, name: str = "results"):
    file = SimpleUploadedFile(name, content)
    return client.post(
        reverse("import-file", args=[stage.pk]), {"file": file, "reader": ""}, follow=True
    )


def test_a_trf_file_comes_from_upload_to_draft(client, organizer):
    stage = own_stage(organizer, platform="playstrategy")
    preview = upload(client, stage, raw("trf/trf16_full.trf"), "stage.trf")
    assert confirm(client, preview, as_shown="on").status_code == 302
    assert SourceFile.objects.get().name == "stage.trf"
    assert {round_ for round_, _sign, _names in table_of(stage)} == {1, 2, 3, 4}


def test_a_filled_in_workbook_is_read(client, stage):
    page = upload(
        client, stage, raw("spreadsheet/filled_awkward.xlsx"), "stage.xlsx"
    ).content.decode()
    assert "workbook (XLSX)" in page
    assert "is a date: the spreadsheet changed a result" in page


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("stage.exe", b"Anna 1-0 Bruno\n", "No results are read from files with this ending."),
        ("stage.csv.svg", b"Anna 1-0 Bruno\n", "They end in .xlsx, .csv, .htm"),
        ("stage.xlsx", b"Anna 1-0 Bruno\n", "This is not a workbook that can be read."),
        ("stage.ods", b"PK\x03\x04", "This is not a workbook that can be read."),
        ("stage.txt", b"PK\x03\x04", "This is not a workbook that can be read."),
    ],
)
def test_a_name_that_does_not_fit_what_is_in_the_file_is_refused(
    client, stage, name, content, sentence
):
    answer = upload(client, stage, content, name)
    assert (answer.status_code, SourceFile.objects.count()) == (200, 0)
    assert sentence in answer.content.decode()
    assert upload(client, stage, b"Anna 1-0 Bruno\n", "stage.TXT").redirect_chain != []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "There is nothing in it."),
        (b"x" * (2 * MEGABYTE + 1), "This is larger than 2 MB."),
        (b"PK\x03\x04 not really", "This is not a workbook that can be read."),
        (b'{"a": 1}', "The file is built in another way than expected."),
        (b"{", "The file breaks off in its last line"),
        (b"\x00\x01", "This is not text."),
        (b"012 League\n013 A team\n", "This is the file of a team tournament."),
    ],
)
def test_a_file_that_cannot_be_read_ends_in_a_sentence_of_the_form(
    client, stage, content, sentence
):
    answer = upload(client, stage, content)
    assert answer.status_code == 200
    assert SourceFile.objects.count() == 0
    assert sentence in answer.content.decode()


def test_without_a_file_it_says_so(client, stage):
    answer = client.post(reverse("import-file", args=[stage.pk]), {"reader": ""})
    assert "Choose a file." in answer.content.decode()


def test_a_zip_bomb_is_refused_before_it_unpacks(client, stage, monkeypatch):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/worksheets/sheet1.xml", b"0" * 150 * MEGABYTE)
    monkeypatch.setattr(spreadsheet.subprocess, "run", None)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    answer = upload(client, stage, packed.getvalue(), "bomb.xlsx")
    assert "would unpack to far more than a stage holds" in answer.content.decode()
    assert SourceFile.objects.count() == 0


@pytest.mark.parametrize("name", READERS)
def test_mutated_files_end_in_a_preview_or_a_sentence_and_write_no_results(client, stage, name):
    for mutant in mutants(raw(READERS[name][0]), f"pages {name}", A_FEW):
        answer = upload(client, stage, mutant, name)
        assert answer.status_code == 200
        page = answer.content.decode()
        assert "Check the results" in page or "One thing needs another look" in page
    assert Revision.objects.count() == 0


def test_a_stored_file_that_is_read_no_more_says_why(client, stage):
    source = SourceFile.objects.create(
        stage=stage, name="old", raw=b"x", sha256="0", reader="gone", reader_version=1
    )
    page = client.get(reverse("import-preview", args=[stage.pk, source.pk])).content.decode()
    assert "the portal no longer knows" in page


def test_the_same_bytes_are_read_another_way(client, stage):
    upload(client, stage, b"round;player_a;player_b;result\n1;Anna;Bruno;1-0\n", "games.csv")
    source = SourceFile.objects.get()
    address = reverse("import-read-again", args=[stage.pk, source.pk])
    page = client.post(address, {"reader": "typed"}, follow=True).content.decode()
    assert "This was not understood" in page
    assert SourceFile.objects.count() == 2
    refused = client.post(address, {"reader": "trf"}).content.decode()
    assert "There are no players in it." in refused
    assert SourceFile.objects.count() == 2


def test_a_stage_of_several_players_at_a_table_is_not_imported_here(client, organizer):
    stage = own_stage(organizer, circuit="big")
    assert client.get(reverse("import-file", args=[stage.pk])).status_code == 404


def template(client, stage, kind: str) -> bytes:
    answer = client.get(reverse(f"import-template-{kind}", args=[stage.pk]))
    assert (
        answer.headers["Content-Disposition"]
        == f'attachment; filename="results-{stage.slug}.{kind}"'
    )
    return answer.content


def test_the_workbook_to_fill_in_keeps_what_is_typed_as_text(client, stage):
    book = openpyxl.load_workbook(io.BytesIO(template(client, stage, "xlsx")))
    games = book["Games"]
    assert [cell.value for cell in games[1]] == list(COLUMNS)
    assert {games.column_dimensions[letter].number_format for letter in "ABCDEFGHIJ"} == {"@"}
    (offered,) = games.data_validations.dataValidation
    assert (offered.formula1[:9], str(offered.sqref)) == ('"1-0,0-1,', "E2:E5000")


def test_the_workbook_explains_itself_in_the_language_of_the_reader(client, stage):
    with translation.override("en"):
        book = openpyxl.load_workbook(io.BytesIO(template(client, stage, "xlsx")))
    assert book["Help"]["B1"].value == "The number of the round: 1, 2, 3…"


def test_the_filled_in_workbook_is_read_back(client, stage):
    book = openpyxl.load_workbook(io.BytesIO(template(client, stage, "xlsx")))
    book["Games"].append(["1", "1", "Anna", "Bruno", "1-0"])
    written = io.BytesIO()
    book.save(written)
    result = sources.read_source("xlsx", written.getvalue())
    assert [(game.a, game.b, game.result) for game in result.games] == [("Anna", "Bruno", "1-0")]


def test_the_csv_to_fill_in_is_read_back(client, stage):
    filled = template(client, stage, "csv") + b"1;1;Anna;Bruno;1-0;;;;;\r\n"
    assert [(game.a, game.b) for game in read_csv(filled).games] == [("Anna", "Bruno")]


def test_the_list_of_files_asks_the_database_as_often_for_many_as_for_few(client, organizer):
    from tests.office.desk.counting import queries_of

    counts = []
    for many in (1, 3):
        stage = own_stage(organizer)
        for number in range(many):
            SourceFile.objects.create(
                stage=stage,
                name=str(number),
                raw=b"x",
                sha256=str(number),
                reader="typed",
                reader_version=1,
                read_by=factories.user(),
            )
        counts.append(queries_of(client, reverse("import-file", args=[stage.pk])))
    assert counts[0] == counts[1]
