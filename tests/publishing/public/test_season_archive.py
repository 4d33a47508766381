"""One year of the archive: champions as they were frozen, where all of it stands, and the rules as
they were."""

import pytest

from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.players.services import erasing
from pergioco.publishing import published
from tests import factories
from tests.office.desk.counting import queries_of
from tests.publishing import year
from tests.website.league import main

pytestmark = pytest.mark.django_db
YEAR = "/en/archive/2025/"


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def over():
    return year.year_over()


def test_a_year_that_is_not_final_is_still_open(over, client):
    assert "This year is still open" in main(client.get(YEAR))
    assert "This year is still open" in main(client.get("/en/archive/"))


def test_a_year_of_which_nothing_is_published_has_no_page(client, db):
    assert client.get(YEAR).status_code == 404


def test_the_champions_are_the_first_of_the_frozen_lines(over, client):
    season, *_ = over
    final = year.made_final(season)
    version = published.Published(season, final.publication.as_of, final.publication)
    rankings = client.get(YEAR).context["rankings"]
    assert [one.kind for one in rankings[:3]] == ["red", "blue", "green"]
    for one in rankings:
        lines = list(version.ranking(one.kind).lines)
        assert one.first == [line for line in lines if line.rank == 1]
        assert one.count == len(lines)
        assert [public_name(line.player, PGM) for line in one.first] == ["Marta Prima"]
        assert client.get(one.address).status_code == 200
        for _words, file in one.files:
            assert client.get(file).status_code == 200


def test_the_frozen_text_its_hash_and_the_rules_of_that_year(over, client):
    final = year.made_final(over[0])
    text = client.get(YEAR).content.decode()
    assert final.sha256 in text
    assert "/en/archive/2025/rankings.txt" in text
    assert "/en/rules/readings/2025/" in text
    assert client.get("/en/rules/readings/2025/").status_code == 200


def test_an_erased_champion_is_a_removed_player(over, client):
    year.made_final(over[0])
    erasing.erase_player(over[1], by=None)
    text = main(client.get(YEAR))
    assert f"Removed player {over[1].public_id}" in text
    assert "Prima" not in text


def test_as_many_queries_for_many_games_as_for_one(over, client, uncached):
    season, winner, loser = over
    other, *_ = year.year_over(2024)
    for _number in range(4):
        year.played(winner, loser, on=season.starts_on, game=factories.game())
    for one in (other.year, season.year):
        year.publish(one)
        year.made_final(year.season_of(one))
    assert queries_of(client, YEAR) == queries_of(client, "/en/archive/2024/") <= 12
