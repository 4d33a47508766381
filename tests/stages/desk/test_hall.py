"""Hall mode: on the day of an event many people behind one address are not taken for a robot."""

from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.utils import timezone

from pergioco.core import limits
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import ShortMemory
from pergioco.players.models import EventCode, Registration
from pergioco.players.services import event_codes
from pergioco.stages.models import Stage
from tests import factories
from tests.conftest import NOON_IN_MARCH, signed_in
from tests.players.account.test_registration import typed as registering

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
HALL, HOME = "192.0.2.44", "198.51.100.7"
PAGE, LOGIN = "/en/staff/hall/", "/en/account/login/"
TODAY = NOON_IN_MARCH.date()
PHONES = 64


def stage_of(user, day: date = TODAY, circuit: str = "pgm", **fields) -> Stage:
    stage = factories.stage(starts_on=day, ends_on=day, circuit=circuit, **fields)
    stage.organizers.add(user)
    return stage


def text(answer) -> str:
    return " ".join(answer.content.decode().split())


@pytest.fixture
def stage(organizer) -> Stage:
    return stage_of(organizer)


@pytest.fixture
def desk(organizer) -> Client:
    browser = signed_in(organizer)
    browser.defaults["REMOTE_ADDR"] = HALL
    return browser


@pytest.fixture
def hall(organizer) -> EventCode:
    return event_codes.open_hall("Chess in Modena", HALL, by=organizer)


def register_at(address: str, phones: int) -> int:
    for number in range(phones):
        typed = registering(email=f"n{number}@example.org", playstrategy=f"Nick{number}")
        Client(REMOTE_ADDR=address).post("/en/register/", typed)
    return Registration.objects.count()


def sign_in_at(address: str, phones: int) -> int:
    """Each with an account of its own, all in one minute."""
    users = [factories.user(f"n{number}@example.org") for number in range(phones)]
    typed = ({"login": user.email, "password": factories.PASSWORD} for user in users)
    answers = [Client(REMOTE_ADDR=address).post(LOGIN, one) for one in typed]
    return sum(answer.status_code == 302 for answer in answers)


# What it lets through


def test_twenty_of_a_hall_register_in_an_hour_without_it():
    assert register_at(HALL, 24) == 20


def test_more_register_with_it(hall):
    assert register_at(HALL, 24) == 24


def test_thirty_of_a_hall_sign_in_within_a_minute_without_it():
    assert sign_in_at(HALL, 34) == 30


def test_more_sign_in_with_it(hall):
    assert sign_in_at(HALL, 34) == 34


@pytest.mark.proof
@pytest.mark.parametrize("what", [register_at, sign_in_at])
def test_a_whole_hall_gets_in_with_it(hall, figure, what):
    through = what(HALL, PHONES)
    figure(
        "T18",
        f"of {PHONES} phones behind one address in hall mode, {what.__name__} let through",
        through,
        target=str(PHONES),
        met=through == PHONES,
    )
    assert through == PHONES


@pytest.mark.proof
@pytest.mark.parametrize(("what", "limit"), [(register_at, 20), (sign_in_at, 30)])
def test_control_without_hall_mode_most_of_it_waits(figure, what, limit):
    through = what(HALL, PHONES)
    figure("T18", f"of {PHONES} phones behind one address, {what.__name__} let through", through)
    assert through == limit


def test_scores_of_a_hall_count_ten_times(hall, rf):
    def let_through(address: str) -> int:
        request = rf.post("/", REMOTE_ADDR=address)
        return sum(
            limits.consume(request, "table", "2/m/ip", more_in_halls=True) for _ in range(30)
        )

    assert [let_through(HALL), let_through(HOME)] == [20, 2]


def test_costly_pages_stay_limited(hall, rf):
    request = rf.get("/", REMOTE_ADDR=HALL)
    assert [limits.consume(request, "whole_ranking", "1/m/ip") for _ in range(2)] == [True, False]


def test_guesses_for_one_login_stay_limited(hall):
    user = factories.user("marta@example.org")
    for number in range(5):
        Client(REMOTE_ADDR=HALL).post(LOGIN, {"login": user.email, "password": f"no {number}"})
    right = {"login": user.email, "password": factories.PASSWORD}
    assert Client(REMOTE_ADDR=HALL).post(LOGIN, right).status_code == 200


# Who switches it, and until when


def test_an_organizer_switches_it_on_for_the_event_of_today(desk, organizer, stage):
    assert "Hall mode is off" in text(desk.get(PAGE))
    page = text(desk.post(PAGE, {"stage": stage.slug}, follow=True))
    assert "Hall mode is on, until midnight." in page
    assert f"{stage}: switched on at 12:00." in page
    code = EventCode.objects.get()
    assert (code.note, code.created_by) == (str(stage), organizer)
    assert [entry.action for entry in AuditEntry.objects.filter(actor=organizer)] == [
        "event_code.hall_opened"
    ]


def test_it_ends_at_midnight_in_rome(hall, clock, organizer):
    assert hall.valid_to == datetime(2026, 3, 12, 23, tzinfo=UTC)
    clock.move_to(datetime(2026, 3, 12, 22, 59, 59, tzinfo=UTC))
    assert event_codes.find_hall(HALL) == hall
    clock.move_to(datetime(2026, 3, 12, 23, tzinfo=UTC))
    assert event_codes.find_hall(HALL) is None
    assert not hall.is_open(timezone.now())


@pytest.mark.parametrize(("day", "ends"), [(29, 22), (28, 23)])  # the clocks change on the 29th
def test_the_day_may_have_23_hours(organizer, clock, day, ends):
    clock.move_to(datetime(2026, 3, day, 0, 30, tzinfo=UTC))
    hall = event_codes.open_hall("Chess", HALL, by=organizer)
    assert hall.valid_to == datetime(2026, 3, day, ends, tzinfo=UTC)


def test_it_is_switched_off_where_it_was_switched_on(desk, hall, stage):
    assert "Switch it off now" in text(desk.get(PAGE))
    assert "Hall mode is off." in text(desk.post(PAGE, {"close": "1"}, follow=True))
    assert event_codes.find_hall(HALL) is None
    assert AuditEntry.objects.filter(action="event_code.closed").count() == 1
    desk.post(PAGE, {"close": "1"})
    assert AuditEntry.objects.filter(action="event_code.closed").count() == 1


def test_closing_its_code_ends_it_too(desk, hall):
    desk.post(f"/en/staff/event-codes/{hall.pk}/")
    assert event_codes.find_hall(HALL) is None


def test_switched_on_twice_it_is_one(desk, stage):
    for _ in range(2):
        desk.post(PAGE, {"stage": stage.slug})
    assert EventCode.objects.count() == 1


def test_it_is_for_this_connection_and_no_address_is_kept(hall):
    assert event_codes.find_hall(HOME) is None
    assert HALL not in str(list(ShortMemory.objects.values_list()))
    assert HALL not in str(list(AuditEntry.objects.values()))


@pytest.mark.parametrize(
    ("role", "circuit"),
    [("organizer", "pgm"), ("big_organizer", "big"), ("risiko_director", "rkm")],
)
def test_each_circuit_has_halls(role, circuit):
    user = factories.user_with_role(role)
    stage = stage_of(user, circuit=circuit)
    answer = signed_in(user).post(PAGE, {"stage": stage.slug}, follow=True)
    assert "Hall mode is on" in text(answer)


@pytest.mark.parametrize("when", ["yesterday", "tomorrow", "cancelled", "of another"])
def test_without_an_event_of_ones_own_today_there_is_no_button(desk, organizer, when):
    days = {"yesterday": date(2026, 3, 11), "tomorrow": date(2026, 3, 13)}
    by = factories.user_with_role("organizer") if when == "of another" else organizer
    status = {"status": "cancelled"} if when == "cancelled" else {}
    stage = stage_of(by, days.get(when, TODAY), **status)
    assert "None of your events is on today" in text(desk.get(PAGE))
    assert desk.post(PAGE, {"stage": stage.slug}).url == PAGE
    assert EventCode.objects.count() == 0


def test_staff_switch_it_on_for_any_event_of_today(stage, staff):
    answer = signed_in(staff).post(PAGE, {"stage": stage.slug}, follow=True)
    assert "Hall mode is on" in text(answer)


def test_the_desk_of_a_stage_leads_there_on_its_day(desk, organizer, stage, clock):
    page = f"/en/staff/stages/{stage.pk}/"
    assert f'href="{PAGE}"' in text(desk.get(page))
    clock.move_to(datetime(2026, 3, 13, 11, tzinfo=UTC))
    assert f'href="{PAGE}"' not in text(desk.get(page))
    assert f'href="{PAGE}"' in text(desk.get("/en/staff/"))
