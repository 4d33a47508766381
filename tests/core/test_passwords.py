"""The federation's own words are no password; they may be part of one."""

import pytest
from django.contrib.auth.password_validation import (
    get_default_password_validators,
    validate_password,
)
from django.core.exceptions import ValidationError

from pergioco.core.backends import OwnWordsValidator
from pergioco.demo.logins import PASSWORD
from tests import factories


@pytest.mark.parametrize(
    "password",
    [
        "PerGioco2026",
        "pergiocomasters",
        "pergioco, masters 26",
        "RISIKO!RISIKO!",
        "risiko_master_1",
        "Board Italian Gamers",
        "boarditaliangamers99",
        "giochidatavolo",
        "giochi da tavolo",
        "I dadi del campione",
        "Dàdi2026dadi",
        "ｍａｓｔｅｒｓ2026",
    ],
)
def test_they_alone_are_refused_whatever_digits_and_signs_stand_around(password):
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert "own_words" in {error.code for error in refused.value.error_list}


@pytest.mark.parametrize(
    "password",
    [
        PASSWORD,
        factories.PASSWORD,
        "pergioco e mia nonna Ada",
        "risikozero",
        "1234 5678 90!?",
        "-- -- -- --",
    ],
)
def test_among_other_words_they_are_allowed(password):
    OwnWordsValidator().validate(password)


def test_the_portal_asks_it():
    assert "OwnWordsValidator" in {
        type(validator).__name__ for validator in get_default_password_validators()
    }
