"""The public pages of RisiKo! Masters: what is published, and why it is so."""

import csv
import json
from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.players.models import Person, Player, Registration
from pergioco.stages.models import Stage
from pergioco.stages.queries.stage_exports import stage_card
from pergioco.stages.queries.stage_tables import stage_order
from pergioco.stages.queries.stage_view import StageView, name_participants, stages_for_view
from tests import factories
from tests.ratings.play import settled
from tests.risiko_master.play import held, people, withdrew
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TWO_GAMES = """
A *, B 40, C 30, D 20 | E 45, F 39, G 31, H 21 | I 50, J 41, K 32, L 22 | M 51, N 42, O 33, P 23
A 55, F 40, K 30, P 20 | E 50, B 39, O 31, L 21 | J 52, I 43, D 34, M 24 | N 53, C 44, H 35, G 25
"""
WHOLE = TWO_GAMES + "N 40, M 30, F 20, C 10 | J 41, I 31, B 21, O 11\nA 20, E 50, M 30, J 40"


def text(client, address: str) -> str:
    return " ".join(client.get(f"/en/risiko/{address}").content.decode().split())


@pytest.fixture
def napoli() -> Stage:
    """Sixteen players, two double winners; the winner of the first semifinal renounced."""
    who = people(16)
    stage = held(WHOLE, who=who, slug="napoli")
    settled(stage)
    stage.who = who
    return stage


def test_the_list_names_every_master_that_is_not_called_off(client, napoli):
    factories.stage(circuit="rkm", slug="off", status="cancelled")
    factories.stage(slug="of-another-circuit")
    page = text(client, "")
    assert 'href="/en/risiko/napoli/"' in page
    assert "/en/risiko/off/" not in page
    assert "of-another-circuit" not in page


def test_the_list_without_any(client):
    assert "No Master stands on the calendar yet." in text(client, "")


def test_the_page_explains_the_structure_in_words(client, napoli):
    page = text(client, "napoli/")
    assert (
        "16 players with both games, 2 with two wins: 2 straight to the final, 2 semifinals."
        in page
    )
    assert "The first two who won both games go straight to the final." in page
    assert page.count("Here the line is drawn: nobody below plays on.") == 1


def test_each_number_leads_to_the_table_where_it_was_made(client, napoli):
    page = text(client, "napoli/")
    assert '<a href="#g1t1">1.100</a> · <a href="#g2t1">1.055</a>' in page
    assert '<h3 id="g1t1">' in page
    assert "RisiKo! made" in page


def test_who_renounced_and_who_stood_in_is_said(client, napoli):
    page = text(client, "napoli/")
    assert "second of a semifinal, for its winner who renounced" in page
    assert "renounced the final" in page
    assert page.count("went straight to the final") == 2


def test_a_direct_finalist_who_renounced_before_the_semifinals_is_told(client):
    who = people(20)
    first, second = TWO_GAMES.strip().splitlines()
    stage = held(
        f"{first} | Q 1, R 2, S 3, T 4\n{second} | Q 1, R 2, S 3, T 4", who=who, slug="roma"
    )
    withdrew(stage, who["A"], after=2)
    settled(stage)
    page = text(client, "roma/")
    assert (
        "A direct finalist renounced before the semifinals, so four semifinals are played." in page
    )
    assert "renounced before the semifinals" in page


def test_what_decided_between_equal_points_stands_beside_the_place(client, napoli):
    """B and F have 40 and 39 each, and B was ahead after the first game."""
    assert "place in the ranking before" in text(client, "napoli/")


def test_a_master_with_one_game_shows_the_ranking_after_it(client):
    stage = held(TWO_GAMES.strip().splitlines()[0], who=people(16), slug="bari")
    settled(stage)
    page = text(client, "bari/")
    assert "Ranking after the first game" in page
    assert "Ranking after the two games" not in page


def test_before_it_is_closed_there_are_no_rankings(client):
    factories.stage(circuit="rkm", slug="genova")
    assert "The rankings of this Master follow once it is closed." in text(client, "genova/")
    assert client.get("/en/risiko/genova/final.csv").status_code == 404


def test_one_that_was_called_off_says_so_and_promises_nothing(client):
    factories.stage(circuit="rkm", slug="genova", status="cancelled")
    page = text(client, "genova/")
    assert "This stage is not played." in page
    assert "The rankings of this Master follow" not in page


def test_a_stage_of_another_circuit_has_no_such_page(client):
    factories.stage(slug="milano")
    assert client.get("/en/risiko/milano/").status_code == 404


def test_who_is_not_named_in_public_is_not_named_here(client, napoli):
    Registration.objects.filter(player=napoli.who["A"]).delete()
    settled(napoli)
    assert "****" in text(client, "napoli/")
    rows = list(
        csv.DictReader(
            StringIO(client.get("/en/risiko/napoli/final.csv").content.decode("utf-8-sig"))
        )
    )
    assert sum("Rossi" not in "".join(row.values()) for row in rows) == 1


def test_the_files_say_the_numbers_of_the_page(client, napoli):
    document = json.loads(client.get("/en/risiko/napoli/final.json").content)
    rows = document["rows"]
    first, fifth = rows[0], rows[4]
    assert (first["rank"], first["game_1"], first["game_4"], first["points"]) == (
        1,
        "1.045",
        "1.050",
        "2.095",
    )
    assert (fifth["rank"], fifth["points"], fifth["goes_on"]) == (5, "2.135", "renounced the final")
    assert client.get("/en/risiko/napoli/qualification.xlsx").status_code == 200


@pytest.mark.parametrize("what", ["semifinal", "game"])
def test_of_what_there_is_not_there_is_no_file(client, napoli, what):
    assert client.get(f"/en/risiko/napoli/{what}.csv").status_code == 404


def test_the_page_of_the_stage_leads_here(client, napoli):
    page = client.get(napoli.get_absolute_url(), headers={"accept-language": "en"}, follow=True)
    assert "/risiko/napoli/" in page.content.decode()


def queries(client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    return len(asked)


def test_the_number_of_queries_does_not_grow(client):
    who = people(16)
    first, *_rest = TWO_GAMES.strip().splitlines()
    settled(held(first.split("|")[0], who=who, slug="small"))
    few = queries(client, "/en/risiko/small/"), queries(client, "/en/risiko/")
    settled(held(WHOLE, who=who, slug="large"))
    settled(held(WHOLE, who=who, slug="large-too"))
    assert (queries(client, "/en/risiko/large/"), queries(client, "/en/risiko/")) == few


def test_how_it_is_computed_is_told_by_the_rules_of_the_masters(client, napoli):
    for address in ("/en/risiko/napoli/", "/en/stages/2026/napoli/"):
        page = client.get(address).content.decode()
        assert '<a href="/en/rules/#rkm">How it is computed</a>' in page
        assert "/en/rules/pgm/" not in page
    rules = client.get("/en/rules/").content.decode()
    assert "RisiKo! made: 1.100 at any table." in rules.split('id="rkm"', 1)[1]


def test_programs_find_the_same_places(client, napoli):
    assert 'href="/api/v1/stages/napoli/"' in text(client, "napoli/")
    outcomes = client.get("/api/v1/stages/napoli/").json()["outcomes"]
    (final,) = [one for one in outcomes if one["kind"] == "final"]
    rows = client.get("/en/risiko/napoli/final.json").json()["rows"]
    assert [(line["rank"], line["player"]["name"]) for line in final["lines"]] == [
        (row["rank"], row["player"]) for row in rows
    ]


def test_the_page_of_its_stage_has_the_final_order_promises_no_ratings_and_leads_to_all_there_is(
    client, napoli
):
    page = client.get("/en/stages/2026/napoli/").content.decode()
    assert (
        f'<span class="place place--1">1</span></td>\n            <th '
        f'scope="row">{linked(napoli.who["E"])}'
    ) in page
    assert 'href="/en/risiko/napoli/"' in page
    assert "as soon as there is a result" not in page
    assert "The ratings follow a moment after the stage is closed" not in page


# What others show of it


def name_of(player: Player) -> str:
    return str(Person.objects.get(player=player))


def linked(player: Player) -> str:
    return f'<a href="{player.get_absolute_url()}">{name_of(player)}</a>'


def test_the_text_to_copy_has_the_first_places_and_the_address_of_the_page(client, napoli):
    page = client.get("/en/risiko/napoli/").content.decode()
    assert " · RisiKo! Master\nFinal order\n" in page
    assert f"1. {name_of(napoli.who['E'])} 2.095\n2. {name_of(napoli.who['J'])} " in page
    assert "/en/risiko/napoli/</textarea>" in page


def test_the_final_order_stands_in_a_frame_that_is_light_and_sets_no_cookie(client, napoli):
    assert "/en/embed/stages/2026/napoli/" in client.get("/en/risiko/napoli/").content.decode()
    answer = client.get("/en/embed/stages/2026/napoli/")
    assert name_of(napoli.who["E"]) in answer.content.decode()
    assert 'href="http://127.0.0.1:8000/en/risiko/napoli/"' in answer.content.decode()
    assert "X-Frame-Options" not in answer.headers
    assert not answer.cookies
    assert len(answer.content) <= 30 * 1024


def test_the_picture_for_links_shows_the_first_three(client, napoli):
    assert "/en/share/stages/2026/napoli.png" in client.get("/en/risiko/napoli/").content.decode()
    assert client.get("/en/share/stages/2026/napoli.png").content.startswith(b"\x89PNG")
    seen = StageView(stages_for_view().get(slug="napoli"), today=napoli.ends_on)
    order = stage_order(
        seen, name_participants(seen.players.values(), seen.stage.circuit, reader=AnonymousUser())
    )
    card = stage_card({"stage": seen.stage, "outcome": "Final order", "order": order})
    assert [(place.rank, place.name, place.value) for place in card.places][:1] == [
        (1, name_of(napoli.who["E"]), "2.095")
    ]
    assert len(card.places) == 3


@pytest.mark.parametrize("address", ["/en/risiko/napoli/", "/en/stages/2026/napoli/"])
def test_the_final_order_hangs_on_a_wall(client, napoli, address):
    assert 'href="/en/risiko/napoli/?screen=1"' in client.get(address).content.decode()
    wall = client.get(f"{address}?screen=1")
    assert f"Pos. Points Player 1 2.095 {name_of(napoli.who['E'])}" in main(wall)
    assert "Final order" in wall.content.decode()
    assert wall.headers["Refresh"] == f"15; url={address}?screen=1&page=2"


def test_before_the_final_nothing_of_it_is_offered(client):
    stage = held(TWO_GAMES, who=people(16), slug="bari")
    settled(stage)
    page = text(client, "bari/")
    assert "qualification.csv" in page
    for words in ("Projector", "Text to copy", "Show it on your site", "og:image"):
        assert words not in page
    assert (
        "once the tournament is closed"
        in client.get("/en/embed/stages/2026/bari/").content.decode()
    )
    assert client.get("/en/share/stages/2026/bari.png").status_code == 404
    assert client.get("/en/stages/2026/bari/standings.csv").status_code == 404
    assert "On this page" in client.get("/en/stages/2026/bari/?screen=1").content.decode()


def test_nobody_is_named_outside_who_is_not_named_on_the_page(client, napoli):
    Person.objects.filter(player=napoli.who["E"]).update(first_name="Secondina")
    Registration.objects.filter(player=napoli.who["E"]).delete()
    addresses = (
        "/en/risiko/napoli/",
        "/en/risiko/napoli/?screen=1",
        "/en/embed/stages/2026/napoli/",
    )
    said = [
        client.get(one).content.decode()
        for one in (*addresses, "/en/stages/2026/napoli/standings.csv")
    ]
    assert all("****" in one and "Secondina" not in one for one in said)


def test_a_won_master_is_a_title_of_the_player_and_no_other_place_is(client, napoli):
    winner, second = (
        client.get(napoli.who[letter].get_absolute_url()).context["titles"] for letter in "EJ"
    )
    assert [(one.year, one.kind, one.name, one.address) for one in winner] == [
        (2026, "risiko", "RisiKo! Master", "/it/risiko/napoli/")
    ]
    assert second == []
