"""The archive: who won, and the final rankings byte for byte."""

import hashlib
from datetime import UTC, date, datetime

import pytest

from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.players.services import erasing
from pergioco.publishing.models import Erratum
from pergioco.publishing.services import freezing
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of
from tests.publishing import year

pytestmark = pytest.mark.django_db
ARCHIVE, DOCUMENT = "/en/archive/", "/en/archive/2025/rankings.txt"


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def over():
    season, winner, loser = year.year_over()
    return season, winner, loser


def champions(client):
    """Year -> kind -> names, as the page has them."""
    return {
        row.freeze.season.year: {
            one.kind: [public_name(player, PGM) for player in one.players] for one in row.champions
        }
        for row in client.get(ARCHIVE).context["years"]
    }


def test_a_year_that_is_not_final_is_not_in_the_archive(over, client):
    page = client.get(ARCHIVE)
    assert (page.context["years"], client.get(DOCUMENT).status_code) == ([], 404)
    assert "No season is final yet." in page.content.decode()


def test_a_proposal_is_not_final(over, client, staff):
    freezing.propose_freeze(over[0], by=staff)
    assert (client.get(ARCHIVE).context["years"], client.get(DOCUMENT).status_code) == ([], 404)


def test_whoever_stands_first_is_champion_and_a_shared_first_place_has_several(client, clock):
    clock.move_to(datetime(2027, 1, 10, 11, tzinfo=UTC))
    season, *_ = year.year_over(2026)
    year.made_final(season)
    names = champions(client)[2026]
    assert {kind: sorted(found) for kind, found in names.items()} == {
        "red": ["Marta Prima"],
        "blue": ["Marta Prima"],
        "green": ["Marta Prima"],
        "race": ["Marta Prima", "Marta Seconda"],  # both have nothing after the drops
    }


def test_the_document_has_the_bytes_of_the_published_hash(over, client):
    final = year.made_final(over[0])
    answer = client.get(DOCUMENT)
    assert hashlib.sha256(answer.content).hexdigest() == final.sha256
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert final.sha256 in client.get(ARCHIVE).content.decode()


def test_the_document_is_not_sent_twice_to_who_has_it(over, client):
    final = year.made_final(over[0])
    assert client.get(DOCUMENT)["ETag"] == f'"{final.sha256}"'
    assert client.get(DOCUMENT, headers={"if-none-match": f'"{final.sha256}"'}).status_code == 304


def test_an_erased_champion_is_a_removed_player_and_the_document_stays(over, client):
    final = year.made_final(over[0])
    erasing.erase_player(over[1], by=None)
    assert champions(client)[2025]["red"] == [f"Removed player {over[1].public_id}"]
    assert hashlib.sha256(client.get(DOCUMENT).content).hexdigest() == final.sha256


def test_only_what_a_correction_of_final_rankings_said_is_counted(over, client):
    final = year.made_final(over[0])
    for is_against_final in (True, True, False):
        Erratum.objects.create(
            season=over[0],
            against=final.publication,
            cause="corrected",
            is_against_final=is_against_final,
        )
    assert [row.errata for row in client.get(ARCHIVE).context["years"]] == [2]
    assert "2 later corrections" in client.get(ARCHIVE).content.decode()


def test_years_stand_the_latest_first_each_with_its_own_champions(over, client):
    season, *_ = year.year_over(2024)
    year.publish(2025)
    for each in (over[0], season):
        year.made_final(each)
    found = champions(client)
    assert list(found) == [2025, 2024]
    assert found == {
        2025: {
            kind: ["Marta Prima", "Marta Prima"] for kind in ("red", "blue", "green")
        },  # that of 2024 is active
        2024: {kind: ["Marta Prima"] for kind in ("red", "blue", "green")},
    }


def test_the_archive_costs_as_many_queries_for_three_years_as_for_one(over, staff):
    browser = signed_in(staff)
    year.made_final(over[0])
    first = queries_of(browser, ARCHIVE)
    for of in (2024, 2023):
        season, *_ = year.year_over(of)
        year.made_final(season)
    assert queries_of(browser, ARCHIVE) == first


def test_nothing_of_a_person_but_the_name_is_on_the_page(client):
    season, *_ = year.year_over()
    factories.registered(date(2025, 1, 3), city="Canarino")
    year.made_final(season)
    assert (
        "Canarino"
        not in client.get(ARCHIVE).content.decode() + client.get(DOCUMENT).content.decode()
    )
