"""Prizes of an online tournament, to the cent (BIG 9.3). Every amount is a whole number of
cents."""

from dataclasses import dataclass
from datetime import date

from pergioco.rulekit.editions import Editions
from pergioco.rulekit.paragraph import paragraph

HUNDRED = 100


@dataclass(frozen=True)
class Band:
    """From `least` net cents on: percent of each prize, and whether there is a voucher."""

    least: int
    shares: tuple[int, ...]
    with_voucher: bool


@dataclass(frozen=True)
class Edition:
    since: date
    kept_percent: int
    voucher: int
    bands: tuple[Band, ...]


EDITIONS = Editions(
    Edition(
        since=date(2020, 12, 1),
        kept_percent=25,
        voucher=200,
        bands=(
            Band(0, (100,), with_voucher=False),
            Band(900, (100,), with_voucher=True),
            Band(1300, (65, 35), with_voucher=True),
            Band(2000, (50, 30, 20), with_voucher=True),
            Band(3000, (40, 30, 20, 10), with_voucher=True),
        ),
    ),
    first_reaches_back=True,
)


@dataclass(frozen=True)
class Prizes:
    """collected = kept + net, and net = voucher + the sum of the prizes."""

    collected: int
    kept: int
    net: int
    voucher: int
    shares: tuple[int, ...]
    prizes: tuple[int, ...]


@paragraph("BIG", "9.3")
def net_money(collected: int, edition: Edition) -> int:
    """Without the kept percentage; half a cent is rounded up."""
    return (collected * (HUNDRED - edition.kept_percent) + HUNDRED // 2) // HUNDRED


@paragraph("BIG", "9.3")
def split_money(amount: int, shares: tuple[int, ...]) -> tuple[int, ...]:
    """Prizes are rounded down; the cents left over go to the first one."""
    prizes = [amount * share // HUNDRED for share in shares]
    prizes[0] += amount - sum(prizes)
    return tuple(prizes)


@paragraph("BIG", "9.3")
def divide_prizes(collected: int, edition: Edition) -> Prizes:
    """The net money before the voucher chooses the band (BIG-21)."""
    net = net_money(collected, edition)
    band = max((band for band in edition.bands if band.least <= net), key=lambda band: band.least)
    voucher = edition.voucher if band.with_voucher else 0
    return Prizes(
        collected,
        collected - net,
        net,
        voucher,
        band.shares,
        split_money(net - voucher, band.shares),
    )
