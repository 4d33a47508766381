"""Rows as plain facts: the games of a game's stages, and the ratings that players had before."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, TypeVar

from django.db.models import Q, QuerySet

from pergioco.players.models import Player, Registration
from pergioco.publishing.models import PgrChange
from pergioco.stages import seasons
from pergioco.stages.games import closed_stages, parts_by_stage, read_openings
from pergioco.stages.models import Game, OpeningRating, Revision, Seat, Stage
from pergioco.stages.rules.standings import Part, is_valid
from ratings.models import Purged
from ratings.rules import FIRST_DAY

Rows = TypeVar("Rows", bound="QuerySet[Any]")
MOST_NAMED = 5000


class Held(NamedTuple):
    """A player's rating in one game at one moment: thousandths, and the day of the last valid
    game."""

    pgr: int
    last_valid_on: date | None


@dataclass(frozen=True)
class StageGames:
    """One closed stage with its games."""

    stage: int
    slug: str
    game: int
    season: int  # id of its row
    year: int
    starts_on: date
    ends_on: date
    is_swiss: bool
    revision: int
    rates_unregistered: bool
    parts: list[Part]

    @property
    def players(self) -> set[int]:
        return {part.player for part in self.parts}

    def day_of(self, part: Part) -> date:
        return part.day(starts_on=self.starts_on, ends_on=self.ends_on)


STAGE = (
    "pk",
    "slug",
    "game",
    "season",
    "season__year",
    "season__settings",
    "starts_on",
    "ends_on",
    "system",
)


def closed_stages_of_game(game: Game, *, since: date | None, today: date) -> list[StageGames]:
    wanted = closed_stages().filter(game=game)
    return read_stages(wanted if since is None else wanted.filter(ends_on__gte=since), today=today)


def read_stages(
    stages: QuerySet[Stage], *, today: date, of: Collection[int] | None = None
) -> list[StageGames]:
    """With `of`, only the games of these players. The number of queries is constant."""
    parts = dict(parts_by_stage(stages, today=today, of=of))
    rows = stages.filter(revisions__state=Revision.State.CURRENT).values(*STAGE, "revisions__pk")
    return [stage_from_row(row, parts[row["pk"]]) for row in rows if row["pk"] in parts]


def stage_from_row(row: dict[str, Any], parts: list[Part]) -> StageGames:
    return StageGames(
        stage=row["pk"],
        slug=row["slug"],
        game=row["game"],
        season=row["season"],
        year=row["season__year"],
        starts_on=row["starts_on"],
        ends_on=row["ends_on"],
        is_swiss=row["system"] == Stage.System.SWISS,
        revision=row["revisions__pk"],
        rates_unregistered=seasons.season_setting(row["season__settings"], "unregistered_rating")
        == "shadow",
        parts=parts,
    )


def held_before(game: Game, since: date | None, players: Collection[int]) -> dict[int, Held]:
    """The last current change before `since`, else the rating that the player brought along."""
    own = openings_of_players(OpeningRating.objects.filter(game=game), players)
    held = {player: Held(*brought) for (_game, player), brought in read_openings(own).items()}
    if since is not None:
        changes = rows_of_players(
            PgrChange.objects.current().filter(game=game, ended_on__lt=since), players
        ).in_order()
        held.update(
            (p, Held(pgr, last))
            for p, pgr, last in changes.values_list("player", "after", "last_valid_on")
        )
    return held


def were_destroyed(game: Game, since: date, players: Collection[int]) -> bool:
    return rows_of_players(
        Purged.objects.filter(stage__game=game, stage__ends_on__lt=since), players
    ).exists()


def destroyed_rows(game: Game, since: date | None) -> dict[int, set[int]]:
    purged = Purged.objects.filter(stage__game=game)
    found: dict[int, set[int]] = defaultdict(set)
    for stage, player in purged.filter(stage__ends_on__gte=since or date.min).values_list(
        "stage", "player"
    ):
        found[stage].add(player)
    return found


def registered_since(players: Collection[int]) -> dict[int, date]:
    rows = rows_of_players(
        Registration.objects.counting().filter(player__merged_into=None), players
    )
    return dict(rows.values_list("player", "registered_on"))


def rows_of_players(rows: Rows, players: Collection[int]) -> Rows:
    # Beyond some thousand players, reading all rows is cheaper than naming the players.
    return rows.filter(player__in=players) if len(players) <= MOST_NAMED else rows


def openings_of_players(
    ratings: QuerySet[OpeningRating], players: Collection[int]
) -> QuerySet[OpeningRating]:
    if len(players) > MOST_NAMED:
        return ratings
    return ratings.filter(Q(player__in=players) | Q(player__merged_into__in=players))


@dataclass(frozen=True)
class Appearance:
    """A player at a table of any game, or a rating brought along; valid if it counts as a game
    played."""

    player: int
    game: int
    day: date
    is_valid: bool


def appearances(players: Collection[int], *, today: date) -> Iterator[Appearance]:
    """Every game these players ever played. A rating brought along without a day gets the first
    day."""
    family = {
        *players,
        *Player.objects.filter(merged_into__in=players).values_list("pk", flat=True),
    }
    seats = Seat.objects.filter(
        player__in=family, table__round__revision__state=Revision.State.CURRENT
    )
    stages = closed_stages().filter(pk__in=seats.values("table__round__revision__stage"))
    for stage in read_stages(stages, today=today, of=family):
        for part in stage.parts:
            if part.player in players:
                valid = is_valid(part, is_swiss=stage.is_swiss)
                yield Appearance(part.player, stage.game, stage.day_of(part), valid)
    brought = read_openings(openings_of_players(OpeningRating.objects.all(), players))
    for (game, player), rating in brought.items():
        yield Appearance(player, game, rating.last_played_on or FIRST_DAY, is_valid=True)
