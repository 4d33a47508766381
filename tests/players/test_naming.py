"""How a player is called (PGM 5 and 12, reading PG-4)."""

import pytest
from django.utils import timezone

from pergioco.players.models import Player
from pergioco.players.naming import name_for_staff, public_name
from pergioco.players.rules.people import PGM
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


def read(player) -> Player:
    return Player.objects.with_names().get(pk=player.pk)


def test_a_registered_player_is_named():
    assert public_name(factories.registered(), PGM) == "Marta Rossi"


@pytest.mark.parametrize("state", ["mail", "refused"])
def test_pgm_5_a_registration_that_does_not_count_names_nobody(state):
    assert public_name(factories.registered(state=state), PGM) == "****"


def test_pgm_5_an_unregistered_participant_is_stars_in_public_and_a_nickname_for_staff():
    player = factories.player()
    factories.account(player, "Kasp77")
    assert public_name(read(player), PGM) == "****"
    assert name_for_staff(read(player)) == "not registered: Kasp77"


def test_pgm_12_without_consent_to_publication_the_name_is_for_staff_only():
    player = factories.registered()
    player.registration.publication_allowed = False
    player.registration.save()
    assert public_name(read(player), PGM) == "****"
    assert name_for_staff(read(player)) == "Marta Rossi"


def test_an_erased_player_is_a_number_for_everybody():
    player = factories.player()
    player.erased_at = timezone.now()
    player.save()
    name = f"Removed player {player.public_id}"
    assert (public_name(read(player), PGM), name_for_staff(read(player))) == (name, name)
