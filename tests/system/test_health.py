"""/healthz: the process lives. /readyz: what needs a person, and 503 while something does."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from pergioco.core import breaker, jobs, last_runs
from pergioco.core.audit_log.models import AuditCheck
from pergioco.core.models import MOST_ATTEMPTS, SILENCE, Job, LastRun
from pergioco.publishing.services import statements
from pergioco.website.views import machines
from ratings import checking

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _room_on_the_disk(monkeypatch):
    monkeypatch.setattr(machines, "free_megabytes", lambda: 2000)


@pytest.fixture(autouse=True)
def _all_ran() -> None:
    all_ran()


def all_ran() -> None:
    LastRun.objects.all().delete()
    LastRun.objects.bulk_create(
        LastRun(name=name, at=timezone.now()) for name in last_runs.expected
    )


def readyz() -> tuple[int, dict[str, object]]:
    response = Client().get("/readyz")
    assert "no-store" in response["Cache-Control"]
    return response.status_code, response.json()


def waiting(**fields) -> Job:
    defaults = {"kind": "mail.send", "arguments": {"mail": 1}, "not_before": timezone.now()}
    return Job.objects.create(**{**defaults, **fields})


def test_healthz_answers_without_asking_the_database(django_assert_num_queries):
    with django_assert_num_queries(0):
        response = Client().get("/healthz")
    assert (response.status_code, response.content, response["Content-Type"]) == (
        200,
        b"ok\n",
        "text/plain; charset=utf-8",
    )
    assert "no-store" in response["Cache-Control"]


@pytest.mark.usefixtures("clock")
def test_ready_when_nothing_waits():
    all_ran()
    expected = {
        "migrations_missing": 0,
        "oldest_waiting_seconds": 0,
        "steps_given_up": 0,
        "steps_of_dead_workers": 0,
        "servers_left_alone": [],
        "late": [],
        "ages": dict.fromkeys(sorted(last_runs.expected), 0),
        "numbers_that_differ": 0,
        "free_megabytes": 2000,
        "audit_log_problems": 0,
    }
    assert readyz() == (200, {"ready": True, "reasons": [], **expected})


def test_eleven_queries_are_enough_however_many_steps_wait(django_assert_num_queries):
    waiting()
    waiting()
    readyz()
    with django_assert_num_queries(11):
        readyz()


@pytest.mark.parametrize(("seconds", "status"), [(60, 200), (61, 503)])
def test_a_step_may_wait_for_a_minute(clock, seconds, status):
    waiting(not_before=timezone.now() - timedelta(seconds=seconds))
    code, body = readyz()
    assert (code, body["oldest_waiting_seconds"]) == (status, seconds)
    assert body["reasons"] == ["Steps wait too long: does a worker run?"] * (status == 503)


def test_a_step_for_later_and_one_being_run_do_not_wait(clock):
    now = timezone.now()
    waiting(not_before=now + timedelta(hours=1))
    waiting(
        not_before=now - timedelta(hours=1),
        leased_until=now + timedelta(minutes=1),
        attempts=1,
        state="leased",
    )
    assert readyz()[1]["oldest_waiting_seconds"] == 0


def test_a_step_whose_worker_died_waits_again_when_the_lease_ends(clock):
    now = timezone.now()
    waiting(
        not_before=now - timedelta(minutes=6),
        leased_until=now - timedelta(seconds=1),
        attempts=1,
        state="leased",
    )
    assert readyz()[0] == 503


def test_a_step_given_up_needs_a_person():
    waiting(attempts=MOST_ATTEMPTS, state="failed")
    code, body = readyz()
    assert (code, body["steps_given_up"]) == (503, 1)
    assert body["reasons"] == ["Steps were given up: see docs/operations.md."]


def test_a_step_in_the_hands_of_a_dead_worker_is_seen_within_seconds(clock):
    jobs.lease(waiting().pk)  # and then its worker was killed
    all_ran()
    clock.shift(SILENCE)
    assert readyz()[1]["steps_of_dead_workers"] == 0
    clock.shift(timedelta(seconds=1))
    code, body = readyz()
    assert (code, body["steps_of_dead_workers"], body["reasons"]) == (
        503,
        1,
        ["A worker died with a step in its hands: start it again."],
    )


def test_a_server_that_is_left_alone_is_named():
    for _failure in range(breaker.MOST_FAILURES):
        breaker.note_failure("mail", TimeoutError())
    code, body = readyz()
    assert (code, body["reasons"]) == (503, ["A server does not answer: mail."])
    breaker.note_answer("mail")
    assert readyz()[0] == 200


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("backup", "The last backup is too old: make one, then manage.py backup_done."),
        ("numbers", "The numbers were not checked for more than a day: see docs/operations.md."),
        ("tidy.office", "Work by the clock is late: tidy.office."),
    ],
)
@pytest.mark.parametrize("is_known", [True, False], ids=["old", "unknown"])
def test_what_is_late_or_unknown_needs_a_person(clock, name, reason, is_known):
    all_ran()
    row = LastRun.objects.filter(name=name)
    if is_known:
        row.update(at=timezone.now() - timedelta(hours=27))
    else:
        row.delete()
    code, body = readyz()
    assert (code, body["late"], body["reasons"]) == (503, [name], [reason])
    assert body["ages"][name] == (27 * 3600 if is_known else None)


def test_differences_are_those_of_the_last_statement():
    statements.sign_statement(["a"], differences=3)
    assert readyz()[1]["numbers_that_differ"] == 3
    statements.sign_statement(["a"], differences=0)
    assert readyz()[0] == 200


def test_numbers_that_the_night_found_to_differ_need_a_person(monkeypatch):
    monkeypatch.setattr(checking, "found_last_night", lambda: 2)
    code, body = readyz()
    assert (code, body["numbers_that_differ"]) == (503, 2)
    assert body["reasons"] == ["Numbers differ from the facts: see docs/operations.md."]


def test_an_audit_log_that_does_not_hold_needs_a_person():
    all_ran()
    AuditCheck.objects.create(rows=3, seals=1, problem="Row 4 was removed.")
    code, body = readyz()
    assert (code, body["audit_log_problems"]) == (503, 1)
    assert body["reasons"] == ["The audit log does not hold: run manage.py audit_check."]


@pytest.mark.parametrize(("free", "status"), [(500, 200), (499, 503)])
def test_a_disk_that_is_nearly_full_needs_a_person(monkeypatch, free, status):
    monkeypatch.setattr(machines, "free_megabytes", lambda: free)
    code, body = readyz()
    assert (code, body["reasons"]) == (
        status,
        ["The disk is nearly full: make room."] * (status == 503),
    )


def test_missing_migrations_are_counted(monkeypatch):
    known = machines.known_migrations() | {("ledger", "9999_not_yet")}
    monkeypatch.setattr(machines, "known_migrations", lambda: known)
    expected = {
        "migrations_missing": 1,
        "reasons": ["Migrations are missing: run manage.py migrate."],
        "ready": False,
    }
    assert readyz() == (503, expected)


def test_without_its_database_it_says_so_to_a_machine(monkeypatch):
    def down():
        raise OperationalError("connection refused for user portal")

    monkeypatch.setattr(machines, "read_state", down)
    assert readyz() == (503, {"ready": False, "reasons": ["The database does not answer."]})
