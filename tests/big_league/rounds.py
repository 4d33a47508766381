"""Rounds for the tests, in few words: each table as scores by player."""

from decimal import Decimal

from big_league.rules.editions import EDITIONS
from big_league.rules.standings import Round
from big_league.rules.table import Part

EDITION = EDITIONS.in_force(2026)


def part(player: int, score: object = None, **fields: object) -> Part:
    return Part(player, None if score is None else Decimal(str(score)), **fields)


def table(**scores: object) -> list[Part]:
    """`p7=82`: player 7 scored 82."""
    return [part(int(name[1:]), score) for name, score in scores.items()]


def rounds(*of_rounds: list[list[Part]], phases: dict[int, str] | None = None) -> list[Round]:
    return [
        Round(number, dict(enumerate(tables, 1)), (phases or {}).get(number, ""))
        for number, tables in enumerate(of_rounds, 1)
    ]
