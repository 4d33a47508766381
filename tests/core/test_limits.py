"""Limits of costly actions: per connection, per login, per thing."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from django.test import RequestFactory

from pergioco.core import limits
from pergioco.core.limits import consume
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
HERE, THERE = "192.0.2.1", "192.0.2.2"


def request(address: str = HERE, user=None, method: str = "GET") -> HttpRequest:
    made = RequestFactory().generic(method, "/", REMOTE_ADDR=address)
    made.user = user or AnonymousUser()
    return made


def answers(times: int, rate: str = "2/m/ip", **given) -> list[bool]:
    return [consume(request(), "act", rate, **given) for _ in range(times)]


def test_so_many_are_let_through_and_no_more():
    assert answers(4) == [True, True, False, False]


def test_reading_counts_as_sending_does():
    sent = [consume(request(method=method), "act", "2/m/ip") for method in ("GET", "POST", "GET")]

    assert sent == [True, True, False]


def test_the_limit_slides_and_what_was_refused_does_not_prolong_it(clock):
    assert answers(1) == [True]
    clock.shift(30)
    assert answers(2) == [True, False]
    clock.shift(29)
    assert answers(1) == [False]
    clock.shift(1)
    assert answers(2) == [True, False]


def test_an_hour_is_longer_than_a_minute(clock):
    assert answers(1, "1/h/ip") == [True]
    clock.shift(3599)
    assert answers(1, "1/h/ip") == [False]
    clock.shift(1)
    assert answers(1, "1/h/ip") == [True]


def test_connections_actions_and_rates_are_counted_apart():
    assert answers(2, "1/m/ip") == [True, False]
    assert consume(request(THERE), "act", "1/m/ip")
    assert consume(request(), "another-act", "1/m/ip")
    assert consume(request(), "act", "2/m/ip")


def test_a_connection_of_ipv6_is_its_network():
    asked = [
        consume(request(one), "act", "1/m/ip")
        for one in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1")
    ]

    assert asked == [True, False, True]


def test_what_is_no_address_is_counted_as_it_came():
    assert [limits.connection_key(one) for one in ("unix", HERE)] == ["unix", HERE]


def test_logins_are_counted_apart_wherever_they_are():
    one, other = factories.user(), factories.user()
    asked = [(HERE, one), (THERE, one), (HERE, other)]

    assert [consume(request(*who), "act", "1/m/user") for who in asked] == [True, False, True]


def test_things_are_counted_apart_and_their_names_are_not_kept():
    asked = [
        consume(request(), "act", "1/m/key", key=key)
        for key in ("a@example.org", "a@example.org", "b")
    ]

    assert asked == [True, False, True]
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM short_memory")
        assert not [key for [key] in cursor.fetchall() if "example" in key or HERE in key]


@pytest.mark.parametrize("rate", ["1/m/user", "1/m/key", "1/m/elsewhere"])
def test_a_limit_without_anything_to_count_by_is_a_mistake(rate):
    with pytest.raises(ValueError, match="knows none"):
        consume(request(), "act", rate)


def test_what_cannot_be_counted_is_refused(monkeypatch):
    monkeypatch.setattr(limits, "PATIENCE_SECONDS", 0)
    consume(request(), "act", "9/m/ip")
    monkeypatch.setattr(cache, "add", lambda *_: False)

    assert not consume(request(), "act", "9/m/ip")


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_no_more_through():
    def ask(_: int) -> bool:
        try:
            return consume(request(), "act", "3/m/ip")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(16))) == 3
