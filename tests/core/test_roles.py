"""Giving roles and taking them away."""

import pytest
from allauth.account.models import EmailAddress

from pergioco.core import roles
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.core.policy import Role, roles_of
from pergioco.core.refusal import Refused
from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]


@pytest.fixture
def superuser():
    return factories.user_with_role("superuser")


def now(user):
    return User.objects.get(pk=user.pk)


def test_a_superuser_gives_every_role_and_staff_only_those_of_organizers(
    superuser, staff, organizer
):
    assert roles.grantable_by(superuser) == [
        "organizer",
        "big_organizer",
        "risiko_director",
        "staff",
    ]
    assert roles.grantable_by(staff) == ["organizer", "big_organizer", "risiko_director"]
    assert roles.grantable_by(organizer) == []


@pytest.mark.parametrize("role", ["organizer", "big_organizer", "risiko_director", "staff"])
def test_a_role_given_counts_at_once_and_is_gone_when_taken_away(superuser, role):
    user = factories.user()
    roles.grant_role(Role(role), to=user, by=superuser, reason="elected")
    assert roles_of(now(user)) == {"player", role}
    roles.withdraw_role(Role(role), user=user, by=superuser, reason="term over")
    assert roles_of(now(user)) == {"player"}


@pytest.mark.parametrize(
    ("role", "flag"), [("staff", True), ("organizer", True), ("big_organizer", False)]
)
def test_the_flag_of_the_admin_follows_the_roles(superuser, role, flag):
    user = factories.user()
    roles.grant_role(Role(role), to=user, by=superuser, reason="elected")
    assert now(user).is_staff is flag
    roles.withdraw_role(Role(role), user=user, by=superuser, reason="term over")
    assert now(user).is_staff is False


def test_the_flag_stays_while_another_role_needs_it(superuser):
    user = factories.user_with_role("staff")
    roles.grant_role(Role.ORGANIZER, to=user, by=superuser, reason="x")
    roles.withdraw_role(Role.ORGANIZER, user=user, by=superuser, reason="x")
    assert now(user).is_staff is True


def test_the_log_says_which_role_who_and_why(staff):
    player = factories.registered()
    roles.grant_role(Role.ORGANIZER, to=player.person.user, by=staff, reason="runs the May stage")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.player) == ("role.granted", staff, player)
    assert (entry.changes, entry.reason) == ({"role": ["", "organizer"]}, "runs the May stage")


@pytest.mark.parametrize("give", [True, False])
def test_a_change_of_role_ends_the_sessions_of_that_login(staff, give):
    user = factories.user() if give else factories.user_with_role("organizer")
    browser = signed_in(user)
    assert browser.get("/it/").wsgi_request.user.is_authenticated is True
    if give:
        roles.grant_role(Role.ORGANIZER, to=user, by=staff, reason="x")
    else:
        roles.withdraw_role(Role.ORGANIZER, user=user, by=staff, reason="x")
    assert browser.get("/it/").wsgi_request.user.is_authenticated is False


def test_staff_neither_give_nor_take_the_role_of_staff(staff):
    colleague = factories.user_with_role("staff")
    with pytest.raises(Refused, match="not yours"):
        roles.grant_role(Role.STAFF, to=factories.user(), by=staff, reason="x")
    with pytest.raises(Refused, match="not yours"):
        roles.withdraw_role(Role.STAFF, user=colleague, by=staff, reason="x")
    assert roles_of(now(colleague)) == {"player", "staff"}


def test_nobody_gives_the_role_of_superuser(superuser):
    with pytest.raises(Refused, match="not yours"):
        roles.grant_role(Role.SUPERUSER, to=factories.user(), by=superuser, reason="x")


def test_an_organizer_gives_nothing(organizer):
    with pytest.raises(Refused, match="not yours"):
        roles.grant_role(Role.ORGANIZER, to=factories.user(), by=organizer, reason="x")


def test_nobody_changes_their_own_roles(superuser):
    for act in (
        lambda: roles.grant_role(Role.STAFF, to=superuser, by=superuser, reason="x"),
        lambda: roles.withdraw_role(Role.STAFF, user=superuser, by=superuser, reason="x"),
    ):
        with pytest.raises(Refused, match="their own roles"):
            act()


def test_an_address_that_nobody_confirmed_gets_no_role(staff):
    user = factories.user(verified=False)
    with pytest.raises(Refused, match="never confirmed"):
        roles.grant_role(Role.ORGANIZER, to=user, by=staff, reason="x")
    EmailAddress.objects.filter(user=user).update(verified=True)
    roles.grant_role(Role.ORGANIZER, to=user, by=staff, reason="x")


def test_a_closed_login_gets_no_role(staff):
    with pytest.raises(Refused, match="closed"):
        roles.grant_role(Role.ORGANIZER, to=factories.user(is_active=False), by=staff, reason="x")


def test_giving_or_taking_twice_is_said(staff):
    user = factories.user()
    roles.grant_role(Role.ORGANIZER, to=user, by=staff, reason="x")
    with pytest.raises(Refused, match="already"):
        roles.grant_role(Role.ORGANIZER, to=user, by=staff, reason="x")
    roles.withdraw_role(Role.ORGANIZER, user=user, by=staff, reason="x")
    with pytest.raises(Refused, match="does not have"):
        roles.withdraw_role(Role.ORGANIZER, user=user, by=staff, reason="x")
