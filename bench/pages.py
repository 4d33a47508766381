"""How many pages a second: `python -m bench.pages [20000]`, 20,000 players and 200,000 ratings on a
PostgreSQL of their own.

Asks gunicorn (two workers) on the loopback for a page of 100 rows of a ranking and for a stage of
64 players, all of it packed, as browsers ask for it. Prints requests a second, p50 and p99 in
milliseconds:

bare          the same bytes from a Django view without middleware or database; `kept_to_bare`
              is the ratio to it
kept          the page is in the cache
same_304      the same, and the browser has it already
made_anew     an address that was never asked for
typed         a row of play was written before each request: a ranking stays, a stage is made anew
from_nothing  somebody moved who is on the page, before each request: it is made anew

Bare and kept take turns, so that whatever else the machine does slows down both. Whoever asks runs
on the same processors; `load` tells how busy they were with other things."""

import json
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from urllib.request import Request, urlopen

import psycopg

from bench import publication
from bench.federation import bulk, load, portal, settle
from tests.servers import free_port, running, wait_until

PLAYERS = 20_000
CONNECTIONS, WORKERS, THREADS = 8, 2, 4
SECONDS, TURNS = 5.0, 3
HOST = "127.0.0.1"
RESULT = "UPDATE stages_table SET number = number WHERE id = (SELECT max(id) FROM stages_table)"
CITY = "UPDATE players_person SET city = md5(random()::text) WHERE player_id = %s"


def fill(players: int) -> list[tuple[str, int]]:
    """The addresses of a ranking and of a stage, each with somebody who is on it."""
    from django.utils import timezone

    from pergioco.core.models import User
    from pergioco.players.models import Person
    from pergioco.publishing.models import Line
    from pergioco.publishing.services.publish import publish_season
    from pergioco.rulekit.text import fold
    from pergioco.stages.models import Season

    today = timezone.localdate()
    publication.fill(players, today)
    same = {"city": "Torino", "country": "IT", "contact_email": "", "phone": ""}
    people = (
        (n, f"Anna {n}", f"Bianchi {n}", fold(f"Anna {n} Bianchi {n}"))
        for n in range(1, players + 1)
    )
    bulk(Person, "player first_name last_name search_key", people, **same)
    publish_season(Season.objects.get(year=today.year), cause="closed")
    by = User.objects.create_user("organizer@example.org", "")
    made = publication.draft(1, players, today)
    publication.close(made, by)
    settle()
    first = (
        Line.objects.filter(computation__kind="blue", position=1).latest("computation").player_id
    )
    somebody = made.stage.entries.order_by("player").first().player_id
    return [
        (f"/en/rankings/{today.year}/blue/", first),
        (f"/en/stages/{today.year}/{made.stage.slug}/", somebody),
    ]


@contextmanager
def gunicorn(application: str, **environment: str) -> Iterator[int]:
    port = free_port()
    options = [
        "--worker-class",
        "pergioco.gunicorn_worker.BufferingWorker",
        "--workers",
        str(WORKERS),
        "--threads",
        str(THREADS),
        "--log-level",
        "warning",
        "--no-control-socket",
    ]
    command = [sys.executable, "-m", "gunicorn", application, "--bind", f"{HOST}:{port}", *options]
    with running(*command, env={**os.environ, **environment}):
        wait_until(lambda: socket.create_connection((HOST, port)).close())
        yield port


def fetch(port: int, path: str) -> tuple[bytes, str]:
    request = Request(f"http://{HOST}:{port}{path}", headers={"Accept-Encoding": "gzip"})
    with urlopen(request) as answer:  # noqa: S310 - our own server
        return answer.read(), answer.headers.get("ETag", "")


def asked(path: str, etag: str = "") -> bytes:
    condition = f"If-None-Match: {etag}\r\n" if etag else ""
    return (
        f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept-Encoding: gzip\r\n{condition}\r\n".encode()
    )


def measure(*asked: tuple[int, Callable[[], bytes]]) -> list[dict[str, float]]:
    """Of each port and its question; they take turns. Before, what the clock does each minute."""
    from pergioco.core.cache_versions import compact_versions

    compact_versions()
    taken: list[list[float]] = [[] for _ in asked]
    for _turn in range(TURNS):
        for one, times in zip(asked, taken, strict=True):
            turn(*one, times)
    return [figures_of(sorted(times)) for times in taken]


def turn(port: int, question: Callable[[], bytes], taken: list[float]) -> None:
    """Each connection asks again as soon as it was answered, until the time is over."""
    end = time.perf_counter() + SECONDS / TURNS
    threads = [
        threading.Thread(target=ask, args=(port, question, end, taken)) for _ in range(CONNECTIONS)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def figures_of(taken: list[float]) -> dict[str, float]:
    milliseconds = [round(1000 * taken[int(len(taken) * part)], 1) for part in (0.5, 0.99)]
    return {
        "per_second": round(len(taken) / SECONDS),
        "p50": milliseconds[0],
        "p99": milliseconds[1],
    }


def ask(port: int, question: Callable[[], bytes], end: float, taken: list[float]) -> None:
    with socket.create_connection((HOST, port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while (began := time.perf_counter()) < end:
            connection.sendall(question())
            receive(connection)
            taken.append(time.perf_counter() - began)


def receive(connection: socket.socket) -> None:
    head, _end, body = until_the_head_is_there(connection)
    assert head[9:12] in {b"200", b"304"}, head[:200]
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0] or 0)
    left = 0 if head[9:12] == b"304" else length - len(body)
    while left > 0:
        left -= len(connection.recv(min(left, 1 << 18)))


def until_the_head_is_there(connection: socket.socket) -> tuple[bytes, bytes, bytes]:
    got = b""
    while b"\r\n\r\n" not in got:
        got += connection.recv(1 << 16)
    return got.partition(b"\r\n\r\n")


def figures(port: int, path: str, somebody: int, players: int, folder: Path) -> dict[str, object]:
    measure((port, lambda: asked(path)))  # both workers have it now
    body, etag = fetch(port, path)
    file = folder / "page"
    file.write_bytes(body)
    with gunicorn("bench.bare:application", BENCH_PAGE=str(file)) as other:
        bare, kept = measure((other, lambda: asked("/")), (port, lambda: asked(path)))
    number = count()
    same, anew = measure(
        (port, lambda: asked(path, etag)), (port, lambda: asked(f"{path}?n={next(number)}"))
    )
    changes = {"typed": Change(RESULT), "from_nothing": Change(CITY, somebody)}
    found = {"bare": bare, "kept": kept, "same_304": same, "made_anew": anew}
    for name, change in changes.items():
        found |= {name: measure((port, partial(change.then, asked(path))))[0]}
    ratio = round(kept["per_second"] / bare["per_second"], 2)
    size = f"{path}, {players} players"
    return {
        "page": size,
        "kilobytes": len(body) // 1024,
        **found,
        "kept_to_bare": ratio,
        "load": load(),
    }


class Change:
    """Something public changes, as far as the portal can tell: a row is written again."""

    def __init__(self, statement: str, *about: int) -> None:
        self.connection = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
        self.statement, self.about = statement.encode(), about

    def then(self, question: bytes) -> bytes:
        self.connection.execute(self.statement, self.about)
        return question


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else PLAYERS
    with tempfile.TemporaryDirectory() as place:
        os.environ["PORTAL_DATA_DIR"] = place
        with portal():
            from django.core.management import call_command

            call_command("collectstatic", "--no-input", verbosity=0)
            pages = fill(players)
            with gunicorn("pergioco.wsgi") as port:
                for path, somebody in pages:
                    print(
                        json.dumps(figures(port, path, somebody, players, Path(place))), flush=True
                    )


if __name__ == "__main__":
    main()
