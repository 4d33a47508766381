"""A player in the championships of BIG: places, points and Elo of each game, and the national finals that were won."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q

from pergioco.ledger.models import Line
from pergioco.ledger.published import Published
from pergioco.players.models import Player
from pergioco.players.rules.publication import BIG
from pergioco.stages.models import Game, Stage
from pergioco.website.big import counted
from pergioco.website.ranking_words import address, why_address


@dataclass(frozen=True)
class Championship:
    game: Game
    ranking: str
    points: Line | None
    why_points: str
    elo: Line | None
    why_elo: str

    @property
    def results(self) -> str:
        return counted.written(self.points) if self.points else ""


def championships(player: Player, version: Published, lines: Mapping[str, Line]) -> list[Championship]:
    """In the order of the games' names."""
    slugs = {kind.partition(":")[2] for kind in lines if kind.startswith(("big:", "big-elo:"))}
    games = sorted(Game.objects.filter(slug__in=slugs), key=lambda game: game.name.casefold()) if slugs else []
    return [championship(game, player, version, lines) for game in games]


def championship(game: Game, player: Player, version: Published, lines: Mapping[str, Line]) -> Championship:
    points, elo = f"big:{game.slug}", f"big-elo:{game.slug}"
    return Championship(
        game,
        address("ranking", points, version.season),
        lines.get(points),
        why_address(points, version.season, player),
        lines.get(elo),
        why_address(elo, version.season, player),
    )


FINAL_WON = Q(
    position=1,
    computation__kind__startswith="big-event:",
    computation__read__is_final=True,
    computation__shown__publication__is_current=True,
)


def finals_won(players: Q) -> list[tuple[Stage, int]]:
    """National finals with their champions, as they are published: the latest first. `players` looks at lines."""
    won = Line.objects.filter(players & FINAL_WON)
    champions = {
        kind.partition(":")[2]: player for kind, player in won.values_list("computation__kind", "player").distinct()
    }
    if not champions:
        return []
    stages = Stage.objects.filter(slug__in=champions).select_related("game", "season").order_by("-ends_on", "slug")
    return [(stage, champions[stage.slug]) for stage in stages]


def champions_of(stages: Iterable[tuple[Stage, int]]) -> list[tuple[Stage, Player]]:
    """With their names, in two queries."""
    found = list(stages)
    players = Player.objects.with_names(BIG).in_bulk([player for _stage, player in found])
    return [(stage, players[player]) for stage, player in found]
