"""/metrics: what the portal knows of itself, for whoever has the token."""

import re
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from pergioco.core import last_runs
from pergioco.core.models import MOST_ATTEMPTS, Job, LastRun
from pergioco.website.views import machines
from ratings import checking
from tests.system.test_health import all_ran, waiting

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TOKEN = "a token that nobody guesses"


@pytest.fixture(autouse=True)
def _told(settings, monkeypatch, db, clock):
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(machines, "free_megabytes", lambda: 2000)
    all_ran()


def asked(token: str = TOKEN):
    return Client().get("/metrics", headers={"authorization": f"Bearer {token}"})


def values() -> dict[str, float]:
    answer = asked()
    assert (answer.status_code, answer["Content-Type"]) == (
        200,
        "text/plain; version=0.0.4; charset=utf-8",
    )
    assert "no-store" in answer["Cache-Control"]
    return {
        name: float(value)
        for name, value in re.findall(r"^portal_(\w+) (\S+)$", answer.content.decode(), re.M)
    }


IN_PEACE = {
    "audit_log_problems": 0,
    "database_up": 1,
    "free_megabytes": 2000,
    "late": 0,
    "migrations_missing": 0,
    "numbers_that_differ": 0,
    "oldest_waiting_seconds": 0,
    "published_timestamp_seconds": 0,
    "servers_left_alone": 0,
    "steps_given_up": 0,
    "steps_of_dead_workers": 0,
    "steps_open": 0,
}


def test_in_peace():
    assert values() == IN_PEACE


def test_what_waits_what_was_given_up_and_what_differs_is_counted(monkeypatch):
    waiting(not_before=timezone.now() - timedelta(seconds=90))
    waiting(attempts=MOST_ATTEMPTS, state="failed")
    monkeypatch.setattr(checking, "found_last_night", lambda: 3)
    counted = {
        "oldest_waiting_seconds": 90,
        "steps_open": 2,
        "steps_given_up": 1,
        "numbers_that_differ": 3,
    }
    assert values() == IN_PEACE | counted


def ages() -> dict[str, float]:
    text = asked().content.decode()
    return {
        name: float(value)
        for name, value in re.findall(r'^portal_age_seconds\{name="([\w.]+)"\} (\S+)$', text, re.M)
    }


def test_the_age_of_all_that_runs_by_the_clock_is_a_number_and_what_never_ran_has_none(clock):
    clock.shift(timedelta(hours=27))
    LastRun.objects.filter(name="backup").delete()
    LastRun.objects.filter(name="numbers").update(at=timezone.now() - timedelta(minutes=1))
    found = ages()
    assert found.keys() == last_runs.expected.keys() - {"backup"}
    assert (found["numbers"], found["jobs.outside"]) == (60, 27 * 3600)
    assert values()["late"] == len(found)  # all but the check of the numbers, and the backup


def test_without_its_database_it_says_so(monkeypatch):
    def down():
        raise OperationalError("connection refused")

    monkeypatch.setattr(machines, "read_state", down)
    assert values() == {"database_up": 0, "free_megabytes": 2000}


@pytest.mark.parametrize("token", ["", "another", TOKEN[:-1]])
def test_without_the_token_there_is_no_such_page(token):
    assert asked(token).status_code == 404


@pytest.mark.parametrize("given", ["", "Bearer "])
def test_where_no_token_is_set_nobody_reads_it(settings, given):
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics", headers={"authorization": given}).status_code == 404


def test_it_holds_no_personal_data():
    Job.objects.create(kind="mail.send", arguments={"mail": 1}, not_before=timezone.now())
    assert (
        re.sub(
            r'^(#.*|portal_\w+(\{name="[\w.]+"\})? [\d.e+]+)$',
            "",
            asked().content.decode(),
            flags=re.M,
        ).strip()
        == ""
    )
