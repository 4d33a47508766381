"""The page that asks a registered player about a past that may be theirs."""

import pytest
from django.test import Client

from pergioco.players.models import Claim
from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
PAGE = "/en/register/is-this-you/"


def player_and_past():
    player = factories.registered()
    factories.account(player, "Kasp77")
    past = factories.player()
    factories.account(past, "Kasp77", platform="bga", platform_id="1")
    return player, past


def answer(client, target, words):
    return client.post(PAGE, {"target": target.public_id, "answer": words})


def test_it_shows_nicknames_as_played_and_names_only_where_they_are_public():
    player, past = player_and_past()
    factories.person(past, first_name="Secret", last_name="Name", contact_email="s@example.org")
    factories.registered(city="Asti", birth_date=None)
    page = signed_in(player.person.user).get(PAGE).content.decode()
    assert "Board Game Arena: Kasp77" in page
    assert "There is already a registration with this name: Asti, Italy." in page
    assert "Secret" not in page


@pytest.mark.parametrize(("words", "state"), [("yes", "open"), ("no", "declined")])
def test_an_answer_is_kept_and_a_double_click_is_no_trouble(words, state):
    player, past = player_and_past()
    client = signed_in(player.person.user)
    assert [answer(client, past, words).url for _ in range(2)] == [PAGE, PAGE]
    assert list(Claim.objects.values_list("player", "target", "state")) == [
        (player.pk, past.pk, state)
    ]
    assert client.get(PAGE).url == "/en/me/"


def test_looking_and_odd_answers_change_nothing():
    player, past = player_and_past()
    client = signed_in(player.person.user)
    assert client.get(PAGE).status_code == 200
    assert answer(client, past, "perhaps").url == PAGE
    assert Claim.objects.count() == 0


def test_nobody_claims_somebody_who_was_not_asked_about():
    player, _past = player_and_past()
    client = signed_in(player.person.user)
    for stranger in (factories.player(), factories.registered(last_name="Verdi"), player):
        assert answer(client, stranger, "yes").status_code == 404
    assert client.post(PAGE, {"answer": "yes"}).status_code == 404


def test_strangers_sign_in_first_and_the_unregistered_have_nothing_to_answer():
    assert Client().get(PAGE).url == "/en/account/login/?next=/en/register/is-this-you/"
    assert signed_in(factories.user()).get(PAGE).status_code == 404


@pytest.mark.parametrize("many", [1, 3])
def test_it_takes_as_many_queries_for_one_as_for_three(many, django_assert_num_queries):
    player, _past = player_and_past()
    for n in range(1, many):
        factories.account(factories.player(), "Kasp77", platform="bga", platform_id=f"{n + 1}")
    client = signed_in(player.person.user)
    client.get(PAGE)
    with django_assert_num_queries(13):
        assert client.get(PAGE).content.decode().count("Yes, that was me") == many
