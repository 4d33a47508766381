"""The table of games: CSV and workbook, as people and spreadsheet programs fill them."""

import io
import zipfile

import openpyxl
import pytest

from pergioco.imports.canonical import DRAW, LOSS, WIN, Unreadable
from pergioco.imports.readers import raw_files, spreadsheet
from pergioco.imports.readers.spreadsheet import read_csv, read_workbook
from tests.imports.sample_files import expected, got, raw, wanted

HEAD = "round,table,player_a,player_b,result,score_a,score_b,kind,link,note\n"
ERRORS = [("plays_against_oneself", 14), ("round_is_no_number", 15), ("result_is_a_date", 16)]


def book(*rows: list, sheet: str = "Games") -> bytes:
    made = openpyxl.Workbook()
    made.active.title = sheet
    made.active.append(HEAD.strip().split(","))
    for row in rows:
        made.active.append(row)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return out.getvalue()


def test_awkward_csv():
    result = read_csv(raw("spreadsheet/games_awkward.csv"))
    assert got(result) == wanted(expected("spreadsheet/games_awkward.expected.json"))
    assert [(e.code, e.line) for e in result.errors] == ERRORS
    assert ("repeated", 7) in [(w.code, w.line) for w in result.warnings]


def test_awkward_workbook_is_the_same_with_ids():
    result, want = (
        read_workbook(raw("spreadsheet/filled_awkward.xlsx")),
        expected("spreadsheet/filled_awkward.expected.json"),
    )
    assert got(result) == wanted(want)
    assert result.participant_ids == want["participant_ids"]
    assert [(e.code, e.line) for e in result.errors] == ERRORS
    assert [w.values["nickname"] for w in result.warnings if w.code == "unknown_nickname"] == [
        "Somebody Else"
    ]
    fourth = {
        w.values["player"]
        for w in result.warnings
        if w.code == "no_row_in_round" and w.values["round"] == 4
    }
    assert {"李小龙", "Ghost Rider"} <= fourth


def test_empty_template_has_no_games_and_says_nothing_wrong():
    result = read_workbook(raw("spreadsheet/template_stage_results.xlsx"))
    assert (result.games, result.errors) == ((), ())


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("1-0", (WIN, "played")),
        ("0–1", (LOSS, "played")),
        ("½-½", (DRAW, "played")),
        ("1/2-1/2", (DRAW, "played")),
        ("0.5-0.5", (DRAW, "played")),
        ("=", (DRAW, "played")),
        ("+/-", (WIN, "forfeit")),
        ("0F-1F", (LOSS, "forfeit")),
        ("-/-", ("0-0", "double_forfeit")),
        ("void", ("0-0", "void")),
    ],
)
def test_results_as_people_type_them(result, outcome):
    (game,) = read_csv(f"{HEAD}1,1,A,B,{result},,,,,\n".encode()).games
    assert (game.result, game.kind) == outcome


def test_headings_in_any_order_and_case_with_any_delimiter():
    text = "Result\tPLAYER_B\tplayer_a\tRound\n1-0\tB\tA\t2\n"
    assert [
        (r, g.a, g.b) for r, games in read_csv(text.encode()).rounds.items() for g in games
    ] == [(2, "A", "B")]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("1,1,A,B,7-3,,,,,", "result_not_understood"),
        ("1,1,A,B,,,,,,", "result_not_understood"),
        ("1,1,A,,1-0,,,,,", "player_missing"),
        ("1,1,,B,1-0,,,,,", "player_missing"),
        ("1,1,A,B,BYE,,,,,", "opponent_of_nobody"),
        ("0,1,A,B,1-0,,,,,", "round_is_no_number"),
        ("1,1,A,B,*,,,,,", "game_still_open"),
        ("1,1,A,B,,nan,1,,,", "result_not_understood"),
        ("1,1,A,B,02/01/2026,,,,,", "result_is_a_date"),
    ],
)
def test_row_that_cannot_be_used_says_why(row, code):
    assert [(e.code, e.line) for e in read_csv(f"{HEAD}{row}\n".encode()).errors] == [(code, 2)]


def test_formula_is_text_and_is_refused_as_a_result():
    result = read_workbook(book(["1", "1", "A", "B", "=1-0"]))
    assert [(e.code, e.values["text"]) for e in result.errors] == [
        ("result_not_understood", "=1-0")
    ]


@pytest.mark.parametrize("content", [b"PK\x03\x04", zipped(a_txt=b"x"), b"\x00" * 100])
def test_what_is_no_workbook_is_refused(content):
    with pytest.raises(Unreadable) as refused:
        read_workbook(content)
    assert refused.value.note.code == "not_a_workbook"


def test_zip_bomb_is_refused_by_its_directory_alone(monkeypatch):
    bomb = zipped(**{f"sheet{i}_xml": b"\0" * raw_files.MEGABYTE for i in range(20)})
    # nothing may be unpacked, neither there nor here
    monkeypatch.setattr(spreadsheet.subprocess, "run", None)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    with pytest.raises(Unreadable) as refused:
        read_workbook(bomb)
    assert refused.value.note.code == "zip_bomb"


def test_entities_do_not_grow_in_the_child():
    entities = '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(8)
    )
    good = book(["1", "1", "A", "B", "1-0"])
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as source, zipfile.ZipFile(out, "w") as target:
        for member in source.infolist():
            content = source.read(member)
            if member.filename.endswith("sheet1.xml"):
                content = entities.encode() + b"]><worksheet>&i;</worksheet>"
            target.writestr(member, content)
    with pytest.raises(Unreadable):
        read_workbook(out.getvalue())


@pytest.mark.parametrize(
    "declared", ['<!ENTITY a "Anna">', '<!ENTITY a SYSTEM "file:///etc/hostname">']
)
def test_a_sheet_that_declares_an_entity_is_not_read(declared):
    """Harmless ones too: a parser that knows none can be led nowhere. Without it the rest reads."""
    good = book(["1", "1", "A", "B", "1-0"])
    for doctype, name in ((f"<!DOCTYPE x [{declared}]>", ">&a;<"), ("", ">Anna<")):
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(good)) as source, zipfile.ZipFile(out, "w") as target:
            for member in source.infolist():
                content = source.read(member)
                if member.filename.endswith("sheet1.xml"):
                    content = doctype.encode() + content.replace(b">A<", name.encode())
                target.writestr(member, content)
        if doctype:
            with pytest.raises(Unreadable):
                read_workbook(out.getvalue())
        else:
            assert read_workbook(out.getvalue()).participants == ("Anna", "B")


def test_without_the_parser_that_knows_no_entities_nothing_is_opened(monkeypatch):
    monkeypatch.setattr(spreadsheet, "DEFUSEDXML", False)
    with pytest.raises(RuntimeError, match="defusedxml"):
        list(spreadsheet.iterate_sheets(book()))


def test_macros_are_refused():
    with pytest.raises(Unreadable) as refused:
        raw_files.check_zip(zipped(vbaProject_bin=b"x"))
    assert refused.value.note.code == "workbook_with_macros"


@pytest.mark.parametrize(
    ("content", "code"),
    [(b" \n", "empty_file"), (b"x" * (raw_files.MOST_BYTES + 1), "file_too_big")],
)
def test_size_is_looked_at_first(content, code):
    with pytest.raises(Unreadable) as refused:
        raw_files.check_file(content)
    assert refused.value.note.code == code


def test_too_many_rows():
    with pytest.raises(Unreadable) as refused:
        read_csv((HEAD + "1,1,A,B,1-0\n" * raw_files.MOST_ROWS).encode())
    assert refused.value.note.code == "too_many_rows"
