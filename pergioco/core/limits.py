"""Rate limits per connection, per user or per key."""

import math
import re
import time
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

from pergioco.core import short_memory
from pergioco.core.models import ShortMemory

SECONDS = {"s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60}
RATE = re.compile(r"(\d+)/(\d*)([smhd])/(ip|user|key)")
IPV6_PREFIX = 64  # what a provider gives to one connection
# Strangers can make up names and addresses without end: the counters of one action are so many at
# most. Two names that fall together are counted together, which is rare.
SLOTS = 2**17
HALL, AS_A_HALL = "hall:", 10  # a hall full of players is as many as ten connections


class Rate(NamedTuple):
    amount: int
    seconds: int
    per: str


def consume(
    request: HttpRequest,
    action: str,
    rate: str,
    *,
    key: str | None = None,
    more_in_halls: bool = False,
) -> bool:
    """False once the rate is used up: "20/m/ip", "10/h/user", "5/5m/key". GET counts like POST."""
    amount, seconds, per = parse_rate(rate)
    source = rate_source(request, per, key)
    if more_in_halls and per == "ip" and find_hall(source) is not None:
        amount *= AS_A_HALL
    return add_hit(counter_key(action, rate, source), amount, seconds)


def count(action: str, rate: str, key: str) -> bool:
    """`consume` for a rate per key, where there is no request."""
    amount, seconds, _per = parse_rate(rate)
    return add_hit(counter_key(action, rate, key), amount, seconds)


def parse_rate(rate: str) -> Rate:
    found = RATE.fullmatch(rate)
    if found is None:
        raise ValueError(f"{rate} is no rate")
    amount, many, unit, per = found.groups()
    return Rate(int(amount), int(many or 1) * SECONDS[unit], per)


def rate_source(request: HttpRequest, per: str, key: str | None) -> str:
    if per == "ip":
        return connection_of(request)
    if per == "user" and request.user.is_authenticated:
        return str(request.user.pk)
    if per == "key" and key is not None:
        return key
    raise ValueError(f"A limit per {per} that knows none")


def connection_of(request: HttpRequest) -> str:
    return connection_key(get_adapter(request).get_client_ip(request))


def connection_key(address: str) -> str:
    # A client can change the last 64 bits of its IPv6 address at will
    with suppress(ValueError):  # a proxy may hand on anything
        if isinstance(ip_address(address), IPv6Address):
            return str(ip_network(f"{address}/{IPV6_PREFIX}", strict=False))
    return address


def counter_key(action: str, rate: str, source: str) -> str:
    slot = int(short_memory.hash_name(f"{action}:{source}"), 16) % SLOTS
    return f"limit:{action}:{rate}:{slot}"


def add_hit(counter: str, amount: int, seconds: int) -> bool:
    # Hits are counted by the second in which they came, so that a counter stays small. Refused ones
    # do not count: the limit ends when the oldest hit expires.
    now = time.time()
    this_second = str(math.ceil(now))

    def add(old: object) -> tuple[object, float] | None:
        hits = recent_hits(old, now - seconds)
        if sum(hits.values()) >= amount:
            return None
        return hits | {this_second: hits.get(this_second, 0) + 1}, math.ceil(now) + seconds

    return short_memory.change(counter, add)


def recent_hits(old: object, since: float) -> dict[str, int]:
    hits = old if isinstance(old, dict) else {}
    return {second: many for second, many in hits.items() if int(second) > since}


def take_back(action: str, rate: str, source: str) -> None:
    """The last hit, of an act that turned out to be a good one."""
    seconds = parse_rate(rate).seconds
    now = time.time()

    def take(old: object) -> tuple[object, float] | None:
        hits = recent_hits(old, now - seconds)
        if not hits:
            return None
        last = max(hits, key=int)
        hits[last] -= 1
        return {second: many for second, many in hits.items() if many}, math.ceil(now) + seconds

    short_memory.change(counter_key(action, rate, source), take)


def forget(action: str, rate: str, source: str) -> None:
    short_memory.forget(counter_key(action, rate, source))


# Halls: a connection that many people share for a day


def hall_key(connection: str) -> str:
    return HALL + short_memory.hash_name(connection)


def open_hall(connection: str, code: int, until: float) -> None:
    """`code` is the event code that holds the connection."""
    short_memory.change(hall_key(connection), lambda _old: (code, until))


def find_hall(connection: str) -> int | None:
    """The event code that holds the connection."""
    found = short_memory.recall(hall_key(connection))
    return None if found is short_memory.ABSENT else int(found)


def close_halls(code: int) -> None:
    ShortMemory.objects.filter(key__startswith=HALL, value=str(code)).delete()
