"""Typing results: each cell at once, two people, double submission, undo."""

from uuid import uuid4

import pytest

from pergioco.core.refusal import Outdated, Refused
from pergioco.stages.models import Change, Revision, Table
from pergioco.stages.services import entering
from pergioco.stages.services.entering import Contradicts, TypedResult
from tests import factories


@pytest.fixture
def draft(db) -> Revision:
    a, b, c, d = (factories.player() for _ in range(4))
    return factories.drafted([[(a, b), (c, d)], [(a, c), (b,)]])


@pytest.fixture
def table(draft) -> Table:
    return Table.objects.get(round__revision=draft, round__number=1, number=1)


def typed(table: Table, sign: str, version: int = 0, submission=None) -> TypedResult:
    return TypedResult(table.pk, sign, version, submission or uuid4())


def parts(table: Table) -> list[tuple[str, str]]:
    return [
        (seat.outcome, seat.kind)
        for seat in Table.objects.get(pk=table.pk).seats.order_by("position")
    ]


def test_one_key_writes_both_seats_and_the_change(table, staff):
    saved = entering.set_result(typed(table, "+"), by=staff)
    assert parts(table) == [("win", "walkover"), ("loss", "no_show")]
    assert saved.version == 1
    change = Change.objects.get()
    assert (change.what, change.before["sign"], change.after, change.by) == (
        "result",
        "",
        {"sign": "+"},
        staff,
    )


def test_same_submission_twice_is_written_once(table, staff):
    once = typed(table, "1")
    assert entering.set_result(once, by=staff).version == 1
    assert entering.set_result(once, by=staff).version == 1
    assert Change.objects.count() == 1


def test_same_submission_with_another_result_is_refused(table, staff):
    once = typed(table, "1")
    entering.set_result(once, by=staff)
    with pytest.raises(Contradicts):
        entering.set_result(typed(table, "2", submission=once.submission), by=staff)
    assert parts(table) == [("win", "played"), ("loss", "played")]


def test_second_person_on_an_old_version_is_told_and_nothing_is_overwritten(
    table, staff, organizer
):
    entering.set_result(typed(table, "1"), by=staff)
    with pytest.raises(Outdated):
        entering.set_result(typed(table, "2", version=0), by=organizer)
    assert parts(table) == [("win", "played"), ("loss", "played")]
    assert Change.objects.count() == 1


def test_key_without_meaning_writes_nothing(table, staff):
    with pytest.raises(Refused) as refused:
        entering.set_result(typed(table, "w"), by=staff)
    assert (refused.value.field, Change.objects.count(), parts(table)) == (
        "sign",
        0,
        [("", ""), ("", "")],
    )


def test_bye_belongs_to_a_table_of_one(draft, table, staff):
    alone = Table.objects.get(round__revision=draft, round__number=2, number=2)
    entering.set_result(typed(alone, "B"), by=staff)
    assert parts(alone) == [("win", "bye")]
    with pytest.raises(Refused):
        entering.set_result(typed(table, "B"), by=staff)


def test_closed_results_are_not_typed_over(draft, table, staff):
    Revision.objects.filter(pk=draft.pk).update(state=Revision.State.CURRENT)
    with pytest.raises(Refused):
        entering.set_result(typed(table, "1"), by=staff)


def test_undo_goes_back_to_the_beginning_and_redo_returns(draft, table, staff):
    for version, sign in enumerate(["1", "X", "-"]):
        entering.set_result(typed(table, sign, version), by=staff)
    seen = []
    while entering.undo_change(draft, by=staff):
        seen.append(parts(table)[0])
    assert seen == [("draw", "played"), ("win", "played"), ("", "")]
    back = []
    while entering.redo_change(draft, by=staff):
        back.append(parts(table)[0])
    assert back == [("win", "played"), ("draw", "played"), ("loss", "no_show")]


def test_a_new_result_after_an_undo_cannot_be_redone_over(draft, table, staff):
    entering.set_result(typed(table, "1"), by=staff)
    entering.undo_change(draft, by=staff)
    entering.set_result(typed(table, "2", version=2), by=staff)
    assert entering.redo_change(draft, by=staff) is None
    assert parts(table) == [("loss", "played"), ("win", "played")]


def test_undo_brings_an_abandoned_game_back_as_it_was(draft, table, staff):
    table.seats.filter(position=2).update(outcome="loss", kind="quit")
    table.seats.filter(position=1).update(outcome="win", kind="played")
    entering.set_result(typed(table, "X"), by=staff)
    entering.undo_change(draft, by=staff)
    assert parts(table) == [("win", "played"), ("loss", "quit")]


def test_undo_makes_the_version_move_on(draft, table, staff):
    entering.set_result(typed(table, "1"), by=staff)
    entering.undo_change(draft, by=staff)
    with pytest.raises(Outdated):
        entering.set_result(typed(table, "2", version=1), by=staff)


def test_table_that_is_gone(staff, db):
    with pytest.raises(Outdated):
        entering.set_result(TypedResult(999999, "1", 0, uuid4()), by=staff)
