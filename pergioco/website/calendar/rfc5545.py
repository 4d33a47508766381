"""Writing an iCalendar object (RFC 5545): lines of 75 octets, escaped texts, whole days."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

OCTETS = 75
PRODUCT = "-//PerGioco//Masters//IT"
# When the portal's days begin and end; the rules of the European Union since 1996.
ROME = """\
BEGIN:VTIMEZONE
TZID:Europe/Rome
BEGIN:DAYLIGHT
DTSTART:19960331T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:19961027T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
END:STANDARD
END:VTIMEZONE"""


@dataclass(frozen=True)
class Event:
    """Some days on which something is on. `sequence` rises when the days change, or whether it takes place."""

    uid: str
    sequence: int
    changed_at: datetime
    starts_on: date
    ends_on: date
    begins_at: time | None  # in Rome
    is_cancelled: bool
    summary: str
    description: str
    location: str
    category: str
    url: str
    reminds: bool = False  # the day before


def calendar(name: str, events: Iterable[Event]) -> bytes:
    """The time zone stands in it even if there is no event: a calendar without any component is not well-formed."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        f"NAME:{text(name)}",
        f"X-WR-CALNAME:{text(name)}",
        "X-WR-TIMEZONE:Europe/Rome",
        "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
        "X-PUBLISHED-TTL:PT6H",
        *ROME.splitlines(),
        *(line for event in events for line in lines_of(event)),
        "END:VCALENDAR",
    ]
    return b"".join(folded(line) for line in lines)


def lines_of(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{text(event.uid)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTAMP:{event.changed_at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield from when(event)
    yield f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}"
    yield f"SUMMARY:{text(event.summary)}"
    yield f"DESCRIPTION:{text(event.description)}"
    if event.location:
        yield f"LOCATION:{text(event.location)}"
    yield f"CATEGORIES:{text(event.category)}"
    yield f"URL:{event.url}"
    yield "TRANSP:TRANSPARENT"
    if event.reminds and not event.is_cancelled:
        yield from alarm(event)
    yield "END:VEVENT"


def alarm(event: Event) -> Iterator[str]:
    """A day before its hour; where it has none, the evening before: days begin at midnight."""
    yield "BEGIN:VALARM"
    yield "ACTION:DISPLAY"
    yield f"DESCRIPTION:{text(event.summary)}"
    yield f"TRIGGER:{'-P1D' if begins_of(event) else '-PT6H'}"
    yield "END:VALARM"


def when(event: Event) -> Iterator[str]:
    """Whole days; or the hour of the start, where it is one day and has one. When it will be over nobody knows."""
    if begins := begins_of(event):
        yield f"DTSTART;TZID=Europe/Rome:{begins:%Y%m%dT%H%M%S}"
        return
    yield f"DTSTART;VALUE=DATE:{event.starts_on:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{event.ends_on + timedelta(days=1):%Y%m%d}"  # the first day that is free again


def begins_of(event: Event) -> datetime | None:
    is_one_day = event.starts_on == event.ends_on
    return datetime.combine(event.starts_on, event.begins_at) if event.begins_at and is_one_day else None


def text(value: str) -> str:
    for sign, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n"), ("\r", "\\n")):
        value = value.replace(sign, escaped)
    return "".join(sign for sign in value if sign == "\t" or (sign >= " " and sign != "\x7f"))


def folded(line: str) -> bytes:
    """Never inside a character."""
    parts, part, room = [], b"", OCTETS
    for sign in line:
        octets = sign.encode()
        if len(part) + len(octets) > room:
            parts.append(part)
            part, room = b"", OCTETS - 1  # the blank that says “it goes on” is one of the 75
        part += octets
    return b"\r\n ".join([*parts, part]) + b"\r\n"
