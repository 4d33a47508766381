"""HTTP requests to the platforms. No other code calls foreign hosts."""

import ipaddress
import json
import logging
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.core import breaker

logger = logging.getLogger(__name__)

SECONDS = 10.0  # in all: resolving, connecting, reading
SECONDS_AN_ADDRESS = (
    3.0  # connecting, or agreeing on TLS: one dead address leaves time for the next
)
MOST_BYTES = 5 * 1024 * 1024
HTTPS = 443
# Board Game Arena forbids automatic requests: it must have no host here.
HOSTS = {"playstrategy": "PLAYSTRATEGY_HOST", "abstractplay": "ABSTRACT_PLAY_API_HOST"}
HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}")
PATH = re.compile(r"(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)+/?(?:\?[A-Za-z0-9_.~=&-]*)?")
NAT64 = ipaddress.ip_network("64:ff9b::/96")


class FetchFailed(Exception):
    """Nothing usable came back. `missing`: the platform does not know the thing."""

    def __init__(self, sentence: str | Promise, *, missing: bool = False) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.missing = missing


class NoAnswer(FetchFailed):
    """The platform is down, or left alone because it was."""

    def __init__(self) -> None:
        super().__init__(SILENT)


SILENT = _(
    "The platform does not answer. Nothing is lost: try again in a few minutes, or ask for a check "
    "by a person."
)
ODD = _(
    "The platform answered something that cannot be read. Nothing is lost: try again later, "
    "or ask for a check by a person."
)
BUSY = _("Another question to this platform is under way. Try again in a few seconds.")
TOO_MANY = _("The platform asks us to slow down. Nothing is lost: wait a minute, then try again.")
UNKNOWN = _("The platform does not know this.")
NEVER_ASKED = _("This platform does not allow automatic requests: a person checks the account.")


def is_public(address: str) -> bool:
    """Whether it is a host of the public internet, also when wrapped in an IPv6 address."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id or ip.is_site_local or ip.sixtofour or ip.teredo:
            return False
        inner = ip.ipv4_mapped or (
            ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if ip in NAT64 else None
        )
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def seconds_left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


@dataclass(frozen=True)
class Fetcher:
    """Only tests pass arguments, to talk to a local server; production refuses them."""

    resolve: Callable[..., Any] = socket.getaddrinfo
    is_allowed: Callable[[str], bool] = is_public
    context: ssl.SSLContext | None = None
    port: int = HTTPS
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        as_meant = (socket.getaddrinfo, is_public, None, HTTPS, SECONDS)
        if settings.PRODUCTION and as_meant != (
            self.resolve,
            self.is_allowed,
            self.context,
            self.port,
            self.seconds,
        ):
            raise ImproperlyConfigured("Only tests may change the arguments of Fetcher.")

    def get(self, host: str, path: str, *, accept: str = "application/json") -> bytes:
        """Returns the body or raises `FetchFailed`."""
        deadline = time.monotonic() + self.seconds
        if not HOST.fullmatch(host) or not PATH.fullmatch(path):
            logger.warning("refused to request %r %r", host, path)
            raise FetchFailed(ODD)
        try:
            with self._connect(host, deadline) as wire:
                wire.settimeout(seconds_left(deadline))
                wire.sendall(_request(host, path, accept))
                received = _receive(wire, deadline)
            return _body(received)
        except (OSError, HTTPException, ValueError) as trouble:
            logger.warning("request to %s failed: %r", host, trouble)
            raise (NoAnswer() if isinstance(trouble, OSError) else FetchFailed(ODD)) from trouble

    def _connect(self, host: str, deadline: float) -> ssl.SSLSocket:
        # Connects to the addresses that were checked: resolving the name again could give
        # others
        trouble: OSError = OSError("no address")
        for address in self._addresses(host, deadline):
            try:
                wire = socket.create_connection(
                    (address, self.port), timeout=min(seconds_left(deadline), SECONDS_AN_ADDRESS)
                )
            except OSError as failed:
                trouble = failed
                continue
            wire.settimeout(min(seconds_left(deadline), SECONDS_AN_ADDRESS))
            return (self.context or ssl.create_default_context()).wrap_socket(
                wire, server_hostname=host
            )
        raise trouble

    def _addresses(self, host: str, deadline: float) -> list[str]:
        # In a thread, because the system's resolver has no timeout; one forbidden address
        # refuses all
        answer: queue.SimpleQueue[list[Any] | OSError] = queue.SimpleQueue()

        def look_up() -> None:
            try:
                answer.put(self.resolve(host, self.port, type=socket.SOCK_STREAM))
            except (OSError, UnicodeError) as trouble:
                answer.put(OSError(str(trouble)))

        threading.Thread(target=look_up, daemon=True).start()
        try:
            found = answer.get(timeout=seconds_left(deadline))
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(found, OSError):
            raise found
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        forbidden = [address for address in addresses if not self.is_allowed(address)]
        if forbidden:
            raise OSError(f"{host} resolves to {forbidden[0]}")
        return addresses


def _request(host: str, path: str, accept: str) -> bytes:
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        f"User-Agent: PerGioco-Masters-portal/1.0 (+{settings.PUBLIC_URL.geturl()})",
        f"Accept: {accept}",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def _receive(wire: socket.socket, deadline: float) -> bytes:
    # Head and body together, so that one deadline and one size limit hold for both
    received = bytearray()
    while True:
        wire.settimeout(seconds_left(deadline))
        piece = wire.recv(65536)
        if not piece:
            return bytes(received)
        received += piece
        if len(received) > MOST_BYTES:
            raise ValueError("the response is too long")


class _InMemory:
    def __init__(self, received: bytes) -> None:
        self.received = received

    def makefile(self, _mode: str) -> BytesIO:
        return BytesIO(self.received)


def _body(received: bytes) -> bytes:
    answer = HTTPResponse(_InMemory(received))  # type: ignore[arg-type]
    answer.begin()
    if answer.status == HTTPStatus.NOT_FOUND:
        raise FetchFailed(UNKNOWN, missing=True)
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        raise FetchFailed(TOO_MANY)
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise NoAnswer
    if answer.status != HTTPStatus.OK:  # redirects are not followed
        raise ValueError(f"status {answer.status}")
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        raise ValueError("unexpected Content-Encoding")
    return answer.read()


@contextmanager
def one_at_a_time(platform: str) -> Iterator[None]:
    # For all processes: the lock is in the shared cache and expires if a process dies
    lock = f"fetching:{platform}"
    if not cache.add(lock, 1, timeout=2 * SECONDS):
        raise FetchFailed(BUSY)
    try:
        yield
    finally:
        cache.delete(lock)


def get_body(platform: str, path: str, *, accept: str = "application/json") -> bytes:
    """Takes up to ten seconds: never call it inside a transaction."""
    if platform not in HOSTS:
        raise FetchFailed(NEVER_ASKED)
    with one_at_a_time(platform):
        try:
            with breaker.guard(platform, (NoAnswer,)):
                return Fetcher().get(getattr(settings, HOSTS[platform]), path, accept=accept)
        except breaker.Open as left_alone:
            raise NoAnswer from left_alone


def get_json(platform: str, path: str) -> Any:
    body = get_body(platform, path)
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as trouble:
        raise FetchFailed(ODD) from trouble
