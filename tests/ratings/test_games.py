"""The list of the games, and the address of a game's ranking that holds from season to season."""

from datetime import date

import pytest

from pergioco.stages.models import Variant
from tests import factories
from tests.ratings import play
from tests.website import league as leagues
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_each_game_with_where_it_is_played_its_leader_and_its_stages(client):
    league = leagues.published()
    Variant.objects.create(game=league.amazons, platform="playstrategy", key="amazons")

    page = main(client.get("/en/games/"))

    assert "Amazons PlayStrategy amazons Anna Łoś 1019.425 2" in page
    assert "Hive Anna Łoś 1000.000 1" in page or "Hive Bruno Łoś 1000.000 1" in page


def test_the_list_costs_the_same_with_more_games(client, django_assert_max_num_queries, uncached):
    league = leagues.published()
    for day in range(3, 8):
        play.played("A 1 B", who=league.who, on=date(2026, 3, day), game=factories.game())
    leagues.publish(league.season)

    with django_assert_max_num_queries(12):
        client.get("/en/games/")


def test_before_the_first_game(client):
    assert "has not chosen its games yet" in main(client.get("/en/games/"))


def test_the_ranking_of_a_game_leads_to_the_season_that_is_published(client):
    leagues.published()

    answer = client.get("/en/games/hive/ranking/")

    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        "/en/rankings/2026/games/hive/",
    )


def test_without_a_season_it_leads_to_the_games(client):
    leagues.game("hive", "Hive")

    assert client.get("/en/games/hive/ranking/").headers["Location"] == "/en/games/"


def test_a_game_that_is_not_there(client):
    assert client.get("/en/games/nothing/ranking/").status_code == 404
