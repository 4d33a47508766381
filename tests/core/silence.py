"""Servers on this machine that accept a connection and then stay silent, or nearly."""

import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.players.stand_in import listening
from tests.servers import PATIENCE_SECONDS


@dataclass
class SilentServer:
    """`says`: what it answers, one answer after the other, before it falls silent. With `drips` it
    then sends a byte each so many seconds, and never ends the line."""

    says: Sequence[bytes] = ()
    drips: float = 0
    port: int = 0
    visits: list[float] = field(default_factory=list)

    def serve(self, wire: socket.socket) -> None:
        self.visits.append(time.monotonic())
        with suppress(OSError), wire:
            for answer in self.says:
                wire.sendall(answer)
                if not wire.recv(65536):
                    return
            wire.settimeout(self.drips or PATIENCE_SECONDS)
            until = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < until:
                with suppress(TimeoutError):
                    if not wire.recv(65536):  # who waited has hung up
                        return
                if self.drips:
                    wire.sendall(b"2")


@contextmanager
def silent_server(says: Sequence[bytes] = (), *, drips: float = 0) -> Iterator[SilentServer]:
    server = SilentServer(says, drips)
    with listening(server.serve) as server.port:
        yield server
