"""The page of a draw: before, after, drawn again, run again; its document and its script."""

import json
import re

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from pergioco.players.models import Consent, Registration
from risiko_master import standalone, verify
from risiko_master.models import Draw
from risiko_master.services import drawing
from risiko_master.views.draws import DrawPage
from tests import factories
from tests.risiko_master.masters import drawn, master, play

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    caches["process"].clear()


@pytest.fixture
def day():
    return master()


def address(stage, what="", number=1):
    return f"/en/risiko/{stage.slug}/draw/{number}/{what}"


def text(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def read(stage, what="", number=1):
    answer = Client().get(address(stage, what, number))
    assert answer.status_code == 200
    return text(answer)


def test_before_anything_is_promised(day):
    assert "Nothing promised yet" in read(day[0])


def test_of_a_closed_master_that_was_drawn_elsewhere_nothing_is_promised(client):
    factories.stage(circuit="rkm", slug="elsewhere", status="closed")
    page = client.get("/en/risiko/elsewhere/draw/1/").content.decode()
    assert "Not drawn here" in page
    assert "is published here" not in page


def test_the_page_of_the_stage_leads_there_and_the_draws_to_each_other(day):
    stage, _director = day
    for page in (f"/en/stages/2026/{stage.slug}/", f"/en/risiko/{stage.slug}/"):
        assert address(stage) in Client().get(page).content.decode()
    page = Client().get(address(stage, number=2)).content.decode()
    assert all(f'href="{address(stage, number=number)}"' in page for number in (1, 2, 3))
    assert re.findall(r'aria-current="page">([^<]*)<', page)[-1] == "Second game"


def test_after_the_promise_the_hash_stands_there_and_the_seed_does_not(day):
    stage, director = day
    promised = drawing.commit_seed(stage, 1, by=director)
    page = read(stage)
    assert promised.seed_sha256 in page
    assert promised.seed not in page
    assert "Not drawn yet" in page
    assert Client().get(address(stage, "draw.json")).status_code == 404


def test_after_the_draw_seed_tables_and_criteria_stand_there(day):
    stage, director = day
    made = drawn(stage, director)
    page = read(stage)
    assert made.seed in page
    assert made.inputs_sha256 in page
    cost = json.loads(made.result)["measures"][0][
        "cost"
    ]  # one pair of four, unless one of them was drawn fifth
    assert f"Pairs of the same club or group at one table 0 {cost}" in page
    assert "five players" in page
    assert "Proven" in page


def test_who_is_not_public_is_named_nowhere(day):
    stage, director = day
    drawn(stage, director)
    page = read(stage)
    assert "P 01" not in page
    player = stage.entries.order_by("id")[0].player
    Registration.objects.create(player=player, registered_on=stage.starts_on, state="verified")
    Consent.objects.create(
        player=player, kind=Consent.Kind.PUBLICATION, given=True, text_version="1", language="it"
    )
    assert "P 01" in read(stage)


def test_what_may_be_avoidable_is_said_as_the_most(day):
    stage, director = day
    made = drawn(stage, director)
    result = json.loads(made.result)
    result |= {"proof": "open", "measures": [{"code": "group", "cost": 3, "bound": 1}]}
    assert "at most 2" in text(shown_as(stage, result))
    assert "Not proven" in text(shown_as(stage, result))


def shown_as(stage, result):
    """The page with another result on file; the database itself would refuse to change the row."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DrawPage, "result", result)
        return Client().get(address(stage))


def test_the_document_is_enough_to_verify_the_draw(day):
    stage, director = day
    made = drawn(stage, director)
    answer = Client().get(address(stage, "draw.json"))
    document = json.loads(answer.content)
    assert answer["Content-Disposition"] == f'attachment; filename="{stage.slug}-draw-1.json"'
    assert list(verify.draw_findings(document)) == []
    assert (document["seed"], document["attempt"], document["result_sha256"]) == (
        made.seed,
        1,
        made.result_sha256,
    )
    assert "Club" not in answer.content.decode()


def test_the_script_is_that_of_the_portal(day):
    answer = Client().get(address(day[0], "draw.py"))
    assert answer.content.decode() == standalone.standalone_script()
    assert answer["Content-Type"] == "text/x-python; charset=utf-8"


def test_run_again_it_says_the_same(day):
    stage, director = day
    drawn(stage, director)
    answer = Client().post(address(stage, "again/"))
    assert (answer.status_code, "The same tables" in text(answer)) == (200, True)


def test_run_again_it_says_what_is_not_the_same(day, monkeypatch):
    stage, director = day
    drawn(stage, director)
    monkeypatch.setattr(
        verify, "draw_findings", lambda _document: iter(["tables", "better_exchange"])
    )
    page = text(Client().post(address(stage, "again/")))
    assert "the tables that come out are others" in page
    assert "the checker finds a fault: better_exchange" in page


def test_a_whole_hall_may_ask_and_it_is_run_once_a_minute(day, monkeypatch, clock):
    stage, director = day
    drawn(stage, director)
    runs = []
    monkeypatch.setattr(
        verify, "draw_findings", lambda document: runs.append(document["seed"]) or ()
    )
    pages = [text(Client().post(address(stage, "again/"))) for _ in range(5)]
    assert (len(runs), len(set(pages))) == (1, 1)
    assert "It was run again at 12:00:00" in pages[0]


def test_nothing_to_run_again(day):
    stage, director = day
    drawing.commit_seed(stage, 1, by=director)
    assert Client().post(address(stage, "again/")).status_code == 404
    assert Client().get(address(stage, "again/")).status_code == 405


def test_an_earlier_draw_stays_to_be_seen(day):
    stage, director = day
    first = drawn(stage, director)
    drawing.commit_seed(stage, 1, by=director, reason="Two players came late")
    second = drawing.draw_game(stage, 1, by=director)
    assert second.seed in read(stage)
    earlier = read(stage, "?attempt=1")
    assert first.seed in earlier
    assert "Two players came late" in earlier
    assert (
        json.loads(Client().get(address(stage, "draw.json?attempt=1")).content)["seed"]
        == first.seed
    )
    assert Client().get(address(stage, "?attempt=3")).status_code == 404


@pytest.mark.parametrize("what", ["", "draw.json", "draw.py"])
def test_there_is_no_fourth_draw_and_none_elsewhere(day, what):
    stage, _director = day
    assert Client().get(address(stage, what, number=4)).status_code == 404
    type(stage).objects.filter(pk=stage.pk).update(circuit="pgm")
    assert Client().get(address(stage, what)).status_code == 404


def test_the_second_draw_has_its_own_criteria(day):
    stage, director = day
    drawn(stage, director)
    play(stage)
    drawn(stage, director, 2)
    page = read(stage, number=2)
    assert "Seats at a table of five for somebody who had one before 0 0" in page
    assert "Pairs who have met already" in page


@pytest.mark.parametrize("players", [8, 40])
def test_the_page_asks_the_database_as_often_for_many_as_for_few(players):
    stage, director = master(players=players, clubs=())
    drawn(stage, director)
    Client().get(address(stage))
    with CaptureQueriesContext(connection) as queries:
        Client().get(address(stage))
    assert len(queries) <= 6
    assert Draw.objects.count() == 1


@pytest.mark.parametrize("language", ["it", "es"])
def test_the_address_has_a_language(day, language):
    answer = Client().get(f"/{language}/risiko/{day[0].slug}/draw/1/")
    assert (answer.status_code, f'lang="{language}"' in answer.content.decode()) == (200, True)
