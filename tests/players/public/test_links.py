"""Names lead to the page of whoever is named in public, everywhere, and ask the database nothing
more."""

import pytest

from pergioco.players.models import Player
from pergioco.players.rules.people import PGM
from pergioco.players.templatetags.naming import linked_name
from tests import factories
from tests.website import league

pytestmark = pytest.mark.django_db


def loaded(player):
    return Player.objects.with_names().get(pk=player.pk)


def test_a_name_is_a_link_and_costs_no_query(django_assert_num_queries):
    anna = loaded(factories.registered(first_name="Żaneta", last_name="O’Neill <b>"))
    with django_assert_num_queries(0):
        assert linked_name(anna, PGM) == (
            f'<a href="/en/players/{anna.public_id}-zaneta-oneill-b/">Żaneta O’Neill &lt;b&gt;</a>'
        )


def test_a_name_without_a_latin_letter_has_the_number_alone():
    one = loaded(factories.registered(first_name="高橋", last_name="優子"))
    assert one.get_absolute_url() == f"/en/players/{one.public_id}/"


def test_who_is_not_named_in_public_is_no_link():
    one = loaded(factories.player())
    assert linked_name(one, PGM) == "****"
    assert one.get_absolute_url() == f"/en/players/{one.public_id}/"


@pytest.mark.parametrize("where", ["/en/rankings/2026/red/", "/en/rankings/2026/race/"])
def test_a_ranking_leads_to_the_players_by_their_numbers(client, where):
    anna = league.published().anna
    assert (
        f'<a href="/en/players/{anna.public_id}/">Anna Łoś</a>'
        in client.get(where).content.decode()
    )


@pytest.mark.parametrize("where", ["/en/", "/en/rankings/2026/", "/en/players/"])
def test_every_page_with_names_leads_to_the_players(client, where):
    anna = league.published().anna
    assert f'<a href="{anna.get_absolute_url()}">Anna Łoś</a>' in client.get(where).content.decode()


def test_the_page_of_a_number_leads_to_the_player(client):
    anna = league.published().anna
    for where in (f"/en/why/red/2026/{anna.public_id}/", f"/en/why/stage/hive-1/{anna.public_id}/"):
        assert (
            f'<a href="{anna.get_absolute_url()}">Anna Łoś</a>'
            in client.get(where).content.decode()
        )
