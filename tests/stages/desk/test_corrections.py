"""Corrections: begun with a reason, closed, approved by a second person; every version stays
readable."""

from uuid import uuid4

import pytest

from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage, Table
from pergioco.stages.services import closing, drafting, entering
from pergioco.stages.services.entering import TypedResult
from tests import factories
from tests.conftest import reauthenticated, signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
State = Revision.State


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def fill(draft: Revision, sign: str, by) -> None:
    for table in Table.objects.filter(round__revision=draft):
        entering.set_result(TypedResult(table.pk, sign, table.version, uuid4()), by=by)


def close(draft: Revision, by) -> Revision:
    return closing.close_stage(
        draft.stage, by=by, revision=draft.pk, sha256=facts.hash_rounds(facts.read_rounds(draft))
    )


@pytest.fixture
def closed(organizer) -> Stage:
    """A Race stage, closed by its organizer: Rossi beat Bianchi."""
    a, b = (factories.person(last_name=name).player for name in ("Rossi", "Bianchi"))
    draft = factories.drafted([[(a, b)]], race=True)
    draft.stage.organizers.add(organizer)
    fill(draft, "1", organizer)
    close(draft, organizer)
    return Stage.objects.get(pk=draft.stage_id)


@pytest.fixture
def proposed(closed, organizer) -> Revision:
    draft = drafting.begin_correction(closed, by=organizer, reason="Wrong way round")
    fill(draft, "2", organizer)
    return close(draft, organizer)


def address(stage: Stage, what: str) -> str:
    return f"/en/staff/stages/{stage.pk}/{what}/"


def decide(user, proposed: Revision, **sent: str):
    return reauthenticated(user).post(address(proposed.stage, "revisions/2/decide"), sent)


def states(stage: Stage) -> list[str]:
    return list(stage.revisions.order_by("number").values_list("state", flat=True))


def test_correction_begins_with_a_reason_and_leads_to_the_grid(closed, organizer):
    browser = signed_in(organizer)
    assert browser.post(address(closed, "correct"), {"reason": ""}).status_code == 200
    assert states(closed) == [State.CURRENT]
    answer = browser.post(address(closed, "correct"), {"reason": "Wrong way round"})
    assert answer["Location"] == f"/en/admin/stages/{closed.pk}/results/"
    assert states(closed) == [State.CURRENT, State.DRAFT]
    assert "Wrong way round" in browser.get(answer["Location"]).content.decode()


def test_second_correction_at_the_same_time_is_refused_with_the_reason_kept(closed, organizer):
    drafting.begin_correction(closed, by=organizer, reason="a")
    page = (
        signed_in(organizer)
        .post(address(closed, "correct"), {"reason": "something else"})
        .content.decode()
    )
    assert "A correction of this stage is already under way." in page
    assert "something else" in page


def test_proposal_changes_nothing_until_a_second_person_approves(
    proposed, closed, organizer, staff
):
    assert states(closed) == [State.CURRENT, State.WAITING]
    page = signed_in(organizer).get(f"/en/staff/stages/{closed.pk}/").content.decode()
    assert "It waits for a second person." in page
    assert decide(staff, proposed, step="approve").status_code == 302
    assert states(closed) == [State.SUPERSEDED, State.CURRENT]
    assert (
        "Corrected" in signed_in(organizer).get(f"/en/staff/stages/{closed.pk}/").content.decode()
    )


def test_who_proposed_may_not_approve(proposed, closed, organizer):
    answer = decide(organizer, proposed, step="approve")
    assert (
        "You proposed this correction. Another person has to approve it." in answer.content.decode()
    )
    assert states(closed) == [State.CURRENT, State.WAITING]


def test_approval_asks_who_is_there(proposed, closed, staff):
    answer = signed_in(staff).post(address(closed, "revisions/2/decide"), {"step": "approve"})
    assert "/account/reauthenticate/" in answer["Location"]
    assert states(closed) == [State.CURRENT, State.WAITING]


def test_approving_twice_is_told(proposed, staff):
    decide(staff, proposed, step="approve")
    assert decide(staff, proposed, step="approve").status_code == 409


def test_second_person_sends_it_back_with_words(proposed, closed, staff):
    assert decide(staff, proposed, step="send_back").status_code == 200
    decide(staff, proposed, step="send_back", reason="Table 1 was right")
    assert states(closed) == [State.CURRENT, State.DRAFT]


def test_version_tells_what_changed_before_and_after(proposed, closed, staff):
    page = signed_in(staff).get(address(closed, "revisions/2"))
    (changed,) = page.context["changed"]
    assert (changed.round, changed.table) == (1, 1)
    assert changed.before == "Marta Rossi – Marta Bianchi: 1–0"
    assert changed.after == "Marta Rossi – Marta Bianchi: 0–1"


def test_first_version_changes_nothing(closed, staff):
    page = signed_in(staff).get(address(closed, "revisions/1"))
    assert page.context["changed"] == []
    assert closed.revisions.get().sha256 in page.content.decode()


def test_all_versions_with_author_reason_and_times(proposed, closed, organizer, staff):
    page = signed_in(staff).get(address(closed, "revisions")).content.decode()
    for words in ("Version 1", "Version 2", "Wrong way round", organizer.email, "12/03/2026 12:00"):
        assert words in page


def test_correction_is_given_up_once(closed, organizer):
    draft = drafting.begin_correction(closed, by=organizer, reason="a")
    for _ in range(2):
        signed_in(organizer).post(address(closed, "correct/drop"), {"revision": draft.pk})
    assert states(closed) == [State.CURRENT, State.DROPPED]


def test_first_draft_cannot_be_given_up(organizer):
    draft = factories.tournament(2, 1)
    draft.stage.organizers.add(organizer)
    signed_in(organizer).post(address(draft.stage, "correct/drop"), {"revision": draft.pk})
    assert states(draft.stage) == [State.DRAFT]


def test_version_of_a_foreign_stage_is_not_there(closed):
    other = factories.user_with_role("organizer")
    assert signed_in(other).get(address(closed, "revisions/1")).status_code == 404


def test_history_asks_the_database_as_often_for_three_versions_as_for_one(closed, organizer, staff):
    browser = signed_in(staff)
    once = queries_of(browser, address(closed, "revisions"))
    for _ in range(2):
        draft = drafting.begin_correction(closed, by=organizer, reason="a")
        closing.drop_correction(draft, by=organizer)
    assert queries_of(browser, address(closed, "revisions")) == once


def test_correction_waits_at_the_desk_of_whoever_may_approve_it(proposed, organizer, staff):
    def sentences(user) -> list[str]:
        return [need.sentence for need in signed_in(user).get("/en/staff/").context["needs"]]

    assert "1 correction of a stage waits for a second person." in sentences(staff)
    assert "1 correction of a stage waits for a second person." not in sentences(organizer)
