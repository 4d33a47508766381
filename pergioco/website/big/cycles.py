"""Since when a ranking of BIG counts, who is champion, and the rankings that finals have ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Concat

from pergioco.ledger.published import Ranking, Version
from pergioco.players.models import Player
from pergioco.players.rules.publication import BIG
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Game, Season, Stage
from pergioco.website.ranking_words import address

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class OfGame:
    """Both rankings of one game."""

    game: Game
    points: str
    elo: str


@dataclass(frozen=True)
class Earlier:
    """A ranking as it stood when a final ended it."""

    final: Stage
    until: date
    address: str


@dataclass(frozen=True)
class Cycle:
    """`final` opened it, and made the champion; neither is there before the first final."""

    final: Stage | None
    champion: Player | None
    earlier: list[Earlier]
    here: OfGame | None
    games: list[OfGame]


def cycle_of(version: Version, ranking: Ranking, game: Game | None) -> Cycle:
    """Of the ranking of a game; of the general one, which no final ends, the games that it is made of."""
    if game is None:
        return Cycle(None, None, [], None, games_of(version))
    finals = list(finals_of(game, version.as_of))
    champion = champion_of(ranking)
    opened = next((final for final in finals if final.slug == ranking.read.get("final")), None)
    earlier = earlier_ones(ranking.kind, finals, version.season) if ranking.kind.startswith("big:") else []
    return Cycle(opened, champion, earlier, of_game(game, version.season, version), [])


def champion_of(ranking: Ranking) -> Player | None:
    """An Elo has none, nor has a championship before its first final."""
    champion = ranking.read.get("champion")
    return Player.objects.with_names(BIG).filter(pk=champion).first() if champion else None


def finals_of(game: Game, day: date) -> QuerySet[Stage]:
    """The latest first."""
    held = closed_stages(Stage.Circuit.BIG).filter(game=game, final=True, ends_on__lte=day)
    return held.select_related("season", "game").order_by("-ends_on", "-slug")


def earlier_ones(kind: str, finals: Iterable[Stage], season: Season) -> list[Earlier]:
    """Of seasons that are on file; those of the finals are known, which is nearly always enough."""
    days = {final: final.starts_on - ONE_DAY for final in finals}
    seasons = {one.year: one for one in (season, *(final.season for final in days))}
    if others := {day.year for day in days.values()} - seasons.keys():
        seasons |= Season.objects.in_bulk(others, field_name="year")
    return [
        Earlier(final, day, address("ranking", kind, seasons[day.year], day=day))
        for final, day in days.items()
        if day.year in seasons
    ]


def of_game(game: Game, season: Season, version: Version) -> OfGame:
    """Of the same day."""
    day = None if version.publication else version.as_of
    points, elo = (address("ranking", f"{kind}:{game.slug}", season, day=day) for kind in ("big", "big-elo"))
    return OfGame(game, points, elo)


def games_of(version: Version) -> list[OfGame]:
    """In the order of their names."""
    if version.publication is None:
        return []
    its_ranking = version.publication.shown.filter(kind=Concat(Value("big:"), OuterRef("slug")))
    games = Game.objects.filter(Exists(its_ranking))
    return [of_game(game, version.season, version) for game in sorted(games, key=lambda game: game.name.casefold())]
