"""Finding a player: who is found, how, with which numbers; and who is never found."""

from datetime import date

import pytest

from pergioco.core.pages import PER_PAGE
from pergioco.players.models import Consent, Registration
from pergioco.players.services import consents, erasing
from pergioco.publishing import published
from tests import factories
from tests.office.desk.counting import queries_of
from tests.website.league import main

pytestmark = pytest.mark.django_db
PLAYERS = "/en/players/"


def names(client, query=""):
    return [str(row.player.person) for row in client.get(PLAYERS + query).context["rows"]]


def test_everybody_who_is_named_in_public_stands_there_by_surname(played, client):
    factories.registered(first_name="Zoe", last_name="Ábalos")
    assert names(client) == ["Zoe Ábalos", "Anna Łoś", "Bruno Łoś"]


@pytest.mark.parametrize("asked", ["?q=los", "?q=LOS", "?q=Ło", "?q=Łoś"])
def test_accents_and_case_do_not_matter(played, client, asked):
    assert names(client, asked) == ["Anna Łoś", "Bruno Łoś"]


def test_every_word_narrows_in_any_order(played, client):
    assert names(client, "?q=los+ann") == ["Anna Łoś"]


def test_a_country_narrows(played, client):
    assert names(client, "?country=PL") == ["Bruno Łoś"]


def test_the_countries_to_choose_from_are_those_of_who_is_named_in_public(played, client):
    """In the order of their names; nobody's country gives away a person who is not named."""
    for country in ("AT", "DE", "AT"):
        factories.registered(country=country)
    for country in ("FR", "ZA"):
        factories.registered(country=country, state="refused")
    choices = client.get(PLAYERS).context["form"].fields["country"].choices
    assert [code for code, _name in choices] == ["", "AT", "DE", "IT", "PL"]
    assert queries_of(client, PLAYERS) == queries_of(client, PLAYERS + "?country=AT")


def test_only_those_who_stand_in_the_rankings(played, client):
    factories.registered(first_name="Zoe", last_name="Neva")
    assert "Zoe Neva" in names(client)
    assert names(client, "?active=on") == ["Anna Łoś", "Bruno Łoś"]


def test_each_number_is_the_published_one_and_leads_to_its_why(played, client):
    rows = client.get(PLAYERS).context["rows"]
    version = published.latest_version()
    for row in rows:
        lines = version.lines_of(row.player)
        for place in row.places:
            assert place.line == lines.get(place.kind)
            assert place.line is None or client.get(place.why).context["line"] == place.line
        assert row.active.detail == lines["red"].detail
    assert "Anna Łoś Torino, Italy · Games 4 1 1 1 1 2 4" in main(client.get(PLAYERS))


def test_before_anything_is_published_people_are_found_without_places(client):
    factories.registered(first_name="Zoe", last_name="Neva")
    page = client.get(PLAYERS)
    assert [row.places for row in page.context["rows"]] == [[]]
    assert names(client, "?active=on") == []


@pytest.mark.parametrize("asked", ["?q=Brnuo", "?q=Bruna+Los", "?q=bruno+loss", "?q=runo+lo%C5%9B"])
def test_a_slip_of_the_finger_gets_a_hint(played, client, asked):
    page = client.get(PLAYERS + asked)
    assert [
        str(player.person)
        for player in page.context["hints"] or [row.player for row in page.context["rows"]]
    ] == ["Bruno Łoś"]


def test_of_something_quite_different_there_is_no_hint(played, client):
    page = client.get(PLAYERS + "?q=xyzzy")
    assert page.context["hints"] == []
    assert "Nobody found." in main(page)


def test_nobody_who_is_not_named_in_public_is_found_or_hinted_at(played, client):
    gone = factories.registered(first_name="Erasmo", last_name="Sparito", login=False)
    erasing.erase_player(gone, by=None)
    refused = factories.registered(first_name="Rita", last_name="Respinta", state="refused")
    for asked in ("", "?q=carla", "?q=carlla", "?q=sparito", "?q=rita", "?q=ritta", "?country=ES"):
        text = client.get(PLAYERS + asked).content.decode()
        for hidden in (
            "Carla",
            "Segreta",
            "Sparito",
            "Respinta",
            played.dora.public_id,
            refused.public_id,
        ):
            assert hidden not in text, asked


def test_a_consent_that_is_withdrawn_takes_the_name_away_at_once(played, client):
    consents.record_consent(
        played.anna,
        Consent.Kind.PUBLICATION,
        given=False,
        language="en",
        way=Consent.Way.REGISTRATION,
        by=None,
    )
    assert names(client) == ["Bruno Łoś"]


def test_many_stand_on_several_pages(client):
    for number in range(PER_PAGE + 1):
        factories.registered(login=False, first_name=f"N{number}", last_name="Molti")
    assert len(names(client)) == PER_PAGE
    assert len(names(client, "?page=2&q=molti")) == 1


def test_as_many_queries_for_many_as_for_few(played, client, uncached):
    few = queries_of(client, PLAYERS)
    for number in range(20):
        made = factories.registered(login=False, first_name=f"N{number}", last_name="Molti")
        Registration.objects.filter(player=made).update(registered_on=date(2026, 1, 2))
    assert queries_of(client, PLAYERS) == few <= 12
    assert queries_of(client, PLAYERS + "?q=mollti&country=IT&active=on") <= 12
