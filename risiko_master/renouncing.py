"""Somebody will not play on: who takes the seat, and by which rule, before it is written."""

from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.players.models import User
from pergioco.players.refusal import Refused
from pergioco.stages import entrants
from pergioco.stages.drafting import draft_of, lock
from pergioco.stages.models import Entry, Round, Seat, Stage
from risiko_master import clock, deciding, finals, today
from risiko_master.drawing import guard
from risiko_master.rules.day import GAMES, Day
from risiko_master.rules.structure import Structure
from risiko_master.rules.substitutes import Place

SEMIFINALS = GAMES + 1


@dataclass(frozen=True)
class Before:
    """Said before the semifinals begin: who moves up into the semifinals, and the structure that follows."""

    player: int
    moves_up: tuple[int, ...]
    no_longer_direct: tuple[int, ...]
    structure: Structure
    is_drawn: bool


@dataclass(frozen=True)
class After:
    """Said once they have begun: `place` tells who takes the seat, and who was asked before."""

    player: int
    place: Place
    is_known: bool  # not before the semifinals are played


def have_semifinals_begun(stage: Stage) -> bool:
    """By the clock, or because a table has sent results."""
    seats = Seat.objects.filter(
        table__round__revision__stage=stage,
        table__round__revision__state="draft",
        table__round__number=SEMIFINALS,
    )
    return clock.has_started(stage, SEMIFINALS) or seats.exclude(score=None, objective_made=False).exists()


def may_renounce(stage: Stage, day: Day) -> list[int]:
    """Before: everybody who goes on. After: direct finalists, and once they are known those who have a seat."""
    field = day.field
    if not have_semifinals_begun(stage):
        return [*field.direct, *(player for group in field.groups for player in group.players)]
    played = today.after_semifinals(stage, draft_of(stage))
    if played is None:
        return list(field.direct)
    found = finals.places(played, finals.renounced_final(stage))
    return [place.player for place in found if place.player is not None]


def consequence(stage: Stage, day: Day, player: int) -> Before | After:
    if not have_semifinals_begun(stage):
        return before(stage, day, player)
    played = today.after_semifinals(stage, draft_of(stage))
    renounced = finals.renounced_final(stage) | {player}
    if played is None:
        (place,) = (one for one in finals.places(day, renounced) if one.entitled == player)
        return After(player, place, is_known=False)
    return After(player, place_of(played, player, renounced), is_known=True)


def place_of(played: Day, player: int, renounced: frozenset[int]) -> Place:
    """The seat that he would leave."""
    found = finals.places(played, renounced)
    return next(place for place in found if any(step.player == player for step in place.chain))


def before(stage: Stage, day: Day, player: int) -> Before:
    now, then = day.field, replace(day, withdrew=frozenset({*day.withdrew, player})).field
    playing = {one for group in now.groups for one in group.players}
    to_play = tuple(one for group in then.groups for one in group.players if one not in playing)
    demoted = tuple(one for one in to_play if one in now.direct)
    drawn = Round.objects.filter(revision=draft_of(stage), number=SEMIFINALS).exists()
    return Before(player, tuple(p for p in to_play if p not in demoted), demoted, then.structure, drawn)


@transaction.atomic
def renounce(stage: Stage, player: int, *, by: User) -> Entry:
    stage = lock(stage)
    guard(stage, by)
    day = today.after_both_games(stage, draft_of(stage))
    if day is None or player not in may_renounce(stage, day):
        raise Refused(_("This player has no seat to renounce."))
    after = SEMIFINALS if have_semifinals_begun(stage) else GAMES
    if after == GAMES and day.decided is not None and player in day.field.direct:
        deciding.begin_again(stage, before(stage, replace(day, decided=None), player).structure, by=by)
    entry = entrants.withdraw(Entry.objects.get(stage=stage, player=player), by=by, after_round=after)
    if after == SEMIFINALS and today.after_semifinals(stage, draft_of(stage)) is not None:
        finals.seat(stage, by=by)
    return entry
