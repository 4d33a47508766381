"""Eight people type into one stage at once, on real databases: nothing is lost; without the version
check, it is."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import migrated
from tests.servers import PATIENCE_SECONDS, manage, new_database, wait_until

ROOT = Path(__file__).parents[2]
TYPISTS = 8
SHORT, LONG = 3.0, 20.0
FILL = """
from datetime import date
from pergioco.core.models import User
from pergioco.players.models import Player
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts, write_rounds
from pergioco.stages.models import Game, Revision, Season, Stage
User.objects.create_user("typist@example.org", None)
season = Season.objects.create(year=2026, starts_on=date(2026, 1, 2), ends_on=date(2026, 12, 31))
game = Game.objects.create(slug="go", name_it="Go", name_en="Go", name_es="Go")
stage = Stage.objects.create(season=season, game=game, slug="go", system="swiss",
    pace="real_time", status="open",
    starts_on=date(2026, 3, 1), ends_on=date(2026, 3, 1))
players = [Player.objects.create().pk for _ in range(16)]
seats = [SeatFacts(player) for player in players]
tables = tuple(TableFacts(n, (seats[2 * n - 2], seats[2 * n - 1])) for n in range(1, 9))
write_rounds(Revision.objects.create(stage=stage, number=1), [RoundFacts(1, tables)])
"""
REPORT = """
import json
from django.db.models import Sum
from pergioco.stages.facts import read_sign
from pergioco.stages.models import Change, Table
last = {c.table_id: c.after["sign"] for c in Change.objects.order_by("id")}
signs = {t.pk: read_sign(list(t.seats.all())) for t in Table.objects.filter(pk__in=last)}
versions = Table.objects.aggregate(n=Sum("version"))["n"]
print(json.dumps([Change.objects.count(), versions, signs == last]))
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
def stage(request) -> Environment:
    """A portal with one open stage of eight tables."""
    environment: Environment = request.getfixturevalue(request.param)
    if request.param == "embedded":
        shutil.copy(request.getfixturevalue("filled"), environment["PORTAL_DATA_DIR"])
    else:
        fill(environment)
    return environment


def fill(environment: Environment) -> None:
    migrated.prepare(environment, "stages")
    shell(FILL, environment)


def shell(program: str, environment: Environment) -> str:
    return manage("shell", "--no-imports", "--command", program, env=environment).stdout


@dataclass(frozen=True)
class Outcome:
    acknowledged: int
    lost: int  # another entry was written between what the person saw and what the person typed
    outdated: int
    changes: int
    versions: int
    last_ones_stand: bool


def race(environment: Environment, seconds: float, mode: str = "checked") -> Outcome:
    folder = Path(environment["PORTAL_DATA_DIR"])
    logs = [folder / f"{mode}-{number}" for number in range(TYPISTS)]
    options = [str(folder), str(seconds), mode, str(TYPISTS)]
    command = [sys.executable, "-m", "tests.stages.typist", *options]
    typists = subprocess.Popen(command, cwd=ROOT, env=environment)
    wait_until(lambda: [log.stat() for log in logs])
    (folder / "go").touch()
    assert typists.wait(seconds + 5 * PATIENCE_SECONDS) == 0
    lines = Counter(line for log in logs for line in log.read_text(encoding="ascii").splitlines())
    saved = {tuple(map(int, line.split())): times for line, times in lines.items() if " " in line}
    changes, versions, last_ones_stand = json.loads(shell(REPORT, environment))
    return Outcome(
        acknowledged=sum(saved.values()),
        lost=sum(times for (seen, became), times in saved.items() if became != seen + 1),
        outdated=lines["outdated"],
        changes=changes,
        versions=versions,
        last_ones_stand=last_ones_stand,
    )


def nothing_lost(outcome: Outcome) -> None:
    assert outcome.acknowledged == outcome.changes == outcome.versions
    assert (outcome.lost, outcome.last_ones_stand) == (0, True)
    assert outcome.acknowledged > TYPISTS
    assert outcome.outdated > 0


def test_acknowledged_entries_are_the_changes_and_every_loser_is_told(stage):
    nothing_lost(race(stage, SHORT))


def test_control_without_the_version_check_entries_are_overwritten_unseen(stage):
    assert race(stage, SHORT, "unchecked").lost > 0


@pytest.mark.proof
def test_twenty_seconds_lose_nothing_either(stage, figure):
    outcome = race(stage, LONG)
    figure(
        "T1",
        "results acknowledged in 20 s, typed by eight",
        outcome.acknowledged,
        target="> 1000",
        met=outcome.acknowledged > 1000,
    )
    figure("T1", "of these overwritten unseen", outcome.lost, target="0", met=outcome.lost == 0)
    nothing_lost(outcome)


@pytest.mark.proof
def test_control_twenty_seconds_without_the_check_lose_at_least_one_in_a_hundred(stage, figure):
    outcome = race(stage, LONG, "unchecked")
    figure("T1", "of these overwritten unseen", f"{outcome.lost} of {outcome.acknowledged}")
    assert outcome.lost * 100 >= outcome.acknowledged
