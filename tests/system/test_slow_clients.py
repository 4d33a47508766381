"""The web process alone, without a proxy, among clients that send a byte now and then: they stop
gunicorn's own threads, and not ours."""

import http.client
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pergioco import gunicorn_worker
from pergioco.core.policy import IMPORT_BYTES
from pergioco.gunicorn_worker import MOST_BODY_BYTES, BufferingWorker
from tests.servers import free_port, running, wait_until
from tests.system.slow_clients import dripping, pour, seconds_to_answer
from tests.system.test_containers import SERVICES

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
OURS = f"{BufferingWorker.__module__}.{BufferingWorker.__name__}"
KINDS = {"head": "/", "body": "/", "answer": "/large"}
MANY = 50  # the process has four threads


@contextmanager
def served(worker: str = OURS, *options: str) -> Iterator[int]:
    """As docker-compose.yml starts it, but for the pages, and in one process: of two, one may take
    all the slow clients and the other one the visitor."""
    port = free_port()
    command = [part for part in SERVICES["web"]["command"] if part != "gunicorn"]
    command[command.index("pergioco.wsgi")] = "tests.system.plain_app"
    command[command.index("0.0.0.0:8000")] = f"127.0.0.1:{port}"
    command[command.index(OURS)] = worker
    # A worker whose threads wait for clients ends when it is made to
    options = ("--workers", "1", "--graceful-timeout", "1", *options)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    with running(str(BIN / "gunicorn"), *command, *options, cwd=ROOT, env=environment):
        wait_until(lambda: seconds_to_answer(port))
        yield port


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as port:
        yield port


@pytest.mark.same_anywhere
@pytest.mark.parametrize("kind", KINDS)
def test_visitors_are_answered_among_clients_that_drip(port, kind):
    with dripping(port, MANY, path=KINDS[kind], kind=kind):
        assert max(seconds_to_answer(port) for _ in range(5)) < 2


@pytest.mark.same_anywhere
@pytest.mark.parametrize("kind", KINDS)
def test_control_as_many_of_them_stop_the_threads_of_gunicorn(kind):
    with served("gthread") as port, dripping(port, MANY, path=KINDS[kind], kind=kind):
        assert seconds_to_answer(port, patience=2) == 2


def ask(port: int, request: bytes) -> tuple[int, bytes, str | None]:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        client.sendall(request)
        with closing(http.client.HTTPResponse(client)) as answer:
            answer.begin()
            return answer.status, answer.read(), answer.headers["Connection"]


@pytest.mark.same_anywhere
@pytest.mark.parametrize(
    ("request_", "status", "body", "connection"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, b'["GET", 0]', "keep-alive"),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 200, b'["POST", 3]', "keep-alive"),
        (b"GET / HTTP/1.0\r\n\r\n", 200, b'["GET", 0]', "close"),
        # Neither what is too long nor what has no length is gathered
        (b"POST / HTTP/1.1\r\nContent-Length: 9000000\r\n\r\nabc", 200, None, "close"),
        (
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc",
            200,
            b"in pieces",
            "close",
        ),
        (b"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", 400, None, "close"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000, 431, None, "close"),
        (b"\r\n\r\n", 400, None, "close"),
    ],
)
def test_every_request_is_answered_as_gunicorn_does(port, request_, status, body, connection):
    answer = ask(port, request_)
    assert (answer[0], answer[2]) == (status, connection)
    assert body is None or answer[1] == body


@pytest.mark.same_anywhere
def test_a_connection_serves_many_requests_also_sent_at_once(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        first = b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
        client.sendall(first + b"GET /2 HTTP/1.1\r\n\r\nPOST /3 HTTP/1.1\r\nContent-Le")
        time.sleep(0.1)
        client.sendall(b"ngth: 2\r\nConnection: close\r\n\r\nde")
        received = b""
        while data := client.recv(10_000):
            received += data
    assert [part[-1:] for part in received.split(b"]")[:-1]] == [b"3", b"0", b"2"]


@pytest.mark.same_anywhere
def test_a_large_answer_comes_whole(port):
    answer = ask(port, b"GET /large HTTP/1.1\r\n\r\n")
    assert (answer[0], len(answer[1])) == (200, 5_000_000)


@pytest.mark.same_anywhere
def test_who_asks_before_sending_a_body_is_told_to_go_on(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        client.sendall(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 100 ")
        client.sendall(b"abc")
        with closing(http.client.HTTPResponse(client)) as answer:
            answer.begin()
            assert answer.read() == b'["POST", 3]'


@pytest.mark.same_anywhere
def test_who_pours_far_too_much_still_reads_the_answer(port):
    status, _page, sent = pour(port, {}, 100)
    assert (status, sent) == (200, 100)


@pytest.mark.same_anywhere
def test_when_all_places_are_taken_the_oldest_goes_and_visitors_come_in():
    places = ("--worker-connections", "20")
    with served(OURS, *places) as port, dripping(port, 50, kind="head"):
        assert max(seconds_to_answer(port) for _ in range(5)) < 2


def test_the_worker_takes_what_the_largest_view_takes():
    assert MOST_BODY_BYTES == IMPORT_BYTES
    assert gunicorn_worker.patience(0) == 10
    assert gunicorn_worker.patience(MOST_BODY_BYTES) < 130
