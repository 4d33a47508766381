"""The signs of a result, and what they mean for each seat (PG-5 to PG-10)."""

import pytest

from pergioco.stages.rules.results import ALONE, OF_TWO, parts_of_sign, sign_of


@pytest.mark.parametrize(
    ("sign", "parts"),
    [
        ("1", (("win", "played"), ("loss", "played"))),
        ("X", (("draw", "played"), ("draw", "played"))),
        ("2", (("loss", "played"), ("win", "played"))),
        ("+", (("win", "walkover"), ("loss", "no_show"))),
        ("-", (("loss", "no_show"), ("win", "walkover"))),
        ("0", (("loss", "no_show"), ("loss", "no_show"))),
        ("", (("", ""), ("", ""))),
    ],
)
def test_signs_of_a_table_of_two(sign, parts):
    assert parts_of_sign(sign, 2) == parts
    assert sign_of(parts) == sign


def test_every_sign_reads_back_as_itself():
    assert {sign_of(parts) for parts in OF_TWO.values()} == set(OF_TWO)
    assert {sign_of(parts) for parts in ALONE.values()} == set(ALONE)


@pytest.mark.parametrize(("sign", "seats"), [("B", 2), ("1", 1), ("w", 2), ("1", 3), ("B", 0)])
def test_sign_without_meaning_at_a_table(sign, seats):
    assert parts_of_sign(sign, seats) is None


def test_pg_10_an_abandoned_game_reads_as_the_loss_that_it_is():
    assert sign_of((("win", "played"), ("loss", "quit"))) == "1"
