"""A server that failed three times in a row is left alone by all workers; after a pause one tries
again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from pergioco.core import breaker
from pergioco.core.models import Breaker

pytestmark = pytest.mark.django_db
A_MOMENT = timedelta(seconds=1)


def fail(times: int = 1) -> None:
    for _time in range(times):
        with pytest.raises((TimeoutError, breaker.Open)), breaker.guard("mail", (TimeoutError,)):
            raise TimeoutError


def answer() -> None:
    with breaker.guard("mail", (TimeoutError,)):
        pass


def is_open() -> bool:
    return [row.name for row in breaker.list_open()] == ["mail"]


def test_the_third_failure_in_a_row_opens_it_and_then_nothing_is_tried(clock):
    fail(2)
    assert not is_open()
    with pytest.raises(breaker.Open) as opened, breaker.guard("mail", (TimeoutError,)):
        raise TimeoutError
    assert (is_open(), opened.value.pause) == (True, breaker.PAUSE)
    clock.shift(timedelta(seconds=10))
    with pytest.raises(breaker.Open) as left_alone, breaker.guard("mail", (TimeoutError,)):
        raise AssertionError("the server was tried")
    assert left_alone.value.pause == timedelta(seconds=20)


def test_an_answer_between_two_failures_begins_the_count_anew(clock):
    fail(2)
    answer()
    fail(2)
    assert not is_open()


def test_an_answer_that_is_no_success_is_an_answer(clock):
    fail(2)
    with pytest.raises(ValueError, match="refused"), breaker.guard("mail", (TimeoutError,)):
        raise ValueError("refused")
    fail(2)
    assert not is_open()


def test_after_the_pause_one_tries_and_the_others_wait(clock):
    fail(3)
    clock.shift(breaker.PAUSE)
    with breaker.guard("mail", (TimeoutError,)), pytest.raises(breaker.Open):
        answer()  # another worker, while the first one tries
    assert not is_open()
    assert Breaker.objects.values_list("failures", "trouble").get() == (0, "")


def test_where_the_one_that_tries_fails_the_next_pause_begins(clock):
    fail(3)
    since = timezone.now()
    clock.shift(breaker.PAUSE)
    fail()
    row = Breaker.objects.get()
    assert (row.opened_at, row.open_until, row.failures, row.trouble) == (
        since,
        timezone.now() + breaker.PAUSE,
        4,
        "TimeoutError",
    )


def test_where_the_one_that_tries_is_killed_another_one_does_after_the_next_pause(clock):
    fail(3)
    clock.shift(breaker.PAUSE)
    with pytest.raises(KeyboardInterrupt), breaker.guard("mail", (TimeoutError,)):
        raise KeyboardInterrupt
    clock.shift(breaker.PAUSE - A_MOMENT)
    with pytest.raises(breaker.Open):
        answer()
    clock.shift(A_MOMENT)
    answer()
    assert not is_open()


def test_one_server_says_nothing_about_another(clock):
    fail(3)
    with breaker.guard("playstrategy", (TimeoutError,)):
        pass
    assert is_open()


def test_while_all_is_well_it_costs_one_query(django_assert_num_queries):
    with django_assert_num_queries(1):
        answer()
