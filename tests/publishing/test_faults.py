"""The whole portal on real servers that are taken away from under it: the rankings are those of a
clean replay."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.servers import Missing, Server, manage, own_postgresql, own_redis, running, wait_until
from tests.system.test_containers import SERVICES
from tests.system.test_settings import COMPLETE

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SETTLING_SECONDS = 300
# What tells people of errata waits for half an hour, and computes nothing.
WORK = "FROM core_job WHERE kind <> 'errata.tell'"
CUT_OFF = f"SELECT count(*) {WORK} AND done_at IS NULL AND leased_until > now()"
DONE = f"SELECT count(*) {WORK} AND done_at IS NOT NULL"
OPEN = f"SELECT count(*) {WORK} AND done_at IS NULL"
RECOMPUTED = f"SELECT count(*) {WORK} AND done_at IS NOT NULL AND kind = 'pgr.stage'"
# What a killed worker held is free again after five minutes, and a step that failed pauses: we do
# not wait for that.
NOW = """
UPDATE core_job SET leased_until = CASE state WHEN 'leased' THEN now() END,
  not_before = least(not_before, now())
WHERE done_at IS NULL
"""


# Celery's worker gives up now and then when its broker goes away under messages that it holds (an
# unrecoverable error of kombu): `restart: unless-stopped` of the compose file starts it again, and
# so does this.
UNLESS_STOPPED = 'while :; do "$@"; sleep 1; done'


@dataclass
class House:
    """A portal in production, with a worker that may be killed."""

    database: Server
    broker: Server
    folder: Path
    app: str = "pergioco"
    more: dict[str, str] = field(default_factory=dict)  # of its environment
    services: Sequence[str] = ("worker", "worker-outside")
    cut_off: int = field(default=0, init=False)

    @property
    def environment(self) -> dict[str, str]:
        servers = {"DATABASE_URL": self.url("portal"), "REDIS_URL": self.broker.url}
        own = {"PORTAL_DATA_DIR": str(self.folder), "PORTAL_MAIL": "file", **servers}
        return {**COMPLETE, **own, **self.more, "PATH": f"{BIN}:{os.environ['PATH']}"}

    def url(self, name: str) -> str:
        return urlsplit(self.database.url)._replace(path=f"/{name}").geturl()

    def ask(self, statement: str, *, of: str = "portal") -> int:
        with psycopg.connect(self.url(of), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchone()[0] if cursor.description else cursor.rowcount

    def season(self, *arguments: object, of: str = "portal") -> str:
        command = [sys.executable, "-m", "tests.publishing.season", *map(str, arguments)]
        environment = {**self.environment, "DATABASE_URL": self.url(of)}
        return subprocess.run(
            command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def shell(self, program: str) -> str:
        return manage("shell", "--no-imports", "--command", program, env=self.environment).stdout

    def start(self, service: str) -> subprocess.Popen[bytes]:
        """As the compose file says, in a group of processes of its own, so that a kill takes all of
        them."""
        command = [
            self.app if part == "pergioco" else part for part in SERVICES[service]["command"]
        ]
        kept = ["sh", "-c", UNLESS_STOPPED, service, str(BIN / command[0]), *command[1:]]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(
            kept, cwd=ROOT, env=self.environment, start_new_session=True, **quiet
        )

    def start_worker(self) -> None:
        self.workers = [self.start(name) for name in self.services]

    def end_worker(self) -> None:
        for worker in self.workers:
            end(worker)

    def kill_worker(self) -> None:
        self.end_worker()
        self.cut_off += self.ask(CUT_OFF)
        self.ask(NOW)
        self.start_worker()

    def lose_broker(self) -> None:
        """It comes back empty."""
        self.broker.lose()
        time.sleep(0.5)
        self.broker.start()

    def restart_database(self) -> None:
        """As after a crash: nobody is asked to finish."""
        self.database.lose(signal.SIGQUIT)
        time.sleep(0.5)
        self.database.start()

    def settle(self) -> None:
        """With a fresh worker, until nothing waits any more."""
        self.kill_worker()
        wait_until(lambda: 1 / (self.ask(OPEN) == 0), seconds=SETTLING_SECONDS)


def end(group: subprocess.Popen[bytes]) -> None:
    """With all that it started."""
    if group.poll() is None:
        os.killpg(group.pid, signal.SIGKILL)
        group.wait()


@contextmanager
def house_of(
    folder: Path, app: str, *, prepare: Callable[[House], object] = id, **options: Any
) -> Iterator[House]:
    """`prepare` runs before its workers start."""
    try:
        with ExitStack() as stack:
            servers = stack.enter_context(own_postgresql()), stack.enter_context(own_redis())
            house = House(*servers, folder, app, **options)
            house.ask("CREATE DATABASE portal", of="postgres")
            manage("migrate", "--verbosity", "0", env=house.environment)
            prepare(house)
            house.beat = house.start("beat")
            stack.callback(end, house.beat)
            house.start_worker()
            stack.callback(house.end_worker)
            yield house
    except Missing as missing:
        pytest.skip(str(missing))


def play(house: House, *, changes: int, faults: dict[str, int]) -> None:
    """The season runs while worker, broker and database are lost in a random order, at random
    moments."""
    chance = random.Random(2026)
    order = [fault for fault, times in faults.items() for _ in range(times)]
    chance.shuffle(order)
    house.season("fill", changes)
    command = [sys.executable, "-m", "tests.publishing.season", "play", str(changes)]
    with running(*command, cwd=ROOT, env=house.environment) as player:
        for number, fault in enumerate(order, 1):
            enough = 2 * changes * number // (len(order) + 1)
            wait_until(
                lambda least=enough: 1 / (house.ask(DONE) >= least), seconds=SETTLING_SECONDS
            )
            time.sleep(chance.uniform(0, 0.2))
            getattr(house, fault)()
        assert player.wait(SETTLING_SECONDS) == 0
    house.settle()


def clean_replay(house: House) -> str:
    """Of a copy of the same facts."""
    house.end_worker()
    house.ask(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'portal'",
        of="postgres",
    )
    house.ask("CREATE DATABASE clean TEMPLATE portal", of="postgres")
    house.season("start_again", of="clean")
    return house.season("dump", of="clean")


def differing(found: str, expected: str) -> int:
    """How many lines of the two are not in the other."""
    one, other = (
        {json.dumps(row) for rows in json.loads(text).values() for row in rows}
        for text in (found, expected)
    )
    return len(one ^ other)


FEW = {"kill_worker": 3, "lose_broker": 1, "restart_database": 1}
WRONG = "rows of ratings and rankings that differ from a clean replay"
MANY = {"kill_worker": 20, "lose_broker": 3, "restart_database": 2}


@pytest.mark.postgresql
@pytest.mark.redis
@pytest.mark.parametrize(
    ("changes", "faults"), [(40, FEW), pytest.param(300, MANY, marks=pytest.mark.proof)]
)
def test_kills_and_losses_leave_the_ratings_and_rankings_of_a_clean_replay(
    tmp_path, changes, faults, figure
):
    with house_of(tmp_path, "pergioco") as house:
        play(house, changes=changes, faults=faults)
        assert house.ask(RECOMPUTED) == changes
        # a kill that hits nobody at work proves nothing
        assert house.cut_off >= faults["kill_worker"] / 2
        found, expected = house.season("dump"), clean_replay(house)
        figure(
            "T3",
            "kills that cut a step off",
            house.cut_off,
            target=f"≥ {faults['kill_worker'] // 2}",
        )
        figure("T3", WRONG, differing(found, expected), target="0", met=found == expected)
        assert found == expected


@pytest.mark.proof
@pytest.mark.postgresql
@pytest.mark.redis
def test_control_a_worker_that_ticks_off_too_early_publishes_wrong_numbers(tmp_path, figure):
    """The same season and the same faults; only the guard is off."""
    with house_of(tmp_path, "tests.core.hasty") as house:
        play(house, changes=300, faults=MANY)
        found = house.season("dump")
        wrong = differing(found, clean_replay(house))
        figure("T3", WRONG, wrong)
        assert wrong > 0
