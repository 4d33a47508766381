"""What runs by the clock is late once its time and a grace are over; what never ran counts from the
version that brought it."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from pergioco.core import jobs, last_runs
from pergioco.core.models import LastRun

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
OFTEN = jobs.PeriodicTask(lambda: None, 5.0, jobs.NUMBERS)
EVERY = {"backup": timedelta(days=1), "daily": timedelta(days=1), "often": OFTEN.every}
A_MOMENT = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _three_tasks(monkeypatch):
    LastRun.objects.all().delete()
    monkeypatch.setattr(last_runs, "expected", dict(EVERY))
    monkeypatch.setitem(jobs.periodic_tasks, "often", OFTEN)


def late() -> list[str]:
    return [run.name for run in last_runs.list_runs() if run.is_late]


def test_every_periodic_task_says_when_it_ran_last(clock):
    jobs.run_periodic("often")
    clock.shift(timedelta(seconds=7))
    assert {run.name: run.age for run in last_runs.list_runs()} == {
        "backup": None,
        "daily": None,
        "often": 7,
    }


def test_a_task_that_fails_has_not_run(monkeypatch):
    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(jobs.periodic_tasks, "often", jobs.PeriodicTask(fail, 5.0, jobs.NUMBERS))
    with pytest.raises(ZeroDivisionError):
        jobs.run_periodic("often")
    assert {run.name: run.age for run in last_runs.list_runs()}["often"] is None


@pytest.mark.parametrize(
    ("name", "grace"),
    [("daily", timedelta(hours=26)), ("often", timedelta(minutes=5, seconds=5))],
)
def test_it_is_late_when_its_time_and_a_grace_are_over(clock, name, grace):
    last_runs.note(name)
    clock.shift(grace)
    assert name not in late()
    clock.shift(A_MOMENT)
    assert name in late()
    last_runs.note(name)
    assert name not in late()


def test_unknown_is_late():
    assert late() == ["backup", "daily", "often"]


def test_a_fresh_installation_has_its_first_day(clock):
    last_runs.await_first_runs()
    assert late() == []
    clock.shift(timedelta(hours=26))
    assert late() == ["often"]
    clock.shift(A_MOMENT)
    assert late() == ["backup", "daily", "often"]


def test_so_has_a_task_that_a_new_version_brings(clock, monkeypatch):
    last_runs.await_first_runs()
    for name in EVERY:
        last_runs.note(name)
    clock.shift(timedelta(days=1))
    monkeypatch.setitem(last_runs.expected, "new", timedelta(days=1))
    assert late() == ["new", "often"]
    last_runs.await_first_runs()  # its migrations
    assert late() == ["often"]
    assert LastRun.objects.get(name="daily").at == timezone.now() - timedelta(days=1)


def test_migrating_awaits_all_that_is_registered(monkeypatch):
    monkeypatch.undo()
    call_command("migrate", verbosity=0)
    assert set(LastRun.objects.values_list("name", flat=True)) == last_runs.expected.keys()
    assert last_runs.expected.keys() == jobs.periodic_tasks.keys() | {"backup", "numbers"}


def test_while_only_some_migrations_have_run_nothing_is_awaited_yet():
    rows = LastRun.objects.count()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE core_lastrun DROP COLUMN awaited_since")
        last_runs.await_first_runs()
        cursor.execute("SELECT count(*) FROM core_lastrun")
        assert cursor.fetchone() == (rows,)


# The mark of a backup


def backup_done(*arguments: str) -> str:
    out = StringIO()
    call_command("backup_done", *arguments, stdout=out)
    return out.getvalue()


def test_a_backup_is_noted(tmp_path):
    file = tmp_path / "portal.dump"
    file.write_bytes(b"dump")
    assert backup_done(str(file)) == backup_done() == "The backup is noted.\n"
    assert LastRun.objects.get().at == timezone.now()


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_an_empty_or_missing_file_is_none(tmp_path, name):
    (tmp_path / "empty").touch()
    with pytest.raises(CommandError, match="is no backup"):
        backup_done(str(tmp_path / name))
    assert not LastRun.objects.exists()
