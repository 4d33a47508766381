"""What other pages, programs and walls show of a tournament of BIG that is over; members are named,
nobody else is."""

import csv
import io
from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from pergioco.stages.models import Revision, Stage
from pergioco.stages.queries.stage_exports import stage_card
from pergioco.stages.queries.stage_tables import stage_order
from pergioco.stages.queries.stage_view import StageView, name_participants, stages_for_view
from tests import factories
from tests.big_league.play import people, tournament, write
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
GAMES = "A9 B7 C5 D3; A8 C6 B4 D1"


@pytest.fixture
def event(staff):
    """B is no member."""
    stage = factories.homologated(factories.big_event(factories.game("catan")), by=staff).stage
    who = people("ACD") | people("B", member_on=None)
    write(stage, GAMES, who=who, phases={})
    Stage.objects.filter(pk=stage.pk).update(status="closed", seed="seed")
    return stage.big_event


def answer(address: str):
    found = Client().get(address)
    assert found.status_code == 200
    return found


def read(address: str) -> str:
    return answer(address).content.decode()


def page_of(event) -> str:
    return f"/en/big/events/{event.stage.slug}/"


def of_stage(event, *more: str) -> str:
    return f"/en/stages/2026/{event.stage.slug}/" + "".join(more)


@pytest.mark.parametrize("of", [page_of, of_stage])
def test_the_text_to_copy_has_the_first_places_and_the_address_of_the_page(event, of):
    page = read(of(event))
    assert (
        " · Board Italian Gamers\nFinal order\n\n1. A Rossi 2000.00\n2. C Rossi 1014.00\n3. **** "
        "1014.00\n"
    ) in page
    assert "\n4. D Rossi 400.00\n" in page
    assert f"{page_of(event)}</textarea>" in page


@pytest.mark.parametrize("of", [page_of, of_stage])
def test_the_final_order_is_taken_away_as_every_table(event, of):
    for ending in ("csv", "xlsx", "json"):
        assert f'href="{of_stage(event, f"standings.{ending}")}"' in read(of(event))
        assert answer(of_stage(event, f"standings.{ending}")).content
    head, *rows = csv.reader(
        io.StringIO(read(of_stage(event, "standings.csv")).removeprefix("\ufeff"))
    )
    assert head == ["Pos.", "Player", "City", "Country", "Points", "Decided by", "Version"]
    assert rows[0] == ["1", "A Rossi", "Torino", "Italy", "2000.00", "", "v1"]
    assert rows[2] == ["3", "****", "", "", "1014.00", "place at the table in round 2", "v1"]


def test_the_final_order_stands_in_a_frame_that_is_light_and_sets_no_cookie(event):
    address = f"/en/embed/stages/2026/{event.stage.slug}/"
    assert address in read(page_of(event))
    framed = answer(address)
    assert "A Rossi" in framed.content.decode()
    assert f'href="http://127.0.0.1:8000{page_of(event)}"' in framed.content.decode()
    assert "X-Frame-Options" not in framed.headers
    assert not framed.cookies
    assert len(framed.content) <= 30 * 1024


def test_the_picture_for_links_shows_the_first_three(event):
    address = f"/en/share/stages/2026/{event.stage.slug}.png"
    assert f'<meta property="og:image" content="http://127.0.0.1:8000{address}">' in read(
        page_of(event)
    )
    assert answer(address).content.startswith(b"\x89PNG")
    seen = StageView(stages_for_view().get(), today=date(2026, 4, 12))
    order = stage_order(
        seen, name_participants(seen.players.values(), seen.stage.circuit, reader=AnonymousUser())
    )
    places = stage_card({"stage": seen.stage, "outcome": "Final order", "order": order}).places
    assert [(place.rank, place.name, place.city, place.value) for place in places] == [
        (1, "A Rossi", "Torino", "2000.00"),
        (2, "C Rossi", "Torino", "1014.00"),
        (3, "****", "", "1014.00"),
    ]


@pytest.mark.parametrize("of", [page_of, of_stage])
def test_the_final_order_hangs_on_a_wall(event, of):
    assert f'href="{page_of(event)}?screen=1"' in read(of(event))
    wall = answer(f"{of(event)}?screen=1")
    assert "Pos. Points Player 1 2000.00 A Rossi 2 1014.00 C Rossi 3 1014.00 ****" in main(wall)
    assert wall.headers["Refresh"] == f"15; url={of(event)}?screen=1&page=1"


@pytest.mark.parametrize("status", ["open", "cancelled"])
def test_before_it_is_closed_there_is_no_final_order(event, status):
    Stage.objects.update(status=status)
    Revision.objects.update(state="draft")
    for page in (
        page_of(event),
        f"{page_of(event)}?screen=1",
        of_stage(event),
        f"{of_stage(event)}?screen=1",
    ):
        assert not any(
            words in read(page)
            for words in ("og:image", "standings.csv", "Text to copy", "2000.00 A")
        )
    assert "once the tournament is closed" in read(f"/en/embed/stages/2026/{event.stage.slug}/")
    for address in (
        of_stage(event, "standings.csv"),
        f"/en/share/stages/2026/{event.stage.slug}.png",
    ):
        assert Client().get(address).status_code == 404


def test_what_was_played_online_or_by_invitation_shows_its_order_on_the_page_of_the_stage(client):
    stage = tournament(GAMES, who=people("ABCD"), on=date(2026, 3, 2), slug="online")
    page = main(client.get("/en/stages/2026/online/"))
    assert "Pos. Player Points 1 A Rossi 2000.00" in page
    assert "behind by: place at the table in round 2" in page
    assert stage.get_absolute_url() in client.get("/en/embed/stages/2026/online/").content.decode()


def test_the_page_of_the_stage_and_its_file_say_the_score_of_each_at_a_table(event):
    names = "A Rossi, C Rossi, ****, D Rossi"
    assert f"Table Players Result 1 {names} 8 · 6 · 4 · 1" in main(answer(of_stage(event)))
    wall = main(answer(of_stage(event, "round/1/?screen=1")))
    assert "Table Players Result 1 A Rossi, ****, C Rossi, D Rossi 9 · 7 · 5 · 3" in wall
    rows = list(csv.reader(io.StringIO(read(of_stage(event, "games.csv")).removeprefix("\ufeff"))))
    assert rows[1][:5] == ["1", "1", "A Rossi", "****, C Rossi, D Rossi", "9 · 7 · 5 · 3"]


def test_the_rules_that_it_leads_to_are_not_those_of_pgm(event):
    for page in (page_of(event), of_stage(event)):
        assert '<a href="/en/rules/#big">How it is computed</a>' in read(page)


def test_there_is_no_poster_of_numbers_that_no_rating_rests_on(event):
    assert "poster.pdf" not in read(of_stage(event))
    assert Client().get(of_stage(event, "poster.pdf")).status_code == 404


def test_the_pages_ask_no_more_for_many_players(event, django_assert_max_num_queries):
    many = "".join(chr(ord("a") + at) for at in range(24))
    tables = ", ".join(
        " ".join(f"{one}{n}" for n, one in enumerate(many[at : at + 4], 1))
        for at in range(0, 24, 4)
    )
    write(event.stage, tables, who=people(many), phases={})
    for address in (page_of(event), of_stage(event), f"/en/embed/stages/2026/{event.stage.slug}/"):
        with django_assert_max_num_queries(12):
            answer(address)
