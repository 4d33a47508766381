"""A job is done at least once, changes things once, and one that fails is tried again, later and
later."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from pergioco.core import heartbeat, jobs
from pergioco.core.models import SILENCE, Job
from pergioco.stages.models import Game
from tests.core import steps
from tests.core.steps import calls
from tests.servers import wait_until

pytestmark = pytest.mark.django_db


def waiting(kind: str = "note", name: str = "chess", **fields) -> Job:
    defaults = {"kind": kind, "arguments": {"name": name}, "not_before": timezone.now()}
    return Job.objects.create(**{**defaults, **fields})


def slugs() -> list[str]:
    return sorted(Game.objects.values_list("slug", flat=True))


def test_what_is_due_is_done_in_the_order_in_which_it_was_enqueued():
    for name in ("c", "a", "b"):
        waiting(name=name)
    assert jobs.run_waiting() == 3
    assert calls == ["c", "a", "b"]
    assert jobs.run_waiting() == 0


def test_a_job_run_again_or_out_of_order_is_done_once():
    first, second = waiting(name="a"), waiting(name="b")
    assert [jobs.run(pk) for pk in (second.pk, first.pk, second.pk, first.pk)] == [
        True,
        True,
        False,
        False,
    ]
    assert (calls, slugs()) == (["b", "a"], ["a", "b"])


def test_a_row_that_is_gone_is_no_trouble():
    assert jobs.run(404) is False


def test_a_job_that_fails_leaves_nothing_behind_but_its_trouble():
    row = waiting("fail")
    assert jobs.run(row.pk) is False
    row.refresh_from_db()
    assert (slugs(), row.trouble, row.attempts, row.done_at, row.leased_until) == (
        [],
        "ValueError",
        1,
        None,
        None,
    )


def test_the_log_says_where_a_job_failed_and_quotes_nobody(caplog):
    with caplog.at_level(logging.INFO):
        jobs.run(waiting("fail").pk)
    assert "ValueError" in caplog.text
    assert "write_and_fail" in caplog.text
    assert "marta@example.org" not in caplog.text


def test_it_is_tried_again_after_ten_seconds_a_minute_ten_minutes_an_hour_and_then_given_up(clock):
    row = waiting("fail")
    pauses = []
    for _try in range(5):
        assert jobs.run(row.pk) is False
        row.refresh_from_db()
        pauses.append(row.not_before - timezone.now())
        assert jobs.run(row.pk) is False  # too early: nothing happens
        clock.shift(pauses[-1])
    assert pauses[:4] == [
        timedelta(seconds=10),
        timedelta(minutes=1),
        timedelta(minutes=10),
        timedelta(hours=1),
    ]
    assert (len(calls), jobs.count_given_up(), jobs.run_waiting()) == (5, 1, 0)


def test_a_job_that_was_given_up_is_put_back_by_a_person():
    row = waiting("fail", attempts=5, state="failed")
    assert jobs.try_again() == 1
    Job.objects.filter(pk=row.pk).update(kind="note")
    assert (jobs.run_waiting(), jobs.count_given_up()) == (1, 0)


def test_a_job_that_is_being_run_is_not_put_back(clock):
    waiting(attempts=1, state="leased", leased_until=timezone.now() + timedelta(minutes=1))
    assert jobs.try_again() == 0


def test_one_job_that_fails_does_not_hold_up_the_others():
    waiting("fail", "a")
    waiting(name="b")
    assert jobs.run_waiting() == 1
    assert slugs() == ["b"]


def test_the_job_of_a_worker_that_was_killed_is_free_after_four_missed_heartbeats(clock):
    row = waiting()
    assert jobs.lease(row.pk).attempts == 1  # leased, and then the worker was killed
    clock.shift(SILENCE)
    assert (jobs.run(row.pk), jobs.count_held_by_dead_workers()) == (False, 0)
    clock.shift(timedelta(seconds=1))
    assert jobs.count_held_by_dead_workers() == 1
    assert jobs.run(row.pk) is True
    row.refresh_from_db()
    assert (row.attempts, row.leased_until, jobs.count_held_by_dead_workers()) == (2, None, 0)


def test_a_worker_of_the_version_before_has_no_heartbeat_and_keeps_its_lease(clock):
    waiting(state="leased", attempts=1, leased_until=timezone.now() + jobs.LEASE)
    clock.shift(jobs.LEASE)
    assert jobs.run_waiting() == 0
    clock.shift(timedelta(seconds=1))
    assert jobs.run_waiting() == 1


def test_a_worker_that_hangs_for_longer_than_a_lease_loses_it_though_its_heart_beats(clock):
    row = jobs.lease(waiting().pk)
    clock.shift(jobs.LEASE + timedelta(seconds=1))
    jobs.own_lease(row).update(seen_at=timezone.now())
    assert jobs.run(row.pk) is True


@pytest.mark.django_db(transaction=True)
def test_while_a_job_runs_its_worker_gives_signs_of_life(monkeypatch):
    """On a server also beside the transaction of the job. On SQLite nobody writes beside it, so
    nobody can take the job over either."""
    row, seen = waiting(), []
    monkeypatch.setattr(heartbeat, "SECONDS", 0.05)

    def slow(name: str) -> None:
        first = Job.objects.get(pk=row.pk).seen_at
        wait_until(lambda: seen.append(Job.objects.get(pk=row.pk, seen_at__gt=first)))

    is_atomic = connection.vendor == "postgresql"
    monkeypatch.setitem(jobs.kinds, "note", jobs.Kind(slow, jobs.PAPER, is_atomic=is_atomic))
    assert jobs.run(row.pk) is True
    assert len(seen) == 1


@pytest.mark.django_db(transaction=True)
def test_the_heart_of_a_job_that_ended_beats_no_more(monkeypatch):
    monkeypatch.setattr(heartbeat, "SECONDS", 0.01)
    row = jobs.lease(waiting().pk)
    with heartbeat.heartbeat(jobs.own_lease(row)):
        wait_until(lambda: Job.objects.get(seen_at__gt=row.seen_at))

    def beating() -> list[threading.Thread]:
        return [one for one in threading.enumerate() if one.name == "heartbeat"]

    wait_until(lambda: 1 / (beating() == []))
    assert beating() == []


def test_a_worker_that_lost_its_lease_takes_back_what_it_wrote(monkeypatch):
    row = waiting()

    def slow(name: str) -> None:
        Game.objects.create(slug="written-too-late")
        Job.objects.filter(pk=row.pk).update(attempts=2)  # another worker took the job over

    monkeypatch.setitem(jobs.kinds, "note", jobs.Kind(slow, jobs.NUMBERS))
    assert jobs.run(row.pk) is False
    assert slugs() == []


def test_and_leaves_the_job_to_the_worker_that_has_it_now(monkeypatch, clock):
    row = waiting()

    def slow(name: str) -> None:
        # the second worker is not slow
        monkeypatch.setitem(jobs.kinds, "note", steps.KINDS["note"])
        clock.shift(jobs.LEASE + timedelta(seconds=1))
        assert jobs.run(row.pk) is True

    # without a transaction: what the other worker writes stays written
    monkeypatch.setitem(jobs.kinds, "note", jobs.Kind(slow, jobs.NUMBERS, is_atomic=False))
    assert jobs.run(row.pk) is False
    row.refresh_from_db()
    assert (row.trouble, row.attempts, row.done_at) == ("", 2, timezone.now())


def test_a_job_may_use_transactions_of_its_own():
    assert jobs.run(waiting("inner").pk) is True
    assert slugs() == ["chess", "chess-after"]


def test_done_jobs_are_forgotten_after_thirty_days_and_open_ones_never(clock):
    done = timezone.now()
    waiting(name="done", state="done", done_at=done)
    waiting(name="open", attempts=5, state="failed")
    clock.shift(timedelta(days=30))
    jobs.forget_done()
    assert Job.objects.count() == 2
    clock.shift(timedelta(seconds=1))
    jobs.forget_done()
    assert Job.objects.get().arguments == {"name": "open"}


def test_every_periodic_task_runs_on_an_empty_portal():
    for name in jobs.periodic_tasks:
        jobs.run_periodic(name)


def test_a_job_outside_of_a_transaction_writes_what_it_found_as_it_is_finished(monkeypatch):
    job = waiting()
    monkeypatch.setitem(
        jobs.kinds,
        "note",
        jobs.Kind(lambda name: lambda: Game.objects.create(slug=name), jobs.PAPER, is_atomic=False),
    )
    assert jobs.run(job.pk) is True
    assert slugs() == ["chess"]


def test_and_nothing_once_its_lease_was_lost(monkeypatch):
    job = waiting()

    def slow(name: str) -> Callable[[], Game]:
        Job.objects.filter(pk=job.pk).update(attempts=2)  # another worker took the job over
        return lambda: Game.objects.create(slug=name)

    monkeypatch.setitem(jobs.kinds, "note", jobs.Kind(slow, jobs.PAPER, is_atomic=False))
    assert jobs.run(job.pk) is False
    assert slugs() == []


def test_progress_is_seen_while_the_job_runs(monkeypatch):
    job = waiting()
    seen = []

    def slow(name: str) -> None:
        jobs.report_progress(3, 10)
        seen.append(Job.objects.values_list("state", "progress", "progress_of").get())

    monkeypatch.setitem(jobs.kinds, "note", jobs.Kind(slow, jobs.OUTSIDE, is_atomic=False))
    assert jobs.run(job.pk) is True
    assert seen == [("leased", 3, 10)]


def test_a_worker_that_lost_its_lease_stops_at_its_next_report(monkeypatch, caplog):
    job = waiting()

    def slow(name: str) -> None:
        Job.objects.filter(pk=job.pk).update(attempts=2)
        jobs.report_progress(1)
        calls.append("too far")

    monkeypatch.setitem(jobs.kinds, "note", jobs.Kind(slow, jobs.OUTSIDE, is_atomic=False))
    assert (jobs.run(job.pk), calls) == (False, [])
    assert "LeaseLost" in caplog.text


def test_a_job_whose_worker_dies_in_the_last_attempt_is_given_up(clock):
    job = waiting(attempts=4)
    assert jobs.lease(job.pk).attempts == 5
    clock.shift(jobs.LEASE + timedelta(seconds=1))
    assert jobs.run_waiting() == 0
    job.refresh_from_db()
    assert (job.state, job.trouble, jobs.count_given_up()) == ("failed", "WorkerLost", 1)


def test_a_kind_may_see_to_its_own_failures(monkeypatch, clock):
    failed = []

    def fail(name: str) -> None:
        raise OSError

    kind = jobs.Kind(fail, jobs.OUTSIDE, after_failure=lambda **arguments: failed.append(arguments))
    monkeypatch.setitem(jobs.kinds, "note", kind)
    job = waiting(attempts=4)
    assert jobs.run(job.pk) is False
    job.refresh_from_db()
    assert (failed, job.state, job.trouble, jobs.count_given_up()) == (
        [{"name": "chess"}],
        "done",
        "OSError",
        0,
    )


def test_what_is_postponed_counts_as_no_attempt_and_may_hold_up_its_kind(monkeypatch, clock):
    def unreachable(name: str) -> None:
        calls.append(name)
        raise jobs.Postponed(timedelta(seconds=15), whole_kind=True)

    monkeypatch.setitem(jobs.kinds, "away", jobs.Kind(unreachable, jobs.OUTSIDE))
    for name in "ab":
        waiting("away", name)
    assert (jobs.run_waiting(), calls) == (0, ["a"])
    later = timezone.now() + timedelta(seconds=15)
    assert (
        list(Job.objects.values_list("state", "attempts", "not_before"))
        == [("queued", 0, later)] * 2
    )


# Lanes and groups


def test_a_lane_runs_its_own_jobs_only():
    waiting(name="number")
    waiting(name="mail", lane="outside")
    assert (jobs.run_waiting("outside"), calls) == (1, ["mail"])
    assert (jobs.run_waiting("numbers"), calls) == (1, ["mail", "number"])


def test_one_of_many_waits_for_all_others_and_alarms_nobody(clock):
    waiting(name="newsletter", is_bulk=True)
    clock.shift(timedelta(minutes=2))
    assert jobs.oldest_waiting_seconds() == 0
    waiting(name="mail")
    assert (jobs.run_waiting(), calls) == (2, ["mail", "newsletter"])


def test_of_a_group_one_is_run_at_a_time(monkeypatch, clock):
    first, second = waiting(name="a", group="platform"), waiting(name="b", group="platform")
    other = waiting(name="c", group="other")

    def meanwhile(name: str) -> None:
        calls.append(name)
        if name == "a":
            assert [jobs.run(second.pk), jobs.run(other.pk)] == [False, True]

    monkeypatch.setitem(jobs.kinds, "note", jobs.Kind(meanwhile, jobs.OUTSIDE))
    assert jobs.run(first.pk) is True
    assert calls == ["a", "c"]
    clock.shift(jobs.GROUP_PAUSE)
    assert (jobs.run_waiting(), calls) == (1, ["a", "c", "b"])


def test_a_dead_worker_blocks_its_group_until_its_lease_ends(clock):
    waiting(
        name="dead",
        group="platform",
        state="leased",
        attempts=1,
        leased_until=timezone.now() + jobs.LEASE,
    )
    waiting(name="next", group="platform")
    assert jobs.run_waiting() == 0
    clock.shift(jobs.LEASE + timedelta(seconds=1))
    assert (jobs.run_waiting(), calls) == (2, ["dead", "next"])


def test_the_database_refuses_two_running_jobs_of_a_group():
    later = timezone.now() + jobs.LEASE
    waiting(group="platform", state="leased", leased_until=later)
    with pytest.raises(IntegrityError, match=r"group|UNIQUE"):
        waiting(group="platform", state="leased", leased_until=later)


def test_when_the_work_of_a_pass_is_done_connections_are_closed(monkeypatch):
    closed = []
    kind = jobs.Kind(steps.note, jobs.OUTSIDE, after_pass=lambda: closed.append(list(calls)))
    monkeypatch.setitem(jobs.kinds, "note", kind)
    for name in "ab":
        waiting(name=name)
    jobs.run_waiting()
    assert closed == [["a", "b"]]


def test_kinds_that_are_enqueued_and_registered_by_no_app_are_found(monkeypatch):
    assert list(jobs.find_job_problems()) == []
    monkeypatch.delitem(jobs.kinds, "mail.send")
    assert list(jobs.find_job_problems()) == ["Jobs “mail.send” are enqueued but not registered."]
