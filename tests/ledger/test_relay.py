"""A step is done at least once, changes things once, and one that fails is tried again, later and later."""

import logging
from datetime import timedelta

import pytest
from django.utils import timezone

from pergioco.ledger import relay
from pergioco.ledger.models import Outbox
from pergioco.stages.models import Game
from tests.ledger import steps
from tests.ledger.steps import calls

pytestmark = pytest.mark.django_db


def waiting(step: str = "note", name: str = "chess", **fields) -> Outbox:
    defaults = {"step": step, "arguments": {"name": name}, "not_before": timezone.now()}
    return Outbox.objects.create(**{**defaults, **fields})


def slugs() -> list[str]:
    return sorted(Game.objects.values_list("slug", flat=True))


def test_what_is_due_is_done_in_the_order_in_which_it_was_promised():
    for name in ("c", "a", "b"):
        waiting(name=name)
    assert relay.run_waiting() == 3
    assert calls == ["c", "a", "b"]
    assert relay.run_waiting() == 0


def test_a_step_run_again_or_out_of_order_is_done_once():
    first, second = waiting(name="a"), waiting(name="b")
    assert [relay.run_one(pk) for pk in (second.pk, first.pk, second.pk, first.pk)] == [True, True, False, False]
    assert (calls, slugs()) == (["b", "a"], ["a", "b"])


def test_a_row_that_is_gone_is_no_trouble():
    assert relay.run_one(404) is False


def test_a_step_that_fails_leaves_nothing_behind_but_its_trouble():
    row = waiting("fail")
    assert relay.run_one(row.pk) is False
    row.refresh_from_db()
    assert (slugs(), row.trouble, row.tries, row.done_at, row.claimed_until) == ([], "ValueError", 1, None, None)


def test_the_log_says_where_a_step_failed_and_quotes_nobody(caplog):
    with caplog.at_level(logging.INFO):
        relay.run_one(waiting("fail").pk)
    assert "ValueError" in caplog.text
    assert "write_and_fail" in caplog.text
    assert "marta@example.org" not in caplog.text


def test_it_is_tried_again_after_ten_seconds_a_minute_ten_minutes_an_hour_and_then_given_up(clock):
    row = waiting("fail")
    pauses = []
    for _try in range(5):
        assert relay.run_one(row.pk) is False
        row.refresh_from_db()
        pauses.append(row.not_before - timezone.now())
        assert relay.run_one(row.pk) is False  # too early: nothing happens
        clock.shift(pauses[-1])
    assert pauses[:4] == [timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1)]
    assert (len(calls), relay.given_up(), relay.run_waiting()) == (5, 1, 0)


def test_a_step_that_was_given_up_is_put_back_by_a_person():
    row = waiting("fail", tries=5)
    assert relay.try_again() == 1
    Outbox.objects.filter(pk=row.pk).update(step="note")
    assert (relay.run_waiting(), relay.given_up()) == (1, 0)


def test_a_step_in_somebodys_hands_is_not_put_back(clock):
    waiting(tries=1, claimed_until=timezone.now() + timedelta(minutes=1))
    assert relay.try_again() == 0


def test_one_step_that_fails_does_not_hold_up_the_others():
    waiting("fail", "a")
    waiting(name="b")
    assert relay.run_waiting() == 1
    assert slugs() == ["b"]


def test_the_claim_of_a_worker_that_was_killed_ends_after_five_minutes(clock):
    row = waiting()
    assert relay.claim(row.pk).tries == 1  # claimed, and then the worker was killed
    clock.shift(timedelta(minutes=5))
    assert relay.run_one(row.pk) is False
    clock.shift(timedelta(seconds=1))
    assert relay.run_one(row.pk) is True
    row.refresh_from_db()
    assert (row.tries, row.claimed_until) == (2, None)


def test_a_worker_that_lost_its_claim_takes_back_what_it_wrote(monkeypatch):
    row = waiting()

    def slow(name: str) -> None:
        Game.objects.create(slug="written-too-late")
        Outbox.objects.filter(pk=row.pk).update(tries=2)  # somebody else took the step over

    monkeypatch.setattr(steps, "note", slow)
    assert relay.run_one(row.pk) is False
    assert slugs() == []


def test_and_leaves_the_row_to_whom_it_belongs_now(settings, monkeypatch, clock):
    settings.PIPELINE_OUTSIDE = frozenset({"note"})  # no transaction: what others write stays written
    row = waiting()

    def slow(name: str) -> None:
        monkeypatch.undo()  # the second worker is not slow
        clock.shift(relay.CLAIM + timedelta(seconds=1))
        assert relay.run_one(row.pk) is True

    monkeypatch.setattr(steps, "note", slow)
    assert relay.run_one(row.pk) is False
    row.refresh_from_db()
    assert (row.trouble, row.tries, row.done_at) == ("", 2, timezone.now())


def test_a_step_may_use_transactions_of_its_own():
    assert relay.run_one(waiting("inner").pk) is True
    assert slugs() == ["chess", "chess-after"]


def test_done_steps_are_forgotten_after_thirty_days_and_open_ones_never(clock):
    done = timezone.now()
    waiting(name="done", done_at=done)
    waiting(name="open", tries=5)
    clock.shift(timedelta(days=30))
    relay.forget_done()
    assert Outbox.objects.count() == 2
    clock.shift(timedelta(seconds=1))
    relay.forget_done()
    assert Outbox.objects.get().arguments == {"name": "open"}


def test_every_round_of_the_pipeline_runs_on_an_empty_portal(settings):
    for name in settings.PIPELINE_ROUNDS:
        relay.run_round(name)
