"""What each published number was made from, read from the lines of the same version."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from pergioco.ledger.models import Line, PgrChange
from pergioco.ledger.published import Ranking
from pergioco.players.models import Player
from pergioco.stages.models import Game, OpeningRating, Stage
from pergioco.website.why_parts import Asked
from race import labels as race_labels
from race.rules import editions as race_editions
from rankings import labels
from rankings.rules import editions


@dataclass(frozen=True)
class OfGame:
    """A player's line in the ranking of one game."""

    game: Game
    line: Line
    leader_points: Decimal
    address: str

    @property
    def last_played(self) -> date:
        return date.fromisoformat(self.line.detail["last_valid_on"])


@dataclass(frozen=True)
class OfStage:
    """A player's result in one Race stage; `exact` are the points before they are rounded down."""

    stage: Stage
    place: int
    players: int
    exact: Decimal
    points: int
    is_dropped: bool


@dataclass(frozen=True)
class Step:
    """One stage in the history of a rating."""

    change: PgrChange

    @property
    def scored(self) -> Decimal:
        return Decimal(self.change.half_points) / 2

    @property
    def moved(self) -> Decimal:
        return Decimal(self.change.after - self.change.before).scaleb(-3)


def games_of(of: Asked, lines: dict[str, Line], player: Player) -> list[OfGame]:
    """The active ratings, in the order of the games' names."""
    own = {kind.removeprefix("game:"): line for kind, line in lines.items() if kind.startswith("game:")}
    games = sorted(Game.objects.filter(slug__in=own), key=lambda game: game.name.casefold())
    return [
        OfGame(game, own[game.slug], labels.leader_points(own[game.slug]), of.address(f"game:{game.slug}", player))
        for game in games
    ]


def overall(of: Asked, ranking: Ranking, line: Line) -> dict[str, Any]:
    """Red and Blue are made of the same ratings."""
    return {
        "games": games_of(of, of.version.lines_of(line.player), line.player),
        "total": labels.total(line),
        "average": labels.exact_average(line),
        "enough": edition_of(ranking).enough_pgrs,
    }


def edition_of(ranking: Ranking) -> editions.Edition:
    return next(edition for edition in editions.EDITIONS if edition.since == ranking.edition)


def green(of: Asked, ranking: Ranking, line: Line) -> dict[str, Any]:
    lines, player = of.version.lines_of(line.player), line.player
    edition = edition_of(ranking)
    return {
        "places": [
            (kind, labels.NAMES[kind], lines.get(kind), line.detail[f"{kind}_points"], of.address(kind, player))
            for kind in ("blue", "red")
        ],
        "led": [game for game in games_of(of, lines, player) if game.leader_points],
        "leader_points": labels.leader_points(line),
        "place_points": edition.place_points,
        "leader_table": [Decimal(tenths) / 10 for tenths in edition.leader_tenths],
    }


def race(of: Asked, ranking: Ranking, line: Line) -> dict[str, Any]:
    edition = next(edition for edition in race_editions.EDITIONS if edition.since == ranking.edition)
    lines, dropped = of.version.lines_of(line.player), race_labels.dropped_stages(line)
    stages = Stage.objects.filter(slug__in=line.detail["results"]).select_related("game").order_by("ends_on", "slug")
    return {
        "stages": [of_stage(stage, lines[f"race:{stage.slug}"], edition, dropped) for stage in stages],
        "k": edition.k,
        "most": race_labels.most_of_a_stage(edition),
        "most_players": edition.most_players,
    }


def of_stage(stage: Stage, line: Line, edition: race_editions.Edition, dropped: set[str]) -> OfStage:
    players = int(line.detail["players"])
    exact = race_labels.unrounded(players=players, position=line.rank, edition=edition)
    return OfStage(stage, line.rank, players, exact, int(line.value), stage.slug in dropped)


def history(of: Asked, game: Game, player: Player) -> dict[str, Any]:
    """Every change, and what was brought along from before."""
    changes = of.version.changes().filter(game=game, player=player)
    return {
        "steps": [Step(change) for change in changes.select_related("stage__season")],
        "opening": OpeningRating.objects.filter(game=game, player=player).first(),
    }
