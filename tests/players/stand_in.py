"""A platform on this machine: an HTTPS server with a certificate of its own authority, and a
listener that counts."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from pergioco.core.fetcher import Fetcher
from tests.servers import PATIENCE_SECONDS

HOST = "platform.example.org"
Answer = Callable[[socket.socket, str], None]


def name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def certificate(
    subject: str, key, issuer: str, issuer_key, *, is_authority: bool
) -> x509.Certificate:
    now = datetime(2020, 1, 1, tzinfo=UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name(subject))
        .issuer_name(name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=36500))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(subject)]), critical=False)
        .sign(issuer_key, hashes.SHA256())
    )


@cache
def contexts() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """The server's, and that of a client who trusts the server's authority and no other."""
    authority_key, key = (
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP256R1()),
    )
    authority = certificate(
        "authority.example", authority_key, "authority.example", authority_key, is_authority=True
    )
    mine = certificate(HOST, key, "authority.example", authority_key, is_authority=False)
    pem = serialization.Encoding.PEM
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        chain = Path(folder) / "chain.pem"
        secret = key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        chain.write_bytes(secret + mine.public_bytes(pem))
        server.load_cert_chain(chain)
    return server, ssl.create_default_context(cadata=authority.public_bytes(pem).decode())


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """Serves each connection in a thread, on a free port of this machine."""
    listener = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with suppress(OSError):
            while True:
                wire, _ = listener.accept()
                threading.Thread(target=serve, args=(wire,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(PATIENCE_SECONDS)


class Platform:
    """Answers as it is told, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.heads: list[str] = []
        self.answer: Answer = says(b"{}")
        self.port = 0

    def serve(self, wire: socket.socket) -> None:
        with suppress(OSError), wire, contexts()[0].wrap_socket(wire, server_side=True) as secure:
            head = secure.recv(65536).decode()
            if not head:  # who asked has hung up
                return
            self.heads.append(head)
            self.asked.append(head.split(" ")[1])
            self.answer(secure, head)

    def fetcher(self, **changes) -> Fetcher:
        """The real client, allowed to speak to this machine."""
        seam = {
            "resolve": lambda host, port, **_: [(0, 0, 0, "", ("127.0.0.1", port))],
            "is_allowed": lambda address: True,
            "context": contexts()[1],
            "port": self.port,
            "seconds": PATIENCE_SECONDS,
        }
        return Fetcher(**{**seam, **changes})


@contextmanager
def platform() -> Iterator[Platform]:
    made = Platform()
    with listening(made.serve) as port:
        made.port = port
        yield made


def says(body: bytes, status: str = "200 OK", *headers: str) -> Answer:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return lambda wire, _head: wire.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def drips(piece: bytes, pause: float) -> Answer:
    """Always just about to say something."""

    def answer(wire: socket.socket, _head: str) -> None:
        for _ in range(1000):
            wire.sendall(piece)
            time.sleep(pause)

    return answer


def sleeps(wire: socket.socket, head: str) -> None:
    """Answers well, but when nobody listens any more."""
    time.sleep(PATIENCE_SECONDS)
    says(b"{}")(wire, head)


@contextmanager
def canary() -> Iterator[tuple[int, list[str]]]:
    """A port that nobody should ever reach."""
    reached: list[str] = []

    def serve(wire: socket.socket) -> None:
        with wire:
            reached.append(str(wire.getpeername()))

    with listening(serve) as port:
        yield port, reached
