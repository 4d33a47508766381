"""Registering as a use-case: who may, what is written, and whose accounts give way."""

from dataclasses import replace
from datetime import date

import pytest

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.models import Claim, Consent, Person, PlatformAccount, Player, Registration
from pergioco.players.rules.people import sixteenth_birthday
from pergioco.players.services import accounts, registering
from pergioco.players.services.accounts import Reference
from pergioco.players.services.registering import RegistrationData, register_player
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TODAY = date(2026, 3, 12)
KASP = {"playstrategy": Reference("kasp77", "Kasp77")}


def sent(**changes):
    person = {
        "first_name": "Marta",
        "last_name": "Rossi",
        "birth_date": date(1990, 5, 17),
        "city": "Torino",
        "country": "IT",
        "phone": "",
    }
    return replace(
        RegistrationData(person=person, accounts=KASP, newsletter=False, language="it", on=TODAY),
        **changes,
    )


def newcomer(**changes):
    return register_player(factories.user(), sent(**changes), address_is_confirmed=False)


def refusal(call):
    with pytest.raises(Refused) as refused:
        call()
    return str(refused.value.sentence), refused.value.field


def test_pgm_4_a_registration_counts_from_the_day_it_was_sent():
    registration = newcomer()
    assert (registration.state, registration.registered_on, registration.counts) == (
        "mail",
        TODAY,
        False,
    )
    registering.confirm_registration(registration.player.person.user)
    registration.refresh_from_db()
    assert (registration.state, registration.registered_on, registration.counts) == (
        "new",
        TODAY,
        True,
    )


def test_confirming_again_changes_nothing_nor_undoes_what_staff_decided():
    registration = newcomer()
    user = registration.player.person.user
    registering.confirm_registration(user)
    registering.confirm_registration(user)
    assert AuditEntry.objects.filter(action="registration.confirmed").count() == 1
    Registration.objects.update(state="verified")
    registering.confirm_registration(user)
    assert Registration.objects.get().state == "verified"


def test_confirming_a_login_without_a_registration_is_no_trouble(django_assert_num_queries):
    user = factories.user()
    with django_assert_num_queries(3):  # a savepoint around one look
        registering.confirm_registration(user)
    assert AuditEntry.objects.count() == 0


def test_the_log_says_what_happened_and_holds_no_personal_data():
    registration = newcomer(newsletter=True)
    log = AuditEntry.objects.about(registration.player).order_by("id")
    assert [entry.action for entry in log] == [
        *("registration.sent", "consent.given", "consent.given", "consent.given", "account.added")
    ]
    text = str([entry.changes for entry in log])
    assert not any(value in text for value in ("Marta", "Rossi", "1990", "Torino"))


@pytest.mark.parametrize(
    ("birth_date", "sentence"),
    [
        (
            date(2010, 3, 13),
            "Players are at least 16 years old (PGM 3). You can register from 13 March 2026 on.",
        ),
        (date(2026, 3, 13), "This day is still to come. Check the year."),
        (date(1905, 3, 12), "That is more than 120 years ago. Check the year."),
    ],
)
def test_pgm_3_an_unfit_birth_date_is_refused_and_nothing_is_written(english, birth_date, sentence):
    person = {**sent().person, "birth_date": birth_date}
    assert refusal(lambda: newcomer(person=person)) == (sentence, "birth_date")
    assert Player.objects.count() == 0


def test_pgm_3_somebody_of_120_may_register():
    registering.refuse_unfit_birth_date(date(1905, 3, 13), TODAY)
    assert (
        refusal(lambda: registering.refuse_unfit_birth_date(date(1905, 3, 12), TODAY))[1]
        == "birth_date"
    )


@pytest.mark.parametrize(
    ("born", "sixteen"),
    [
        (date(2010, 3, 13), date(2026, 3, 13)),
        (date(2012, 2, 29), date(2028, 2, 29)),
        (date(2084, 2, 29), date(2100, 3, 1)),
    ],
)
def test_pgm_3_the_sixteenth_birthday(born, sixteen):
    assert sixteenth_birthday(born) == sixteen


def test_pgm_6_nobody_registers_twice():
    user = factories.user()
    register_player(user, sent(), address_is_confirmed=True)
    again = sent(accounts={})
    assert refusal(lambda: register_player(user, again, address_is_confirmed=True))[1] == ""
    assert Registration.objects.count() == 1


def test_a_consent_given_before_is_not_recorded_twice():
    person = factories.person(user=factories.user())
    Consent.objects.create(
        player=person.player,
        kind="newsletter",
        given=True,
        text_version="2025-1",
        language="it",
        way="account",
    )
    register_player(person.user, sent(newsletter=True), address_is_confirmed=True)
    assert person.player.consents.filter(kind="newsletter").count() == 1


def test_pgm_4_an_account_of_an_unregistered_participant_is_offered_as_a_claim():
    past = factories.player()
    account = factories.account(past, "Kasp77", platform_id="kasp77")
    player = newcomer().player
    claim = Claim.objects.get()
    assert (claim.player, claim.target, claim.account, claim.state) == (
        player,
        past,
        account,
        "offered",
    )
    assert player.accounts.count() == 0
    assert PlatformAccount.objects.get().player == past


def test_two_accounts_of_one_participant_make_one_offer():
    past = factories.player()
    factories.account(past, "Kasp77", platform_id="kasp77")
    factories.account(past, "Kasp77", platform="bga", platform_id="~kasp77")
    newcomer(accounts={**KASP, "bga": Reference(None, "Kasp77")})
    assert Claim.objects.count() == 1


def member_asked_before(state):
    """A member of BIG who registers with an account of somebody about whom they were asked."""
    past = factories.player()
    factories.account(past, "Kasp77", platform_id="kasp77")
    person = factories.person(user=factories.user())
    Claim.objects.create(player=person.player, target=past, state=state)
    return person.user


@pytest.mark.parametrize("state", ["offered", "open"])
def test_pg_4_a_question_that_waits_for_its_answer_is_not_put_twice(state):
    register_player(member_asked_before(state), sent(), address_is_confirmed=True)
    assert [claim.state for claim in Claim.objects.all()] == [state]


@pytest.mark.parametrize("state", ["declined", "refused"])
def test_pg_4_an_account_of_somebody_whom_one_was_found_not_to_be_is_refused(state):
    user = member_asked_before(state)
    again = refusal(lambda: register_player(user, sent(), address_is_confirmed=True))
    assert again == (str(accounts.TAKEN), "playstrategy")
    assert ([claim.state for claim in Claim.objects.all()], Registration.objects.count()) == (
        [state],
        0,
    )


@pytest.mark.parametrize("state", ["new", "correct", "verified", "refused"])
def test_an_account_of_a_registered_player_is_refused(state):
    factories.account(factories.registered(state=state), "Kasp77", platform_id="kasp77")
    assert refusal(newcomer) == (str(accounts.TAKEN), "playstrategy")
    assert Registration.objects.count() == 1


def test_an_account_of_somebody_on_file_without_a_login_does_not_block():
    factories.account(factories.person().player, "Kasp77", platform_id="kasp77")
    newcomer()
    assert Claim.objects.get().state == "offered"


def test_an_unconfirmed_registration_keeps_no_account_from_anybody():
    before = newcomer().player
    after = newcomer().player
    assert (before.accounts.count(), after.accounts.count()) == (0, 1)
    released = AuditEntry.objects.get(action="account.released")
    assert released.player_id == before.pk
    assert released.changes == {"platform": ["playstrategy", ""], "nickname": ["Kasp77", ""]}


def test_the_form_is_told_the_same_as_the_use_case():
    reference = KASP["playstrategy"]
    registering.refuse_account_of_another(None, "playstrategy", reference)
    registered = factories.registered()
    factories.account(registered, "Kasp77", platform_id="kasp77")
    assert (
        refusal(lambda: registering.refuse_account_of_another(None, "playstrategy", reference))[1]
        == "playstrategy"
    )
    registering.refuse_account_of_another(registered, "playstrategy", reference)  # one's own


def test_own_accounts_stay_as_they_are():
    person = factories.person(user=factories.user())
    factories.account(person.player, "Kasp77", platform_id="kasp77")
    register_player(person.user, sent(), address_is_confirmed=True)
    assert person.player.accounts.count() == 1
    assert Person.objects.count() == 1
