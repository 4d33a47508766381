"""What-if: new PGR, and places in the game, Red, Blue and Green."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from django.db.models import F, OuterRef, Subquery
from django.utils.functional import Promise

from big_league.models.catalogue import played_online
from pergioco.players.models import Player
from pergioco.players.naming import is_named
from pergioco.players.rules.people import PGM
from pergioco.publishing import held_ratings, published
from pergioco.publishing.held_ratings import count_valid_games
from pergioco.publishing.models import Line, PgrChange
from pergioco.publishing.published import Published, Ranking
from pergioco.rulekit.numbers import to_points, to_thousandths
from pergioco.stages import seasons
from pergioco.stages.models import Game
from rankings import rules
from rankings.labels import NAMES
from rankings.rules import Active, Rated
from rankings.what_if import Place, imagined_places, published_tables
from ratings.compute import ImaginedGame, current_pgr, rate_imagined_games
from ratings.views.what_if_form import Opponents

GAME = "game:"
DECIMALS = {"game": 3, "red": 0, "blue": 3, "green": 1}


@dataclass(frozen=True)
class Standpoint:
    """A player and his published lines, by kind of ranking."""

    player: Player
    year: int
    version: Published | None
    lines: dict[str, Line]

    @cached_property
    def race(self) -> Ranking | None:
        return self.version.ranking("race") if self.version else None

    @cached_property
    def rivals(self) -> dict[str, Line]:
        lines = published.lines_with_names(self.race.lines) if self.race else []
        others = (line for line in lines if line.player_id != self.player.pk)
        return {line.player.public_id: line for line in others if is_named(line.player, PGM)}

    def line_in(self, game: Game) -> Line | None:
        return self.lines.get(f"{GAME}{game.slug}")

    @property
    def is_ranked(self) -> bool:
        # A player without a rating would be ranked with one.
        if self.version is None:
            return False
        return "red" in self.lines or held_ratings.is_ranked(self.player, self.version.as_of)


@dataclass(frozen=True)
class Move:
    """A place in one ranking, now and then."""

    name: str | Promise
    now: Place | None
    then: Place | None
    decimals: int

    @property
    def gained(self) -> int | None:
        return self.now.rank - self.then.rank if self.now and self.then else None


@dataclass(frozen=True)
class Outcome:
    game: Game
    before: Decimal | None
    after: Decimal
    moves: list[Move]

    @property
    def change(self) -> Decimal:
        return (self.after - (self.before or 0)).quantize(Decimal("0.001"))


def games_by_last_played(own: Standpoint) -> list[Game]:
    changes = (
        PgrChange.objects.current()
        .filter(player=own.player, game=OuterRef("pk"))
        .order_by("-ended_on")
    )
    games = Game.objects.annotate(last=Subquery(changes.values("ended_on")[:1]))
    return list(played_online(games).order_by(F("last").desc(nulls_last=True), "pk"))


def game_opponents(own: Standpoint, games: Sequence[Game]) -> Opponents:
    kinds = [f"{GAME}{game.slug}" for game in games]
    lines = own.version.lines(*kinds) if own.version else Line.objects.none()
    return Opponents(lines.exclude(player=own.player))


def imagined_outcome(own: Standpoint, game: Game, games: Sequence[ImaginedGame]) -> Outcome:
    line = own.line_in(game)
    before = to_thousandths(line.value) if line else current_pgr(own.player.pk, game)
    after = rate_imagined_games(before, games, year=own.year)
    return Outcome(
        game,
        to_points(before) if before is not None else None,
        to_points(after),
        ranking_moves(own, game, after, len(games)) if own.is_ranked else [],
    )


def ranking_moves(own: Standpoint, game: Game, after: int, more: int) -> list[Move]:
    then = places_after(own, game, after, more)
    now = {
        kind.partition(":")[0]: line
        for kind, line in own.lines.items()
        if not kind.startswith(GAME)
    }
    line = own.line_in(game)
    now |= {"game": line} if line else {}
    names: dict[str, str | Promise] = {"game": game.name, **NAMES}
    return [
        Move(name, line_place(now.get(kind)), then.get(kind), DECIMALS[kind])
        for kind, name in names.items()
    ]


def line_place(line: Line | None) -> Place | None:
    return Place(line.rank, line.value) if line else None


def places_after(own: Standpoint, game: Game, after: int, more: int) -> dict[str, Place]:
    # The imagined games count as played today: the rating is active, and they break ties.
    assert own.version is not None
    player, line = own.player.pk, own.line_in(game)
    pgrs = {
        kind: to_thousandths(one.value) for kind, one in own.lines.items() if kind.startswith(GAME)
    }
    pgrs[f"{GAME}{game.slug}"] = after
    return imagined_places(
        published_tables(own.version, game.slug),
        Active(player, tuple(pgrs.values()), games_that_count(own) + more),
        Rated(player, after, (int(line.detail["games"]) if line else 0) + more),
        rules.EDITIONS.in_force(own.year),
    )


def games_that_count(own: Standpoint) -> int:
    """As the season reads it (PG-16)."""
    assert own.version is not None
    if "red" in own.lines:
        return int(own.lines["red"].detail["games"])
    # Without an active rating, games count only under the lifetime reading.
    lifelong = (
        seasons.season_setting(own.version.season.settings, "more_games_played") == "lifetime"
    )
    return count_valid_games(until=own.version.as_of).get(own.player.pk, 0) if lifelong else 0
