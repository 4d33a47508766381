"""The logins of the demo, and the code that the page shows instead of a phone."""

import time

import pytest
from allauth.mfa.models import Authenticator
from django.template.loader import render_to_string

from pergioco.core.models import User
from pergioco.core.policy import Role, has_two_factors, roles_of
from pergioco.demo.logins import LOGINS, PASSWORD, code_for

ROLE_OF = {login.email: login.role for login in LOGINS}


@pytest.mark.usefixtures("demo")
def test_one_login_for_each_role_and_a_second_one_for_the_staff():
    given = {
        user.email: roles_of(user) - {Role.PLAYER}
        for user in User.objects.filter(email__in=ROLE_OF)
    }

    assert given == {
        "player@example.org": set(),
        "organizer@example.org": {Role.ORGANIZER},
        "big@example.org": {Role.BIG_ORGANIZER},
        "risiko@example.org": {Role.RISIKO_DIRECTOR},
        "staff@example.org": {Role.STAFF},
        "staff2@example.org": {Role.STAFF},
        "super@example.org": {Role.SUPERUSER, Role.STAFF},
    }


@pytest.mark.usefixtures("demo")
def test_all_but_the_player_have_a_second_factor():
    users = User.objects.filter(email__in=ROLE_OF)

    assert {user.email for user in users if not has_two_factors(user)} == {"player@example.org"}


@pytest.mark.usefixtures("demo")
def test_the_player_and_the_organizer_are_registered_players_too():
    names = {
        email: str(User.objects.get(email=email).person)
        for email in ("player@example.org", "organizer@example.org")
    }

    assert names == {"player@example.org": "Marta Rossi", "organizer@example.org": "Étienne Garçon"}


@pytest.mark.usefixtures("demo")
def test_invented_people_cannot_sign_in(client):
    assert client.login(email="giocatore020@example.org", password=PASSWORD) is False
    assert User.objects.get(email="giocatore020@example.org").has_usable_password() is False


@pytest.mark.usefixtures("demo")
def test_the_code_shown_is_the_code_that_is_asked_for():
    factor = Authenticator.objects.get(user__email="staff@example.org", type="totp")

    assert factor.wrap().validate_code(code_for("staff@example.org")) is True


def test_outside_the_demo_no_code_is_ever_shown(settings):
    settings.DEMO = False

    assert code_for("staff@example.org") == ""


@pytest.mark.parametrize("email", ["player@example.org", "somebody.real@example.org", ""])
def test_in_the_demo_only_its_own_logins_have_their_code_shown(settings, email):
    settings.DEMO = True

    assert code_for(email) == ""


def test_the_code_changes_every_thirty_seconds(settings, clock):
    settings.DEMO = True
    first = code_for("super@example.org")
    clock.shift(30)

    assert first.isdigit()
    assert len(first) == 6
    assert code_for("super@example.org") != first
    assert int(time.time()) % 30 == 0


def render(user: object) -> str:
    return render_to_string("demo/code.html", {"login": user})


def test_the_page_shows_it_to_who_is_signing_in_and_nothing_otherwise(settings, clock):
    settings.DEMO = True

    assert code_for("big@example.org") in render(User(email="big@example.org"))
    assert render(User(email="somebody.real@example.org")).strip() == ""
    assert render(None).strip() == ""
