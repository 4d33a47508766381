"""What changed between two revisions."""

from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts, write_rounds
from pergioco.stages.models import Revision
from pergioco.stages.services import drafting
from tests import factories


def test_same_facts_differ_in_nothing(db):
    draft = factories.tournament(4, 2)
    assert facts.diff_revisions(draft, draft) == []


def test_result_seat_and_table_that_came_or_went(db, staff):
    a, b, c, d = (factories.player() for _ in range(4))
    old = factories.drafted([[(a, b), (c, d)]])
    new = Revision.objects.create(stage=old.stage, number=2, state="dropped")
    first = TableFacts(1, (SeatFacts(a.pk, "win", "played"), SeatFacts(b.pk, "loss", "quit")))
    write_rounds(
        new,
        [
            RoundFacts(1, (first,)),
            RoundFacts(2, (TableFacts(1, (SeatFacts(c.pk, "win", "bye"),)),)),
        ],
    )
    found = facts.diff_revisions(old, new)
    assert [
        (d.round, d.table, d.before and d.before.sign, d.after and d.after.sign) for d in found
    ] == [
        (1, 1, "", "1"),
        (1, 2, "", None),
        (2, 1, None, "B"),
    ]


def test_first_revision_is_all_new(db):
    found = facts.diff_revisions(None, factories.tournament(4, 1))
    assert [one.before for one in found] == [None, None]


def test_two_replacements_are_taken_back_one_after_the_other(db, staff):
    draft = factories.tournament(4, 3)
    drafting.remove_last_round(draft, by=staff)
    drafting.restore_earlier_draft(draft.stage, by=staff)
    drafting.remove_last_round(drafting.find_draft(draft.stage), by=staff)
    drafting.remove_last_round(drafting.find_draft(draft.stage), by=staff)
    left = [drafting.restore_earlier_draft(draft.stage, by=staff).rounds.count() for _ in range(2)]
    assert left == [2, 3]
