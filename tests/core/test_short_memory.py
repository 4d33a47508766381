"""What limits, used codes and locks rely on: nothing is forgotten before its time, and what is over
goes."""

from collections.abc import Iterator
from itertools import product

import pytest
from allauth.core.internal import ratelimit
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.db import DatabaseCache
from django.core.management import call_command
from django.test import RequestFactory

from pergioco.core import jobs, short_memory
from pergioco.core.models import ShortMemory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
USED_CODE, WRONG = "totp.used?user=1&code=123456", "mfa-auth-user-1"


def is_let_through(memory: BaseCache, address: str, key: str) -> bool:
    """One more try at a second factor, as allauth counts it."""
    request = RequestFactory().post("/", REMOTE_ADDR=address)
    request.user = AnonymousUser()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ratelimit, "cache", memory)
        config = {"login_failed": "10/m/ip,5/300s/key"}
        found = ratelimit.consume(
            request, app="allauth.account", action="login_failed", key=key, config=config
        )
    return found is not None


def remembers(memory: BaseCache) -> tuple[bool, bool]:
    """A used code, and five wrong tries, after 360 requests of 45 addresses."""
    assert memory.add(USED_CODE, "y", 300)
    assert [is_let_through(memory, "192.0.2.1", WRONG) for _ in range(6)] == [True] * 5 + [False]
    for number, place in product(range(8), range(45)):
        is_let_through(memory, f"198.51.100.{place}", f"someone{number}-{place}@example.org")
    return not memory.add(USED_CODE, "y", 300), not is_let_through(memory, "192.0.2.1", WRONG)


def test_360_requests_of_45_addresses_erase_neither_wrong_tries_nor_used_codes():
    assert remembers(cache) == (True, True)


@pytest.fixture
def forgetful() -> Iterator[BaseCache]:
    call_command("createcachetable", "forgetful", verbosity=0)
    return DatabaseCache("forgetful", {})


def test_control_a_cache_of_300_rows_forgets(forgetful):
    assert remembers(forgetful) != (True, True)


def test_it_is_a_cache_as_django_describes_it(clock):
    assert cache.get("a", "nothing") == "nothing"
    assert [cache.add("a", [1.5, None, {"b": True}], 10), cache.add("a", 2, 10)] == [True, False]
    assert cache.get("a") == [1.5, None, {"b": True}]
    cache.set("a", 3, 10)
    assert [cache.incr("a"), cache.get_or_set("a", 9), cache.has_key("a")] == [4, 4, True]
    assert [cache.touch("a", 20), cache.touch("b", 20)] == [True, False]
    clock.shift(15)
    assert cache.get("a") == 4
    clock.shift(5)
    assert [cache.get("a"), cache.has_key("a"), cache.add("a", 5, 10)] == [None, False, True]
    assert [cache.delete("a"), cache.delete("a"), cache.get("a")] == [True, False, None]
    cache.set("for ever", 1, None)
    clock.shift(10**9)
    assert cache.get("for ever") == 1


def test_what_is_no_json_is_refused_and_nothing_is_unpickled():
    with pytest.raises(TypeError):
        cache.set("a", object())
    assert cache.get("a") is None


def test_keys_are_hashes_with_the_secret(settings):
    cache.set("marta@example.org", 1)
    [key] = ShortMemory.objects.values_list("key", flat=True)
    assert len(key) == 64
    settings.SECRET_KEY = "another one"
    assert cache.get("marta@example.org") is None


def test_what_is_over_is_deleted_and_nothing_else(clock):
    cache.set("short", 1, 10)
    cache.set("long", 1, 11)
    clock.shift(10)
    assert jobs.periodic_tasks["tidy.memory"].run is short_memory.forget_expired
    short_memory.forget_expired()
    assert ShortMemory.objects.count() == 1
    assert cache.get("long") == 1
