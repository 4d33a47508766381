"""From draft to closed, corrected, approved: exactly one current revision, and nothing
overwritten."""

from datetime import date
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage, Table
from pergioco.stages.rules.pairing import PaperGame
from pergioco.stages.services import closing, drafting, entering
from pergioco.stages.services.entering import TypedResult
from tests import factories

State = Revision.State


@pytest.fixture
def players(db):
    return [factories.player() for _ in range(4)]


@pytest.fixture
def draft(players) -> Revision:
    a, b, c, d = players
    return factories.drafted([[(a, b), (c, d)]])


def fill(draft: Revision, sign: str = "1") -> None:
    user = factories.user()
    for table in Table.objects.filter(round__revision=draft):
        entering.set_result(TypedResult(table.pk, sign, table.version, uuid4()), by=user)


def close(draft: Revision, by) -> Revision:
    return closing.close_stage(
        draft.stage, by=by, revision=draft.pk, sha256=facts.hash_rounds(facts.read_rounds(draft))
    )


def closed(draft: Revision, by) -> Revision:
    fill(draft)
    return close(draft, by)


def status(revision: Revision) -> str:
    return Stage.objects.get(pk=revision.stage_id).status


def test_complete_draft_closes_and_says_by_whom(draft, staff):
    revision = closed(draft, staff)
    assert (revision.state, revision.closed_by, status(draft)) == (State.CURRENT, staff, "closed")
    assert revision.sha256 == facts.hash_rounds(facts.read_rounds(revision))
    assert AuditEntry.objects.filter(action="stage.closed", actor=staff).count() == 1


def test_missing_results_stop_the_closing(draft, staff):
    with pytest.raises(Refused):
        close(draft, staff)
    assert status(draft) == "open"


def test_draft_that_changed_since_it_was_checked_is_not_closed(draft, staff):
    fill(draft)
    seen = facts.hash_rounds(facts.read_rounds(draft))
    fill(draft, "2")
    with pytest.raises(Outdated):
        closing.close_stage(draft.stage, by=staff, revision=draft.pk, sha256=seen)


def test_closing_twice_is_told(draft, staff):
    closed(draft, staff)
    with pytest.raises(Outdated):
        close(draft, staff)


def test_correction_copies_the_current_revision_and_leaves_it_as_it_was(draft, staff):
    first = closed(draft, staff)
    before = facts.read_rounds(first)
    correction = drafting.begin_correction(draft.stage, by=staff, reason="Tavolo 1 invertito")
    assert facts.read_rounds(correction) == before
    fill(correction, "2")
    second = close(correction, staff)
    assert (second.number, second.state, status(draft)) == (2, State.CURRENT, "corrected")
    assert Revision.objects.get(pk=first.pk).state == State.SUPERSEDED
    assert facts.read_rounds(first) == before


def test_correction_needs_a_reason_and_only_one_runs_at_a_time(draft, staff):
    closed(draft, staff)
    with pytest.raises(Refused):
        drafting.begin_correction(draft.stage, by=staff, reason="  ")
    drafting.begin_correction(draft.stage, by=staff, reason="a")
    with pytest.raises(Refused):
        drafting.begin_correction(draft.stage, by=staff, reason="b")


def test_stage_that_was_never_closed_has_nothing_to_correct(draft, staff):
    Revision.objects.filter(pk=draft.pk).update(state=State.DROPPED)
    with pytest.raises(Refused):
        drafting.begin_correction(draft.stage, by=staff, reason="x")


@pytest.fixture
def race_correction(players, staff) -> Revision:
    a, b, c, d = players
    first = factories.drafted([[(a, b), (c, d)]], race=True)
    closed(first, staff)
    correction = drafting.begin_correction(first.stage, by=staff, reason="x")
    fill(correction, "X")
    return close(correction, staff)


def test_first_closing_of_a_race_stage_needs_one_person_its_correction_two(
    race_correction, staff, organizer
):
    assert race_correction.state == State.WAITING
    assert race_correction.stage.revisions.get(state=State.CURRENT).number == 1
    with pytest.raises(Refused):
        closing.approve_correction(race_correction, by=staff)
    approved = closing.approve_correction(race_correction, by=organizer)
    assert (approved.state, approved.approved_by, status(approved)) == (
        State.CURRENT,
        organizer,
        "corrected",
    )


def test_a_final_is_closed_by_one_person_and_corrected_by_two(players, staff):
    a, b, c, d = players
    first = factories.drafted([[(a, b), (c, d)]], final=True)
    assert closed(first, staff).state == State.CURRENT
    correction = drafting.begin_correction(first.stage, by=staff, reason="x")
    fill(correction, "X")
    assert close(correction, staff).state == State.WAITING


def test_correction_is_approved_once(race_correction, organizer):
    closing.approve_correction(race_correction, by=organizer)
    with pytest.raises(Outdated):
        closing.approve_correction(race_correction, by=organizer)


def test_correction_sent_back_is_a_draft_again(race_correction, organizer):
    again = closing.send_back_correction(race_correction, by=organizer, reason="manca il tavolo 2")
    assert (again.state, again.closed_by, again.sha256) == (State.DRAFT, None, "")


def test_correction_is_sent_back_once(race_correction, organizer):
    closing.send_back_correction(race_correction, by=organizer, reason="-")
    with pytest.raises(Outdated):
        closing.send_back_correction(race_correction, by=organizer, reason="-")


def test_the_log_says_who_took_each_step_of_a_correction_and_why(race_correction, staff, organizer):
    draft = closing.send_back_correction(race_correction, by=organizer, reason="manca il tavolo 2")
    closing.approve_correction(close(draft, staff), by=organizer)
    again = drafting.begin_correction(draft.stage, by=staff, reason="y")
    closing.drop_correction(again, by=organizer)
    steps = AuditEntry.objects.filter(
        action__startswith="stage.c", object_id__in=[draft.pk, again.pk]
    ).order_by("pk")
    assert list(steps.values_list("action", "actor", "reason")) == [
        ("stage.correction_begun", staff.pk, "x"),
        ("stage.close_proposed", staff.pk, "x"),
        ("stage.correction_sent_back", organizer.pk, "manca il tavolo 2"),
        ("stage.close_proposed", staff.pk, "x"),
        ("stage.correction_approved", organizer.pk, "x"),
        ("stage.correction_begun", staff.pk, "y"),
        ("stage.correction_dropped", organizer.pk, ""),
    ]


def test_correction_given_up_leaves_the_current_revision(race_correction, staff):
    closing.drop_correction(race_correction, by=staff)
    assert [r.state for r in race_correction.stage.revisions.order_by("number")] == [
        State.CURRENT,
        State.DROPPED,
    ]


def test_first_draft_cannot_be_given_up(draft, staff):
    with pytest.raises(Refused):
        closing.drop_correction(draft, by=staff)


def test_database_allows_one_current_revision(draft, staff):
    closed(draft, staff)
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(stage=draft.stage, number=9, state=State.CURRENT)


def test_replaced_draft_comes_back(draft, players, staff):
    fill(draft)
    before = facts.read_rounds(draft)
    a, _b, c, _d = players
    new = [
        facts.RoundFacts(1, (facts.TableFacts(1, (facts.SeatFacts(a.pk), facts.SeatFacts(c.pk))),))
    ]
    replaced = drafting.replace_draft(draft.stage, new, by=staff, source=None)
    assert facts.read_rounds(replaced) == tuple(new)
    back = drafting.restore_earlier_draft(draft.stage, by=staff)
    assert (back.pk, facts.read_rounds(back)) == (draft.pk, before)
    with pytest.raises(Refused):
        drafting.restore_earlier_draft(draft.stage, by=staff)


def test_facts_survive_writing_and_reading(db, staff):
    a, b = factories.player(), factories.player()
    revision = Revision.objects.create(stage=factories.stage(), number=1)
    rounds = (
        facts.RoundFacts(
            1,
            (
                facts.TableFacts(
                    1,
                    (
                        facts.SeatFacts(a.pk, "win", "played", played_on=date(2026, 3, 1)),
                        facts.SeatFacts(b.pk, "loss", "quit"),
                    ),
                    source_line=7,
                    platform_key="abc",
                ),
            ),
            "final",
        ),
    )
    facts.write_rounds(revision, rounds)
    assert facts.read_rounds(revision) == rounds


def test_capacity_is_enforced_at_entry(players, staff):
    stage = factories.stage(capacity=3)
    drafting.enter_players(stage, players[:3], by=staff)
    with pytest.raises(Refused):
        drafting.enter_players(stage, players, by=staff)
    assert drafting.enter_players(stage, players[:3], by=staff) == []
    assert stage.entries.count() == 3


def test_rounds_are_added_at_the_end_and_taken_off_there(draft, players, staff):
    a, b, c, d = (p.pk for p in players)
    drafting.add_rounds(draft, [[PaperGame((a, c), ""), PaperGame((b,), "")]], by=staff)
    assert [(r.number, [len(t.seats) for t in r.tables]) for r in facts.read_rounds(draft)] == [
        (1, [2, 2]),
        (2, [2, 1]),
    ]
    drafting.remove_last_round(draft, by=staff)
    left = drafting.find_draft(draft.stage)
    assert [r.number for r in facts.read_rounds(left)] == [1]
    assert d in {seat.player for seat in facts.read_rounds(left)[0].tables[1].seats}


def test_reading_facts_takes_the_same_queries_for_one_round_and_for_three(
    players, django_assert_num_queries
):
    a, b, c, d = players
    for rounds in ([[(a, b)]], [[(a, b), (c, d)], [(a, c), (b, d)], [(a, d), (b, c)]]):
        revision = factories.drafted(rounds)
        with django_assert_num_queries(3):
            facts.read_rounds(revision)
