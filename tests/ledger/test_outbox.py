"""Work is promised in the transaction of the change that needs it, and somebody is woken up after it."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.http import HttpResponse
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from pergioco import celery
from pergioco.ledger import relay
from pergioco.ledger.models import Outbox
from pergioco.ledger.outbox import promise
from pergioco.stages.models import Game
from tests.ledger.steps import calls

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_promise_is_kept_right_after_the_commit_and_not_before():
    with transaction.atomic():
        promise("note", name="chess")
        assert calls == []
    assert calls == ["chess"]
    assert Outbox.objects.get().done_at is not None


def test_a_promise_in_a_change_that_is_rolled_back_was_never_made():
    with transaction.atomic():
        promise("note", name="chess")
        transaction.set_rollback(True)
    assert (Outbox.objects.count(), calls) == (0, [])


def test_a_promise_for_later_wakes_nobody(clock):
    promise("note", name="chess", not_before=timezone.now() + timedelta(hours=1))
    assert relay.run_waiting() == 0
    clock.shift(timedelta(hours=1))
    assert relay.run_waiting() == 1
    assert calls == ["chess"]


def test_an_unknown_step_is_refused_where_it_is_promised():
    with pytest.raises(LookupError):
        promise("nothing", name="chess")
    assert Outbox.objects.count() == 0


def view_that_promises(step: str) -> HttpResponse:
    with transaction.atomic():
        Game.objects.create(slug="kept")
        promise(step, name="chess")
    return HttpResponse("saved")


def test_a_step_that_fails_does_not_break_the_answer_to_who_caused_it():
    assert view_that_promises("fail").content == b"saved"
    assert list(Game.objects.values_list("slug", flat=True)) == ["kept"]
    assert Outbox.objects.get().trouble == "ValueError"


def test_nor_does_a_database_that_fails_while_the_step_is_claimed(monkeypatch):
    def locked(pk):
        raise DatabaseError("database is locked")

    monkeypatch.setattr(relay, "claim", locked)
    assert view_that_promises("note").content == b"saved"
    monkeypatch.undo()
    assert relay.run_waiting() == 1


@pytest.mark.parametrize("trouble", [BrokerError("refused"), ConnectionRefusedError(), RuntimeError("anything")])
def test_nor_does_a_broker_that_is_gone_and_the_relay_keeps_the_promise(settings, monkeypatch, trouble):
    def gone(row):
        raise trouble

    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(celery, "wake", gone)
    assert view_that_promises("note").content == b"saved"
    assert calls == []
    assert relay.run_waiting() == 1
    assert calls == ["chess"]


def test_with_a_broker_only_the_row_number_leaves_the_house(settings, monkeypatch):
    woken = []
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(celery, "wake", woken.append)
    row = promise("note", name="chess")
    assert (woken, calls) == ([row.pk], [])
