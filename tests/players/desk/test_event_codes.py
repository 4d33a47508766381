"""Codes for a hall full of people."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import EventCode
from pergioco.players.services import event_codes
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
CODES = "/en/staff/event-codes/"
TYPED = {
    "note": "Play Modena",
    "valid_from": "2026-05-20T09:00",
    "valid_to": "2026-05-22T19:00",
    "uses": "64",
}


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def code(by, hours=8, uses=64, note="Play Modena"):
    now = timezone.now()
    return event_codes.make_event_code(
        note=note, valid_from=now, valid_to=now + timedelta(hours=hours), uses=uses, by=by
    )


def page_of(made):
    return f"{CODES}{made.pk}/"


@pytest.mark.parametrize("role", ["big_organizer", "risiko_director"])
def test_codes_are_for_staff_and_organizers_of_stages(role, staff):
    browser = signed_in(factories.user_with_role(role))
    assert [browser.get(address).status_code for address in (CODES, page_of(code(staff)))] == [
        403,
        403,
    ]


@pytest.mark.parametrize("role", ["organizer", "staff"])
def test_a_code_is_made_with_its_hours_in_rome_and_logged(role):
    user = factories.user_with_role(role)
    assert signed_in(user).post(CODES, TYPED).url == CODES
    made = EventCode.objects.get()
    assert (made.note, made.uses_left, made.created_by, len(made.code)) == (
        "Play Modena",
        64,
        user,
        8,
    )
    assert made.valid_from == datetime(2026, 5, 20, 7, tzinfo=UTC)
    assert made.valid_to == datetime(2026, 5, 22, 17, tzinfo=UTC)
    assert AuditEntry.objects.get().action == "event_code.made"


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("note", ""),
        ("valid_from", "tomorrow"),
        ("valid_to", "2026-05-20T09:00"),
        ("valid_to", "2026-06-21T09:00"),
        ("uses", "0"),
        ("uses", "501"),
    ],
)
def test_a_code_is_for_one_event_and_what_was_typed_stays(organizer, field, typed):
    page = signed_in(organizer).post(CODES, {**TYPED, field: typed})
    assert page.context["form"].errors.keys() == {field}
    assert (typed or "64") in page.content.decode()
    assert EventCode.objects.count() == 0


def test_the_list_shows_the_link_to_copy_and_the_uses_left(organizer):
    made = code(organizer)
    page = signed_in(organizer).get(CODES).content.decode()
    assert f"http://127.0.0.1:8000/en/register/?event={made.code}" in page
    assert ">64<" in page


def test_an_organizer_sees_the_own_codes_and_staff_see_all(organizer, staff):
    own, foreign = (
        code(organizer, note="own"),
        code(factories.user_with_role("organizer"), note="foreign"),
    )
    browser = signed_in(organizer)
    assert [row[0] for row in browser.get(CODES).context["listed"]] == [own]
    assert browser.get(page_of(foreign)).status_code == 404
    assert browser.post(page_of(foreign)).status_code == 404
    assert len(signed_in(staff).get(CODES).context["listed"]) == 2
    assert EventCode.objects.get(pk=foreign.pk).uses_left == 64


def test_the_slip_shows_a_code_for_the_camera_and_the_address_for_the_hand(organizer):
    made = code(organizer)
    page = signed_in(organizer).get(page_of(made)).content.decode()
    assert "<svg" in page
    assert "<?xml" not in page
    assert f"?event={made.code}" in page


def test_closing_a_code_ends_it_at_once_and_twice_changes_nothing(organizer):
    made, browser = code(organizer), signed_in(organizer)
    assert made.is_open(timezone.now()) is True
    for _ in range(2):
        assert browser.post(page_of(made)).url == CODES
    made.refresh_from_db()
    assert made.is_open(timezone.now()) is False
    assert AuditEntry.objects.filter(action="event_code.closed").count() == 1
    assert "Close this code now" not in browser.get(page_of(made)).content.decode()


def test_looking_closes_nothing(organizer):
    made = code(organizer)
    signed_in(organizer).get(page_of(made))
    assert EventCode.objects.get().uses_left == 64


def test_the_state_of_a_code_is_said_in_a_word(organizer, clock):
    code(organizer, hours=1, note="over")
    clock.shift(7200)
    code(organizer, note="open")
    event_codes.close_event_code(code(organizer, note="closed"), by=organizer)
    later = timezone.now() + timedelta(days=1)
    event_codes.make_event_code(
        note="early", valid_from=later, valid_to=later + timedelta(days=1), uses=1, by=organizer
    )
    page = " ".join(signed_in(organizer).get(CODES).content.decode().split())
    assert [page.count(f"> {word} <") for word in ("over", "open", "closed", "not yet open")] == [
        1,
        1,
        1,
        1,
    ]


def test_the_list_asks_the_database_as_often_for_three_as_for_one(staff):
    browser = signed_in(staff)
    code(factories.user_with_role("organizer"))
    first = queries_of(browser, CODES)
    for _ in range(2):
        code(factories.user_with_role("organizer"))
    assert queries_of(browser, CODES) == first
