"""Words and numbers become a PDF in a child process: the same ones the same bytes, and no text is
ever code."""

import shutil

import pytest

from pergioco.office.brochures import typesetting
from pergioco.rulekit.printed import Printed
from tests.office.brochures.pages import fonts_of, ink_at_the_edges, opened, text_of


def poster(*rows: list[str], **more: object) -> dict:
    columns = [
        {"heading": "Pos.", "width": 0, "align": "right"},
        {"heading": "Player", "width": 3, "align": "left"},
        {"heading": "Points", "width": 0, "align": "right"},
    ]
    table = {
        "kind": "table",
        "piece": "red",
        "size": 9,
        "columns": columns,
        "bands": [{"words": "", "rows": rows}],
    }
    said = {
        "title": "Abalone",
        "description": "v1",
        "author": "PerGioco",
        "language": "it",
        "date": [2026, 3, 12],
    }
    shown = {
        "stamp": "v1",
        "words": {"contents": ""},
        "house": "PerGioco",
        "heading": "Abalone",
        "when": "12/03/2026",
    }
    state = {"kind": "state", "state": "Provvisoria", "text": "", "piece": ""}
    return {**said, **shown, "state": state, "blocks": [table], **more}


def text_with(name: str) -> str:
    return text_of(typesetting.set_pdf("poster", poster(["1", name, "4,5"])))


def test_the_same_words_give_the_same_bytes():
    data = poster(["1", "Marta Rossi", "4,5"])

    assert typesetting.set_pdf("poster", data) == typesetting.set_pdf("poster", data)


def test_the_day_in_the_file_is_that_of_what_it_shows():
    made = opened(typesetting.set_pdf("poster", poster(["1", "Marta", "4"])))

    assert made.metadata["/CreationDate"].startswith("D:20260312")


@pytest.mark.parametrize(
    "name",
    [
        "Žofia Łoś",
        "Iñaki Núñez",
        "Ştefan Țepeș",
        "Győző Szőke",
        "D’Angelo",
        "Æsir Ørn",
        "Kenji Satō",
        "Nguyễn Thị",
        "Наталія Щербак",
        "Ђорђе Љубић",
        "Γιώργος Ξανθάκης",
        "გიორგი",
        "Արամ",
    ],
)
def test_letters_of_the_alphabets_of_europe_are_printed_as_they_are(name):
    assert f"1 {name} 4,5" in text_with(name)


def test_a_name_in_a_script_that_the_fonts_lack_keeps_nobody_waiting():
    assert "1 Marta ?? 4,5" in text_with("Marta 高橋")


@pytest.mark.parametrize(("name", "printed"), [("Ｍarta", "Marta"), ("M\u030carta", "Marta")])
def test_an_accent_that_the_fonts_lack_is_dropped_rather_than_the_letter(name, printed):
    assert f"1 {printed} 4,5" in text_with(name)


def test_every_letter_that_is_let_through_is_in_the_fonts():
    """The compiler refuses a letter that no font has."""
    letters = sorted(sign for sign in typesetting.read_coverage() if sign.isalpha())
    rows = [
        ["1", " ".join(letters[start : start + 20]), "4"] for start in range(0, len(letters), 20)
    ]

    assert typesetting.set_pdf("poster", poster(*rows))


@pytest.mark.parametrize(
    "name",
    ["#panic()", "$x$ *b* _i_", "= Title", "\\u{41}", "<label> @ref", "// gone", '"; #let x'],
)
def test_nothing_that_somebody_typed_is_code(name):
    assert f"1 {name} 4,5" in text_with(name)


def test_a_word_longer_than_its_column_stays_on_the_paper():
    printed = Printed("poster", "x", poster(["1", "A" * 200, "4,5"]))

    assert ink_at_the_edges(printed) == []


def test_what_touches_the_edge_of_the_paper_is_noticed(monkeypatch):
    """The control of the tests that look for it."""
    wide = poster(["1", "Marta", "4,5"], heading="Wide" + "W" * 60)

    assert ink_at_the_edges(Printed("poster", "x", wide)) == [1]


def test_fonts_are_ours_and_travel_with_the_file():
    fonts = fonts_of(typesetting.set_pdf("poster", poster(["1", "Marta", "4,5"])))

    assert all(fonts.values())
    assert {name.partition("-")[0] for name in fonts} == {
        "AtkinsonHyperlegibleNext",
        "SofiaSansCondensed",
    }


def test_a_font_that_we_do_not_have_is_refused(monkeypatch, tmp_path):
    other = tmp_path / "typst"
    shutil.copytree(typesetting.TEMPLATES, other)
    style = other / "style.typ"
    style.write_text(style.read_text().replace("Sofia Sans", "Nobody Has This"))
    monkeypatch.setattr(typesetting, "TEMPLATES", other)

    with pytest.raises(typesetting.CannotBeSet, match="unknown font family"):
        typesetting.compile_job(
            {"template": "poster", "data": poster(["1", "Marta", "4"]), "format": "pdf"}
        )


def test_it_ends_when_it_takes_too_long(monkeypatch):
    monkeypatch.setattr(typesetting, "WALL_SECONDS", 0.01)

    with pytest.raises(typesetting.CannotBeSet, match="too long"):
        typesetting.set_pdf("poster", poster(["1", "Marta", "4"]))


def test_what_our_fonts_can_write_is_what_we_let_through():
    assert set("ŽŁñßàèìòù½−·’“”€") <= typesetting.read_coverage()
    assert "→" not in typesetting.read_coverage()
