"""A change rehearsed is the very run of it, and leaves nothing behind."""

from datetime import date, timedelta

import pytest
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from pergioco.contact.models import OutgoingMail
from pergioco.ledger import difference, publishing, relay
from pergioco.ledger.models import Computation, Erratum, Line, Outbox, PgrChange, Publication
from pergioco.ledger.outbox import promise
from pergioco.ledger.rehearsing import PATIENCE, carry_out, rehearse
from pergioco.players import letters
from pergioco.players.models import AuditEntry
from pergioco.stages.models import Game, Revision
from tests import factories
from tests.ledger import play
from tests.ledger.play import places, public
from tests.ledger.steps import calls

MODELS = (AuditEntry, Computation, Erratum, Line, Outbox, OutgoingMail, PgrChange, Publication, Revision)
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
    carry_out()
    now = public(draft.stage.season)
    return [now.number, places(now, "red"), difference.between(now.before, now)]


def test_what_was_rehearsed_is_what_happens(draft, organizer):
    rehearsed = rehearse(lambda: closed(draft, organizer))
    play.close(draft, by=organizer)
    play.follow()
    now = public(draft.stage.season)
    assert rehearsed == [now.number, places(now, "red"), difference.between(now.before, now)]
    assert rehearsed[0] == 2


def test_nothing_of_it_stays(draft, organizer):
    before = stored()
    rehearse(lambda: closed(draft, organizer))
    assert stored() == before
    assert draft.stage.revisions.get().state == "draft"


def test_control_the_same_without_a_rehearsal_leaves_traces(draft, organizer):
    before = stored()
    play.close(draft, by=organizer)
    play.follow()
    assert [name for name, rows in stored().items() if rows == before[name]] == ["Erratum", "OutgoingMail"]


def test_what_fails_in_a_rehearsal_leaves_nothing_either(draft, organizer):
    def fail():
        closed(draft, organizer)
        raise ValueError

    before = stored()
    with pytest.raises(ValueError):  # noqa: PT011 - ours
        rehearse(fail)
    assert stored() == before
    assert rehearse(lambda: closed(draft, organizer))[0] == 2


def test_a_database_error_in_a_rehearsal_leaves_the_connection_usable(draft):
    with pytest.raises(Exception, match="no_such"):
        rehearse(lambda: connection.cursor().execute("SELECT * FROM no_such_table"))
    assert Game.objects.exists()


def test_no_mail_leaves_and_none_waits(season):
    player = factories.registered()

    def write() -> int:
        promise("mail.send", mail=1)
        carry_out()
        return Outbox.objects.count()

    assert rehearse(write) == 1
    assert (Outbox.objects.count(), OutgoingMail.objects.count(), mail.outbox) == (0, 0, [])
    assert letters.write_to(player, "erratum", erratum=Erratum(season=season)) is True  # control: a letter would leave
    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_nobody_is_woken_up_not_even_when_what_is_around_it_is_committed():
    with transaction.atomic():
        rehearse(lambda: promise("note", name="chess"))
    assert (calls, Outbox.objects.count()) == ([], 0)
    promise("note", name="chess")
    assert calls == ["chess"]


def test_what_is_promised_for_later_is_not_carried_out():
    def act() -> list[str]:
        promise("note", name="later", not_before=timezone.now() + timedelta(minutes=1))
        promise("note", name="now")
        carry_out()
        return list(calls)

    assert rehearse(act) == ["now"]


def test_only_its_own_promises_are_carried_out():
    Outbox.objects.create(step="note", arguments={"name": "another's"}, not_before=timezone.now())
    rehearse(carry_out)
    assert calls == []
    assert relay.run_waiting() == 1


def test_outside_of_a_rehearsal_there_is_nothing_to_carry_out():
    with pytest.raises(AssertionError, match="only while something is rehearsed"):
        carry_out()


def test_a_rehearsal_that_takes_too_long_gives_up_and_the_next_one_is_as_patient_as_ever(season, monkeypatch):
    if connection.vendor != "postgresql":
        assert rehearse(lambda: publishing.lock(season)) == season  # a transaction has the whole database
        return
    monkeypatch.setitem(PATIENCE, "statement_timeout", "50ms")
    with pytest.raises(DatabaseError, match="statement timeout"):
        rehearse(lambda: connection.cursor().execute("SELECT pg_sleep(5)"))
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)
