"""Which season a day belongs to, and how it stands."""

from datetime import date
from enum import StrEnum

from pergioco.stages.models import Season


class SeasonState(StrEnum):
    NOT_OPEN = "not_open"
    RUNNING = "running"
    OVER = "over"


def season_for(day: date) -> Season | None:
    """The one that is running, else the next one, else the last one."""
    coming = Season.objects.filter(ends_on__gte=day).order_by("starts_on")
    return coming.first() or Season.objects.order_by("-year").first()


def state_of(season: Season, day: date) -> SeasonState:
    if day < season.starts_on:
        return SeasonState.NOT_OPEN
    return SeasonState.RUNNING if day <= season.ends_on else SeasonState.OVER
