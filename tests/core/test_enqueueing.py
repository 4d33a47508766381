"""Jobs are enqueued in the transaction of the change that needs them, and a worker is notified
after it."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.http import HttpResponse
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from pergioco import celery
from pergioco.core import jobs
from pergioco.core.models import Job
from pergioco.stages.models import Game
from tests.core.steps import calls

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_job_is_done_right_after_the_commit_and_not_before():
    with transaction.atomic():
        jobs.enqueue("note", name="chess")
        assert calls == []
    assert calls == ["chess"]
    assert Job.objects.get().done_at is not None


def test_a_job_of_a_change_that_is_rolled_back_was_never_enqueued():
    with transaction.atomic():
        jobs.enqueue("note", name="chess")
        transaction.set_rollback(True)
    assert (Job.objects.count(), calls) == (0, [])


def test_a_job_for_later_notifies_no_worker(clock):
    jobs.enqueue("note", name="chess", not_before=timezone.now() + timedelta(hours=1))
    assert jobs.run_waiting() == 0
    clock.shift(timedelta(hours=1))
    assert jobs.run_waiting() == 1
    assert calls == ["chess"]


def test_an_unknown_kind_is_refused_where_it_is_enqueued():
    with pytest.raises(LookupError):
        jobs.enqueue("nothing", name="chess")
    assert Job.objects.count() == 0


def view_that_enqueues(step: str) -> HttpResponse:
    with transaction.atomic():
        Game.objects.create(slug="kept")
        jobs.enqueue(step, name="chess")
    return HttpResponse("saved")


def test_a_job_that_fails_does_not_break_the_answer_to_who_caused_it():
    assert view_that_enqueues("fail").content == b"saved"
    assert list(Game.objects.values_list("slug", flat=True)) == ["kept"]
    assert Job.objects.get().trouble == "ValueError"


def test_nor_does_a_database_that_fails_while_the_job_is_leased(monkeypatch):
    def locked(pk):
        raise DatabaseError("database is locked")

    monkeypatch.setattr(jobs, "lease", locked)
    assert view_that_enqueues("note").content == b"saved"
    monkeypatch.undo()
    assert jobs.run_waiting() == 1


@pytest.mark.parametrize(
    "trouble", [BrokerError("refused"), ConnectionRefusedError(), RuntimeError("anything")]
)
def test_nor_does_a_broker_that_is_gone_and_a_worker_does_the_job(settings, monkeypatch, trouble):
    def gone(pk, lane):
        raise trouble

    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(celery, "notify", gone)
    assert view_that_enqueues("note").content == b"saved"
    assert calls == []
    assert jobs.run_waiting() == 1
    assert calls == ["chess"]


def test_with_a_broker_only_the_number_of_the_job_and_its_lane_leave_the_portal(
    settings, monkeypatch
):
    notified = []
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(celery, "notify", lambda *what: notified.append(what))
    job = jobs.enqueue("note", name="chess")
    assert (notified, calls) == ([(job.pk, "numbers")], [])


# Keys


def test_of_jobs_with_the_same_key_one_is_queued():
    later = timezone.now() + timedelta(hours=1)
    first = jobs.enqueue("note", not_before=later, unique_key="chess", name="chess")
    assert jobs.enqueue("note", not_before=later, unique_key="chess", name="chess") == first
    assert jobs.enqueue("note", not_before=later, unique_key="go", name="go") != first


def test_a_change_during_the_run_gets_a_job_of_its_own(monkeypatch):
    """What is being run may have read before the change."""
    made = []

    def enqueues_itself(name: str) -> None:
        if not made:
            made.append(
                jobs.enqueue("again", not_before=timezone.now(), unique_key="chess", name=name)
            )

    monkeypatch.setitem(jobs.kinds, "again", jobs.Kind(enqueues_itself, jobs.NUMBERS))
    first = jobs.enqueue("again", unique_key="chess", name="chess")
    assert made[0].pk != first.pk
    assert (jobs.run_waiting(), Job.objects.filter(state="done").count()) == (1, 2)


def test_a_job_that_failed_once_does_not_stand_in_the_way_of_a_new_one(clock):
    job = jobs.enqueue("fail", unique_key="chess", name="chess")
    assert jobs.enqueue("fail", not_before=timezone.now(), unique_key="chess", name="chess") != job
    assert Job.objects.count() == 2
