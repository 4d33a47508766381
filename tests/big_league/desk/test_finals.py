"""The desk of the national finals: announced, looked at, called, opened, settled; by staff and
nobody else."""

from datetime import datetime

import pytest
from django.core import mail
from django.test import Client

from big_league.models import Answer, Final
from pergioco.stages.models import Game
from pergioco.stages.services import scheduling
from tests.big_league.finals.hall import (
    VALUES,
    announced,
    championship,
    first_mail,
    say,
    seated,
    second_mail,
)
from tests.conftest import signed_in
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
NOBODY_CALLED = "Next: about a month before the day, send the first mail."


@pytest.fixture
def client(staff) -> Client:
    return signed_in(staff)


def typed(**values: object) -> dict[str, object]:
    """As a browser sends the form."""
    sent = {name: value for name, value in VALUES.items() if value is not None} | {
        "starts_at": "2026-04-25T10:00"
    }
    return sent | {"answers_until": "2026-04-20", "asks_box": "on"} | values


def test_a_final_is_announced_once_however_often_the_button_is_pressed(client):
    championship(4)
    page = client.get("/en/staff/finals/new/")
    form = typed(submission=str(page.context["form"]["submission"].value()), game=announced_game())
    for _ in range(2):
        assert client.post("/en/staff/finals/new/", form).status_code == 302
    final = Final.objects.get()
    assert final.stage.slug == "2026-04-final-catan"
    assert NOBODY_CALLED in main(client.get(f"/en/staff/finals/{final.pk}/"))


def announced_game() -> int:
    return Game.objects.get(slug="catan").pk


def test_what_was_typed_stays_when_the_day_cannot_be(client):
    championship(4)
    page = client.get("/en/staff/finals/new/")
    form = typed(submission=str(page.context["form"]["submission"].value()), game=announced_game())
    answer = client.post("/en/staff/finals/new/", form | {"answers_until": "2026-05-01"})
    assert "The last day to answer comes after the final." in main(answer)
    assert "Palazzo Vecchio" in answer.content.decode()
    assert Final.objects.count() == 0


def test_before_the_first_mail_the_list_is_that_of_today_and_ties_at_a_border_are_marked(client):
    championship(8)
    final = announced(seats=4, reserves=2)
    page = main(client.get(f"/en/staff/finals/{final.pk}/"))
    assert "Who would be called by the ranking of today" in page
    assert "4 first and 2 reserves" in page


def test_the_mail_is_looked_at_in_three_languages_and_sent_by_a_post(client):
    championship(4)
    final = announced()
    page = main(client.get(f"/en/staff/finals/{final.pk}/mail/"))
    assert "4 people get it" in page
    assert [
        word
        for word in ("Portate un maglione", "Bring a jumper", "Traed un jersey")
        if word not in page
    ] == []
    assert mail.outbox == []
    client.post(f"/en/staff/finals/{final.pk}/mail/", {"mail": "1", "version": "1"})
    assert len(mail.outbox) == 4


def test_a_second_press_sends_neither_the_same_mail_again_nor_the_next_one(client):
    championship(4)
    final = announced()
    for _ in range(2):
        client.post(f"/en/staff/finals/{final.pk}/mail/", {"mail": "1", "version": "1"})
    assert len(mail.outbox) == 4
    assert Final.objects.get().state == Final.State.FIRST


def test_two_who_change_the_final_see_both_texts(client):
    championship(4)
    final = announced()
    client.post(f"/en/staff/finals/{final.pk}/edit/", typed(version=1, city="Pisa"))
    answer = client.post(f"/en/staff/finals/{final.pk}/edit/", typed(version=1, city="Lucca"))
    assert answer.status_code == 409
    assert "Pisa" in answer.content.decode()
    assert "Lucca" in answer.content.decode()
    assert Final.objects.get().city == "Pisa"


def test_an_answer_from_the_phone_is_written_down_with_how_we_know(client):
    players = championship(4)
    final = first_mail(announced())
    form = {"answer-player": players[0].public_id, "answer-said": "yes", "answer-reason": "rang up"}
    client.post(f"/en/staff/finals/{final.pk}/answer/", form)
    assert seated(final) == [players[0]]
    page = main(client.get(f"/en/staff/finals/{final.pk}/"))
    assert "has a seat" in page
    assert "rang up" in page
    assert "Seats taken 1 / 32" in page or "1 / 32" in page


def test_somebody_who_was_not_called_is_let_in_with_a_reason(client):
    players = championship(6)
    final = first_mail(announced(seats=2, reserves=2))
    form = {"grant-player": players[5].public_id, "grant-reason": "came with four boxes"}
    refused = client.post(f"/en/staff/finals/{final.pk}/grant/", form)
    assert "until the second mail has left" in main(refused)
    second_mail(final)
    client.post(f"/en/staff/finals/{final.pk}/grant/", form)
    assert seated(final) == [players[5]]


def test_a_settled_list_is_settled(client):
    championship(4)
    final = first_mail(announced())
    client.post(f"/en/staff/finals/{final.pk}/close/", {"version": str(final.version)})
    assert Final.objects.get().closed_at is not None
    assert "Settle the list" not in main(client.get(f"/en/staff/finals/{final.pk}/"))


def test_a_player_asks_on_the_public_page_and_the_desk_sees_it(client):
    players = championship(6)
    final = first_mail(announced(seats=2, reserves=2))
    outsider = signed_in(players[5].person.user)
    assert "You were not called?" in main(outsider.get("/en/big/finals/2026-04-final-catan/"))
    outsider.post("/en/big/finals/2026-04-final-catan/ask/")
    assert Answer.objects.get().player == players[5]
    page = main(client.get(f"/en/staff/finals/{final.pk}/"))
    assert f"{players[5].person}: asks" in page
    assert "You were not called?" not in main(outsider.get("/en/big/finals/2026-04-final-catan/"))


def test_the_public_page_names_who_has_a_seat(client):
    players = championship(4)
    final = first_mail(announced())
    say(final, players[0], "yes")
    page = main(Client().get("/en/big/finals/2026-04-final-catan/"))
    assert "1 of 32 seats are taken. 3 are held" in page
    assert str(players[0].person) in page
    assert final.starts_at < datetime.fromisoformat("2026-04-26T00:00:00+02:00")


def test_as_many_queries_for_64_as_for_4(client, django_assert_max_num_queries):
    championship(64)
    final = first_mail(announced())
    with django_assert_max_num_queries(25):
        client.get(f"/en/staff/finals/{final.pk}/")


# What the desk asks for


def told(staff) -> list[tuple[str, str, str, str]]:
    needs = signed_in(staff).get("/en/staff/").context["needs"]
    return [(n.sentence, n.button, n.address, n.urgency) for n in needs if "/finals/" in n.address]


def test_a_final_that_nobody_is_called_to_waits_at_the_desk_the_more_urgent_the_nearer(
    staff, clock
):
    championship(4)
    final = announced()
    address = f"/en/staff/finals/{final.pk}/"
    sentence = "1 national final is to be convened: answers until 20 April 2026."
    assert told(staff) == [(sentence, "Convene", address, "")]
    clock.move_to("2026-03-26T12:00:00Z")
    assert told(staff) == [(sentence, "Convene", address, "urgent")]
    assert signed_in(staff).get(address).status_code == 200


def test_once_the_answers_are_in_the_list_is_to_be_settled(staff, clock):
    championship(4)
    final = first_mail(announced())
    assert told(staff) == []
    clock.move_to("2026-04-21T12:00:00Z")
    sentence = "The list of 1 national final is to be settled: answers came until 20 April 2026."
    assert told(staff) == [(sentence, "Settle it", f"/en/staff/finals/{final.pk}/", "urgent")]
    clock.move_to("2026-04-26T12:00:00Z")
    assert told(staff) == []


def test_nobody_is_called_to_a_final_that_was_cancelled(staff):
    championship(4)
    scheduling.cancel_stage(announced().stage, by=staff)
    assert told(staff) == []
