"""Stages as events of a calendar app. The same facts give the same bytes: no clock, only times that are stored."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from big_league.models import Event as BigEvent
from big_league.models import Final
from pergioco.players.models import AuditEntry
from pergioco.stages.models import Stage
from pergioco.website.addresses import whole
from pergioco.website.calendar.rfc5545 import Event

CALLED_OFF_OR_ON = ("stage.cancelled", "stage.put_back")
CHANGES_OF_A_STAGE = (*CALLED_OFF_OR_ON, "stage.changed")
CHANGES_OF_THE_CALENDAR = (*CHANGES_OF_A_STAGE, "stage.added", "stage.duplicated", "stage.homologated")


class Noted(NamedTuple):
    """What the audit log holds of a stage's place on the calendar."""

    at: datetime
    times: int  # called off, put back, or changed in whatever else stands there: its hour, its place


def events(stages: Iterable[Stage], race_numbers: dict[int, int]) -> Iterator[Event]:
    """The stages come with their season, game and moved dates."""
    known = list(stages)
    log = noted(known)
    for stage in known:
        yield event(stage, log.get(stage.pk), race_numbers.get(stage.pk))


def noted(stages: Iterable[Stage]) -> dict[int, Noted]:
    keys = [str(stage.pk) for stage in stages]
    entries = AuditEntry.objects.filter(object_type=Stage._meta.label_lower, object_id__in=keys)
    rows = entries.filter(action__in=CHANGES_OF_THE_CALENDAR).order_by().values_list("object_id")
    counted = rows.annotate(at=Max("at"), times=Count("pk", filter=Q(action__in=CHANGES_OF_A_STAGE)))
    return {int(key): Noted(at, times) for key, at, times in counted}


def event(stage: Stage, log: Noted | None, race_number: int | None) -> Event:
    moves = stage.date_changes.all()
    begun = datetime(stage.season.year, 1, 1, tzinfo=UTC)  # of a stage that nothing was noted about
    times = [begun, *(move.at for move in moves), *([log.at] if log else [])]
    name = f"{stage.game.name} · {stage.get_circuit_display()}"
    return Event(
        uid=f"stage-{stage.pk}@{settings.PUBLIC_URL.hostname}",
        sequence=len(moves) + (log.times if log else 0),
        changed_at=max(times),
        starts_on=stage.starts_on,
        ends_on=stage.ends_on,
        begins_at=stage.begins_at,
        is_cancelled=stage.is_cancelled,
        summary=f"{name} · Race {race_number}/{Stage.MOST_RACE_STAGES}" if race_number else name,
        description="\n".join(description(stage)),
        location=location(stage),
        category=stage.get_circuit_display(),
        url=whole(reverse("stage", args=[stage.season.year, stage.slug])),
    )


def meeting_of(stage: Stage) -> BigEvent | Final | None:
    """Where people of BIG meet: at a tournament that was asked for, or at a national final."""
    return getattr(stage, "big_event", None) or getattr(stage, "big_final", None)


def location(stage: Stage) -> str:
    """The platform, or the place where people meet."""
    where = ", ".join(filter(None, (stage.place, stage.city)))
    return where or stage.get_platform_display()


def description(stage: Stage) -> Iterator[str]:
    if stage.begins_at:
        yield _("Start: %(time)s, the time of Rome") % {"time": time_format(stage.begins_at)}
    if meeting := meeting_of(stage):
        yield whole(meeting.get_absolute_url())
    words = [stage.get_pace_display(), stage.get_system_display()]
    yield ", ".join([*words, _("by invitation")] if stage.by_invitation else words)
    if stage.is_cancelled:
        yield _("Cancelled.")
    if move := stage.last_move:
        day = date_format(move.old_starts_on, "SHORT_DATE_FORMAT")
        yield f"{_('Moved from')} {day}" + (f": {move.reason}" if move.reason else "")
    if stage.link and not stage.is_cancelled:
        yield stage.link
