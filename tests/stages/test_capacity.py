"""Everybody wants the last seats at once: as many get in as there are, on both databases; without
the lock, more do."""

from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.stages.models import Entry, Stage
from pergioco.stages.services import drafting
from tests import factories
from tests.publishing.test_publishing_race import at_once
from tests.servers import PATIENCE_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)
SEATS, WANTING = 8, 16
FEW = 2


def run(seats: int, wanting: int) -> tuple[Stage, int]:
    """The stage after all tried, and how many were told that they are in."""
    stage = factories.stage(race=True)
    Stage.objects.filter(pk=stage.pk).update(capacity=seats)
    people = [factories.player() for _ in range(wanting)]
    outcomes = at_once(*[partial(enter, stage, one) for one in people])
    assert {type(outcome) for outcome in outcomes} <= {list, Refused}
    return stage, sum(isinstance(outcome, list) for outcome in outcomes)


def enter(stage: Stage, player) -> list[Entry]:
    return drafting.enter_players(stage, [player], by=None)


def filled(seats: int, wanting: int, runs: int) -> list[tuple[int, int, list[list[str]]]]:
    """Of each run: who sits there, who was told so, and what the log says in its order."""
    found = []
    for _ in range(runs):
        stage, told = run(seats, wanting)
        log = AuditEntry.objects.filter(action="stage.entered", object_id=str(stage.pk)).order_by(
            "pk"
        )
        found.append((stage.entries.count(), told, [entry.changes["entries"] for entry in log]))
    return found


def one_after_the_other(seats: int) -> list[list[str]]:
    return [[str(n), str(n + 1)] for n in range(seats)]


def test_of_twice_as_many_exactly_as_many_get_in_as_there_are_seats():
    assert filled(SEATS, WANTING, FEW) == [(SEATS, SEATS, one_after_the_other(SEATS))] * FEW


@pytest.mark.proof
def test_thirty_two_seats_and_sixty_four_who_want_them_a_hundred_times(figure):
    found = filled(32, 64, 100)
    wrong = sum(one != (32, 32, one_after_the_other(32)) for one in found)
    figure(
        "T20",
        "runs of 100 that overbook, or whose log skips one",
        wrong,
        target="0",
        met=wrong == 0,
    )
    assert wrong == 0


def unlocked(monkeypatch, wanting: int) -> None:
    """All are in the middle of it before the first one counts; SQLite lets nobody begin while
    another writes."""
    together = Barrier(wanting if connection.vendor == "postgresql" else 1)

    def lock(stage: Stage) -> Stage:
        together.wait(PATIENCE_SECONDS)
        return Stage.objects.get(pk=stage.pk)

    monkeypatch.setattr(drafting, "lock_row", lock)


def test_control_without_the_lock_a_stage_is_overbooked(monkeypatch):
    unlocked(monkeypatch, WANTING)
    seated = run(SEATS, WANTING)[0].entries.count()
    assert (seated > SEATS) is (connection.vendor == "postgresql")


@pytest.mark.proof
def test_control_without_the_lock_runs_overbook(monkeypatch, figure):
    unlocked(monkeypatch, 64)
    found = [run(32, 64)[0].entries.count() for _ in range(10)]
    wrong = sum(seated > 32 for seated in found)
    figure(
        "T20",
        "runs of 100 that overbook, or whose log skips one",
        f"{wrong} of 10, up to {max(found)} seated",
    )
    assert wrong > 0
