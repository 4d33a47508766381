"""“If these games are won”: the new PGR, and the places in the game, in Red, Blue and Green."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from django.db.models import F, OuterRef, Subquery
from django.utils.functional import Promise

from big_league.models import played_online
from pergioco.ledger import published, ranked
from pergioco.ledger.holding import games_played
from pergioco.ledger.models import Line, PgrChange
from pergioco.ledger.published import Published, Ranking
from pergioco.players.models import Player
from pergioco.stages import season_settings
from pergioco.stages.models import Game
from pergioco.website.people.what_if_form import Opponents
from rankings import what_if as rankings
from rankings.labels import NAMES
from rankings.rules import editions
from rankings.rules.green import Rated
from rankings.rules.red_blue import Active
from rankings.what_if import Place
from ratings import what_if as ratings
from ratings.what_if import Imagined

THOUSAND = 1000
GAME = "game:"
DECIMALS = {"game": 3, "red": 0, "blue": 3, "green": 1}


@dataclass(frozen=True)
class Standpoint:
    """Of whom is asked, and what is public of him: kind of ranking -> his line."""

    player: Player
    year: int
    version: Published | None
    lines: dict[str, Line]

    @cached_property
    def race(self) -> Ranking | None:
        return self.version.ranking("race") if self.version else None

    @cached_property
    def rivals(self) -> dict[str, Line]:
        """Everybody else with points in the Race, in its order: public id -> line."""
        lines = published.with_names(self.race.lines) if self.race else []
        others = (line for line in lines if line.player_id != self.player.pk)
        return {line.player.public_id: line for line in others if line.player.is_named_in_public}

    def line_in(self, game: Game) -> Line | None:
        return self.lines.get(f"{GAME}{game.slug}")

    @property
    def is_ranked(self) -> bool:
        """Or would be, with a rating."""
        if self.version is None:
            return False
        return "red" in self.lines or ranked.is_ranked(self.player, self.version.as_of)


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


def games_of(own: Standpoint) -> list[Game]:
    """All games, the one that was played last in front."""
    changes = PgrChange.objects.current().filter(player=own.player, game=OuterRef("pk")).order_by("-ended_on")
    games = Game.objects.annotate(last=Subquery(changes.values("ended_on")[:1]))
    return list(played_online(games).order_by(F("last").desc(nulls_last=True), "pk"))


def opponents(own: Standpoint, games: Sequence[Game]) -> Opponents:
    """Of this game, if there is one."""
    kinds = [f"{GAME}{game.slug}" for game in games]
    lines = own.version.lines(*kinds) if own.version else Line.objects.none()
    return Opponents(lines.exclude(player=own.player))


def outcome(own: Standpoint, game: Game, games: Sequence[Imagined]) -> Outcome:
    line = own.line_in(game)
    before = thousandths(line) if line else ratings.pgr_of(own.player.pk, game)
    after = ratings.after(before, games, year=own.year)
    return Outcome(
        game,
        Decimal(before) / THOUSAND if before is not None else None,
        Decimal(after) / THOUSAND,
        moves(own, game, after, len(games)) if own.is_ranked else [],
    )


def thousandths(line: Line) -> int:
    return int(line.value * THOUSAND)


def moves(own: Standpoint, game: Game, after: int, more: int) -> list[Move]:
    then = places(own, game, after, more)
    now = {kind.partition(":")[0]: line for kind, line in own.lines.items() if not kind.startswith(GAME)}
    line = own.line_in(game)
    now |= {"game": line} if line else {}
    names: dict[str, str | Promise] = {"game": game.name, **NAMES}
    return [Move(name, place_of(now.get(kind)), then.get(kind), DECIMALS[kind]) for kind, name in names.items()]


def place_of(line: Line | None) -> Place | None:
    return Place(line.rank, line.value) if line else None


def places(own: Standpoint, game: Game, after: int, more: int) -> dict[str, Place]:
    """The imagined games count as played today: the rating is active, and they break ties."""
    assert own.version is not None
    player, line = own.player.pk, own.line_in(game)
    pgrs = {kind: thousandths(one) for kind, one in own.lines.items() if kind.startswith(GAME)}
    pgrs[f"{GAME}{game.slug}"] = after
    return rankings.places(
        rankings.tables(own.version, game.slug),
        Active(player, tuple(pgrs.values()), games_that_count(own) + more),
        Rated(player, after, (int(line.detail["games"]) if line else 0) + more),
        editions.for_season(own.year),
    )


def games_that_count(own: Standpoint) -> int:
    """As the season reads it (PG-16). Without an active rating only a whole life's games can be any."""
    assert own.version is not None
    if "red" in own.lines:
        return int(own.lines["red"].detail["games"])
    lifelong = season_settings.value(own.version.season.settings, "more_games_played") == "lifetime"
    return games_played(until=own.version.as_of).get(own.player.pk, 0) if lifelong else 0
