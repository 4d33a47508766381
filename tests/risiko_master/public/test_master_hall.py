"""A Master while it is played, for the phones in the hall; and why its points are what they are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from risiko_master.services import clock
from tests.ratings.play import settled
from tests.risiko_master.desk.master_day import MasterDay
from tests.risiko_master.play import held, people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
PLAYED = """
A *, B 40, C 30, D 20 | E 45, F 39, G 31, H 21, I 80
A 20, F 40, K 30, P 20 | E 50, B 39, O 31, L 21
"""


def text(client, address):
    return " ".join(client.get(f"/en/risiko/{address}").content.decode().split())


@pytest.fixture
def day():
    return MasterDay(players=8, clubs=())


def test_before_the_draw_nothing_is_on_the_wall(day, client):
    assert "On the wall now" not in text(client, f"{day.stage.slug}/")
    told = client.get(f"/en/risiko/{day.stage.slug}/clock.json").json()
    assert (told["state"], told["left_ms"]) == ("", 0)


def test_the_tables_are_public_at_once_and_nobody_is_named_who_is_not_registered(day, client):
    day.begin()
    page = text(client, f"{day.stage.slug}/")
    assert "On the wall now: Game 1" in page
    assert page.count("****") == 8
    day.sheet(1, 1, [10, 20, 30, 40])
    page = text(client, f"{day.stage.slug}/")
    assert "1.040" in page


def test_after_both_games_everybody_sees_who_is_through(client):
    day = MasterDay(players=16, clubs=())
    day.begin()
    day.play(1)
    assert "Ranking after the two games" not in text(client, f"{day.stage.slug}/")
    day.post("draws/2/", step="draw")
    day.play(2)
    page = text(client, f"{day.stage.slug}/")
    assert "Ranking after the two games" in page
    assert "The rankings of this Master follow" not in page
    hall = client.get(f"/en/risiko/{day.stage.slug}/").context["hall"]
    room = day.get("ranking/").context["rows"]
    assert [(row.rank, row.points, row.goes) for row in hall.ranking] == [
        (r.rank, r.points, r.goes) for r in room
    ]


def test_the_clock_tells_its_mark_anew_when_a_table_sends(day, client, clock):
    day.begin()
    day.post("clock/", game="1", what="start", seen="waiting")
    address = f"/en/risiko/{day.stage.slug}/clock.json"
    first = client.get(address).json()
    clock.shift(61)
    later = client.get(address).json()
    day.sheet(1, 1, [10, 20, 30, 40])
    sent = client.get(address).json()
    assert (first["left_ms"], later["left_ms"], sent["state"]) == (5_400_000, 5_339_000, "running")
    assert first["mark"] == later["mark"] != sent["mark"]


def test_the_clock_costs_as_much_for_many_tables_as_for_few(client):
    def queries(players):
        day = MasterDay(players=players, clubs=())
        day.begin()
        with CaptureQueriesContext(connection) as seen:
            client.get(f"/en/risiko/{day.stage.slug}/clock.json")
        return len(seen)

    assert queries(8) == queries(40) <= 7


def test_a_clock_of_no_master_is_not_found(client):
    assert client.get("/en/risiko/nowhere/clock.json").status_code == 404


def test_the_control_room_reads_the_same_clock(day):
    day.begin()
    clock.press_clock(day.stage, clock.Pressed(1, "start", "waiting"), by=day.director)
    room = day.get().context["room"]
    assert (room.face, room.mark) == (
        "90:00",
        day.browser.get(f"/en/risiko/{day.stage.slug}/clock.json").json()["mark"],
    )


@pytest.fixture
def torino():
    who = people(16)
    stage = held(PLAYED, who=who, slug="torino")
    settled(stage)
    stage.who = who
    return stage


def why(client, stage, letter):
    return text(client, f"torino/why/{stage.who[letter].public_id}/")


def test_rkm_points_are_explained_game_by_game(client, torino):
    page = why(client, torino, "A")
    assert "RisiKo! made: 1.100 at any table." in page
    assert "20 table points" in page
    assert "place 1 with 1.120" in page
    page = why(client, torino, "E")
    assert "45 table points × 1.25 at a table of five, rounded up, 0.100 at most" in page
    assert "50 table points + 1.000 for the winner of the table" in page
    assert "80 table points × 1.25 at a table of five, rounded up, 0.100 at most + 1.000" in why(
        client, torino, "I"
    )


def test_each_number_of_a_ranking_leads_to_its_reasons(client, torino):
    assert f'href="/en/risiko/torino/why/{torino.who["E"].public_id}/"' in text(client, "torino/")


def test_who_did_not_play_has_no_reasons(client, torino):
    assert client.get(f"/en/risiko/torino/why/{people(1)['A'].public_id}/").status_code == 404
