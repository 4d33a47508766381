"""Servers for tests: given by the environment, or throw-away ones on 127.0.0.1 that end with the
test run."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import psycopg
from redis import Redis

T = TypeVar("T")
PATIENCE_SECONDS = 120  # only ever bounds a hang: the machine may be busy with other things


class Missing(Exception):
    def __init__(self, program: str, package: str) -> None:
        super().__init__(
            f"tests that need {program}, which is not installed (on Debian: apt install {package})"
        )


def free_port() -> int:
    """For a server that starts in a moment. A connection that just ended holds the port back for a
    minute: nobody is given it who asks for any port, whoever asks for this one gets it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            server.accept()[0].close()
        return port


def wait_until(
    answers: Callable[[], T],
    *,
    alive: Callable[[], bool] = lambda: True,
    seconds: float = PATIENCE_SECONDS,
) -> T:
    """Until the call returns without an exception: what it returned."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return answers()
        except Exception:
            if time.monotonic() > deadline or not alive():
                raise
            time.sleep(0.05)


@contextmanager
def running(*command: str, **options) -> Iterator[subprocess.Popen[bytes]]:
    """A process of ours, ended by its id; killed if it does not end when asked."""
    process = subprocess.Popen(command, **options)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def postgresql_programs() -> Path:
    on_debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[4])
    )
    found = str(on_debian[-1]) if on_debian else shutil.which("initdb")
    if found is None:
        raise Missing("PostgreSQL", "postgresql")
    return Path(found).parent


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of an empty server; `PORTAL_TEST_POSTGRES` names one that is already there."""
    if given := os.environ.get("PORTAL_TEST_POSTGRES"):
        yield given
        return
    with own_postgresql() as server:
        yield server.url


class Server:
    """One that a test takes away in the middle of its work, and brings back at the same address."""

    def __init__(self, url: str, *command: str, answers: Callable[[], object], **options) -> None:
        self.url, self.command, self.answers, self.options = url, command, answers, options

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, **self.options)
        wait_until(self.answers, alive=lambda: self.process.poll() is None)

    def lose(self, how: int = signal.SIGKILL) -> None:
        """By the id of its process, whatever it is doing."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE_SECONDS)


@contextmanager
def own_postgresql() -> Iterator[Server]:
    programs, port = postgresql_programs(), free_port()
    user = "postgres" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
    with tempfile.TemporaryDirectory(prefix="portal-postgresql-") as folder:
        if user:
            shutil.chown(folder, user)
        options = {"user": user, "cwd": folder, "stdout": subprocess.DEVNULL}
        initdb = [
            programs / "initdb",
            "-D",
            f"{folder}/data",
            "-U",
            "portal",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--data-checksums",  # as docker-compose.yml starts it
            "--no-sync",
        ]
        subprocess.run(initdb, check=True, stderr=subprocess.PIPE, **options)
        settings = [
            "-p",
            port,
            "-h",
            "127.0.0.1",
            "-k",
            folder,
            "-c",
            "fsync=off",
            "-c",
            "max_connections=120",
        ]
        command = [str(programs / "postgres"), "-D", f"{folder}/data", *map(str, settings)]
        url = f"postgresql://portal@127.0.0.1:{port}/postgres?connect_timeout={PATIENCE_SECONDS}"
        options["stderr"] = subprocess.DEVNULL
        server = Server(url, *command, answers=lambda: psycopg.connect(url).close(), **options)
        try:
            server.start()
            yield server
        finally:
            server.lose(signal.SIGQUIT)  # at once, and its own children with it


@contextmanager
def redis() -> Iterator[str]:
    """The address of an empty server; `PORTAL_TEST_REDIS` names one that is already there."""
    if given := os.environ.get("PORTAL_TEST_REDIS"):
        yield given
        return
    with own_redis() as server:
        yield server.url


@contextmanager
def own_redis() -> Iterator[Server]:
    program = shutil.which("redis-server")
    if program is None:
        raise Missing("Redis", "redis-server")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="portal-redis-") as folder:
        command = [
            program,
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            folder,
        ]
        url = f"redis://127.0.0.1:{port}/0"
        server = Server(url, *command, answers=lambda: ping(url), stdout=subprocess.DEVNULL)
        try:
            server.start()
            yield server
        finally:
            server.lose()


def ping(url: str) -> None:
    with Redis.from_url(url) as client:
        client.ping()


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """An empty database of its own on that server."""
    name = f"portal_{time.time_ns()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def manage(
    *arguments: str, env: dict[str, str], check: bool = True
) -> subprocess.CompletedProcess[str]:
    """`manage.py` in a process of its own, with this environment and nothing else."""
    root = Path(__file__).parent.parent
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(
        command,
        cwd=root,
        env=env,
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE_SECONDS,
        check=False,
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done
