"""What a bundle tells of RisiKo! Masters: written, read elsewhere, compared."""

from datetime import date
from pathlib import Path

import pytest

from pergioco.imports.bundle.dumping import dump_bundle
from pergioco.imports.bundle.loading import load_bundle
from pergioco.publishing.models import Line, Publication
from tests.ratings.play import settled
from tests.risiko_master.play import held, people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TEXT = """
A *, B 40, C 30, D 20 | E 45, F 39+2, G 31, H 21 | I 50, J 41, K 32, L 22 | M 51, N 42, O 33, P 23
A 55, F 40, K 30, P 20 | E 50, B 39, O 31, L 21 | J 52, I 43, D 34, M 24 | N 53, C 44, H 35, G 25
N 40, M 30, F 20, C 10 | J 41, I 31, B 21, O 11
A 20, E 50, N 30, J 40
"""


@pytest.fixture
def bundle(tmp_path) -> Path:
    """A dump of a federation with one Master."""
    who = people(16)
    for letter, player in who.items():
        type(player).objects.filter(pk=player.pk).update(public_id=letter.lower())
    settled(held(TEXT, who=who, slug="napoli"))
    dump_bundle(tmp_path / "out")
    return tmp_path / "out"


def lines(folder: Path, name: str) -> list[str]:
    return (folder / name).read_text(encoding="utf-8").splitlines()


def differences(folder: Path) -> list[str]:
    report = load_bundle(folder)
    assert report.problems == []
    return [str(difference) for difference in sorted(report.differences)]


def change(folder: Path, name: str, before: str, after: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert before in text
    (folder / name).write_text(text.replace(before, after, 1), encoding="utf-8")


def test_the_dump_has_every_game_and_every_ranking(bundle):
    scores, standings = lines(bundle, "rkm_scores.csv"), lines(bundle, "rkm_standings.csv")
    assert scores[:3] == [
        "stage,round,table,player,place,thousandths",
        "napoli,1,1,a,1,1100",
        "napoli,1,1,b,2,40",
    ]
    assert len(scores) == 1 + 16 + 16 + 8 + 4
    assert standings[:3] == [
        "stage,phase,rank,player,thousandths",
        "napoli,round_1,1,a,1100",
        "napoli,round_1,2,m,1051",
    ]
    assert "napoli,qualification,1,a,2155" in standings
    assert standings[33:38] == [
        "napoli,final,1,e,2095",
        "napoli,final,2,j,2134",
        "napoli,final,3,n,2135",
        "napoli,final,4,a,2155",
        "napoli,final,5,i,1124",
    ]


def test_the_rankings_of_masters_stand_in_their_own_files_alone(bundle):
    assert not [line for line in lines(bundle, "rankings.csv") if line.startswith("rkm")]


def test_loaded_elsewhere_it_tells_the_same_numbers(bundle, tmp_path):
    for model in (Publication, Line):
        model.objects.all().delete()
    assert differences(bundle) == []
    dump_bundle(tmp_path / "again")
    for name in ("rkm_scores.csv", "rkm_standings.csv", "seats.csv"):
        assert lines(tmp_path / "again", name) == lines(bundle, name)


def test_another_number_is_told_with_its_line(bundle):
    change(bundle, "rkm_scores.csv", "napoli,1,1,b,2,40", "napoli,1,1,b,2,41")
    change(
        bundle,
        "rkm_standings.csv",
        "napoli,qualification,1,a,2155",
        "napoli,qualification,2,a,2155",
    )
    assert differences(bundle) == [
        "rkm_scores.csv, line 3, thousandths: It says 41; 40 is computed.",
        "rkm_standings.csv, line 18, rank: It says 2; 1 is computed.",
    ]


def test_a_line_too_many_and_one_too_few_are_told(bundle):
    change(bundle, "rkm_standings.csv", "napoli,round_1,1,a,1100\n", "napoli,final,9,z,1\n")
    missing = "stage napoli, phase round_1, rank 1, player a, thousandths 1100"
    assert differences(bundle) == [
        f"rkm_standings.csv: {missing} is computed, and does not stand here.",
        "rkm_standings.csv, line 2: Nothing is computed for this.",
    ]


def test_as_of_a_day_before_there_is_nothing(bundle, tmp_path):
    dump_bundle(tmp_path / "then", as_of=date(2026, 1, 31))
    assert lines(tmp_path / "then", "rkm_scores.csv") == [
        "stage,round,table,player,place,thousandths"
    ]
    dump_bundle(tmp_path / "that_day", as_of=date(2026, 2, 1))
    assert lines(tmp_path / "that_day", "rkm_scores.csv") == lines(bundle, "rkm_scores.csv")


@pytest.mark.parametrize("cell", ["semifinal", ""])
def test_a_phase_that_there_is_not_is_a_problem(bundle, cell):
    change(bundle, "rkm_standings.csv", "napoli,round_1,1,a", f"napoli,{cell},1,a")
    assert [problem.column for problem in load_bundle(bundle).problems] == ["phase"]
