"""Names are compared and searched blind to case, accents and stray spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pergioco.rulekit.text import fold, tidy


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        ("Żółć Łukasz", "zolc lukasz"),
        ("  Peña\u00a0\tNÚÑEZ ", "pena nunez"),
        ("Weiß", "weiss"),
        ("Søren Ægir", "soren aegir"),
        ("d’Aosta", "d’aosta"),
        ("İpek Işık", "ipek isik"),
        ("ﬁlippo", "filippo"),
    ],
)
def test_fold(typed, folded):
    assert fold(typed) == folded


def test_tidy_drops_what_cannot_be_seen():
    assert tidy("Ma\u200brta \u202eRossi\x00") == "Marta Rossi"


def test_tidy_composes_letters():
    assert tidy("Jose\u0301") == "José"


@given(st.text())
def test_tidying_twice_is_tidying_once(text):
    assert tidy(tidy(text)) == tidy(text)


@given(st.text())
def test_folded_text_is_its_own_fold(text):
    assert fold(fold(text)) == fold(text)
