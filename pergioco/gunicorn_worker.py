"""A worker of gunicorn whose threads never wait for a client.

gunicorn's own threads read each request from its socket and write the answer to it, so as many slow
clients as there are threads stop the portal. Here the main loop alone touches sockets: a thread
gets a request that is whole and leaves an answer that is whole. A slow client costs one socket and
its bytes in memory, for a time that ends. When there are too many, the oldest goes.
"""

import errno
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any, BinaryIO

from gunicorn.http.body import LengthReader
from gunicorn.http.errors import ParseException
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader
from gunicorn.util import write_error
from gunicorn.workers.gthread import TConn, ThreadWorker

# A request, and an answer, may take ten seconds and one more for every 20 KB
PATIENCE_SECONDS, SLOWEST_BYTES_PER_SECOND = 10, 20_000
MOST_HEAD_BYTES = 32 * 1024
MOST_BODY_BYTES = 2_250_000  # no view takes more (`core.policy.IMPORT_BYTES`)
MOST_HELD_BYTES = 64 * 1024 * 1024  # of all clients of this process
STEP_BYTES = 64 * 1024
HEAD_END = b"\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Wire:
    """What gunicorn finds in a thread in place of the socket."""

    def __init__(self) -> None:
        self.received = bytearray()
        self.answer = bytearray()

    def recv(self, size: int) -> bytes:
        taken = bytes(self.received[:size])
        del self.received[:size]
        return taken

    def sendall(self, data: bytes) -> None:
        self.answer += data

    send = sendall

    def sendfile(self, file: BinaryIO, offset: int, count: int) -> None:
        file.seek(offset)
        self.answer += file.read(count)

    def gettimeout(self) -> float:
        return 0.0

    def ignore(self, *_: object) -> None:
        """Nothing of this waits."""

    setblocking = settimeout = shutdown = close = ignore


class Connection(TConn):  # type: ignore[misc]
    sock: Wire

    def __init__(self, cfg: Any, client: socket.socket, address: Any, server: Any) -> None:
        super().__init__(cfg, Wire(), address, server)
        client.setblocking(False)  # noqa: FBT003 - the name that sockets give it
        self.client_socket = client
        self.data_ready = True
        self.deadline = 0.0
        self.begin_request()

    def begin_request(self) -> None:
        self.searched = 0
        self.needed: int | None = None  # bytes of the request, once its head is here
        self.is_last = False  # what comes after it cannot be told from its body

    @property
    def held(self) -> int:
        return len(self.sock.received) + len(self.sock.answer)

    def is_whole(self) -> bool:
        if self.needed is None:
            self.look_for_head()
        return self.needed is not None and len(self.sock.received) >= self.needed

    def look_for_head(self) -> None:
        received = self.sock.received
        end = received.find(HEAD_END, self.searched)
        self.searched = max(0, len(received) - len(HEAD_END) + 1)
        if end >= 0:
            self.needed = end + len(HEAD_END) + self.read_length(received[: end + len(HEAD_END)])
        elif len(received) > MOST_HEAD_BYTES:
            write_error(self.sock, 431, "Request Header Fields Too Large", "")
            received.clear()
            self.needed, self.is_last = 0, True

    def read_length(self, head: bytearray) -> int:
        """The bytes of the body, as gunicorn itself reads the head. What is too long or has no
        length is left unread: the portal, or gunicorn, refuses it, and the connection ends."""
        try:
            request = Request(self.cfg, IterUnreader([bytes(head)]), self.client)
        except (ParseException, OSError, StopIteration):
            self.is_last = True
            return 0
        reader = request.body.reader
        if not isinstance(reader, LengthReader) or reader.length > MOST_BODY_BYTES:
            self.is_last = True
            return 0
        if ("EXPECT", "100-continue") in request.headers and reader.length:
            self.client_socket.send(CONTINUE)
        return int(reader.length)

    def end_request(self) -> None:
        """What came after the request is the beginning of the next one."""
        self.sock.received[:0] = self.parser.unreader.take_buffered()
        self.begin_request()


class BufferingWorker(ThreadWorker):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.open: set[Connection] = set()
        self.waiting: dict[Connection, None] = {}  # for their clients; the oldest first
        self.next_look = 0.0

    def accept(self, listener: socket.socket) -> None:
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.ECONNABORTED):
                raise
            return
        connection = Connection(self.cfg, client, address, listener.getsockname())
        self.open.add(connection)
        self.nr_conns = len(self.open)
        self.wait(connection, EVENT_READ, self.read, PATIENCE_SECONDS)
        if self.nr_conns >= self.worker_connections:  # else it would accept no more
            self.drop(next(iter(self.waiting)))

    def wait(
        self,
        connection: Connection,
        event: int,
        then: Callable[[Connection], None],
        seconds: float,
    ) -> None:
        self.rest(connection)
        connection.deadline = time.monotonic() + seconds
        self.waiting[connection] = None
        step = partial(self.step, connection, then)
        self.poller.register(connection.client_socket, event, step)

    def rest(self, connection: Connection) -> None:
        """Its client is not looked at any more."""
        if connection in self.waiting:
            del self.waiting[connection]
            self.poller.unregister(connection.client_socket)

    def drop(self, connection: Connection) -> None:
        self.rest(connection)
        connection.client_socket.close()
        self.open.discard(connection)
        self.nr_conns = len(self.open)

    def step(
        self, connection: Connection, then: Callable[[Connection], None], _socket: object
    ) -> None:
        if connection not in self.waiting:  # dropped for another one, in this very round
            return
        try:
            then(connection)
        except BlockingIOError:
            return
        except OSError:
            self.drop(connection)

    def read(self, connection: Connection) -> None:
        data = connection.client_socket.recv(STEP_BYTES)
        if not data:
            self.drop(connection)
            return
        is_first = not connection.held
        connection.sock.received += data
        self.pass_on(connection, has_begun=is_first)
        if connection.held > STEP_BYTES:
            self.make_room()

    def pass_on(self, connection: Connection, *, has_begun: bool) -> None:
        had_head = connection.needed is not None
        if connection.is_whole():
            self.rest(connection)
            self.enqueue_req(connection)
        elif connection.needed is not None and not had_head:
            self.wait(connection, EVENT_READ, self.read, patience(connection.needed))
        elif has_begun:
            self.wait(connection, EVENT_READ, self.read, PATIENCE_SECONDS)

    def make_room(self) -> None:
        while self.waiting and sum(one.held for one in self.open) > MOST_HELD_BYTES:
            self.drop(max(self.waiting, key=lambda one: one.held))

    def handle_request(self, req: Any, conn: Connection) -> bool:
        if conn.is_last:
            req.force_close()
        return bool(super().handle_request(req, conn))

    def finish_request(self, conn: Connection, fs: "Future[bool]") -> None:
        try:
            conn.is_last |= fs.cancelled() or not fs.result()
            self.wait(conn, EVENT_WRITE, self.write, patience(len(conn.sock.answer)))
            self.write(conn)
        except BlockingIOError:
            self.make_room()
        except Exception:  # noqa: BLE001 - one connection ends, the worker goes on
            self.drop(conn)

    def write(self, connection: Connection) -> None:
        answer = connection.sock.answer
        while answer:
            del answer[: connection.client_socket.send(answer[:STEP_BYTES])]
        if connection.is_last:
            # A client that is still sending would lose the answer if the socket were closed now
            connection.client_socket.shutdown(socket.SHUT_WR)
            self.wait(connection, EVENT_READ, self.discard, PATIENCE_SECONDS)
            return
        connection.end_request()
        self.wait(connection, EVENT_READ, self.read, self.cfg.keepalive)
        if connection.held:
            self.pass_on(connection, has_begun=True)

    def discard(self, connection: Connection) -> None:
        if not connection.client_socket.recv(STEP_BYTES):
            self.drop(connection)

    def murder_pending(self) -> None:
        """gunicorn calls it in every round of the loop."""
        now = time.monotonic()
        if now >= self.next_look:
            self.next_look = now + 1
            for connection in [one for one in self.waiting if one.deadline < now]:
                self.drop(connection)

    def _cap_keepalive(self, deadline: float) -> None:
        """gunicorn calls it when the worker is to stop: idle connections end soon."""
        for connection in self.waiting:
            if not connection.held:
                connection.deadline = min(connection.deadline, deadline)


def patience(size: int) -> float:
    return PATIENCE_SECONDS + size / SLOWEST_BYTES_PER_SECOND
