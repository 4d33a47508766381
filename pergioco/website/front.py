"""What the home page and the rankings' own front page tell at a glance. A constant number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.db.models import Count, F, Q
from django.utils.functional import Promise

from big_league.models import played_online
from pergioco.ledger import published
from pergioco.ledger.models import Line
from pergioco.ledger.published import Version
from pergioco.players.models import Registration
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Game, Season, Stage
from pergioco.website.calendar.fixtures import Fixture, fixtures, with_entries
from pergioco.website.ranking_tables import value_shown
from pergioco.website.ranking_words import GREAT, MEANINGS, NAMES

SHOWN_STAGES = 3
SHOWN_RESULTS = 3
SHOWN_PLACES = 5


@dataclass(frozen=True)
class Leader:
    line: Line
    value: str


@dataclass(frozen=True)
class Block:
    """The first places of one ranking."""

    kind: str
    name: str | Promise
    meaning: str | Promise
    leaders: list[Leader]


@dataclass(frozen=True)
class Figures:
    players: int
    countries: int
    stages: int
    played: int
    race_stages: int
    race_played: int


class Calendar(NamedTuple):
    coming: list[Fixture]
    results: list[Fixture]


def calendar(today: date) -> Calendar:
    """The stages that are being played or come next, whatever their season; and the last ones with results."""
    closed = Stage.objects.filter(status__in=(Stage.Status.CLOSED, Stage.Status.CORRECTED))
    coming = list(with_entries(Stage.objects.next_from(today))[:SHOWN_STAGES])
    results = list(with_entries(closed.order_by("-ends_on", "-id"))[:SHOWN_RESULTS])
    found = fixtures([*coming, *results])
    return Calendar(found[: len(coming)], found[len(coming) :])


def on_now(coming: Iterable[Fixture]) -> list[Fixture]:
    return [fixture for fixture in coming if fixture.is_running and not fixture.stage.is_cancelled]


def up_next(coming: Iterable[Fixture]) -> Fixture | None:
    return next((fixture for fixture in coming if not fixture.is_running and not fixture.stage.is_cancelled), None)


def figures(season: Season, today: date) -> Figures:
    played = Q(ends_on__lt=today)
    return Figures(
        **registered_on(today),
        **season.stages.exclude(status=Stage.Status.CANCELLED).aggregate(
            stages=Count("id"),
            played=Count("id", filter=played),
            race_stages=Count("id", filter=Q(race=True)),
            race_played=Count("id", filter=played & Q(race=True)),
        ),
    )


def registered_on(today: date) -> dict[str, int]:
    counting = Registration.objects.counting().filter(registered_on__lte=today)
    return counting.filter(player__merged_into=None, player__erased_at=None).aggregate(
        players=Count("id"), countries=Count("player__person__country", distinct=True)
    )


def games_and_platforms() -> list[tuple[Game, list[str]]]:
    """In the order of their names in the reader's language."""
    found: dict[Game, set[str]] = {}
    for game in played_online(Game.objects.all()).annotate(platform=F("variants__platform")).order_by("pk"):
        found.setdefault(game, set()).update({Platform(game.platform).label} if game.platform else ())
    in_order = sorted(found, key=lambda game: game.name.casefold())
    return [(game, sorted(found[game])) for game in in_order]


def blocks(version: Version | None, places: int = SHOWN_PLACES) -> list[Block]:
    """Red, Blue, Green, the Race and BIG; without lines as long as nothing is published."""
    publication = version and version.publication
    tops = published.tops(publication, places, kind__in=GREAT) if publication else {}
    return [Block(kind, NAMES[kind], MEANINGS[kind], leaders(kind, tops.get(kind, []))) for kind in GREAT]


def leaders(kind: str, lines: Iterable[Line]) -> list[Leader]:
    return [Leader(line, value_shown(kind, line)) for line in lines]


def game_leaders(version: Version | None) -> list[tuple[Game, Leader]]:
    """Of each game that has a ranking in this version, in the order of the games' names."""
    if version is None or version.publication is None:
        return []
    tops = published.tops(version.publication, 1, kind__startswith="game:")
    games = Game.objects.in_bulk([kind.removeprefix("game:") for kind in tops], field_name="slug")
    found = [(games[kind.removeprefix("game:")], leaders("game", lines)[0]) for kind, lines in tops.items() if lines]
    return sorted(found, key=lambda pair: pair[0].name.casefold())
