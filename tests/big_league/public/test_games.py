"""What counts at each game of BIG."""

import pytest
from django.utils.translation import override

from big_league import catalogue, labels
from big_league.models import HardcorePick, SheetNote
from big_league.rules.phases import PHASE_EDITIONS
from tests import factories
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def page(client, slug: str, language: str = "en") -> str:
    return main(client.get(f"/{language}/big/games/{slug}/"))


@pytest.fixture
def loaded():
    catalogue.write_catalogue()


def test_before_anything_is_on_file(client):
    assert "has not chosen its games yet" in main(client.get("/en/big/games/"))


@pytest.mark.usefixtures("loaded")
def test_the_list_says_the_most_wanted_of_each(client):
    shown = main(client.get("/en/big/games/"))
    assert "24 games" in shown
    assert (
        "Terra Mystica 4 120 28 B: for seat and faction the order before the final phase decides"
        in shown
    )
    assert "Perudo 6 20 3 none cannot happen" in shown
    assert "Egizia – 80 20 none cannot happen" in shown
    assert "half the ranking points" in shown  # what counts at every game


@pytest.mark.usefixtures("loaded")
def test_the_list_is_in_the_order_of_the_names_in_the_reader_s_language(client):
    shown = {code: main(client.get(f"/{code}/big/games/")) for code in ("it", "en")}
    assert (
        shown["it"].index("Perudo")
        < shown["it"].index("Progetto Gaia")
        < shown["it"].index("Puerto Rico")
    )
    assert (
        shown["en"].index("Egizia")
        < shown["en"].index("Gaia Project")
        < shown["en"].index("Marco Polo")
    )


def test_the_list_costs_the_same_with_more_games(client, django_assert_num_queries):
    for _ in range(2):
        factories.game_sheet()
        SheetNote.objects.create(kind="note", text_it="uno", text_en="one", text_es="uno")
        with django_assert_num_queries(2):
            client.get("/en/big/games/")


def test_a_game_costs_the_same_with_more_notes(client, django_assert_num_queries):
    sheet = factories.game_sheet(final_format="hardcore")
    for position in range(1, 3):
        SheetNote.objects.create(
            sheet=sheet, kind="note", text_it="uno", text_en="one", text_es="uno"
        )
        HardcorePick.objects.create(year=2026, position=position, title=f"Title {position}")
        with django_assert_num_queries(3):
            client.get(sheet.get_absolute_url())


@pytest.mark.usefixtures("loaded")
def test_a_game_with_its_times_its_banned_cards_and_its_tie_break(client):
    shown = page(client, "agricola")
    assert "Minutes of the whole game 80 + 20 (draft)" in shown
    assert "Auction A: for the seat; least raise 1" in shown
    assert "Banned cards Occupations" in shown
    assert "More reed, stone, clay and wood left over" in shown
    assert "Più canna" in page(client, "agricola", "it")


@pytest.mark.usefixtures("loaded")
def test_tenths_and_tables_of_two(client):
    assert "least raise 0.1" in page(client, "splendor")
    assert "Only tournaments at tables of two are homologated." in page(client, "seasons")
    assert "homologated" not in page(client, "7-wonders-duel")


@pytest.mark.usefixtures("loaded")
def test_rounds_and_finals_of_a_game_for_two(client):
    shown = page(client, "carcassonne")
    assert "6–8 3, or 2 and a final 9–16 4, or 3 and a final" in shown
    assert "6 3 1 goes on" not in shown
    assert "one with all wins: champion at once" in shown
    assert "3 go on: the first waits for the phase after, 2 play: semifinals" in shown
    assert (
        "27–28 4 8 go on: quarterfinals 9 go on: the first 7 wait for the phase after, 2 play: "
        "round of 16"
    ) in shown


@pytest.mark.usefixtures("loaded")
def test_rounds_and_finals_of_greater_tables(client):
    assert "6–16 3 17+ 4" in page(client, "perudo")  # one more than at other games
    assert "6–16 2 17+ 3" in page(client, "concordia")
    shown = page(client, "concordia")
    assert "6–16 2 4 go on: final" in shown
    assert "17–32 2 / 3 10 go on: the first 2 wait for the phase after, 8 play: semifinals" in shown
    assert "6–9 2 10–27 3, or 2 and a final" in page(client, "dominion")
    assert "34–48 4 9 go on: semifinals" in page(client, "dominion")


@pytest.mark.usefixtures("loaded")
def test_finals_that_are_told_later(client):
    assert "Format of the national final told before the final" in page(client, "terraforming-mars")
    assert "17–32 2 / 3 told before the final" in page(client, "explosive-potions")


@pytest.mark.usefixtures("loaded")
def test_the_games_of_the_hardcore_finals_and_which_of_them_rest(client):
    shown = page(client, "hardcore-games")
    assert "6+ 4 none: the standings after the last round decide" in shown
    assert "chosen in the two years before 2027" in shown
    assert "2025 Progetto Gaia · rests" in shown
    assert "2026 Seti · rests" in shown
    assert "2022 Puerto Rico Leggende di Arnak Clans of Caledonia Great Western Trail 2020" in shown
    assert "Draw in the final no final is played" in shown
    assert "Rounds of a tournament" not in shown


def test_every_format_that_a_sheet_may_have_is_put_into_words():
    with override("en"):
        for code in ("two", "three", "four", "dominion", "hardcore", "potions"):
            sheet = factories.game_sheet(final_format=code)
            rows = PHASE_EDITIONS.in_force(2026).finals[code].rows
            assert [
                len(line.cases) for line in labels.final_table(sheet, PHASE_EDITIONS.in_force(2026))
            ] == [len(row.qualified) for row in rows]


def test_a_game_without_a_sheet_has_no_page(client):
    assert client.get(f"/en/big/games/{factories.game().slug}/").status_code == 404


def test_the_rules_lead_there(client):
    assert 'href="/en/big/games/"' in client.get("/en/rules/").content.decode()


def test_games_that_only_big_plays_do_not_stand_among_the_platforms(client):
    sheet = factories.game_sheet()
    assert sheet.game.name_en not in main(client.get("/en/games/"))
