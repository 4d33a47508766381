"""Who may do what."""

from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser, Group
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import RequestFactory

from pergioco.core import policy
from pergioco.core.policy import Role
from tests import factories

pytestmark = pytest.mark.django_db


def answer(view_roles, user, path="/it/page/?a=1"):
    @policy.allow(*view_roles)
    def view(request):
        return HttpResponse("in")

    request = RequestFactory().get(path)
    request.user = user
    return view(request)


def test_nobody_signed_in_has_no_role():
    assert policy.roles_of(AnonymousUser()) == frozenset()


def test_every_login_is_a_player():
    assert policy.roles_of(factories.user()) == {Role.PLAYER}


@pytest.mark.parametrize("role", policy.GRANTED_BY_GROUP)
def test_a_group_gives_the_role_of_its_name(role):
    assert policy.roles_of(factories.user_with_role(role)) == {Role.PLAYER, role}


def test_a_superuser_is_staff_too():
    assert policy.roles_of(factories.user_with_role("superuser")) == {
        Role.PLAYER,
        Role.STAFF,
        Role.SUPERUSER,
    }


def test_a_closed_login_has_no_role_left():
    assert policy.roles_of(factories.user_with_role("staff", is_active=False)) == frozenset()


def test_a_group_called_superuser_makes_nobody_one():
    user = factories.user()
    user.groups.add(Group.objects.create(name="superuser"), Group.objects.create(name="player"))
    assert policy.roles_of(user) == {Role.PLAYER}


def test_the_flag_is_staff_gives_no_role():
    assert policy.roles_of(factories.user(is_staff=True)) == {Role.PLAYER}


def test_anonymous_is_asked_to_sign_in_and_comes_back():
    response = answer([Role.PLAYER], AnonymousUser())
    where = urlsplit(response.url)
    assert (where.path, parse_qs(where.query)) == (
        "/it/account/login/",
        {"next": ["/it/page/?a=1"]},
    )


def test_a_page_of_another_role_is_refused():
    with pytest.raises(PermissionDenied):
        answer([Role.STAFF], factories.user_with_role("organizer"))


@pytest.mark.parametrize("role", [*policy.GRANTED_BY_GROUP, Role.SUPERUSER])
def test_without_a_second_factor_no_desk_role_opens_a_desk_page(role):
    response = answer([role], factories.user_with_role(role, two_factors=False))
    where = urlsplit(response.url)
    assert (where.path, parse_qs(where.query)) == (
        "/it/me/two-factors/",
        {"next": ["/it/page/?a=1"]},
    )


@pytest.mark.parametrize("role", [*policy.GRANTED_BY_GROUP, Role.SUPERUSER])
def test_with_a_second_factor_the_page_opens(role):
    assert answer([role], factories.user_with_role(role)).content == b"in"


@pytest.mark.parametrize(
    ("kind", "enough"),
    [
        (Authenticator.Type.TOTP, True),
        (Authenticator.Type.WEBAUTHN, True),
        (Authenticator.Type.RECOVERY_CODES, False),
    ],
)
def test_recovery_codes_alone_are_no_second_factor(kind, enough):
    user = factories.user_with_role("staff", two_factors=False)
    Authenticator.objects.create(user=user, type=kind, data={})
    assert policy.has_two_factors(user) is enough


def test_a_page_that_serves_players_too_asks_nobody_for_a_second_factor():
    assert answer([Role.PLAYER, Role.STAFF], factories.user()).content == b"in"
    assert (
        answer(
            [Role.PLAYER, Role.STAFF], factories.user_with_role("staff", two_factors=False)
        ).content
        == b"in"
    )


def test_two_factors_are_needed_for_every_role_of_the_desk_and_for_no_player():
    assert policy.needs_two_factors(factories.user()) is False
    assert all(policy.needs_two_factors(factories.user_with_role(role)) for role in policy.DESK)


@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("superuser", 200),
        ("staff", 200),
        ("organizer", 200),
        ("big_organizer", 403),
        ("risiko_director", 403),
    ],
)
def test_the_admin_obeys_the_same_roles(client, role, status):
    client.force_login(factories.user_with_role(role))
    response = client.get("/it/admin/", follow=True)
    assert response.status_code == status


def test_the_admin_obeys_the_role_and_not_the_flag(client):
    client.force_login(factories.user(is_staff=True))
    assert client.get("/it/admin/", follow=True).status_code == 403


def test_the_admin_asks_for_the_second_factor_too(client):
    client.force_login(factories.user_with_role("superuser", two_factors=False))
    response = client.get("/it/admin/players/", follow=True)
    assert response.redirect_chain[-1][0].startswith("/it/me/two-factors/?next=")


def test_the_admin_sends_a_stranger_to_the_one_login_page(client):
    response = client.get("/it/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith("/it/account/login/?next=")


def test_from_the_door_of_the_admin_one_comes_back_to_the_page_that_was_asked_for(client):
    client.force_login(factories.user_with_role("superuser"))
    assert client.get("/it/admin/login/?next=/it/admin/auth/").url == "/it/admin/auth/"
    assert client.get("/it/admin/login/?next=https://elsewhere.example/").url == "/it/admin/"
