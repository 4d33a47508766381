"""The one file that anybody can run: with Python alone, in an empty folder, it comes to the same
tables."""

import json
import re
import subprocess
import sys

import pytest

from risiko_master import standalone, verify
from risiko_master.rules import replay
from tests.risiko_master.test_replay import CASES, read


def published(name):
    case = read(name)
    return {
        **case,
        "seed_sha256": replay.sha256_of(case["seed"]),
        "inputs_sha256": replay.sha256_of(replay.canonical_json(case["inputs"])),
    }


def run(folder, document):
    (folder / "draw.py").write_text(standalone.standalone_script(), encoding="utf-8")
    (folder / "draw.json").write_text(json.dumps(document), encoding="utf-8")
    command = [sys.executable, "-I", "-S", "draw.py", "draw.json"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", CASES)
def test_it_comes_to_the_published_tables(tmp_path, name):
    document = published(name)
    answer = run(tmp_path, document)
    lines = answer.stdout.splitlines()
    assert (answer.returncode, answer.stderr) == (0, "")
    assert lines[-1] == "the same tables, and nothing found by the checker"
    assert [line.split()[1:] for line in lines if line[0].isdigit()] == document["result"]["tables"]


def test_it_says_what_was_tampered_with(tmp_path):
    document = published("first_38")
    tables = document["result"]["tables"]
    tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
    answer = run(tmp_path, document)
    assert (answer.returncode, answer.stdout.splitlines()[-1].split(",")[0]) == (
        1,
        "DIFFERENT: tables",
    )


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("seed_sha256", "0" * 64, "seed"),
        ("inputs_sha256", "0" * 64, "inputs"),
        ("seed", "another", "seed"),
    ],
)
def test_every_hash_is_looked_at(field, value, code):
    assert next(verify.draw_findings({**published("semifinals_12"), field: value})) == code


def test_without_a_file_it_says_how(capsys):
    assert verify.main([]) == 2
    assert verify.USAGE in capsys.readouterr().err


def test_it_holds_every_module_that_its_modules_import():
    text = standalone.standalone_script()
    imported = set(re.findall(r"^from ((?:pergioco|risiko_master)\S*) import", text, re.MULTILINE))
    assert imported - {"risiko_master.rules"} <= set(standalone.MODULES)
    assert text.count(standalone.QUOTES) == 2 * len(standalone.MODULES)
