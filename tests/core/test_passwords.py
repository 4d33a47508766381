"""The federation's own words are no password; they may be part of one."""

import pytest
from django.contrib.auth.password_validation import (
    get_default_password_validators,
    validate_password,
)
from django.core.exceptions import ValidationError

from pergioco.core.backends import CommonPasswordValidator, OwnWordsValidator
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


@pytest.mark.parametrize(
    "password",
    [
        "1234567890",
        "qwertyuiop",
        "password123!",
        "dragon1990",
        "!!!sunshine!!!",
        "Juventus-1897",
        "12345liverpool",
        "Barcelona 2026",
    ],
)
def test_what_many_people_use_is_refused_whatever_stands_at_its_edges(password):
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert "password_too_common" in {error.code for error in refused.value.error_list}


def test_more_than_three_thousand_of_those_that_are_long_enough_are_refused():
    """Those of Django's list that are long enough, and its shorter ones with what people add."""
    listed = sorted(CommonPasswordValidator().passwords)
    long_enough = [word for word in listed if len(word) >= 10]
    made = [f"{word}123456" for word in listed if 4 <= len(word) < 10 and word.isalpha()]
    assert len(long_enough) > 1700
    assert len(made) > 8000
    assert [word for word in long_enough[::50] + made[::200] if is_valid(word)] == []


def is_valid(password: str) -> bool:
    try:
        validate_password(password)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    "password",
    [
        "zwölf Räder aus Holz",
        "tre🎲due🎲uno🎲",
        "abcdefghvwxyz",
        "8402 7719 5530",
        "¡ ¿ ! ? ; : , .",
    ],
)
def test_signs_of_any_kind_are_allowed_and_none_is_asked_for(password):
    assert is_valid(password)


def test_the_portal_asks_it():
    assert "OwnWordsValidator" in {
        type(validator).__name__ for validator in get_default_password_validators()
    }
