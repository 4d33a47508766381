"""Stages as iCalendar events. Equal facts give equal bytes: only stored times are used."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from icalendar import Alarm, Event

from big_league.models import Final
from big_league.models.events import Event as BigEvent
from pergioco.core.addresses import absolute_url
from pergioco.core.audit_log.models import AuditEntry
from pergioco.stages.models import Stage

ROME = ZoneInfo("Europe/Rome")
# RFC 5545 allows no other control characters.
CONTROLS = dict.fromkeys({*range(0x20), 0x7F} - {ord(sign) for sign in "\t\n\r"})
CALLED_OFF_OR_ON = ("stage.cancelled", "stage.put_back")
CHANGES_OF_A_STAGE = (*CALLED_OFF_OR_ON, "stage.changed")
CHANGES_OF_THE_CALENDAR = (
    *CHANGES_OF_A_STAGE,
    "stage.added",
    "stage.duplicated",
    "stage.homologated",
)


class CalendarLog(NamedTuple):
    """What the audit log records about a stage's place on the calendar."""

    at: datetime
    times: int  # changes other than of dates: cancelled, restored, hour, place


def build_events(
    stages: Iterable[Stage], race_numbers: dict[int, int], *, reminds: bool = False
) -> Iterator[Event]:
    """Expects stages with season, game and date changes loaded."""
    known = list(stages)
    log = read_calendar_log(known)
    for stage in known:
        yield build_stage_event(
            stage, log.get(stage.pk), race_numbers.get(stage.pk), reminds=reminds
        )


def read_calendar_log(stages: Iterable[Stage]) -> dict[int, CalendarLog]:
    keys = [str(stage.pk) for stage in stages]
    entries = AuditEntry.objects.filter(object_type=Stage._meta.label_lower, object_id__in=keys)
    rows = entries.filter(action__in=CHANGES_OF_THE_CALENDAR).order_by().values_list("object_id")
    counted = rows.annotate(
        at=Max("at"), times=Count("pk", filter=Q(action__in=CHANGES_OF_A_STAGE))
    )
    return {int(key): CalendarLog(at, times) for key, at, times in counted}


def build_stage_event(
    stage: Stage, log: CalendarLog | None, race_number: int | None, *, reminds: bool
) -> Event:
    name = f"{stage.game.name} · {stage.get_circuit_display()}"
    summary = f"{name} · Race {race_number}/{Stage.MOST_RACE_STAGES}" if race_number else name
    begins = start_time(stage)
    event = build_event(
        {
            "uid": f"stage-{stage.pk}@{settings.PUBLIC_URL.hostname}",
            **event_version(stage, log),
            **event_duration(stage, begins),
            "status": "CANCELLED" if stage.is_cancelled else "CONFIRMED",
            "summary": summary,
            "description": "\n".join(describe_stage(stage)),
            **({"location": where} if (where := stage_location(stage)) else {}),
            "categories": [stage.get_circuit_display()],
            "url": absolute_url(reverse("stage", args=[stage.season.year, stage.slug])),
            "transp": "TRANSPARENT",
        }
    )
    if reminds and not stage.is_cancelled:
        event.add_component(build_reminder(event, begins))
    return event


def build_event(properties: dict[str, object]) -> Event:
    event = Event()
    for name, value in properties.items():
        event.add(name, value.translate(CONTROLS) if isinstance(value, str) else value)
    return event


def event_version(stage: Stage, log: CalendarLog | None) -> dict[str, object]:
    # The sequence rises with each change of the days, or of whether the stage takes place.
    moves = stage.date_changes.all()
    begun = datetime(stage.season.year, 1, 1, tzinfo=UTC)  # default without any log entry
    times = [begun, *(move.at for move in moves), *([log.at] if log else [])]
    return {"sequence": len(moves) + (log.times if log else 0), "dtstamp": max(times)}


def start_time(stage: Stage) -> datetime | None:
    """The start in Rome of a stage of one day; longer stages are whole days."""
    if stage.begins_at is None or stage.starts_on != stage.ends_on:
        return None
    return datetime.combine(stage.starts_on, stage.begins_at, tzinfo=ROME)


def event_duration(stage: Stage, begins: datetime | None) -> dict[str, date]:
    if begins:
        return {"dtstart": begins}  # its end is unknown
    return {"dtstart": stage.starts_on, "dtend": stage.ends_on + timedelta(days=1)}


def build_reminder(event: Event, begins: datetime | None) -> Alarm:
    # A day before the start; without an hour the evening before, as whole days begin at midnight.
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", event["summary"])
    alarm.add("trigger", -timedelta(days=1) if begins else -timedelta(hours=6))
    return alarm


def meeting_of(stage: Stage) -> BigEvent | Final | None:
    return getattr(stage, "big_event", None) or getattr(stage, "big_final", None)


def stage_location(stage: Stage) -> str:
    where = ", ".join(filter(None, (stage.place, stage.city)))
    return where or stage.get_platform_display()


def describe_stage(stage: Stage) -> Iterator[str]:
    if stage.begins_at:
        yield _("Start: %(time)s, the time of Rome") % {"time": time_format(stage.begins_at)}
    if meeting := meeting_of(stage):
        yield absolute_url(meeting.get_absolute_url())
    words = [stage.get_pace_display(), stage.get_system_display()]
    yield ", ".join([*words, _("by invitation")] if stage.by_invitation else words)
    if stage.is_cancelled:
        yield _("Cancelled.")
    if move := stage.last_move:
        day = date_format(move.old_starts_on, "SHORT_DATE_FORMAT")
        yield f"{_('Moved from')} {day}" + (f": {move.reason}" if move.reason else "")
    if stage.link and not stage.is_cancelled:
        yield stage.link


@dataclass(frozen=True)
class CalendarFile:
    path: str

    @property
    def address(self) -> str:
        return absolute_url(self.path)

    @property
    def subscription(self) -> str:
        # Calendar apps open this scheme.
        return "webcal:" + self.address.partition(":")[2]


def filtered_calendar_file(asked: Mapping[str, str | bool]) -> CalendarFile:
    query = {name: "on" if value is True else value for name, value in asked.items()}
    return CalendarFile(reverse("calendar-file", query=query or None))
