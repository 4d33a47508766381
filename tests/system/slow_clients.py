"""Clients that send slowly, read slowly or send too much; and how long another visitor waits
meanwhile."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

HEAD = b"POST %s HTTP/1.1\r\nHost: %s\r\nX-Forwarded-Proto: https\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n"
PAUSE_SECONDS = 0.2
MEGABYTE = b"x" * 1024 * 1024


@contextmanager
def dripping(
    port: int, number: int, *, path: str = "/", host: str = "localhost", kind: str = "body"
) -> Iterator[None]:
    """So many connections, each of which sends one byte and one more: of the head, or of the body
    of a form; or asks for pages and takes none of the answer (`answer`)."""
    start = HEAD % (path.encode(), host.encode())
    if kind == "body":
        start += FORM % 60_000
    if kind == "answer":
        start = start.replace(b"POST", b"GET") + b"\r\n"
    is_over = threading.Event()
    with ExitStack() as stack:
        clients = []
        for _ in range(number):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.connect(("127.0.0.1", port))
            clients.append(stack.enter_context(client))
            client.sendall(start)
            client.setblocking(False)
        dripper = threading.Thread(target=drip, args=(clients, is_over, kind), daemon=True)
        dripper.start()
        time.sleep(2 * PAUSE_SECONDS)
        try:
            yield
        finally:
            is_over.set()
            dripper.join()


def drip(clients: list[socket.socket], is_over: threading.Event, kind: str) -> None:
    alive = list(clients)
    while not is_over.wait(PAUSE_SECONDS):
        for client in list(alive):
            try:
                _ = client.recv(1) if kind == "answer" else client.send(b"x")
            except BlockingIOError:
                continue
            except OSError:
                alive.remove(client)


def seconds_to_answer(
    port: int, path: str = "/", host: str = "localhost", patience: float = 3
) -> float:
    """Of a visitor; their patience, if no answer comes."""
    began = time.monotonic()
    visitor = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    try:
        visitor.request("GET", path, headers={"Host": host, "X-Forwarded-Proto": "https"})
        assert visitor.getresponse().read() is not None
    except TimeoutError:
        return patience
    finally:
        visitor.close()
    return time.monotonic() - began


def pour(
    port: int, headers: dict[str, str], megabytes: int, path: str = "/", start: bytes = b""
) -> tuple[int, str, int]:
    """A body far too large: the status, the page, and how many megabytes of it went out."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        length = megabytes * len(MEGABYTE) + len(start)
        lines = {"Content-Length": str(length), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        client.sendall(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + start)
        sent = 0
        with suppress(OSError):  # the door may shut while one still pushes
            for _ in range(megabytes):
                client.sendall(MEGABYTE)
                sent += 1
        with closing(http.client.HTTPResponse(client)) as answer:
            answer.begin()
            return answer.status, answer.read().decode(), sent
