"""What stages ask of those who look after them."""

from datetime import date

import pytest

from pergioco.stages.models import Revision, Stage
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
OVER = {"starts_on": date(2026, 3, 7), "ends_on": date(2026, 3, 8)}


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def needs(user) -> list[tuple[str, str]]:
    return [(n.sentence, n.address) for n in signed_in(user).get("/en/staff/").context["needs"]]


def own(user, stage: Stage) -> Stage:
    stage.organizers.add(user)
    return stage


def test_stage_that_ended_without_results_waits_for_its_organizer_and_for_staff(organizer, staff):
    stage = own(organizer, factories.stage(**OVER))
    row = (
        f"{stage.game} has no results yet; it ended on 8 March 2026.",
        f"/en/admin/stages/{stage.pk}/results/",
    )
    assert needs(organizer) == needs(staff) == [row]
    assert needs(factories.user_with_role("organizer")) == []


def test_several_name_the_one_that_waits_longest(organizer):
    own(organizer, factories.stage(**OVER))
    oldest = own(organizer, factories.stage(starts_on=date(2026, 3, 1), ends_on=date(2026, 3, 1)))
    sentence = f"2 stages ended and have no results yet. The first: {oldest.game}, on 1 March 2026."
    assert needs(organizer) == [(sentence, f"/en/admin/stages/{oldest.pk}/results/")]


@pytest.mark.parametrize(
    "fields", [{"status": "closed"}, {"status": "cancelled"}, {"circuit": "big"}]
)
def test_closed_cancelled_and_other_circuits_wait_for_nobody_here(organizer, fields):
    own(organizer, factories.stage(**OVER, **fields))
    assert needs(organizer) == []


def test_draft_that_was_begun_waits_to_be_closed(organizer):
    draft = factories.tournament(2, 1, **OVER)
    own(organizer, draft.stage)
    sentence = f"The draft of {draft.stage.game} is not closed yet."
    assert (sentence, f"/en/admin/stages/{draft.stage_id}/results/") in needs(organizer)


def test_a_nickname_that_belongs_to_nobody_is_told_while_the_draft_is_open(organizer):
    draft = factories.drafted([[(factories.registered(login=False), factories.player())]], **OVER)
    own(organizer, draft.stage)
    sentence = "1 nickname in results that are not closed yet belongs to nobody who is registered."
    assert (sentence, f"/en/staff/stages/{draft.stage_id}/entries/") in needs(organizer)
    Revision.objects.update(state="current")
    assert [one for one, _address in needs(organizer) if "nickname" in one] == []


def test_drafts_of_other_circuits_are_told_in_their_own_rooms(staff):
    factories.drafted(
        [[(factories.registered(login=False), factories.player())]],
        circuit="big",
        platform="",
        **OVER,
    )
    assert [one for one, _address in needs(staff) if "draft" in one or "nickname" in one] == []


def test_empty_draft_is_no_beginning(organizer):
    stage = own(organizer, factories.stage(**OVER))
    Revision.objects.create(stage=stage, number=1)
    assert [address for _sentence, address in needs(organizer)] == [
        f"/en/admin/stages/{stage.pk}/results/"
    ]
    assert "has no results yet" in needs(organizer)[0][0]


def test_desk_asks_the_database_as_often_for_three_drafts_as_for_one(organizer):
    browser = signed_in(organizer)
    own(organizer, factories.tournament(2, 1, **OVER).stage)
    once = queries_of(browser, "/en/staff/")
    for _ in range(2):
        own(organizer, factories.tournament(2, 1, **OVER).stage)
    assert queries_of(browser, "/en/staff/") == once
