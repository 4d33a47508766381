"""A player's ratings, game by game: the active ones as they stand in the rankings, and those that sleep."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Q

from pergioco.ledger.models import Line, PgrChange
from pergioco.ledger.published import Version
from pergioco.players.models import Player
from pergioco.stages.games import THOUSAND, by_weight
from pergioco.stages.models import Game, OpeningRating
from pergioco.website.ranking_words import why_address
from rankings.labels import leader_points
from rankings.rules.activity import inactive_from, is_active


@dataclass(frozen=True)
class Own:
    """What a version has of one player."""

    lines: Mapping[str, Line]  # kind -> the line in that ranking
    moves: Mapping[str, int | None]  # kind -> places gained since the version before
    changes: list[PgrChange]


@dataclass(frozen=True)
class Active:
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
class Sleeping:
    """A rating that is in no ranking now: kept, and taken up again with the next game."""

    game: Game
    pgr: Decimal
    last_played: date | None
    since: date | None  # nothing for one that is not ranked for another reason
    why: str


@dataclass(frozen=True)
class Held:
    pgr: Decimal
    last_played: date | None


@dataclass(frozen=True)
class Ratings:
    active: list[Active]
    sleeping: list[Sleeping]


def ratings_of(own: Own, player: Player, version: Version) -> Ratings:
    """In the order of the games' names."""
    active, sleeping = [], []
    for game, held in sorted(held_by(player, own.changes).items(), key=lambda pair: pair[0].name.casefold()):
        kind = f"game:{game.slug}"
        why = why_address(kind, version.season, player)
        if kind in own.lines:
            active.append(Active(game, own.lines[kind], own.moves.get(kind), why))
        else:
            sleeping.append(Sleeping(game, held.pgr, held.last_played, asleep_since(held, version), why))
    return Ratings(active, sleeping)


def held_by(player: Player, changes: Iterable[PgrChange]) -> dict[Game, Held]:
    """What the player holds: after the last change, else what was brought along."""
    openings = OpeningRating.objects.filter(Q(player=player) | Q(player__merged_into=player))
    held = {one.game: Held(one.pgr, one.last_played_on) for one in by_weight(openings).select_related("game")}
    return held | {one.game: Held(Decimal(one.after) / THOUSAND, one.last_valid_on) for one in changes}


def asleep_since(held: Held, version: Version) -> date | None:
    if held.last_played is None or is_active(last_valid_game=held.last_played, year=version.season.year):
        return None
    return inactive_from(held.last_played)
