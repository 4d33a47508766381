"""Closed stages, with results as the signs of the grid; ratings and rankings as the pipeline leaves
them."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

from django.utils import timezone

from pergioco.players.models import Player
from pergioco.publishing.services import publish as services_publish
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Game, OpeningRating, Revision, Season, Stage
from pergioco.stages.rules.results import parts_of_sign
from ratings.compute import recompute
from tests import factories

Table = tuple[tuple[Player, ...], str]  # who sits there, and the sign of the result


def closed(rounds: Sequence[Sequence[Table]], **fields: Any) -> Stage:
    stage = factories.stage(**fields)
    revision = Revision.objects.create(
        stage=stage, number=1, state="current", closed_at=timezone.now()
    )
    facts.write_rounds(
        revision,
        [
            RoundFacts(
                number, tuple(table_facts(place, *table) for place, table in enumerate(tables, 1))
            )
            for number, tables in enumerate(rounds, 1)
        ],
    )
    for player in {player for tables in rounds for players, _sign in tables for player in players}:
        stage.entries.create(player=player)
    Stage.objects.filter(pk=stage.pk).update(status="closed")
    return stage


def table_facts(number: int, players: tuple[Player, ...], sign: str) -> TableFacts:
    parts = parts_of_sign(sign, len(players))
    assert parts is not None
    return TableFacts(
        number, tuple(SeatFacts(who.pk, *part) for who, part in zip(players, parts, strict=True))
    )


def by_chance(players: Sequence[Player], rounds: int, chance: Random) -> list[list[Table]]:
    """Pairings and results of all kinds; the odd one has a bye."""
    drawn = []
    for _round in range(rounds):
        order = chance.sample(players, len(players))
        pairs: list[Table] = [
            ((a, b), chance.choice("111X222+-0"))
            for a, b in zip(order[::2], order[1::2], strict=False)
        ]
        odd: list[Table] = [((order[-1],), "B")] if len(order) % 2 else []
        drawn.append(pairs + odd)
    return drawn


def game(slug: str) -> Game:
    return Game.objects.filter(slug=slug).first() or factories.game(slug)


def brought_along(player: Player, game: Game, pgr: str) -> None:
    OpeningRating.objects.create(
        player=player, game=game, pgr=Decimal(pgr), last_played_on=date(2025, 12, 1)
    )


def publish(year: int = 2026) -> Season:
    for game in Game.objects.order_by("pk"):
        recompute(game, cause="closed")
    season = Season.objects.get(year=year)
    services_publish.publish_season(season, cause="closed")
    return season
