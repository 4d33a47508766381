"""PlayStrategy: Swiss documents, arenas, a pasted round page."""

from decimal import Decimal

import pytest

from pergioco.imports.canonical import DRAW, LOSS, WIN, Standing, Unreadable
from pergioco.imports.readers import json_text
from pergioco.imports.readers.playstrategy import (
    Documents,
    read_arena,
    read_round_page,
    read_swiss,
    split_cells,
)
from tests.imports.sample_files import codes, expected, got, raw, wanted


def documents(
    name: str, *, info: bool = True, games: bool = True, sheets: tuple[str, ...] = ()
) -> Documents:
    base = f"playstrategy/{name}"
    return Documents(
        [json_text.parse_json(raw(f"{base}.standing-1.json"))],
        json_text.parse_json(raw(f"{base}.info.json")) if info else {},
        json_text.parse_json_lines(raw(f"{base}.games.ndjson")) if games else (),
        [json_text.parse_json(raw(f"{base}.player-{player}.json")) for player in sheets],
    )


def standing(*sheets: str, **more) -> dict:
    players = [
        {
            "user": {"name": f"P{i}", "id": f"p{i}"},
            "points": 0,
            "rank": i,
            "sheetMin": sheet,
            **more,
        }
        for i, sheet in enumerate(sheets, 1)
    ]
    return {"page": 1, "players": players}


def test_swiss_with_byes_absences_and_no_shows():
    result, want = (
        read_swiss(documents("ps_swiss_single")),
        expected("playstrategy/ps_swiss_single.expected.json"),
    )
    assert got(result) == wanted(want)
    assert (result.source_stage_id, result.variant) == (want["source_stage_id"], want["variant"])
    assert set(result.participants) == set(want["participants"])
    assert list(result.standings) == [
        Standing(
            s["player"],
            Decimal(str(s["points"])),
            s["rank"],
            disqualified=s.get("disqualified", False),
        )
        for s in want["standings"]
    ]
    assert result.participant_ids["Zugzwang_Zoe"] == "zugzwang_zoe"


def test_swiss_of_matches_keeps_the_match_score_and_warns_of_a_no_show():
    result = read_swiss(documents("ps_swiss_playx_ms"))
    assert got(result) == wanted(expected("playstrategy/ps_swiss_playx_ms.expected.json"))
    assert codes(result.warnings) == ["no_show_suspected"]
    assert result.warnings[0].values == {"id": "m3ceAAA1", "player": "EliottE", "round": 3}


def test_pg_11_player_sheet_gives_each_game_of_a_match():
    result = read_swiss(documents("ps_swiss_playx_ms", sheets=("abby_a",)))
    singles = {
        game.source_id: (game.a, game.match.results) for game in result.games if game.match.results
    }
    assert singles == {
        "m1abAAA1": ("Abby_A", (WIN, WIN)),
        "m2caAAA1": ("Abby_A", (LOSS, WIN)),
        "m3adAAA1": ("Abby_A", (WIN, WIN)),
    }


def test_pg_11_sheet_of_the_second_player_is_mirrored():
    cell = {"g": "aaaaaaaa", "mr": ["win", "draw"]}
    pages = [standing("aaaaaaaal2pxs01", "aaaaaaaaw2pxs03")]
    result = read_swiss(Documents(pages, sheets=[{"user": {"name": "P2"}, "sheet": ["bye", cell]}]))
    assert [(g.a, g.match.a_points, g.match.results) for g in result.games] == [
        ("P1", Decimal("0.5"), (LOSS, DRAW))
    ]


def test_best_of_three_from_the_standing_alone():
    result = read_swiss(documents("ps_swiss_bestof3", info=False, games=False))
    want = expected("playstrategy/ps_swiss_bestof3.expected.json")
    assert got(result) == wanted(want)
    assert (result.format, {g.match.format for g in result.games}) == ("standing", {"best3"})
    assert set(codes(result.warnings)) == {"match_score_unknown"}


def test_arena_has_no_rounds_and_its_points_are_not_game_points():
    games = json_text.parse_json_lines(raw("playstrategy/ps_arena.games.ndjson"))
    results = json_text.parse_json_lines(raw("playstrategy/ps_arena.results.ndjson"))
    result, want = read_arena(games, results), expected("playstrategy/ps_arena.expected.json")
    assert got(result) == wanted(want)
    assert (result.source_stage_id, result.variant) == ("AreSyn04", "linesOfAction")
    assert codes(result.warnings) == ["arena_points"]
    assert [g.source_id for g in result.games] == [f"ar00000{i}" for i in range(1, 7)]


def test_pasted_round_page_asks_for_byes_and_absences():
    result = read_round_page(raw("playstrategy/ps_round_paste.txt"))
    assert got(result) == wanted(expected("playstrategy/ps_round_paste.expected.json"))
    assert codes(result.warnings) == ["byes_not_on_page"]


def test_cut_download_says_how_many_games_were_read():
    with pytest.raises(Unreadable) as refused:
        json_text.parse_json_lines(raw("playstrategy/ps_truncated.games.ndjson"))
    usable = expected("playstrategy/ps_truncated.games.expected.json")["usable_lines"]
    assert (refused.value.note.code, refused.value.note.values) == ("cut_lines", {"usable": usable})


def test_sheet_is_split_although_a_position_holds_bars():
    sheet = "b1raAAA1w3x_b1raAAA2=W:W31|B16|absent|bye|b2raAAA1d1"
    assert split_cells(sheet) == ["b1raAAA1w3x_b1raAAA2=W:W31|B16", "absent", "bye", "b2raAAA1d1"]


def test_sides_that_do_not_mirror_are_refused():
    result = read_swiss(Documents([standing("aaaaaaaaw1", "aaaaaaaaw1")]))
    assert codes(result.errors) == ["sides_do_not_mirror"]


def test_pairing_with_one_side_only_is_refused():
    assert codes(read_swiss(Documents([standing("aaaaaaaaw1", "bye")])).errors) == [
        "sides_do_not_mirror"
    ]


def test_totals_of_the_site_are_checked():
    info = {"id": "x", "status": "finished", "nbPlayers": 3, "stats": {"byes": 1, "absences": 0}}
    result = read_swiss(Documents([standing("aaaaaaaaw1", "aaaaaaaal1")], info))
    assert [(e.values["what"], e.values["said"], e.values["read"]) for e in result.errors] == [
        ("players", 3, 2),
        ("byes", 1, 0),
    ]


@pytest.mark.parametrize(
    ("documents", "code"),
    [
        (Documents([{"players": []}]), "no_players"),
        (Documents([standing("aaaaaaaaw1")], {"status": "started"}), "not_finished"),
        (Documents([standing("nonsense")]), "bad_sheet_cell"),
        (Documents([{"players": [{"user": None}]}]), "unexpected_shape"),
        (Documents([{}]), "unexpected_shape"),
        (Documents([standing("aaaaaaaao1", "aaaaaaaao1")]), ""),
    ],
)
def test_documents_of_another_shape_are_refused(documents, code):
    if not code:
        assert codes(read_swiss(documents).errors) == ["sides_do_not_mirror"]
        return
    with pytest.raises(Unreadable) as refused:
        read_swiss(documents)
    assert refused.value.note.code == code


def test_pasted_page_with_an_open_game_cannot_be_confirmed():
    result = read_round_page(b"Round 1/3\n#aaaaaaaa\tA\t*\t*\tB\n#bbbbbbbb\tC D\t2\t1\tE\n#x\n")
    assert codes(result.errors) == ["game_still_open", "not_understood"]
    assert [(g.a, g.b, g.result) for g in result.games] == [("A", "B", "*"), ("C D", "E", WIN)]
    assert "match_result_doubled" in codes(result.warnings)


def test_results_seen_from_the_second_player():
    result = read_round_page(b"Round 2/3\n#aaaaaaaa\tA\t0\t1\tB\n#bbbbbbbb\tC\t1/2\t1/2\tD\n")
    assert [g.result for g in result.games] == [LOSS, DRAW]
