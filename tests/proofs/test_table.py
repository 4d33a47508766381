"""The table of the proofs: figures beside their controls, misses in sight; every proof names files
that hold one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import MEASUREMENTS, aims_of
from tests.proofs.__main__ import merged, show
from tests.proofs.catalogue import PROOFS

ROOT = Path(__file__).parents[2]


def told(
    figure: str, value: object, *, control: bool = False, met: bool = True, target: str = "0"
) -> dict[str, object]:
    return {
        "proof": "T1",
        "figure": figure,
        "value": value,
        "target": target,
        "met": met,
        "control": control,
    }


def test_a_control_stands_beside_its_figure_whichever_came_first():
    rows = merged([told("lost", 12, control=True, target=""), told("lost", 0)])
    assert rows == [{"figure": "lost", "value": 0, "target": "0", "control": 12, "met": True}]


def test_a_measurement_that_misses_its_target_says_so_and_stays():
    replay = next(one for one in MEASUREMENTS if one.name == "replay")
    lines = [
        {"plays": plays, "one_process": {"seconds": seconds}}
        for plays, seconds in ((1000000, 61), (1000000, 60))
    ]
    assert [aim[-2:] for line in lines for aim in aims_of(replay, line)] == [
        ["≤ 60", "MISSED"],
        ["≤ 60", ""],
    ]
    assert list(aims_of(replay, {"plays": 250000, "one_process": {"seconds": 61}})) == []


def test_what_several_tests_count_is_counted_together_and_one_miss_is_a_miss():
    rows = merged([told("wrong", 0), told("wrong", 2, met=False), told("wrong", 0)])
    assert [(row["value"], row["met"]) for row in rows] == [(2, False)]


def test_a_missed_target_and_a_proof_that_fails_are_in_sight(capsys):
    figures = merged([told("seconds", 70, met=False, target="≤ 60")])
    show(
        [
            {
                "proof": "T1",
                "claim": "Nothing is lost",
                "seconds": 9,
                "holds": False,
                "figures": figures,
            }
        ]
    )
    _empty, head, row, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["proof", "figure", "measured", "target", "without", "the", "guard"]
    assert row.split() == ["T1", "seconds", "70", "≤", "60", "MISSED"]
    assert last.endswith("DOES NOT HOLD")


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.code)
def test_every_proof_has_tests(proof):
    files = [
        path
        for name in proof.files
        for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).glob("*.py"))
    ]
    assert [file for name in proof.files for file in [ROOT / name] if not file.exists()] == []
    assert any("mark.proof" in file.read_text(encoding="utf-8") for file in files)


def test_every_proof_of_the_suite_belongs_to_one_of_them_or_is_a_measurement():
    listed = {name for proof in PROOFS for name in proof.files}
    others = {
        "tests/imports/test_bundle_round_trip.py",
        "tests/risiko_master/test_draw_proof.py",
    }
    marked = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__) and "mark.proof" in path.read_text(encoding="utf-8")
    }
    assert {name for name in marked if not name.startswith("tests/oracle/")} - listed == others


def test_a_figure_is_written_where_somebody_wants_it(tmp_path):
    file, test = tmp_path / "figures", tmp_path / "test_one.py"
    test.write_text('def test_control(figure):\n    figure("T9", "lost", 3)\n', encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.proofs.figures",
        "--noconftest",
        "--rootdir",
        str(tmp_path),
    ]
    environment = {
        "PORTAL_FIGURES": str(file),
        "PYTHONPATH": str(ROOT),
        "DJANGO_SETTINGS_MODULE": "pergioco.settings",
    }
    subprocess.run(
        [*command, str(test)], cwd=ROOT, env=environment, check=True, capture_output=True
    )
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "proof": "T9",
        "figure": "lost",
        "value": 3,
        "target": "",
        "met": True,
        "control": True,
    }
