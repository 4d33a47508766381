"""What BIG decides about a request. Two people at once: the first decision stands, the second one hears of it."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from big_league.events.asking import CHANGED_MEANWHILE, locked, tell
from big_league.events.models import Event
from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.policy import Role, has_role
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages.models import Game, Season, Stage
from pergioco.stages.scheduling import free_slug, refusals, where_and_when

State = Event.State


@transaction.atomic
def homologate(event: Event, *, by: User, version: int, game: Game) -> Event:
    """The event gets its stage, and with it its place on the calendar. `game`: the championship that it counts for."""
    event = to_decide(event, version)
    event.stage = stage_for(event, game, by=by)
    return decide(event, State.HOMOLOGATED, by=by, answer="")


@transaction.atomic
def ask_for_change(event: Event, *, by: User, version: int, answer: str) -> Event:
    return decide(to_decide(event, version), State.NEEDS_CHANGE, by=by, answer=answer)


@transaction.atomic
def refuse(event: Event, *, by: User, version: int, answer: str) -> Event:
    return decide(to_decide(event, version), State.REFUSED, by=by, answer=answer)


def to_decide(event: Event, version: int) -> Event:
    event = locked(event, version)
    if not event.is_open_to_change:
        raise Outdated(CHANGED_MEANWHILE)
    return event


ACTIONS = {
    State.HOMOLOGATED: ("big_event.homologated", "big_request_homologated"),
    State.NEEDS_CHANGE: ("big_event.change_asked", "big_request_change"),
    State.REFUSED: ("big_event.refused", "big_request_refused"),
}


def decide(event: Event, state: Event.State, *, by: User, answer: str) -> Event:
    action, letter = ACTIONS[state]
    before, event.state = event.state, state
    event.answer, event.decided_by, event.decided_at = answer.strip(), by, timezone.now()
    event.version += 1
    event.save()
    audit.record(action, event, by=by, changes={"state": [before, state]}, reason=event.answer)
    tell(event, letter)
    return event


def stage_for(event: Event, game: Game, *, by: User) -> Stage:
    day = timezone.localdate(event.starts_at)
    season = Season.objects.filter(year=day.year).first()
    if season is None:
        raise Refused(_("There is no season %(year)s yet: make it first.") % {"year": day.year})
    stage = Stage(
        slug=free_slug(f"{day:%Y-%m}-big-{game.slug}"),
        circuit=Stage.Circuit.BIG,
        season=season,
        game=game,
        system=Stage.System.SWISS,
        pace=Stage.Pace.REAL_TIME,
        starts_on=day,
        ends_on=day,
        **where_and_when(event.starts_at, event.place, event.address, event.city),
        capacity=event.capacity,
    )
    for refused in refusals(stage, None, reason=""):
        raise refused
    stage.save()
    if event.sent_by is not None and has_role(event.sent_by, Role.BIG_ORGANIZER, Role.STAFF):
        stage.organizers.add(event.sent_by)
    audit.record("stage.homologated", stage, by=by)
    return stage
