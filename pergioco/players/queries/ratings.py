"""A player's ratings, game by game, and the same as a sheet."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.core.exports.sheet import Column, Sheet
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.publishing.models import Line, PgrChange
from pergioco.publishing.published import Published, Version
from pergioco.publishing.queries.ranking_exports import NAME_WIDTH, version_stamp
from pergioco.publishing.queries.ranking_labels import why_address
from pergioco.rulekit.numbers import to_points
from pergioco.stages.games import order_openings
from pergioco.stages.models import Game, OpeningRating
from rankings.labels import leader_points
from rankings.rules import inactive_from, is_active


@dataclass(frozen=True)
class PlayerResults:
    """The published lines and changes of one player."""

    lines: Mapping[str, Line]  # kind -> the line in that ranking
    moves: Mapping[str, int | None]  # kind -> places gained since the version before
    changes: list[PgrChange]


@dataclass(frozen=True)
class ActiveRating:
    """A line in the ranking of a game."""

    game: Game
    line: Line
    moved: int | None
    why: str

    @property
    def last_played(self) -> date:
        return date.fromisoformat(self.line.detail["last_valid_on"])

    @property
    def leader_points(self) -> Decimal:
        return leader_points(self.line)

    @property
    def inactive_from(self) -> date:
        return inactive_from(self.last_played)


@dataclass(frozen=True)
class InactiveRating:
    """A rating outside the rankings. It is kept, and counts again after the next game."""

    game: Game
    pgr: Decimal
    last_played: date | None
    since: date | None  # None if it is unranked for another reason
    why: str


@dataclass(frozen=True)
class HeldRating:
    pgr: Decimal
    last_played: date | None


@dataclass(frozen=True)
class Ratings:
    active: list[ActiveRating]
    sleeping: list[InactiveRating]


def collect_ratings(own: PlayerResults, player: Player, version: Version) -> Ratings:
    """Sorted by the names of the games."""
    active, sleeping = [], []
    for game, held in sorted(
        find_held_ratings(player, own.changes).items(), key=lambda pair: pair[0].name.casefold()
    ):
        kind = f"game:{game.slug}"
        why = why_address(kind, version.season, player)
        if kind in own.lines:
            active.append(ActiveRating(game, own.lines[kind], own.moves.get(kind), why))
        else:
            sleeping.append(
                InactiveRating(game, held.pgr, held.last_played, inactive_since(held, version), why)
            )
    return Ratings(active, sleeping)


def find_held_ratings(player: Player, changes: Iterable[PgrChange]) -> dict[Game, HeldRating]:
    """After the last change, else the opening rating."""
    openings = OpeningRating.objects.filter(Q(player=player) | Q(player__merged_into=player))
    held = {
        one.game: HeldRating(one.pgr, one.last_played_on)
        for one in order_openings(openings).select_related("game")
    }
    return held | {one.game: HeldRating(to_points(one.after), one.last_valid_on) for one in changes}


def inactive_since(held: HeldRating, version: Version) -> date | None:
    if held.last_played is None or is_active(
        last_valid_game=held.last_played, year=version.season.year
    ):
        return None
    return inactive_from(held.last_played)


class RatingRow(NamedTuple):
    game: str
    pgr: Decimal
    last_played: date | None
    inactive_from: date | None
    rank: int | None = None
    games: int | None = None
    leader_points: Decimal | None = None


def build_ratings_sheet(player: Player, version: Published, ratings: Ratings) -> Sheet[RatingRow]:
    return Sheet(
        file=f"player-{player.public_id}-{version.season.year}-{version_stamp(version)}",
        title=public_name(player, PGM),
        stamp=version_stamp(version),
        columns=ratings_columns(),
        rows=ratings_rows(ratings),
        about={"player": player.public_id, "season": version.season.year, "as_of": version.as_of},
    )


def ratings_columns() -> list[Column[RatingRow]]:
    return [
        Column("game", _("Game"), width=NAME_WIDTH),
        Column("pgr", pgettext("a player's rating", "PGR"), decimals=3),
        Column("rank", _("Place")),
        Column("games", pgettext("how many", "Games")),
        Column("leader_points", _("Leader points"), decimals=1),
        Column("last_played", _("Last played")),
        Column("inactive_from", _("Inactive from")),
    ]


def ratings_rows(ratings: Ratings) -> Iterator[RatingRow]:
    for one in ratings.active:
        line, days = one.line, (one.last_played, one.inactive_from)
        yield RatingRow(
            one.game.name, line.value, *days, line.rank, line.detail["games"], one.leader_points
        )
    for sleeping in ratings.sleeping:
        yield RatingRow(sleeping.game.name, sleeping.pgr, sleeping.last_played, sleeping.since)
