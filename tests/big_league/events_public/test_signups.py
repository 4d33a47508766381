"""The pages on which players sign up for an event, and the public results afterwards."""

import re
from decimal import Decimal

import pytest
from django.core import mail

from big_league import links
from big_league.models import SignUp
from big_league.services import sign_ups
from pergioco.stages.models import Seat
from tests import factories
from tests.big_league.day import NAMES, come, draw, event_for, guest, score
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
TYPED = {
    "first_name": "Ada",
    "last_name": "Neri",
    "email": "ada@example.net",
    "birth_date_0": "17",
    "birth_date_1": "5",
    "birth_date_2": "1990",
    "brings_box": "on",
    "agrees": "on",
}


@pytest.fixture
def by(db):
    return factories.user_with_role("big_organizer")


@pytest.fixture
def event(by):
    made = event_for(by, capacity=2, criterion="two boxes")
    mail.outbox.clear()
    return made


@pytest.fixture
def page(event):
    return f"/en/big/events/{event.stage.slug}/"


def text(answer):
    return answer.content.decode()


def test_the_page_says_how_many_seats_are_left_and_names_nobody(client, event, page):
    sign_ups.sign_up(event, guest("Ada"), player=None, by=None)
    answer = text(client.get(page))
    assert "1 seat is left." in answer
    assert "1 player is signed up." in answer
    assert "Neri" not in answer


def test_a_guest_signs_up_and_stands_on_the_page_of_the_link(client, page):
    answer = client.post(f"{page}join/", TYPED, follow=True)
    assert "A seat is yours." in text(answer)
    assert "You bring a box of the game." in text(answer)
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert mail.outbox[0].to == ["ada@example.net"]


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("first_name", "This is still empty"),
        ("email", "This is still empty"),
        ("birth_date_0", "Write day, month and year"),
        ("agrees", "Without membership nobody can play"),
    ],
)
def test_what_is_needed_is_asked_for_and_nothing_typed_is_lost(client, page, missing, sentence):
    answer = text(
        client.post(
            f"{page}join/", {**TYPED, missing: ""} if missing != "agrees" else omit("agrees")
        )
    )
    assert sentence in answer
    assert 'value="Neri"' in answer
    assert SignUp.objects.count() == 0


def omit(name):
    return {key: value for key, value in TYPED.items() if key != name}


def test_whoever_types_the_data_of_a_guest_does_not_get_the_guests_link(client, page):
    client.post(f"{page}join/", TYPED)
    answer = client.post(f"{page}join/", TYPED, follow=True)
    assert answer.redirect_chain[-1][0] == page
    assert "You are signed up already." in text(answer)
    assert [message.to for message in mail.outbox] == [["ada@example.net"]] * 2
    assert SignUp.objects.count() == 1


def test_a_player_who_is_signed_in_needs_one_button(event, page, player_user):
    browser = signed_in(player_user)
    assert "I am coming" in text(browser.get(page))
    browser.post(f"{page}join/", {})
    answer = text(browser.get(page))
    assert "A seat is yours." in answer
    assert "I am coming" not in answer
    assert SignUp.objects.get().player == player_user.person.player


def test_when_it_is_full_the_waiting_list_is_in_sight(client, event, page):
    for name in ("Bea", "Carl"):
        sign_ups.sign_up(event, guest(name), player=None, by=None)
    assert "<strong>Full</strong>" in text(client.get(page))
    answer = client.post(f"{page}join/", omit("brings_box"), follow=True)
    assert "You are number 1 of 1." in text(answer)
    assert "<strong>Full, 1 is waiting</strong>" in text(client.get(page))


def test_opening_the_link_changes_nothing_and_a_button_signs_off(client, event):
    made = sign_ups.sign_up(event, guest("Ada"), player=None, by=None)
    link = re.search(r"/en/big/signup/\S+", mail.outbox[0].body)[0]
    for _ in range(2):
        assert "A seat is yours." in text(client.get(link))
    assert "You bring a box" in text(client.post(link, {"box": "yes"}, follow=True))
    assert "You are not coming" in text(client.post(link, {"leave": "1"}, follow=True))
    made.refresh_from_db()
    assert made.left_at is not None


def test_a_link_that_was_changed_leads_nowhere(client, event):
    made = sign_ups.sign_up(event, guest("Ada"), player=None, by=None)
    assert client.get(f"/en/big/signup/{made.key}.wrong/").status_code == 404
    assert client.get(f"/en/big/signup/{links.signup_token(made)}x/").status_code == 404


def test_once_the_doors_are_open_the_form_says_that_it_is_over(client, event, page, by):
    come(event, ["Ada"], by=by)
    draw_nothing = client.get(f"{page}join/")
    assert draw_nothing.status_code == 200
    event.stage.__class__.objects.filter(pk=event.stage_id).update(status="open")
    assert "Signing up is over" in text(client.get(f"{page}join/"))
    assert "Signing up is over" in text(client.post(f"{page}join/", TYPED))


def test_the_public_page_shows_the_order_and_the_tables_with_the_names_of_members(client, by):
    event = event_for(by)
    come(event, NAMES[:8], by=by)
    draw(event, by=by)
    score(event, by=by)
    answer = text(client.get(f"/en/big/events/{event.stage.slug}/"))
    assert "Standings" in answer
    assert "· 1. · 1000" in answer
    assert {name: answer.count(f"{name} Neri") for name in NAMES[:8]} == dict.fromkeys(NAMES[:8], 2)
    assert [name for name in NAMES if f"{name.lower()}@" in answer] == []


def test_a_score_stands_there_as_it_was_typed(client, by):
    event = event_for(by)
    come(event, NAMES[:4], by=by)
    draw(event, by=by)
    score(event, by=by)
    Seat.objects.filter(position=1).update(score=Decimal("120.25"), bid=Decimal("0.05"))
    assert "120.25−0.05" in text(client.get(f"/en/big/events/{event.stage.slug}/"))


def test_many_from_one_place_are_asked_to_wait(client, page, monkeypatch):
    monkeypatch.setattr("big_league.views.public.signups.PER_CONNECTION", "1/h/ip")
    client.post(f"{page}join/", TYPED)
    answer = client.post(f"{page}join/", {**TYPED, "email": "bea@example.net"})
    assert (answer.status_code, SignUp.objects.count()) == (429, 1)
    assert 'value="bea@example.net"' in text(answer)
