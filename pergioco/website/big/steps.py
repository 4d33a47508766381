"""From a place to the points of the league, step by step: what a tournament gave, or would give."""

from dataclasses import dataclass
from decimal import Decimal

from big_league.rules.editions import Edition
from big_league.rules.league import LeaguePoints, bonus_of_first
from pergioco.ledger.models import Line
from pergioco.rulekit.rounding import half_up

SIX = 6  # decimals of the multiplier


@dataclass(frozen=True)
class Steps:
    """As they are shown; each is exact before it is rounded here."""

    edition: Edition
    players: int
    base: Decimal
    bonus: Decimal
    mean: Decimal
    own: Decimal
    multiplier: Decimal
    is_halved: bool
    points: Decimal

    @property
    def rewarded(self) -> int:
        return self.players // self.edition.bonus_share

    @property
    def first_bonus(self) -> Decimal:
        return half_up(bonus_of_first(self.players, self.edition), 2)

    @property
    def difference(self) -> Decimal:
        return self.mean - self.own


def would_be(league: LeaguePoints, *, players: int, mean: Decimal, own: Decimal, edition: Edition) -> Steps:
    base, bonus, points = (half_up(value, 2) for value in (league.base, league.bonus, league.points))
    multiplier = half_up(league.multiplier, SIX)
    return Steps(edition, players, base, bonus, mean, own, multiplier, league.is_halved, points)


def as_published(line: Line, edition: Edition) -> Steps:
    """Of a line of a tournament: what the rule left in it."""
    detail = line.detail
    base, bonus, multiplier, mean = (Decimal(detail[name]) for name in ("base", "bonus", "multiplier", "mean"))
    own = Decimal(detail["elo_before"]).scaleb(-3)
    return Steps(edition, detail["players"], base, bonus, mean, own, multiplier, detail["is_halved"], line.value)
