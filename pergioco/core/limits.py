"""Rate limits per connection, per user or per key."""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest

SECONDS = {"m": 60, "h": 60 * 60}
IPV6_PREFIX = 64  # what a provider gives to one connection
LOCK_SECONDS, PATIENCE_SECONDS, PAUSE_SECONDS = 10, 1, 0.02


class Rate(NamedTuple):
    amount: int
    seconds: int
    per: str


def consume(request: HttpRequest, action: str, rate: str, *, key: str | None = None) -> bool:
    """False once the rate is used up: "20/m/ip", "10/h/user", "5/h/key". GET counts like POST."""
    amount, seconds, per = parse_rate(rate)
    source = hashlib.sha256(rate_source(request, per, key).encode()).hexdigest()
    counter = f"limit:{action}:{rate}:{source}"
    with counter_lock(counter) as is_held:
        return is_held and add_hit(counter, amount, seconds)


def parse_rate(rate: str) -> Rate:
    amount, unit, per = rate.split("/")
    return Rate(int(amount), SECONDS[unit], per)


def rate_source(request: HttpRequest, per: str, key: str | None) -> str:
    if per == "ip":
        return connection_key(get_adapter(request).get_client_ip(request))
    if per == "user" and request.user.is_authenticated:
        return str(request.user.pk)
    if per == "key" and key is not None:
        return key
    raise ValueError(f"A limit per {per} that knows none")


def connection_key(address: str) -> str:
    # A client can change the last 64 bits of its IPv6 address at will
    with suppress(ValueError):  # a proxy may hand on anything
        if isinstance(ip_address(address), IPv6Address):
            return str(ip_network(f"{address}/{IPV6_PREFIX}", strict=False))
    return address


def add_hit(counter: str, amount: int, seconds: int) -> bool:
    # Refused hits do not count: the limit ends when the oldest hit expires
    now = time.time()
    hits = [hit for hit in cache.get(counter, []) if hit > now - seconds]
    if len(hits) >= amount:
        return False
    cache.set(counter, [*hits, now], seconds)
    return True


@contextmanager
def counter_lock(counter: str) -> Iterator[bool]:
    # `add` is atomic in every cache backend. Without the lock the hit is refused
    lock = f"{counter}:lock"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (is_held := cache.add(lock, 1, LOCK_SECONDS)) and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)
    try:
        yield is_held
    finally:
        if is_held:
            cache.delete(lock)
