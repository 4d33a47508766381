"""Real processes on real databases: of several workers one does a step; without the lease, several
do."""

import json
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import migrated
from tests.servers import manage, new_database, wait_until

ROOT = Path(__file__).parents[2]
STEPS = 120
WORKERS = 4
KILLS = 20
FILL = """
from django.utils import timezone
from pergioco.core.models import Job
Job.objects.bulk_create(
    Job(kind="write", arguments={{"number": n}}, not_before=timezone.now()) for n in range({steps})
)
"""
REPORT = """
import json
import random
from pergioco.core.models import Job
left = Job.objects.filter(done_at=None).order_by("id")
print(json.dumps(list(left.values_list("arguments", "attempts"))))
"""
FREE = """
from django.utils import timezone
from pergioco.core.models import Job
Job.objects.filter(state="leased").update(leased_until=timezone.now())
"""
Environment = dict[str, str]


@pytest.fixture
def embedded(tmp_path: Path) -> Environment:
    return {"PORTAL_DATA_DIR": str(tmp_path)}


@pytest.fixture
def on_server(tmp_path: Path, postgresql_server: str) -> Iterator[Environment]:
    with new_database(postgresql_server) as url:
        yield {"PORTAL_DATA_DIR": str(tmp_path), "DATABASE_URL": url}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    fill({"PORTAL_DATA_DIR": str(folder)})
    return folder / migrated.NAME


@pytest.fixture(params=["embedded", pytest.param("on_server", marks=pytest.mark.postgresql)])
def house(request) -> Environment:
    """An empty portal with waiting steps."""
    environment: Environment = request.getfixturevalue(request.param)
    if request.param == "embedded":
        shutil.copy(request.getfixturevalue("filled"), environment["PORTAL_DATA_DIR"])
    else:
        fill(environment)
    return environment


def fill(environment: Environment) -> None:
    migrated.prepare(environment, "core")
    shell(FILL.format(steps=STEPS), environment)


def shell(program: str, environment: Environment) -> str:
    return manage("shell", "--no-imports", "--command", program, env=environment).stdout


def racers(
    environment: Environment, mode: str, *, begin: float, slow: float = 0.002, workers: int = 1
) -> subprocess.Popen[bytes]:
    log = Path(environment["PORTAL_DATA_DIR"]) / f"log-{mode}"
    options = [str(log), str(begin), mode, str(slow), str(workers)]
    command = [sys.executable, "-m", "tests.core.racer", *options]
    return subprocess.Popen(command, cwd=ROOT, env=environment)


def runs_of(environment: Environment, mode: str) -> Counter[str]:
    """How often each step was run."""
    log = Path(environment["PORTAL_DATA_DIR"]) / f"log-{mode}"
    return Counter(log.read_text(encoding="ascii").split())


def race(environment: Environment, mode: str = "leased", *, workers: int = WORKERS) -> Counter[str]:
    racers(environment, mode, begin=time.time() + 2, workers=workers).wait(60)
    return runs_of(environment, mode)


def test_of_four_workers_one_does_each_step(house):
    runs = race(house)
    assert (len(runs), set(runs.values())) == (STEPS, {1})
    assert json.loads(shell(REPORT, house)) == []


def test_control_without_the_lease_steps_are_done_several_times(house):
    runs = race(house, "unleased")
    assert len(runs) == STEPS
    assert max(runs.values()) > 1


def test_a_killed_worker_loses_no_step(house):
    """Steps 0, 10, 20… kill their worker once; what it held is free again when its lease ends."""
    race(house, "killed", workers=3)
    held = [
        arguments["number"] for arguments, attempts in json.loads(shell(REPORT, house)) if attempts
    ]
    assert held == [0, 10, 20]
    shell(FREE, house)
    race(house, workers=2)
    assert json.loads(shell(REPORT, house)) == []


def kill_often(environment: Environment, mode: str) -> Counter[str]:
    """Two workers, each killed again and again in the middle of its work, until twenty were; then
    one in peace."""
    chance = random.Random(2026)
    for _ in range(KILLS // 2):
        pair = [racers(environment, mode, begin=0, slow=0.05) for _ in range(2)]
        enough = total(environment, mode) + 5
        wait_until(lambda least=enough: 1 / (total(environment, mode) >= least))
        time.sleep(chance.uniform(0, 0.1))
        for process in pair:
            process.kill()
            process.wait()
        shell(FREE, environment)
    racers(environment, mode, begin=0).wait(60)
    return runs_of(environment, mode)


def total(environment: Environment, mode: str) -> int:
    log = Path(environment["PORTAL_DATA_DIR"]) / f"log-{mode}"
    return len(log.read_text(encoding="ascii").split()) if log.exists() else 0


@pytest.mark.proof
def test_twenty_kills_lose_no_step_and_cost_at_most_a_repetition_each(house, figure):
    runs = kill_often(house, "leased")
    figure(
        "T3",
        f"of {STEPS} steps lost by {KILLS} kills",
        STEPS - len(runs),
        target="0",
        met=len(runs) == STEPS,
    )
    assert len(runs) == STEPS
    assert json.loads(shell(REPORT, house)) == []
    assert runs.total() - STEPS <= KILLS


@pytest.mark.proof
def test_control_a_worker_that_ticks_off_too_early_loses_steps(house, figure):
    """What was begun counts as done: a kill loses the step that was being run."""
    done = len(kill_often(house, "hasty"))
    figure("T3", f"of {STEPS} steps lost by {KILLS} kills", STEPS - done)
    assert done < STEPS
