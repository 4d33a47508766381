"""The season of a day, and the settings that a season may change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.stages.models import Season


class SeasonState(StrEnum):
    NOT_OPEN = "not_open"
    RUNNING = "running"
    OVER = "over"


def season_for(day: date) -> Season | None:
    """Returns the running season, else the next one, else the last one."""
    coming = Season.objects.filter(ends_on__gte=day).order_by("starts_on")
    return coming.first() or Season.objects.order_by("-year").first()


def season_state(season: Season, day: date) -> SeasonState:
    if day < season.starts_on:
        return SeasonState.NOT_OPEN
    return SeasonState.RUNNING if day <= season.ends_on else SeasonState.OVER


@dataclass(frozen=True)
class Setting:
    name: str
    reading: str  # its code in the readings of the regulations
    default: str | int
    choices: tuple[str, ...]  # empty: a whole number above zero
    sentence: str | Promise


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting(
            "unregistered_rating",
            "PG-4",
            "shadow",
            ("shadow", "none"),
            _(
                "Unregistered participants: “shadow” = a hidden PGR; “none” = no PGR, and "
                "opponents count at 1000."
            ),
        ),
        Setting(
            "more_games_played",
            "PG-16",
            "active",
            ("active", "lifetime", "year"),
            _(
                "“More games played” counts: “active” = the games of the active window; "
                "“lifetime”; “year”."
            ),
        ),
        Setting(
            "race_drops",
            "PG-24",
            "results",
            ("results", "absences_are_zero", "only_with_twelve"),
            _(
                "Race, best and worst dropped: “results” = of the results obtained; "
                "“absences_are_zero” = of twelve; "
                "“only_with_twelve” = only with twelve results."
            ),
        ),
        Setting(
            "big_elo_start", "BIG-11", 1000, (), _("BIG Elo: the number everybody starts with.")
        ),
        Setting("big_elo_k", "BIG-11", 20, (), _("BIG Elo: the factor K.")),
        Setting(
            "big_reserves",
            "BIG-13",
            "answer",
            ("answer", "ranking"),
            _("BIG finals, reserves enter by: “answer” = the time of their answer; “ranking”."),
        ),
    )
}


def season_setting(stored: Mapping[str, object], name: str) -> object:
    return stored.get(name, SETTINGS[name].default)


def setting_problems(stored: object) -> Iterator[str]:
    if not isinstance(stored, dict):
        yield str(_("Settings are names with values, such as {}."))
        return
    for name, found in stored.items():
        if name not in SETTINGS:
            yield _("“%(name)s” is no setting. There are: %(names)s.") % {
                "name": name,
                "names": ", ".join(SETTINGS),
            }
        elif not fits_setting(SETTINGS[name], found):
            yield _("“%(name)s” cannot be that. It may be: %(values)s.") % {
                "name": name,
                "values": ", ".join(SETTINGS[name].choices) or _("a whole number above zero"),
            }


def fits_setting(setting: Setting, found: object) -> bool:
    if setting.choices:
        return found in setting.choices
    return isinstance(found, int) and not isinstance(found, bool) and 0 < found < 10**6
