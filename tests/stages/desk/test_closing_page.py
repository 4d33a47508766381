"""The page on which everything is looked at once more, and closed."""

from uuid import uuid4

import pytest

from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage, Table
from pergioco.stages.services import entering
from pergioco.stages.services.entering import TypedResult
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def draft_of(user, *, filled: bool = True, **fields) -> Revision:
    made = factories.tournament(4, 2, **fields)
    made.stage.organizers.add(user)
    for table in Table.objects.filter(round__revision=made) if filled else ():
        entering.set_result(TypedResult(table.pk, "1", 0, uuid4()), by=user)
    return made


def page_of(draft: Revision) -> str:
    return f"/en/staff/stages/{draft.stage_id}/close/"


def close(user, draft: Revision, **more):
    sent = {"revision": draft.pk, "sha256": facts.hash_rounds(facts.read_rounds(draft)), **more}
    return signed_in(user).post(page_of(draft), sent)


def status(draft: Revision) -> str:
    return Stage.objects.get(pk=draft.stage_id).status


def test_missing_results_are_listed_with_links_to_their_rows_and_nothing_can_be_closed(organizer):
    draft = draft_of(organizer, filled=False)
    page = signed_in(organizer).get(page_of(draft)).content.decode()
    row = Table.objects.filter(round__revision=draft).order_by("round__number", "number")[0]
    assert "Round 1: 2 results are missing, tables 1 and 2. Your draft is saved." in page
    assert f'href="/en/admin/stages/{draft.stage_id}/results/#t{row.pk}"' in page
    assert "Close and publish" not in page


def test_complete_draft_is_closed_and_the_stage_shows_its_results(organizer):
    draft = draft_of(organizer)
    assert (
        "Nothing is missing and nothing is doubled."
        in signed_in(organizer).get(page_of(draft)).content.decode()
    )
    answer = close(organizer, draft)
    assert answer["Location"] == f"/en/staff/stages/{draft.stage_id}/"
    assert status(draft) == "closed"
    page = signed_in(organizer).get(answer["Location"]).content.decode()
    assert "Points as scored" in page
    assert "Closed" in page


def test_draft_that_changed_while_it_was_read_is_not_closed(organizer):
    draft = draft_of(organizer)
    seen = facts.hash_rounds(facts.read_rounds(draft))
    table = Table.objects.filter(round__revision=draft)[0]
    entering.set_result(TypedResult(table.pk, "X", 1, uuid4()), by=organizer)
    answer = close(organizer, draft, sha256=seen)
    assert answer.status_code == 409
    assert (
        "The draft changed while you were reading. This is how it stands now."
        in answer.content.decode()
    )
    assert facts.hash_rounds(facts.read_rounds(draft)) in answer.content.decode()
    assert status(draft) == "open"


def test_closing_twice_leads_to_the_closed_stage(organizer):
    draft = draft_of(organizer)
    for _ in range(2):
        assert close(organizer, draft)["Location"] == f"/en/staff/stages/{draft.stage_id}/"
    assert Revision.objects.filter(stage=draft.stage_id, state="current").count() == 1


def test_race_stage_asks_for_the_second_pass_or_a_tick(organizer):
    draft = draft_of(organizer, race=True)
    answer = close(organizer, draft)
    assert answer.status_code == 200
    assert (
        "Type the results a second time, or tick that you close without." in answer.content.decode()
    )
    assert status(draft) == "open"
    close(organizer, draft, without_second_pass="on")
    assert status(draft) == "closed"


def test_verified_race_stage_needs_no_tick(organizer):
    draft = draft_of(organizer, race=True)
    Revision.objects.filter(pk=draft.pk).update(
        verified_sha256=facts.hash_rounds(facts.read_rounds(draft))
    )
    close(organizer, draft)
    assert status(draft) == "closed"


def test_page_asks_the_database_as_often_for_a_large_stage_as_for_a_small_one(organizer):
    small, large = factories.tournament(2, 1), factories.tournament(8, 3)
    for draft in (small, large):
        draft.stage.organizers.add(organizer)
    browser = signed_in(organizer)
    assert queries_of(browser, page_of(large)) == queries_of(browser, page_of(small))
