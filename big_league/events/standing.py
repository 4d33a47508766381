"""How an event stands for those who think of coming."""

from datetime import datetime
from enum import StrEnum

from big_league.events.models import Event


class Standing(StrEnum):
    OPEN = "open"
    STARTED = "started"
    CLOSED = "closed"
    CANCELLED = "cancelled"


def standing_of(event: Event, now: datetime) -> Standing:
    """Of one that is homologated, and so has a stage; it has started once its organizer has opened the stage."""
    stage = event.stage
    if stage is None or stage.is_cancelled:
        return Standing.CANCELLED
    if stage.is_closed:
        return Standing.CLOSED
    return Standing.STARTED if event.starts_at <= now or stage.status == stage.Status.OPEN else Standing.OPEN


def takes_signups(event: Event, now: datetime) -> bool:
    """To a national final one is called."""
    return standing_of(event, now) == Standing.OPEN and event.stage is not None and not event.stage.final
