"""Prizes to the cent."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.prizes import EDITIONS, divide_prizes, net_money, split_money

EDITION = EDITIONS[0]


def of_net(cents: int):
    """The least that must be collected so that so much is left."""
    return divide_prizes(
        next(c for c in range(cents, cents * 2 + 2) if net_money(c, EDITION) == cents), EDITION
    )


def test_big_9_3_forty_euro():
    made = divide_prizes(4000, EDITION)
    assert (made.kept, made.net, made.voucher, made.prizes) == (
        1000,
        3000,
        200,
        (1120, 840, 560, 280),
    )


@pytest.mark.parametrize(
    ("net", "voucher", "shares"),
    [
        (1, 0, (100,)),
        (899, 0, (100,)),
        (900, 200, (100,)),
        (1299, 200, (100,)),
        (1300, 200, (65, 35)),
        (1999, 200, (65, 35)),
        (2000, 200, (50, 30, 20)),
        (2999, 200, (50, 30, 20)),
        (3000, 200, (40, 30, 20, 10)),
        (100_000, 200, (40, 30, 20, 10)),
    ],
)
def test_big_9_3_the_bands_at_their_borders(net, voucher, shares):
    made = of_net(net)
    assert (made.net, made.voucher, made.shares) == (net, voucher, shares)


def test_big_9_3_the_band_is_that_of_the_money_before_the_voucher():
    assert of_net(900).prizes == (700,)
    assert of_net(3000).prizes == (1120, 840, 560, 280)  # 28 euro alone would be shared by three


def test_big_9_3_cents_left_over_go_to_the_first():
    assert split_money(1101, (65, 35)) == (716, 385)
    assert split_money(1003, (40, 30, 20, 10)) == (403, 300, 200, 100)


def test_big_9_3_nothing_collected():
    assert divide_prizes(0, EDITION).prizes == (0,)


@given(st.integers(0, 1_000_000))
def test_big_9_3_it_adds_up_and_no_prize_is_greater_than_the_one_before(collected):
    made = divide_prizes(collected, EDITION)
    assert made.kept + made.voucher + sum(made.prizes) == collected
    assert list(made.prizes) == sorted(made.prizes, reverse=True)
    assert abs(4 * made.net - 3 * collected) <= 2
    for share, prize in zip(made.shares[1:], made.prizes[1:], strict=True):
        assert 0 <= share * (made.net - made.voucher) - 100 * prize < 100


def test_big_9_3_editions_by_day():
    assert [EDITIONS.in_force(date(year, 1, 1)).since for year in (2019, 2026)] == [
        date(2020, 12, 1)
    ] * 2
