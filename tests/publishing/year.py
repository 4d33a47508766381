"""A small federation with the results of a year: closed stages, computed and published."""

from datetime import date

from django.utils import timezone

from pergioco.core import events
from pergioco.core.models import User
from pergioco.players.models import Player
from pergioco.publishing.models import Freeze
from pergioco.publishing.services import freezing
from pergioco.publishing.services import publish as services_publish
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts
from pergioco.stages.models import Game, Revision, Season, Stage
from ratings.compute import recompute
from tests import factories

WON = (("win", "played"), ("loss", "played"))


def season_of(year: int) -> Season:
    return Season.objects.filter(year=year).first() or factories.season(year)


def played(
    winner: Player, loser: Player, *, on: date, game: Game | None = None, **fields: object
) -> Stage:
    """A closed stage of one game, and nobody has been told yet."""
    game = game or Game.objects.first() or factories.game()
    stage = factories.stage(of=season_of(on.year), game=game, starts_on=on, ends_on=on, **fields)
    close(stage, winner, loser)
    return stage


def close(stage: Stage, winner: Player, loser: Player, outcomes: tuple = WON) -> Revision:
    """As `closing.close` leaves it; a second time it is a correction."""
    before = stage.revisions.order_by("number").last()
    stage.revisions.update(state="superseded")
    revision = Revision.objects.create(
        stage=stage,
        number=before.number + 1 if before else 1,
        state="current",
        closed_at=timezone.now(),
        reason="The two say so." if before else "",
    )
    seats = tuple(
        SeatFacts(who.pk, *part) for who, part in zip((winner, loser), outcomes, strict=True)
    )
    facts.write_rounds(revision, [RoundFacts(1, (TableFacts(1, seats),))])
    for who in (winner, loser):
        stage.entries.get_or_create(player=who)
    Stage.objects.filter(pk=stage.pk).update(status="corrected" if before else "closed")
    return revision


def tell(stage: Stage) -> None:
    events.emit("stage.settled", stage=stage.pk, cause="corrected")


def publish(year: int) -> None:
    for game in Game.objects.order_by("pk"):
        recompute(game, cause="closed")
    services_publish.publish_season(season_of(year), cause="closed")


def year_over(year: int = 2025) -> tuple[Season, Player, Player]:
    """A season with one stage of one game, which counts for the Race; the winner comes first."""
    winner, loser = (
        factories.registered(date(year, 1, 3), last_name=name) for name in ("Prima", "Seconda")
    )
    played(winner, loser, on=date(year, 5, 10), race=True, slug=f"{year}-01")
    publish(year)
    return season_of(year), winner, loser


def made_final(season: Season, *, by: User | None = None, also: User | None = None) -> Freeze:
    freeze = freezing.propose_freeze(season, by=by or factories.user_with_role("staff"))
    return freezing.confirm_freeze(freeze, by=also or factories.user_with_role("staff"))


def sha256_of_what_is_shown(freeze: Freeze) -> str:
    return freezing.hash_document(freezing.frozen_document(freeze.publication))
