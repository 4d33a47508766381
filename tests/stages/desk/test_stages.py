"""The stages that somebody looks after."""

from datetime import date

import pytest

from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
STAGES = "/en/staff/stages/"


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def stage_of(user, **fields):
    stage = factories.stage(**fields)
    stage.organizers.add(user)
    return stage


def listed(user):
    return list(signed_in(user).get(STAGES).context["page"])


def status(user, stage):
    return signed_in(user).get(f"{STAGES}{stage.pk}/").status_code


def test_an_organizer_sees_the_own_stages_and_a_foreign_one_does_not_exist(organizer):
    own, foreign = stage_of(organizer), stage_of(factories.user_with_role("organizer"))
    assert listed(organizer) == [own]
    assert (status(organizer, own), status(organizer, foreign)) == (200, 404)


def test_staff_see_every_stage(staff, organizer):
    stage = stage_of(organizer)
    assert listed(staff) == [stage]
    assert status(staff, stage) == 200


@pytest.mark.parametrize("role", ["big_organizer", "risiko_director"])
def test_other_desks_have_other_tournaments(role):
    user = factories.user_with_role(role)
    stage = stage_of(user)
    assert signed_in(user).get(STAGES).status_code == 403
    assert status(user, stage) == 403


def test_who_is_no_organizer_any_more_sees_no_stage(organizer):
    stage = stage_of(organizer)
    organizer.groups.clear()
    assert signed_in(organizer).get(STAGES).status_code == 403
    assert status(organizer, stage) == 403


def test_the_facts_of_a_stage_and_its_link(organizer):
    stage = stage_of(
        organizer, race=True, by_invitation=True, link="https://playstrategy.org/swiss/abc"
    )
    page = signed_in(organizer).get(f"{STAGES}{stage.pk}/").content.decode()
    for text in (
        "PlayStrategy",
        "Swiss, real time",
        "by invitation",
        "counts for the Race",
        "to come",
    ):
        assert text in page
    assert 'href="https://playstrategy.org/swiss/abc"' in page


def test_a_list_says_what_is_over_what_runs_and_what_is_to_come(organizer):
    for first, last in ((1, 1), (12, 12), (13, 13)):
        stage_of(organizer, starts_on=date(2026, 3, first), ends_on=date(2026, 3, last))
    page = " ".join(signed_in(organizer).get(STAGES).content.decode().split())
    words = [
        word
        for word in page.replace("<", " <").replace(">", "> ").split()
        if word in {"over", "running", "come"}
    ]
    assert words == ["come", "running", "over"]


def test_without_a_stage_the_list_says_why(organizer):
    assert "You look after no stage yet." in signed_in(organizer).get(STAGES).content.decode()


def test_the_list_asks_the_database_as_often_for_three_as_for_one(organizer):
    browser = signed_in(organizer)
    stage_of(organizer)
    first = queries_of(browser, STAGES)
    stage_of(organizer)
    stage_of(organizer)
    assert queries_of(browser, STAGES) == first


def test_moved_and_cancelled_days_are_told(organizer):
    stage = stage_of(organizer, status="cancelled")
    old = date(2026, 3, 13)
    days = {
        "old_starts_on": old,
        "old_ends_on": old,
        "new_starts_on": stage.starts_on,
        "new_ends_on": stage.ends_on,
    }
    stage.date_changes.create(reason="Maintenance", **days)
    page = signed_in(organizer).get(STAGES).content.decode()
    assert "<s>13/03/2026</s>: Maintenance" in page
    assert "not played" in page
