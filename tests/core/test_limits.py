"""Limits of costly actions: per connection, per login, per thing."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import HttpRequest
from django.test import RequestFactory

from pergioco.core import limits, short_memory
from pergioco.core.limits import consume
from pergioco.core.models import ShortMemory
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
    kept = str(list(ShortMemory.objects.values_list()))
    assert ShortMemory.objects.count() == 2
    assert "example" not in kept
    assert HERE not in kept


@pytest.mark.parametrize("rate", ["1/m/user", "1/m/key"])
def test_a_limit_without_anything_to_count_by_is_a_mistake(rate):
    with pytest.raises(ValueError, match="knows none"):
        consume(request(), "act", rate)


@pytest.mark.parametrize("rate", ["1/m/elsewhere", "m/ip", "1/w/ip", "1/-5m/ip"])
def test_what_is_no_rate_is_a_mistake(rate):
    with pytest.raises(ValueError, match="is no rate"):
        consume(request(), "act", rate)


def test_a_unit_may_be_multiplied(clock):
    assert answers(1, "1/5m/ip") == [True]
    clock.shift(299)
    assert answers(1, "1/5m/ip") == [False]
    clock.shift(1)
    assert answers(1, "1/5m/ip") == [True]


def test_a_hit_that_was_none_is_taken_back():
    assert answers(2) == [True, True]
    limits.take_back("act", "2/m/ip", HERE)
    limits.take_back("another-act", "2/m/ip", HERE)
    assert answers(2) == [True, False]


def test_a_second_is_counted_to_its_end(clock):
    clock.shift(0.5)
    assert answers(1, "1/m/ip") == [True]
    clock.shift(60)
    assert answers(1, "1/m/ip") == [False]
    clock.shift(0.5)
    assert answers(1, "1/m/ip") == [True]


def test_a_counter_stays_small_however_much_it_counts(clock):
    for _second in range(100):
        answers(5, "1000/m/ip")
        clock.shift(1)
    assert len(ShortMemory.objects.get().value) < 1500


def test_keys_made_up_without_end_make_no_more_counters_than_there_are_slots(monkeypatch):
    monkeypatch.setattr(limits, "SLOTS", 16)
    for number in range(100):
        limits.count("act", "9/d/key", f"made up {number}")
    assert 10 < ShortMemory.objects.count() <= 16


def test_control_with_a_slot_for_each_key_there_is_no_end(monkeypatch):
    monkeypatch.setattr(limits, "SLOTS", 2**60)
    for number in range(100):
        limits.count("act", "9/d/key", f"made up {number}")
    assert ShortMemory.objects.count() == 100


def let_through_at_once() -> int:
    """Of sixteen hits by eight threads, at a limit of three."""

    def ask(_: int) -> bool:
        try:
            return consume(request(), "act", "3/m/ip")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        return sum(pool.map(ask, range(16)))


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_no_more_through():
    assert let_through_at_once() == 3


@pytest.mark.django_db(transaction=True)
def test_control_who_reads_before_writing_lets_more_through(monkeypatch):
    def change(key: str, change_value: short_memory.Change) -> bool:
        changed = change_value(short_memory.recall(key))
        time.sleep(0.05)
        if changed is not None:
            value, until = json.dumps(changed[0]), changed[1]
            row = {"value": value, "expires_at": until}
            ShortMemory.objects.update_or_create(key=key, defaults=row)
        return changed is not None

    monkeypatch.setattr(short_memory, "change", change)
    assert let_through_at_once() > 3
