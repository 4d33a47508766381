"""A dry run is the very run of a change, and leaves nothing behind."""

from datetime import date, timedelta

import pytest
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.database import lock_row
from pergioco.core.dry_run import LOCK_TIMEOUT, dry_run, run_collected_jobs
from pergioco.core.models import Job, OutgoingMail
from pergioco.players.services import letters
from pergioco.publishing import difference
from pergioco.publishing.models import Computation, Erratum, Line, PgrChange, Publication
from pergioco.stages.models import Game, Revision
from tests import factories
from tests.core.steps import calls
from tests.publishing import play
from tests.publishing.play import places, public

MODELS = (
    AuditEntry,
    Computation,
    Erratum,
    Line,
    Job,
    OutgoingMail,
    PgrChange,
    Publication,
    Revision,
)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def stored() -> dict[str, list[object]]:
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in MODELS}


@pytest.fixture
def season():
    return factories.season()


@pytest.fixture
def draft(season, organizer):
    """A second stage of a game, ready to be closed."""
    a, b = (factories.registered(last_name=name) for name in ("Rossi", "Bianchi"))
    first = play.played([(a, b)], "1", by=organizer)
    return play.drafted([(a, b)], "1", game=first.stage.game, on=date(2026, 2, 2))


def closed(draft, by) -> list[object]:
    """Everything that the closing leads to, as plain values."""
    play.close(draft, by=by)
    run_collected_jobs()
    now = public(draft.stage.season)
    return [now.number, places(now, "red"), difference.diff_publications(now.before, now)]


def test_what_the_dry_run_found_is_what_happens(draft, organizer):
    found = dry_run(lambda: closed(draft, organizer))
    play.close(draft, by=organizer)
    play.follow()
    now = public(draft.stage.season)
    assert found == [now.number, places(now, "red"), difference.diff_publications(now.before, now)]
    assert found[0] == 2


def test_nothing_of_it_stays(draft, organizer):
    before = stored()
    dry_run(lambda: closed(draft, organizer))
    assert stored() == before
    assert draft.stage.revisions.get().state == "draft"


def test_control_the_same_without_a_dry_run_leaves_traces(draft, organizer):
    before = stored()
    play.close(draft, by=organizer)
    play.follow()
    assert [name for name, rows in stored().items() if rows == before[name]] == [
        "Erratum",
        "OutgoingMail",
    ]


def test_what_fails_in_a_dry_run_leaves_nothing_either(draft, organizer):
    def fail():
        closed(draft, organizer)
        raise ValueError

    before = stored()
    with pytest.raises(ValueError):  # noqa: PT011 - ours
        dry_run(fail)
    assert stored() == before
    assert dry_run(lambda: closed(draft, organizer))[0] == 2


def test_a_database_error_in_a_dry_run_leaves_the_connection_usable(draft):
    with pytest.raises(Exception, match="no_such"):
        dry_run(lambda: connection.cursor().execute("SELECT * FROM no_such_table"))
    assert Game.objects.exists()


def test_no_mail_leaves_and_none_waits(season):
    player = factories.registered()

    def write() -> int:
        jobs.enqueue("mail.send", mail=1)
        run_collected_jobs()
        return Job.objects.count()

    assert dry_run(write) == 1
    assert (Job.objects.count(), OutgoingMail.objects.count(), mail.outbox) == (0, 0, [])
    # control: a letter would leave
    assert letters.send_letter(player, "erratum", erratum=Erratum(season=season)) is True
    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_nobody_is_woken_up_not_even_when_what_is_around_it_is_committed():
    with transaction.atomic():
        dry_run(lambda: jobs.enqueue("note", name="chess"))
    assert (calls, Job.objects.count()) == ([], 0)
    jobs.enqueue("note", name="chess")
    assert calls == ["chess"]


def test_jobs_for_later_are_not_run():
    def act() -> list[str]:
        jobs.enqueue("note", name="later", not_before=timezone.now() + timedelta(minutes=1))
        jobs.enqueue("note", name="now")
        run_collected_jobs()
        return list(calls)

    assert dry_run(act) == ["now"]


def test_only_its_own_jobs_are_run():
    Job.objects.create(kind="note", arguments={"name": "another's"}, not_before=timezone.now())
    dry_run(run_collected_jobs)
    assert calls == []
    assert jobs.run_waiting() == 1


def test_outside_of_a_dry_run_no_jobs_are_collected():
    with pytest.raises(AssertionError, match="only inside a dry run"):
        run_collected_jobs()


def test_a_dry_run_that_takes_too_long_gives_up_and_the_next_one_is_as_patient_as_ever(
    season, monkeypatch
):
    if connection.vendor != "postgresql":
        # a transaction has the whole database
        assert dry_run(lambda: lock_row(season, no_key=True)) == season
        return
    monkeypatch.setitem(LOCK_TIMEOUT, "statement_timeout", "50ms")
    with pytest.raises(DatabaseError, match="statement timeout"):
        dry_run(lambda: connection.cursor().execute("SELECT pg_sleep(5)"))
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)
