"""First places, stages and figures at a glance, in a constant number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.db.models import Count, F, Q
from django.utils.functional import Promise

from big_league.models.catalogue import played_online
from pergioco.players.models import Player, Registration
from pergioco.players.models.accounts import Platform
from pergioco.publishing import published
from pergioco.publishing.models import Line
from pergioco.publishing.published import Version, circuit_of_kind
from pergioco.publishing.queries.ranking_labels import GREAT, MEANINGS, NAMES
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.queries.calendar import Fixture, build_fixtures, with_entry_counts

SHOWN_STAGES = 3
SHOWN_RESULTS = 3
SHOWN_PLACES = 5


@dataclass(frozen=True)
class Leader:
    line: Line
    value: str
    circuit: str  # whose pages name the player

    @property
    def player(self) -> Player:
        return self.line.player


@dataclass(frozen=True)
class LeaderBlock:
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


class HomeCalendar(NamedTuple):
    coming: list[Fixture]
    results: list[Fixture]


def home_calendar(today: date) -> HomeCalendar:
    # Whatever their season.
    closed = Stage.objects.filter(status__in=(Stage.Status.CLOSED, Stage.Status.CORRECTED))
    coming = list(with_entry_counts(Stage.objects.next_from(today))[:SHOWN_STAGES])
    results = list(with_entry_counts(closed.order_by("-ends_on", "-id"))[:SHOWN_RESULTS])
    found = build_fixtures([*coming, *results])
    return HomeCalendar(found[: len(coming)], found[len(coming) :])


def stages_on_now(coming: Iterable[Fixture]) -> list[Fixture]:
    return [fixture for fixture in coming if fixture.is_running and not fixture.stage.is_cancelled]


def next_stage(coming: Iterable[Fixture]) -> Fixture | None:
    return next(
        (
            fixture
            for fixture in coming
            if not fixture.is_running and not fixture.stage.is_cancelled
        ),
        None,
    )


def season_figures(season: Season, today: date) -> Figures:
    played = Q(ends_on__lt=today)
    return Figures(
        **count_registered(today),
        **season.stages.exclude(status=Stage.Status.CANCELLED).aggregate(
            stages=Count("id"),
            played=Count("id", filter=played),
            race_stages=Count("id", filter=Q(race=True)),
            race_played=Count("id", filter=played & Q(race=True)),
        ),
    )


def count_registered(today: date) -> dict[str, int]:
    counting = Registration.objects.counting().filter(registered_on__lte=today)
    return counting.filter(player__merged_into=None, player__erased_at=None).aggregate(
        players=Count("id"), countries=Count("player__person__country", distinct=True)
    )


def games_and_platforms() -> list[tuple[Game, list[str]]]:
    found: dict[Game, set[str]] = {}
    for game in (
        played_online(Game.objects.all()).annotate(platform=F("variants__platform")).order_by("pk")
    ):
        found.setdefault(game, set()).update(
            {Platform(game.platform).label} if game.platform else ()
        )
    in_order = sorted(found, key=lambda game: game.name.casefold())
    return [(game, sorted(found[game])) for game in in_order]


def leader_blocks(version: Version | None, places: int = SHOWN_PLACES) -> list[LeaderBlock]:
    # A ranking without a publication has no lines.
    publication = version and version.publication
    tops = published.first_lines(publication, places, kind__in=GREAT) if publication else {}
    return [
        LeaderBlock(kind, NAMES[kind], MEANINGS[kind], make_leaders(kind, tops.get(kind, [])))
        for kind in GREAT
    ]


def make_leaders(kind: str, lines: Iterable[Line]) -> list[Leader]:
    return [Leader(line, shown_line_value(kind, line), circuit_of_kind(kind)) for line in lines]


def game_leaders(version: Version | None) -> list[tuple[Game, Leader]]:
    if version is None or version.publication is None:
        return []
    tops = published.first_lines(version.publication, 1, kind__startswith="game:")
    games = Game.objects.in_bulk([kind.removeprefix("game:") for kind in tops], field_name="slug")
    found = [
        (games[kind.removeprefix("game:")], make_leaders("game", lines)[0])
        for kind, lines in tops.items()
        if lines
    ]
    return sorted(found, key=lambda pair: pair[0].name.casefold())
