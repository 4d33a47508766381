"""What a published number of BIG was made from, read from the lines of the tournaments."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from big_league.compute import OF_EVENT
from big_league.rules import editions
from pergioco.ledger.models import Line
from pergioco.ledger.published import Ranking
from pergioco.players.models import Player
from pergioco.stages.models import Stage
from pergioco.website.why_parts import Asked


@dataclass(frozen=True)
class OfEvent:
    """A player's result in one tournament, with all that the rule worked out on the way."""

    stage: Stage
    line: Line
    counts: bool = True

    @property
    def points(self) -> Decimal:
        return self.line.value

    @property
    def base(self) -> Decimal:
        return Decimal(self.line.detail["base"])

    @property
    def bonus(self) -> Decimal:
        return Decimal(self.line.detail["bonus"])

    @property
    def multiplier(self) -> Decimal:
        return Decimal(self.line.detail["multiplier"])

    @property
    def before(self) -> Decimal:
        return Decimal(self.line.detail["elo_before"]).scaleb(-3)

    @property
    def after(self) -> Decimal | None:
        """Nothing for whoever sat opposite nobody."""
        after = self.line.detail["elo_after"]
        return None if after is None else Decimal(after).scaleb(-3)

    @property
    def moved(self) -> Decimal | None:
        return None if self.after is None else self.after - self.before


def lines_of_events(of: Asked, player: Player, slugs: Iterable[str]) -> dict[str, Line]:
    """Tournaments of the season as this version has them, those of earlier years as they are published today."""
    kinds = {f"{OF_EVENT}{slug}" for slug in slugs}
    found = {kind: line for kind, line in of.version.lines_of(player).items() if kind in kinds}
    earlier = Line.objects.filter(
        player=player, computation__kind__in=kinds - set(found), computation__shown__publication__is_current=True
    )
    found |= {line.computation.kind: line for line in earlier.select_related("computation").distinct()}
    return {kind.removeprefix(OF_EVENT): line for kind, line in found.items()}


def results(of: Asked, player: Player, slugs: Iterable[str], *, counted: Iterable[str]) -> list[OfEvent]:
    """In the order in which they came."""
    lines, counting = lines_of_events(of, player, slugs), set(counted)
    stages = Stage.objects.filter(slug__in=lines).select_related("game", "season").order_by("ends_on", "slug")
    return [OfEvent(stage, lines[stage.slug], stage.slug in counting) for stage in stages]


def points(of: Asked, ranking: Ranking, line: Line) -> dict[str, Any]:
    """Both of the games and of all of them: every result, and whether it counts."""
    edition = editions.for_season(of.version.season.year)
    return {
        "results": results(of, line.player, line.detail["results"], counted=line.detail["counted"]),
        "most": edition.best_of_game if ranking.kind != "big" else edition.best_in_general,
        "edition": edition,
    }


def elo(of: Asked, ranking: Ranking, line: Line) -> dict[str, Any]:
    """Tournament by tournament."""
    return {
        "results": [one for one in results(of, line.player, ranking.read["events"], counted=()) if one.after],
        "start": ranking.settings["big_elo_start"],
        "k": ranking.settings["big_elo_k"],
    }
