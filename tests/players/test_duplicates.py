"""Who might be one person twice, what staff see of it, and what the person is asked."""

from datetime import date

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import Claim
from pergioco.players.services import claims
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def me(**fields):
    return factories.registered(**fields)


def for_staff(player):
    return list(claims.find_duplicates_for_staff(player))


def asked(player):
    return list(claims.find_unanswered_duplicates(player))


def test_the_same_name_and_birth_date_in_whatever_accents():
    player = me(first_name="Zoë", last_name="Núñez")
    twin = factories.person(first_name="ZOE", last_name="Nunez").player
    swapped = factories.person(first_name="Nuñez", last_name="Zoe").player
    factories.person(first_name="Zoe", last_name="Nunes")
    assert for_staff(player) == [twin, swapped]


def test_another_birth_date_is_another_person_and_an_unknown_one_may_be_the_same():
    player = me()
    factories.person(birth_date=date(1990, 5, 18))
    unknown = factories.person(birth_date=None).player
    assert for_staff(player) == [unknown]
    assert for_staff(me(birth_date=None, last_name="Rossi")) != []


def test_an_unregistered_participant_under_the_same_nickname_on_any_platform():
    player = me()
    factories.account(player, "Kasp77")
    seen = factories.player()
    factories.account(seen, "KASP77", platform="bga", platform_id="123")
    other = factories.registered(last_name="Verdi")
    factories.account(other, "kasp77", platform="abstractplay", platform_id="uuid")
    assert for_staff(player) == [seen]
    assert asked(player) == [seen]


def test_the_merged_the_erased_and_the_unconfirmed_are_nobody():
    player = me()
    factories.registered(state="mail")
    merged, erased = factories.person().player, factories.person().player
    merged.merged_into = player
    merged.save()
    erased.erased_at = player.created_at
    erased.save()
    assert for_staff(player) == []
    assert asked(player) == []


def test_only_names_that_are_public_are_asked_about():
    player = me()
    factories.person()  # on file, not registered
    hidden = factories.registered()
    hidden.registration.publication_allowed = False
    hidden.registration.save()
    public = factories.registered()
    assert asked(player) == [public]
    assert len(for_staff(player)) == 3


def test_the_question_does_not_depend_on_a_birth_date():
    """Otherwise whoever registers under a name could find out the birth date of its bearer."""
    player = me()
    public = factories.registered(birth_date=date(1961, 1, 1))
    assert asked(player) == [public]
    assert for_staff(player) == []


def test_an_entry_on_file_with_the_confirmed_address_is_asked_about():
    player = me(user=factories.user(email="marta@example.org"))
    on_file = factories.person(first_name="M.", contact_email="Marta@example.org").player
    factories.person(first_name="N.")
    assert asked(player) == [on_file]
    assert claims.build_claim_questions(player)[0].accounts == []


def test_the_account_named_at_registration_is_asked_about_and_only_that_one_is_shown():
    player = me()
    past = factories.player()
    named = factories.account(past, "Kasp77")
    factories.account(past, "SecretName", platform="bga", platform_id="1")
    Claim.objects.create(player=player, target=past, account=named, state="offered")
    [question] = claims.build_claim_questions(player)
    assert (question.target, question.accounts) == (past, [named])


@pytest.mark.parametrize(
    ("answer", "state"), [(claims.make_claim, "open"), (claims.decline_claim, "declined")]
)
def test_an_answer_is_remembered_and_never_asked_again(answer, state):
    player, past = me(), factories.player()
    user = player.person.user
    offered = Claim.objects.create(player=player, target=past, state="offered")
    assert answer(player, past, by=user) == offered
    answer(player, past, by=user)
    assert list(Claim.objects.values_list("state", flat=True)) == [state]
    assert asked(player) == []
    entry = AuditEntry.objects.get()
    assert (entry.player, entry.changes) == (player, {"state": ["offered", state]})


def test_an_answer_about_somebody_found_by_name_makes_the_row():
    player, twin = me(), factories.registered()
    claim = claims.decline_claim(player, twin, by=player.person.user)
    assert (claim.player, claim.target, claim.state) == (player, twin, "declined")
    assert asked(player) == []
    assert for_staff(player) == [twin]  # staff still see the namesake


def test_a_yes_may_be_taken_back_until_staff_decide():
    player, past = me(), factories.player()
    user = player.person.user
    claims.make_claim(player, past, by=user)
    assert claims.decline_claim(player, past, by=user).state == "declined"
    Claim.objects.update(state="refused")
    assert claims.make_claim(player, past, by=user).state == "refused"


@pytest.mark.parametrize("many", [1, 3])
def test_the_questions_take_as_many_queries_for_one_as_for_three(many, django_assert_num_queries):
    player = me()
    factories.account(player, "Kasp77")
    for n in range(many):
        factories.account(factories.player(), "Kasp77", platform="bga", platform_id=f"{n}")
    with django_assert_num_queries(4):
        assert len(claims.build_claim_questions(player)) == many
