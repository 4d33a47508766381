"""A great tournament half way: players as asked for, and rounds at tables of four with all their
scores."""

from decimal import Decimal
from random import Random

from pergioco.players.models import Player
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Entry, Revision, Stage
from tests import factories
from tests.ratings.play import season

AT_A_TABLE = 4


def half_way(players: int, rounds: int) -> Stage:
    stage = factories.stage(
        of=season(2026),
        game=factories.game(),
        circuit="big",
        platform="",
        system="swiss",
        status="open",
        seed="seed",
    )
    there = Player.objects.bulk_create(Player() for _ in range(players))
    Entry.objects.bulk_create(Entry(stage=stage, player=player) for player in there)
    draft = Revision.objects.create(stage=stage, number=1)
    chance = Random(players)
    facts.write_rounds(
        draft,
        [
            played(number, [player.pk for player in there], chance)
            for number in range(1, rounds + 1)
        ],
    )
    return stage


def played(number: int, players: list[int], chance: Random) -> RoundFacts:
    order = chance.sample(players, len(players))
    tables = [order[at : at + AT_A_TABLE] for at in range(0, len(order), AT_A_TABLE)]
    return RoundFacts(
        number,
        tuple(TableFacts(n, tuple(map(scored(chance), own))) for n, own in enumerate(tables, 1)),
    )


def scored(chance: Random):
    return lambda player: SeatFacts(player, score=Decimal(chance.randint(20, 160)))
