"""TRF files: what they say of each round, and what makes one unusable."""

from decimal import Decimal

import pytest

from pergioco.imports.canonical import Note, Standing, Unreadable
from pergioco.imports.readers import trf
from tests.imports.sample_files import codes, expected, got, raw, wanted

HEAD = "012 Prova\n062 {players}\n"


def line(number: int, name: str, points: str, *rounds: str) -> str:
    """A 001 line; a round is written as «  2 w 1»."""
    start = f"001 {number:>4}      {name:<33}".ljust(80) + f"{points:>4}".ljust(11)
    return start + "".join(round_.ljust(10) for round_ in rounds).rstrip() + "\n"


def file(*lines: str) -> bytes:
    return (HEAD.format(players=len(lines)) + "".join(lines)).encode()


@pytest.mark.parametrize(
    ("name", "warnings"),
    [
        ("trf/trf16_full", ["repeated_player"]),
        ("trf/trf16_cr_cp1252", ["read_as_cp1252"]),
        ("trf/trf26_individual", []),
    ],
)
def test_complete_files_read_as_expected(name, warnings):
    result, want = trf.read_trf(raw(f"{name}.trf")), expected(f"{name}.expected.json")
    assert got(result) == wanted(want)
    assert result.format == want["format"]
    assert list(result.participants) == want["participants"]
    assert codes(result.warnings) == warnings
    if "standings" in want:
        assert list(result.standings) == [
            Standing(s["player"], Decimal(str(s["points"])), s.get("rank"))
            for s in want["standings"]
        ]
    assert {k: int(v) for k, v in result.point_system.items()} == want.get("point_system", {})


def test_playstrategy_file_says_that_it_hides_no_shows():
    result, want = (
        trf.read_trf(raw("playstrategy/ps_swiss_single.trf")),
        expected("playstrategy/ps_swiss_single.trf.expected.json"),
    )
    assert got(result) == wanted(want)
    assert result.source_stage_id == want["source_stage_id"]
    assert codes(result.warnings) == ["trf_no_forfeit_info", "trf_lowercase_ids"]


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("playstrategy/ps_truncated", ["players_missing", "opponents_without_line"]),
        ("trf/trf16_truncated", ["no_final_newline", "players_missing", "opponents_without_line"]),
        ("trf/trf16_inconsistent", ["two_lines_of_a_player", "sides_disagree", "points_differ"]),
    ],
)
def test_cut_and_contradictory_files_are_refused_with_every_reason(name, errors):
    result = trf.read_trf(raw(f"{name}.trf"))
    assert not result.complete
    assert set(errors) <= set(codes(result.errors))


def test_points_of_matches_with_acceleration_are_not_summed():
    text = (
        file(line(1, "Anna", "1.5", "   2 w 1"), line(2, "Bruno", "0.0", "   1 b 0")).decode()
        + "XXA    1  0.5\n"
    )
    assert trf.read_trf(text.encode()).errors == ()


def test_both_sides_without_colour_are_one_game():
    result = trf.read_trf(
        file(line(1, "Anna", "1.0", "   2   1"), line(2, "Bruno", "0.0", "   1   0"))
    )
    assert [(g.a, g.b, g.result) for g in result.games] == [("Anna", "Bruno", "1-0")]


def test_missing_mirror_is_refused_once():
    result = trf.read_trf(
        file(line(1, "Anna", "1.0", "   2 w 1"), line(2, "Bruno", "0.0", "     - Z"))
    )
    assert result.errors == (
        Note(
            "sides_disagree",
            3,
            {"a": "Anna", "b": "Bruno", "a_says": "1", "b_says": "Z", "round": 1},
        ),
    )


def test_last_block_without_pairings_is_the_next_round():
    result = trf.read_trf(
        file(line(1, "Anna", "1.0", "   2 w 1", "0000 - -"), line(2, "Bruno", "0.0", "   1 b 0"))
    )
    assert (list(result.rounds), result.absences) == ([1], ())


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no_players"),
        (b"hello", "no_players"),
        (b"\x00\x01", "not_text"),
        (b"013 team\n", "team_trf"),
        (b"001    x      Anna\n", "bad_player_number"),
        (b"001    1\n", "player_without_name"),
        (file(line(1, "Anna", "x.0")), "bad_points"),
        (file(line(1, "Anna", "0.0", "  xx w 1")), "bad_opponent"),
    ],
)
def test_what_is_no_such_file_is_refused_with_a_reason(content, code):
    with pytest.raises(Unreadable) as refused:
        trf.read_trf(content)
    assert refused.value.note.code == code
