"""The computed files of Board Italian Gamers: out, and held against what is computed when they come
in."""

from datetime import date
from pathlib import Path

import pytest

from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.loading import load_bundle
from pergioco.publishing.services import publish
from tests.big_league.play import people, tournament
from tests.ratings.play import season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def bundle(tmp_path) -> Path:
    """Six players, the second time as a national final."""
    who = people("ABCDEF")
    tournament("A9 B7 C5, D8 E6 F3", who=who, on=date(2026, 2, 1), slug="first")
    tournament("A9 B7 C5, D8 E6 F3", who=who, on=date(2026, 2, 2), slug="the-final", final=True)
    publish.publish_season(season(2026), cause="closed")
    dump_bundle(tmp_path / "out")
    return tmp_path / "out"


def lines(folder: Path, name: str) -> list[str]:
    return (folder / name).read_text(encoding="utf-8").splitlines()


def change(folder: Path, name: str, before: str, after: str) -> list[str]:
    text = (folder / name).read_text(encoding="utf-8")
    assert before in text
    (folder / name).write_text(text.replace(before, after, 1), encoding="utf-8")
    return told(folder)


def told(folder: Path) -> list[str]:
    report = load_bundle(folder)
    assert report.problems == []
    return [str(difference) for difference in sorted(report.differences)]


def test_results_stand_in_the_dump_to_the_letter(bundle):
    assert lines(bundle, "big_results.csv")[:3] == [
        "stage,player,place,table_points,base,bonus,multiplier,league_points",
        "first,big-D,1,1000.00,916.67,200.00,1.000000,1116.67",
        "first,big-A,2,1000.00,750.00,0.00,1.000000,750.00",
    ]
    assert (
        lines(bundle, "big_results.csv")[7]
        == "the-final,big-D,1,1000.00,916.67,200.00,0.990000,1105.50"
    )


def test_changes_of_the_elo_stand_in_the_dump_to_the_letter(bundle):
    assert lines(bundle, "big_elo_changes.csv")[:3] == [
        "stage,game,player,before,after",
        "first,catan,big-D,1000.000,1010.000",
        "first,catan,big-A,1000.000,1010.000",
    ]


def test_rankings_of_big_stand_beside_the_others(bundle):
    own = [
        line for line in lines(bundle, "rankings.csv") if line.startswith("big:catan,2026-03-12,1,")
    ]
    assert own[0].startswith("big:catan,2026-03-12,1,big-D,1105.50,,,,")
    kinds = {line.partition(",")[0] for line in lines(bundle, "rankings.csv")[1:]}
    assert kinds == {"big", "big:catan", "big-elo:catan"}


def test_what_comes_back_as_it_went_out_is_no_difference(bundle):
    assert told(bundle) == []


def test_without_rankings_beside_them_results_are_compared_as_of_today(bundle):
    (bundle / "rankings.csv").unlink()
    assert told(bundle) == []


def test_a_result_that_is_computed_otherwise_is_told(bundle):
    found = change(bundle, "big_results.csv", "1105.50", "1116.67")
    assert found == ["big_results.csv, line 8, league_points: It says 1116.67; 1105.5 is computed."]


def test_a_change_of_the_elo_that_is_computed_otherwise_is_told(bundle):
    found = change(bundle, "big_elo_changes.csv", "1000.000,1010.000", "1000.000,1011.000")
    assert found == ["big_elo_changes.csv, line 2, after: It says 1011; 1010 is computed."]


def test_a_ranking_that_is_computed_otherwise_is_told(bundle):
    found = change(bundle, "rankings.csv", "1105.50", "1105.51")
    assert len(found) == 1
    assert found[0].endswith("value: It says 1105.51; 1105.5 is computed.")


def test_a_ranking_of_a_game_without_tournaments_is_told(bundle):
    with (bundle / "rankings.csv").open("a") as file:
        file.write("big:azul,2026-03-12,1,big-A,1116.67,,,,\n")
    assert [line.partition(": ")[2] for line in told(bundle)] == ["Nothing is computed for this."]


def test_as_of_a_day_it_tells_of_every_tournament_up_to_it(bundle, tmp_path):
    dump_bundle(tmp_path / "then", as_of=date(2026, 2, 1))
    assert {line.partition(",")[0] for line in lines(tmp_path / "then", "big_results.csv")[1:]} == {
        "first"
    }
