"""The source's own numbers are a check on what was read."""

from decimal import Decimal

import pytest

from pergioco.imports import preview, sources
from pergioco.imports.lineup import line_up
from pergioco.stages.models import Stage
from tests.imports.sample_files import raw


def test_playstrategy_points_are_the_points_of_its_games():
    result = sources.read_source(
        "playstrategy.swiss", raw("playstrategy/ps_swiss_single.standing-1.json")
    )
    assert preview.find_differing_points(result) == []


def test_abstract_play_scores_are_the_points_of_its_games():
    result = sources.read_source(
        "abstractplay.tournament", raw("abstractplay/ap_tournament.get_tournament.json")
    )
    assert preview.find_differing_points(result) == []


def test_a_point_too_much_is_told_with_both_numbers():
    content = raw("playstrategy/ps_swiss_single.standing-1.json").replace(
        b'"points": 4.5', b'"points": 5.5'
    )
    assert preview.find_differing_points(sources.read_source("playstrategy.swiss", content)) == [
        preview.Odd("OthelloOtto", Decimal("5.5"), Decimal("4.5"))
    ]


@pytest.mark.parametrize(
    ("platform", "text", "codes"),
    [
        ("bga", "Anna 1-0 Bruno", []),
        ("", "Anna 1-0 Bruno", ["stage_without_platform"]),
        ("bga", "Round 0\nAnna 1-0 Bruno", ["round_out_of_range"]),
        ("bga", f"{'x' * 61} 1-0 Bruno", ["nickname_too_long"]),
    ],
)
def test_what_stops_an_import_of_typed_rounds(platform, text, codes):
    result = sources.read_source("typed", text.encode())
    lineup = line_up(result, one_game_a_round=True)
    assert [
        note.code for note in preview.find_stage_troubles(Stage(platform=platform), result, lineup)
    ] == codes


def test_results_of_another_platform_than_the_stage_are_stopped():
    result = sources.read_source("playstrategy.round", raw("playstrategy/ps_round_paste.txt"))
    lineup = line_up(result, one_game_a_round=True)
    (note,) = preview.find_stage_troubles(Stage(platform="bga"), result, lineup)
    assert (note.code, note.values) == (
        "other_platform",
        {"source": "PlayStrategy", "platform": "Board Game Arena"},
    )
