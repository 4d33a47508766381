"""Whoever makes a year final is killed at any moment: the year is final as a whole or not at all,
and says the same."""

import random
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.core.test_race import Environment, on_server, shell
from tests.servers import manage, wait_until

__all__ = ["on_server"]
ROOT = Path(__file__).parents[2]
KILLS = 15
HALF_DONE = """
from pergioco.publishing.models import Freeze
from tests.publishing.year import sha256_of_what_is_shown
final = Freeze.objects.exclude(frozen_at=None)
print([freeze.sha256 == sha256_of_what_is_shown(freeze) for freeze in final])
"""
pytestmark = [pytest.mark.proof, pytest.mark.postgresql]


@pytest.fixture
def over(on_server) -> Environment:
    """A portal with a year that is over, of which copies are made."""
    manage("migrate", "--verbosity", "0", env=on_server)
    shell("from tests.publishing.year_end import over; over()", on_server)
    return on_server


def copy_of(house: Environment, number: int, folder: Path) -> Environment:
    url = urlsplit(house["DATABASE_URL"])
    name = url.path.strip("/")
    with psycopg.connect(url._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}_{number} TEMPLATE {name}")
    folder.mkdir()
    return {
        "PORTAL_DATA_DIR": str(folder),
        "DATABASE_URL": url._replace(path=f"/{name}_{number}").geturl(),
    }


def begun(house: Environment) -> subprocess.Popen[str]:
    folder = Path(house["PORTAL_DATA_DIR"])
    command = [sys.executable, "-m", "tests.publishing.year_end", str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, env=house, stdout=subprocess.PIPE, text=True)
    wait_until((folder / "ready").stat, alive=lambda: process.poll() is None)
    (folder / "go").touch()
    return process


def in_peace(house: Environment) -> tuple[str, float]:
    """The hash, and how long it took."""
    process, since = begun(house), time.monotonic()
    return process.communicate(timeout=300)[0].strip(), time.monotonic() - since


def test_a_year_is_final_as_a_whole_or_not_at_all(over, tmp_path, figure):
    expected, seconds = in_peace(copy_of(over, 0, tmp_path / "0"))
    chance, wrong, cut_off = random.Random(2026), 0, 0
    for number in range(1, KILLS + 1):
        house = copy_of(over, number, tmp_path / str(number))
        process = begun(house)
        time.sleep(chance.uniform(0, seconds))
        process.kill()
        process.communicate()
        there = shell(HALF_DONE, house).strip()
        cut_off += there == "[]"
        wrong += there not in {"[]", "[True]"} or in_peace(house)[0] != expected
    figure("T19", "kills that cut the year end off", cut_off, target="> 0", met=cut_off > 0)
    figure(
        "T19",
        f"of {KILLS} years ended under a kill, half done or different",
        wrong,
        target="0",
        met=wrong == 0,
    )
    assert (wrong, cut_off > 0) == (0, True)
