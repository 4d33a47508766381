"""Who would be called by the ranking as it is public now."""

from dataclasses import dataclass
from decimal import Decimal

from big_league.compute import ELO, OF_GAME
from big_league.finals.models import Final
from big_league.rules.calling import Called, Ranked, called
from pergioco.ledger import published
from pergioco.ledger.models import Line
from pergioco.ledger.published import Version
from pergioco.players.models import Player
from pergioco.rulekit.chance import drawn_order


@dataclass(frozen=True)
class List:
    """The first and the reserves, with what the ranking says of them; the reigning champion."""

    called: tuple[Called, ...]
    ranked: dict[int, Ranked]
    champion: int | None


def list_of(final: Final) -> List:
    """From the latest public ranking of the game: nobody, as long as there is none."""
    version = published.latest()
    ranking = version.ranking(f"{OF_GAME}{final.stage.game.slug}") if version else None
    if version is None or ranking is None:
        return List((), {}, None)
    elo = elo_in(version, final.stage.game.slug)
    ranked = {line.player_id: ranked_line(line, elo.get(line.player_id)) for line in ranking.lines}
    lots = drawn_order(final.seed, dict(Player.objects.filter(pk__in=ranked).values_list("pk", "public_id")))
    found = called(list(ranked.values()), lots, seats=final.seats, reserves=final.reserves)
    return List(found, ranked, ranking.read.get("champion"))


def elo_in(version: Version, slug: str) -> dict[int, Decimal]:
    ranking = version.ranking(f"{ELO}{slug}")
    return {line.player_id: line.value for line in ranking.lines} if ranking else {}


def ranked_line(line: Line, elo: Decimal | None) -> Ranked:
    counted = (Decimal(line.detail["results"][slug]) for slug in line.detail["counted"])
    return Ranked(line.player_id, line.value, tuple(counted), elo)
