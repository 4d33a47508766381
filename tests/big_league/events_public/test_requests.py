"""The public form by which somebody asks BIG for a tournament, and the page of its signed link."""

import re

import pytest
from django.core import mail
from django.test import Client

from big_league import links
from big_league.models import Event
from big_league.services import event_requests
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
FORM = "/en/big/request/"
FIRST = {
    "place": "Ludoteca Centrale",
    "address": "Via Roma 1",
    "city": "Modena",
    "starts_at": "2026-04-12T15:00",
    "organizer_name": "Carla Verdi",
    "organizer_phone": "+39 059 123456",
    "organizer_email": "carla@example.net",
    "agrees": "on",
}


@pytest.fixture
def catan():
    return factories.game_sheet(factories.game("catan")).game


def filled(game, **changed):
    return {**FIRST, "games": [str(game.pk)], **changed}


def shown(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def test_eight_things_are_enough_without_a_login_and_without_a_script(catan):
    answer = Client().post(FORM, filled(catan), follow=True)
    event = Event.objects.get()
    assert answer.redirect_chain == [(f"/en/big/request/{links.request_token(event)}/", 302)]
    assert (event.place, event.language, event.sent_by, [*event.games.all()]) == (
        "Ludoteca Centrale",
        "en",
        None,
        [catan],
    )
    assert event.starts_at.isoformat() == "2026-04-12T13:00:00+00:00"
    assert "BIG looks at it and writes to you." in shown(answer)
    assert [letter.to for letter in mail.outbox] == [["carla@example.net"]]


def test_the_form_sent_twice_is_one_request(catan):
    page = Client().get(FORM).content.decode()
    key = re.search(r'name="submission" value="([^"]+)"', page)[1]
    addresses = {Client().post(FORM, filled(catan, submission=key)).url for _ in range(2)}
    assert (len(addresses), Event.objects.count(), len(mail.outbox)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("place", ""),
        ("address", ""),
        ("city", ""),
        ("starts_at", "tomorrow"),
        ("starts_at", "2026-03-12T11:00"),
        ("organizer_name", ""),
        ("organizer_phone", "call me"),
        ("organizer_email", "carla"),
        ("rounds", "21"),
        ("capacity", "many"),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_all_that_was_typed_stays(catan, field, typed):
    answer = Client().post(FORM, filled(catan, **{field: typed, "prizes": "a box & a mug"}))
    assert answer.context["form"].errors.keys() == {field}
    page = answer.content.decode()
    assert "a box &amp; a mug" in page
    assert typed in page
    assert re.search(rf'value="{catan.pk}"[^>]*checked', page)
    assert Event.objects.count() == 0


def test_a_game_is_chosen_or_its_title_is_written(catan):
    without = {**FIRST}
    assert Client().post(FORM, without).context["form"].errors.keys() == {"games"}
    assert Client().post(FORM, {**FIRST, "games": ["999"]}).context["form"].errors.keys() == {
        "games"
    }
    Client().post(FORM, {**FIRST, "other_games": "Brass"})
    assert Event.objects.get().other_games == "Brass"


def test_limited_seats_need_their_reason_and_the_contact_its_consent(catan):
    typed = filled(catan, capacity="16")
    del typed["agrees"]
    assert Client().post(FORM, typed).context["form"].errors.keys() == {"criterion", "agrees"}


def test_checking_says_the_hints_and_sends_nothing(catan):
    answer = Client().post(
        FORM, filled(catan, starts_at="2026-03-15T15:00", expected="5", check="1")
    )
    assert "Less than seven days are left" in shown(answer)
    assert "counts for half the points" in shown(answer)
    assert (Event.objects.count(), mail.outbox) == (0, [])


def test_a_game_for_two_is_named(catan):
    duel = factories.game_sheet(factories.game("seasons"), two_only=True).game
    sentence = "two players at a table only: seasons."
    assert sentence not in shown(Client().post(FORM, filled(catan, check="1")))
    assert sentence in shown(Client().post(FORM, filled(duel, check="1")))


def test_hints_do_not_stand_in_the_way(catan):
    answer = Client().post(
        FORM, filled(catan, starts_at="2026-03-15T15:00", expected="5"), follow=True
    )
    assert Event.objects.count() == 1
    assert "Less than seven days are left" in shown(answer)


def test_the_third_request_with_one_address_arrives_but_is_not_confirmed_by_mail(catan):
    for _ in range(2):
        Client().post(FORM, filled(catan))
    answer = Client().post(FORM, filled(catan, organizer_email="CARLA@example.net"))
    assert (answer.status_code, Event.objects.count(), len(mail.outbox)) == (302, 3, 2)


def test_many_from_one_place_are_asked_to_wait(catan, monkeypatch):
    monkeypatch.setattr("big_league.views.public.requests.PER_CONNECTION", "1/h/ip")
    Client().post(FORM, filled(catan))
    answer = Client().post(FORM, filled(catan))
    assert (answer.status_code, Event.objects.count()) == (429, 1)
    assert "Ludoteca Centrale" in answer.content.decode()


def test_whoever_is_signed_in_types_no_name_and_begins_from_the_last_one(player_user, catan):
    browser = signed_in(player_user)
    page = browser.get(FORM).content.decode()
    assert f'value="{player_user.email}"' in page
    assert 'value="Marta Rossi"' in page
    browser.post(FORM, filled(catan, notes="once only"))
    event = Event.objects.get()
    assert event.sent_by == player_user
    assert "Begin from your last one: Ludoteca Centrale, Modena" in shown(browser.get(FORM))
    again = browser.get(FORM + "?like=last").context["form"].initial
    assert (again["place"], again["games"]) == ("Ludoteca Centrale", [str(catan.pk)])
    assert again.keys().isdisjoint({"starts_at", "notes"})
    assert again["submission"] != event.submission


def test_nobody_begins_from_the_request_of_somebody_else(catan, player_user):
    factories.big_event(place="Segreto")
    assert "Segreto" not in signed_in(player_user).get(FORM + "?like=last").content.decode()
    assert "Segreto" not in Client().get(FORM + "?like=last").content.decode()


@pytest.fixture
def event(catan):
    return factories.big_event(catan)


def page_of(event):
    return f"/en/big/request/{links.request_token(event)}/"


def test_the_link_shows_what_was_answered_and_lets_it_be_changed(event, staff, catan):
    event_requests.ask_for_request_change(event, by=staff, version=1, answer="Which room?")
    answer = Client().get(page_of(event))
    assert "Which room?" in shown(answer)
    assert answer["X-Robots-Tag"] == "noindex"
    assert answer["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    answer = Client().post(page_of(event), filled(catan, place="Sala 2", version="2"), follow=True)
    assert "Saved. BIG looks at it again." in shown(answer)
    event.refresh_from_db()
    assert (event.place, event.state, event.version) == ("Sala 2", "sent", 3)


def test_what_changed_meanwhile_is_not_written_over_and_what_was_typed_stays(event, catan):
    answer = Client().post(page_of(event), filled(catan, place="Sala 2", version="7"))
    assert answer.status_code == 409
    assert "Sala 2" in shown(answer)
    event.refresh_from_db()
    assert event.place == "Ludoteca Centrale"


def test_looking_changes_nothing(event):
    Client().get(page_of(event))
    assert Event.objects.get().version == 1


def test_once_decided_there_is_nothing_to_change(event, staff):
    event_requests.refuse_request(event, by=staff, version=1, answer="A private house")
    page = shown(Client().get(page_of(event)))
    assert "A private house" in page
    assert "Save and send again" not in page


def test_homologated_the_link_leads_to_page_and_poster(event, staff):
    slug = factories.homologated(event, by=staff).stage.slug
    page = Client().get(page_of(event)).content.decode()
    assert f"/en/big/events/{slug}/" in page
    assert f"/en/big/events/{slug}/poster/" in page


def test_a_forged_link_leads_nowhere(event):
    assert Client().get(f"/en/big/request/{event.key}.forged/").status_code == 404
    assert Client().post(f"/en/big/request/{event.key}.forged/", FIRST).status_code == 404


def test_the_form_asks_as_much_for_many_games_as_for_one(catan):
    few = queries_of(Client(), FORM)
    for _ in range(4):
        factories.game_sheet()
    assert queries_of(Client(), FORM) == few
