"""Badges and seat lists of a tournament of BIG and of a national final, to print."""

from datetime import date
from decimal import Decimal

import pytest
from django.test import Client

from big_league.models import SignUp
from big_league.services import sign_ups
from pergioco.players.models import Person
from tests import factories
from tests.big_league.day import NAMES, come, draw, event_for, guest
from tests.big_league.finals.hall import announced, championship, first_mail, say
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def by(db):
    return factories.user_with_role("big_organizer")


@pytest.fixture
def event(by):
    return event_for(by)


@pytest.fixture
def client(by) -> Client:
    return signed_in(by)


def badges(answer) -> list[tuple[str, str, str, int | None]]:
    return [(one.first_name, one.last_name, one.city, one.seat) for one in answer.context["badges"]]


def test_who_signed_up_and_who_came_have_a_badge_each(client, event, by):
    sign_ups.sign_up(event, guest("Zoe"), player=None, by=None)
    come(event, NAMES[:3], by=by)
    answer = client.get(f"/en/staff/big/{event.pk}/badges/")
    assert [one[:2] for one in badges(answer)] == [(name, "Neri") for name in (*NAMES[:3], "Zoe")]
    assert "Ada Neri" in main(answer)
    assert "example.net" not in main(answer)


def test_whoever_waits_or_does_not_come_has_none(client, by):
    event = event_for(by, capacity=2)
    for name in NAMES[:4]:
        sign_ups.sign_up(event, guest(name), player=None, by=None)
    assert [one[0] for one in badges(client.get(f"/en/staff/big/{event.pk}/badges/"))] == [
        "Ada",
        "Bea",
    ]
    SignUp.objects.filter(first_name="Ada").update(presence="absent")
    assert "Ada" not in [one[0] for one in badges(client.get(f"/en/staff/big/{event.pk}/badges/"))]


def test_the_city_stands_on_the_badge_of_whoever_said_it(client, event, by):
    come(event, NAMES[:1], by=by)
    Person.objects.update(city="Gubbio")
    assert badges(client.get(f"/en/staff/big/{event.pk}/badges/")) == [
        ("Ada", "Neri", "Gubbio", None)
    ]


def test_the_seat_list_has_the_order_of_each_table_and_bids_where_there_is_an_auction(
    client, event, by
):
    come(event, NAMES[:7], by=by)
    day = draw(event, by=by)
    names = {player.pk: f"{player.person}" for player in (entry.player for entry in day.entries)}
    answer = client.get(f"/en/staff/big/{event.pk}/rounds/1/sheets/")
    shown = [[seat.name for seat in table.seats] for table in answer.context["round"].tables]
    assert shown == [[names[seat.player] for seat in table.seats] for table in day.facts[-1].tables]
    assert "Bid" not in main(answer)
    type(day.sheet).objects.update(auction="A", step=Decimal(1))
    assert "Bid" in main(client.get(f"/en/staff/big/{event.pk}/rounds/1/sheets/"))
    assert client.get(f"/en/staff/big/{event.pk}/rounds/2/sheets/").status_code == 404


def test_the_pages_of_the_event_lead_to_them(client, event, by):
    come(event, NAMES[:4], by=by)
    draw(event, by=by)
    pages = {"": "badges", "check-in/": "badges", "day/": "rounds/1/sheets"}
    for page, linked in pages.items():
        content = client.get(f"/en/staff/big/{event.pk}/{page}").content.decode()
        assert f'/en/staff/big/{event.pk}/{linked}/"' in content


def test_another_organizer_gets_neither(event):
    other = signed_in(factories.user_with_role("big_organizer"))
    for page in ("badges", "rounds/1/sheets"):
        assert other.get(f"/en/staff/big/{event.pk}/{page}/").status_code == 404


def test_badges_are_asked_for_at_once_however_many_they_are(client, event, by):
    come(event, NAMES[:2], by=by)
    few = queries_of(client, f"/en/staff/big/{event.pk}/badges/")
    come(event, NAMES[2:9], by=by)
    assert queries_of(client, f"/en/staff/big/{event.pk}/badges/") == few


def test_a_final_has_its_numbered_seats_and_their_badges(staff):
    championship(6)
    final = first_mail(announced(seats=4, reserves=2))
    called = [row.player for row in final.called.all()]
    say(final, called[1], "yes")
    say(final, called[0], "yes")
    desk = signed_in(staff)
    seats = desk.get(f"/en/staff/finals/{final.pk}/seats/")
    assert [(seat.number, seat.player) for seat, _box in seats.context["rows"]] == [
        (1, called[1]),
        (2, called[0]),
    ]
    found = badges(desk.get(f"/en/staff/finals/{final.pk}/badges/"))
    assert [(first, seat) for first, _last, _city, seat in found] == [
        (called[1].person.first_name, 1),
        (called[0].person.first_name, 2),
    ]
    page = desk.get(f"/en/staff/finals/{final.pk}/").content.decode()
    assert f'/en/staff/finals/{final.pk}/seats/"' in page
    assert date(2026, 4, 25) == final.stage.starts_on
