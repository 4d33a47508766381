"""The page on which roles are given and taken."""

import pytest

from pergioco.core.models import User
from pergioco.core.policy import roles_of
from tests import factories
from tests.conftest import reauthenticated, signed_in
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.django_db
ROLES = "/en/staff/roles/"


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


def change(by, user, role="organizer", step="grant", reason="runs the May stage"):
    email = user if isinstance(user, str) else user.email
    return reauthenticated(by).post(
        ROLES, {"email": email, "role": role, "reason": reason, "step": step}
    )


def now(user):
    return roles_of(User.objects.get(pk=user.pk))


@pytest.mark.parametrize("role", ["organizer", "big_organizer", "risiko_director"])
def test_only_staff_see_roles(role):
    browser = signed_in(factories.user_with_role(role))
    assert (browser.get(ROLES).status_code, browser.post(ROLES).status_code) == (403, 403)


def test_staff_offer_the_roles_of_organizers_and_a_superuser_staff_too(staff):
    page = signed_in(staff).get(ROLES).content.decode()
    assert 'value="risiko_director"' in page
    assert 'value="staff"' not in page
    assert (
        'value="staff"'
        in signed_in(factories.user_with_role("superuser")).get(ROLES).content.decode()
    )


def test_a_role_is_given_and_taken_by_e_mail_in_any_case(staff):
    user = factories.user("marta@example.org")
    assert change(staff, "Marta@Example.org").url == ROLES
    assert now(user) == {"player", "organizer"}
    assert change(staff, user, step="withdraw").url == ROLES
    assert now(user) == {"player"}


def test_a_role_that_was_not_offered_is_not_given(staff):
    user = factories.user()
    page = change(staff, user, role="staff")
    assert page.context["form"].errors.keys() == {"role"}
    assert now(user) == {"player"}


def test_staff_do_not_take_a_colleague_s_role(staff):
    colleague = factories.user_with_role("staff")
    assert change(staff, colleague, role="staff", step="withdraw").status_code == 200
    assert now(colleague) == {"player", "staff"}


def test_a_superuser_makes_staff(staff):
    user = factories.user()
    assert change(factories.user_with_role("superuser"), user, role="staff").url == ROLES
    assert now(user) == {"player", "staff"}


def test_the_password_is_asked_first(staff):
    user = factories.user()
    fields = {"email": user.email, "role": "organizer", "reason": "x", "step": "grant"}
    assert signed_in(staff).post(ROLES, fields).url.startswith("/en/account/reauthenticate/")
    assert now(user) == {"player"}


@pytest.mark.parametrize(
    ("email", "words"),
    [
        ("nobody@example.org", "Nobody signs in with this address. They must make a login first."),
        ("me", "Nobody changes their own roles: ask a colleague."),
    ],
)
def test_a_refusal_stands_at_the_address_and_keeps_what_was_typed(staff, email, words):
    page = change(staff, staff if email == "me" else email)
    assert page.context["form"].errors == {"email": [words]}
    assert "runs the May stage" in page.content.decode()


def test_without_a_reason_nothing_is_changed(staff):
    user = factories.user()
    assert change(staff, user, reason=" ").context["form"].errors.keys() == {"reason"}
    assert now(user) == {"player"}


def test_without_one_of_the_two_buttons_nothing_is_changed(staff):
    user = factories.user()
    assert change(staff, user, step="").status_code == 200
    assert now(user) == {"player"}


def test_the_list_names_everybody_with_a_role_once_and_nobody_else(staff):
    both = factories.user_with_role("organizer")
    change(factories.user_with_role("superuser"), both, role="risiko_director")
    factories.user()
    holders = signed_in(staff).get(ROLES).context["holders"]
    roles = {user: [str(label) for label in labels] for user, labels in holders}
    assert len(holders) == len(roles) == 3
    assert roles[both] == ["organizer of PerGioco stages", "director of RisiKo! Masters"]


def test_the_link_of_a_person_fills_in_the_address(staff):
    page = signed_in(staff).get(ROLES, {"email": "marta@example.org"}).content.decode()
    assert 'value="marta@example.org"' in page


def test_the_list_asks_the_database_as_often_for_three_as_for_one(staff):
    browser = signed_in(staff)

    def add():
        factories.registered(user=factories.user_with_role("organizer"))

    add()
    first = queries_of(browser, ROLES)
    add()
    add()
    assert queries_of(browser, ROLES) == first
