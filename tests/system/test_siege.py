"""The web service in production, without a proxy: slow and fat requests against real pages, on two
processes; each with its control."""

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pergioco.gunicorn_worker import BufferingWorker
from tests.servers import manage, new_database, running, wait_until
from tests.system.slow_clients import dripping, pour, seconds_to_answer
from tests.system.test_production import CSRF, HOST, ROOT, House

pytestmark = [pytest.mark.proof, pytest.mark.postgresql]
OURS = f"{BufferingWorker.__module__}.{BufferingWorker.__name__}"
PATIENCE_SECONDS, VISITORS = 5, 20
FORM = "/en/contact/"
KINDS = ("head", "body", "answer")
MEGABYTES = 400
FILE = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
STRANGER = {
    "Host": HOST,
    "X-Forwarded-Proto": "https",
    "Cookie": f"__Host-csrf={CSRF}",
    "Referer": f"https://{HOST}/",
    "Content-Type": "multipart/form-data; boundary=b",
}


@contextmanager
def house(folder: Path, server: str, worker: str, program: str) -> Iterator[House]:
    with new_database(server) as database:
        files = folder / "tmp"
        files.mkdir()
        made = House(folder, DATABASE_URL=database, TMPDIR=str(files))
        prepare = ("collectstatic", "--no-input", "--ignore", "redoc", "--verbosity", "0")
        manage(*prepare, env=made.environment)
        manage("migrate", "--no-input", env=made.environment)
        manage("createcachetable", env=made.environment)
        swap = {"pergioco.wsgi": program, OURS: worker}
        command = [swap.get(part, part) for part in made.command("web")]
        ending = ("--graceful-timeout", "1")
        with running(*command, *ending, env=made.environment, cwd=ROOT, stderr=subprocess.DEVNULL):
            wait_until(lambda: made.ask("/healthz"))
            for _ in range(VISITORS):  # both processes have made the page once
                made.ask("/en/")
            yield made


@pytest.fixture(scope="module")
def guarded(tmp_path_factory, postgresql_server) -> Iterator[House]:
    with house(
        tmp_path_factory.mktemp("guarded"), postgresql_server, OURS, "pergioco.wsgi"
    ) as made:
        yield made


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory, postgresql_server) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("unguarded")
    with house(folder, postgresql_server, "gthread", "tests.system.unbounded") as made:
        yield made


def longest_wait(house: House, visitors: int = VISITORS) -> float:
    return max(
        seconds_to_answer(house.port, "/en/", HOST, PATIENCE_SECONDS) for _ in range(visitors)
    )


def held_on_disk(house: House) -> int:
    sizes = 0
    for path in Path(house.environment["TMPDIR"]).rglob("*"):
        try:
            sizes += path.stat().st_size
        except OSError:  # gone meanwhile
            continue
    return sizes


def most_on_disk(house: House) -> tuple[int, int]:
    """Of a stranger who pours a file into the page of imports: the status, and the megabytes that
    stood on the disk at most."""
    most, is_over = [0], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.05):
            most[0] = max(most[0], held_on_disk(house))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        status, page, _sent = pour(
            house.port, STRANGER, MEGABYTES, "/en/staff/stages/1/import/file/", FILE
        )
    finally:
        is_over.set()
        watcher.join()
    assert status != 413 or "That is too much at once" in page
    return status, most[0] // 1_000_000


@pytest.mark.parametrize("kind", KINDS)
def test_fifty_slow_clients_stop_nobody(guarded, kind, figure):
    with dripping(guarded.port, 50, path=FORM, host=HOST, kind=kind):
        waited = longest_wait(guarded)
    what = f"longest wait in seconds, 50 slow clients ({kind})"
    figure("slow", what, round(waited, 2), target="≤ 2", met=waited <= 2)
    assert waited < PATIENCE_SECONDS


@pytest.mark.parametrize("kind", ["head", "body"])
def test_control_fifty_slow_clients_stop_the_threads_of_gunicorn(unguarded, kind, figure):
    with dripping(unguarded.port, 50, path=FORM, host=HOST, kind=kind):
        waited = longest_wait(unguarded, visitors=3)
    figure("slow", f"longest wait in seconds, 50 slow clients ({kind})", round(waited, 2))
    assert waited == PATIENCE_SECONDS
    time.sleep(1)  # their connections end


def test_nothing_of_a_strangers_file_reaches_the_disk(guarded, figure):
    status, megabytes = most_on_disk(guarded)
    figure("slow", f"megabytes of {MEGABYTES} on the disk", megabytes, target="0")
    assert (status, megabytes) == (413, 0)


def test_control_without_limits_all_of_it_does(unguarded, figure):
    status, megabytes = most_on_disk(unguarded)
    figure("slow", f"megabytes of {MEGABYTES} on the disk", megabytes)
    assert status in {302, 403}
    assert megabytes > MEGABYTES // 2
