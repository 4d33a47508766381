"""Every reading of PerGioco Masters, and the one in force in a season."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from pergioco.stages import season_settings
from pergioco.stages.models import Season
from pergioco.stages.season_settings import Setting
from pergioco.website.regulations import parameters, readings_rankings, readings_ratings
from pergioco.website.regulations.text import Reading, Text


def number(reading: Reading) -> int:
    return int(reading.code.partition("-")[2])


READINGS = sorted((*readings_ratings.READINGS, *readings_rankings.READINGS), key=number)


@dataclass(frozen=True)
class InForce:
    """A reading in one season: the option adopted, the others, and the setting that decides, if there is one."""

    reading: Reading
    adopted: Text
    others: list[Text]
    setting: Setting | None
    is_default: bool


def seasons() -> "QuerySet[Season]":
    """Those for which there are rules, the newest first."""
    return Season.objects.filter(year__gte=parameters.FIRST_SEASON).order_by("-year")


def in_force(season: Season) -> Iterator[InForce]:
    settings = {setting.reading: setting for setting in season_settings.SETTINGS.values()}
    for reading in READINGS:
        setting = settings.get(reading.code)
        key = str(season_settings.value(season.settings, setting.name)) if setting else reading.default
        others = [text for other, text in reading.options.items() if other != key]
        yield InForce(reading, reading.options[key], others, setting, is_default=key == reading.default)


def of_paragraph(paragraph: int) -> list[Reading]:
    return [reading for reading in READINGS if paragraph in reading.paragraphs]
