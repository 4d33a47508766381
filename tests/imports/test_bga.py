"""Board Game Arena: pages copied and saved by a person, and the typed rounds box."""

import pytest

from pergioco.imports.canonical import DRAW, LOSS, WIN, Unreadable
from pergioco.imports.readers import bga, typed
from tests.imports.sample_files import codes, expected, got, raw, wanted

KNOWN = ["Łukasz K", "Ghost Rider", "Zoë_B", "ninja 77", "李小龙"]


def test_pasted_page():
    result, want = (
        bga.read_pasted_page(raw("bga/bga_page_paste.txt")),
        expected("bga/bga_page_paste.expected.json"),
    )
    assert got(result) == wanted(want)
    assert [(s.rank, s.player, s.points) for s in result.standings] == [
        (s["rank"], s["player"], s["points"]) for s in want["standings"]
    ]
    assert codes(result.warnings) == [
        "points_compared",
        "no_shows_not_visible",
        "skipped_taken_as_bye",
    ]
    assert all(bye.confirm for bye in result.byes)


def test_saved_page_gives_player_ids_and_ignores_its_scripts():
    result, want = (
        bga.read_saved_page(raw("bga/bga_page_saved.html")),
        expected("bga/bga_page_saved.expected.json"),
    )
    assert got(result) == wanted(want)
    assert result.participant_ids == want["participant_ids"]
    assert [(s.rank, s.player, s.points) for s in result.standings] == [
        (s["rank"], s["player"], s["points"]) for s in want["standings"]
    ]
    assert not any("alert" in name for name in result.participants)


def test_table_list_knows_games_never_begun_but_no_rounds():
    result, want = (
        bga.read_table_list(raw("bga/bga_bookmarklet.tsv")),
        expected("bga/bga_bookmarklet.expected.json"),
    )
    assert got(result) == wanted(want)
    assert result.source_stage_id == want["source_stage_id"]
    assert sorted(codes(result.warnings)) == [
        "no_round_numbers",
        "repeated",
        "timeout_taken_as_forfeit",
    ]


def test_typed_rounds():
    result, want = (
        typed.read_rounds(raw("bga/rounds_typed.txt"), KNOWN),
        expected("bga/rounds_typed.expected.json"),
    )
    assert got(result) == wanted(want)
    assert [(e.code, e.line) for e in result.errors] == [
        ("player_twice", 18),
        ("not_understood", 19),
    ]
    assert [(w.code, w.values.get("nickname"), w.line) for w in result.warnings] == [
        ("repeated", None, 10),
        ("unknown_nickname", "Mr. Unknown", None),
        ("unknown_nickname", "Nobody Knows", None),
    ]
    assert {g.line for g in result.games} == {g["line"] for r in want["rounds"] for g in r["games"]}


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("Anna 1-0 Bruno", ("Anna", "Bruno", WIN, "played")),
        ("Anna 0–1 Bruno", ("Anna", "Bruno", LOSS, "played")),
        ("Anna ½-½ Bruno", ("Anna", "Bruno", DRAW, "played")),
        ("Anna 0,5-0,5 Bruno", ("Anna", "Bruno", DRAW, "played")),
        ("Anna + / - Bruno", ("Anna", "Bruno", WIN, "forfeit")),
        ("Anna -/+ Bruno", ("Anna", "Bruno", LOSS, "forfeit")),
        ("Anna 2:0 Bruno", ("Anna", "Bruno", WIN, "played")),
        ("Anna 1½-½ Bruno", ("Anna", "Bruno", WIN, "played")),
        ("Anna\t1\t0\tBruno", ("Anna", "Bruno", WIN, "played")),
        ("Anna 1-0 Bruno (ff)", ("Anna", "Bruno", WIN, "forfeit")),
        ("ninja 77 1-0 Bruno", ("ninja 77", "Bruno", WIN, "played")),
        ("Bruno 1-0 ninja 77", ("Bruno", "ninja 77", WIN, "played")),
        ("a 1-0 b 1-0 Bruno", ("a 1-0 b", "Bruno", WIN, "played")),
        ("Bruno 0-1 a 1-0 b", ("Bruno", "a 1-0 b", LOSS, "played")),
    ],
)
def test_ways_of_typing_a_game(line, game):
    result = typed.read_rounds(line.encode(), ["ninja 77", "a 1-0 b", "ninja"])
    assert [(g.a, g.b, g.result, g.kind) for g in result.games] == [game]


@pytest.mark.parametrize("heading", ["Round 2", "Turno 2:", "RONDA 2", "step 2", "Giornata 2"])
def test_headings_in_several_languages(heading):
    assert list(typed.read_rounds(f"{heading}\nAnna 1-0 Bruno".encode()).rounds) == [2]


def test_oneself_is_no_opponent():
    assert codes(typed.read_rounds(b"Anna 1-0 anna").errors) == ["plays_against_oneself"]


def test_table_of_three_is_no_pairing():
    page = "Step 1\nTable #1\nA\n2\nB\n1\nC\n0\n"
    assert codes(bga.read_pasted_page(page.encode()).errors) == ["too_many_at_a_table"]


@pytest.mark.parametrize(
    ("reader", "content", "code"),
    [
        (bga.read_pasted_page, b"", "no_rounds"),
        (bga.read_pasted_page, b"Step 1\n", "no_games"),
        (bga.read_saved_page, b"<html>", "no_games"),
        (bga.read_saved_page, b"\x00", "not_text"),
        (bga.read_table_list, b"hello", "no_summary_line"),
        (typed.read_rounds, b"\n\n", "nothing_typed"),
    ],
)
def test_what_is_no_such_text_is_refused(reader, content, code):
    with pytest.raises(Unreadable) as refused:
        reader(content)
    assert refused.value.note.code == code


def test_a_declaration_that_no_parser_can_read_is_refused():
    with pytest.raises(Unreadable) as refused:
        bga.read_saved_page(b"<![[DOCTYPE html><html><body></body></html>")
    assert refused.value.note.code in {"unexpected_shape", "no_games"}  # newer parsers read on
