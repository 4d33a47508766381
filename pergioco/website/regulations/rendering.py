"""Paragraphs with the numbers in force, their readings and examples."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from pergioco.core.formats import format_thousandths
from pergioco.players.rules.people import MINIMUM_AGE
from pergioco.rulekit.numbers import PER_POINT
from pergioco.stages import seasons as stages_seasons
from pergioco.stages.models import Season
from pergioco.stages.seasons import Setting
from pergioco.website.regulations import examples, text
from pergioco.website.regulations.text import Example, Paragraph, Reading, Text, get_readings
from race import rules as race
from race.rules import race_points, season_total
from rankings import rules as rankings
from ratings import rules as ratings
from ratings.rules import YEARS_KEPT


@dataclass(frozen=True)
class ExplainedParagraph:
    paragraph: Paragraph
    says: list[str]
    readings: list[Reading]
    example: Example | None


def fill_in_numbers(texts: list[str], numbers: Mapping[str, str]) -> list[str]:
    return [one.format_map(numbers) for one in texts]


def explain_summary(year: int) -> list[str]:
    return fill_in_numbers(text.get_pgm().summary, text_numbers(year))


def explain_chapters(year: int) -> Iterator[tuple[str, list[ExplainedParagraph]]]:
    numbers = text_numbers(year)
    for chapter in text.get_pgm().chapters:
        yield (
            chapter.title,
            [explain_paragraph(paragraph, numbers, year) for paragraph in chapter.paragraphs],
        )


def explain_paragraph(
    paragraph: Paragraph, numbers: Mapping[str, str], year: int
) -> ExplainedParagraph:
    return ExplainedParagraph(
        paragraph,
        fill_in_numbers(paragraph.says, numbers),
        readings_of_paragraph(paragraph.number),
        examples.EXAMPLES[paragraph.example](year) if paragraph.example else None,
    )


@dataclass(frozen=True)
class AdoptedReading:
    """A reading in one season: the option adopted, the others, and the setting that decides, if
    any."""

    reading: Reading
    adopted: str
    others: list[str]
    setting: Setting | None
    is_default: bool


def seasons_with_rules() -> "QuerySet[Season]":
    """Newest first."""
    return Season.objects.filter(year__gte=FIRST_SEASON).order_by("-year")


def readings_in_force(season: Season) -> Iterator[AdoptedReading]:
    settings = {setting.reading: setting for setting in stages_seasons.SETTINGS.values()}
    for reading in get_readings():
        setting = settings.get(reading.code)
        key = (
            str(stages_seasons.season_setting(season.settings, setting.name))
            if setting
            else reading.default
        )
        others = [text for other, text in reading.options.items() if other != key]
        yield AdoptedReading(
            reading, reading.options[key], others, setting, is_default=key == reading.default
        )


def readings_of_paragraph(paragraph: int) -> list[Reading]:
    return [reading for reading in get_readings() if paragraph in reading.paragraphs]


TENTHS = 10
FIRST_SEASON = min(edition.since for book in (ratings, rankings, race) for edition in book.EDITIONS)


def format_whole_points(value: Sequence[int]) -> str:
    return " · ".join(number_format(points) for points in value)


def format_tenths(value: Sequence[int]) -> str:
    return " · ".join(number_format(Decimal(points) / TENTHS, 1) for points in value)


@dataclass(frozen=True)
class Parameter:
    paragraph: int
    book: Any  # the module that holds the editions
    name: str
    words: Text
    shown: Callable[[Any], str] = number_format


@dataclass(frozen=True)
class ParameterValue:
    parameter: Parameter
    since: int
    shown: str
    is_in_force: bool


PARAMETERS = (
    Parameter(
        22, ratings, "start", _("PGR with which everybody begins a game"), format_thousandths
    ),
    Parameter(22, ratings, "k", _("K: what one point more or less than expected moves")),
    Parameter(29, rankings, "enough_pgrs", _("Active PGRs needed for the upper part of Red")),
    Parameter(
        35,
        rankings,
        "place_points",
        _("Blue Points and Red Points, from the first place on"),
        format_whole_points,
    ),
    Parameter(
        35,
        rankings,
        "leader_tenths",
        _("Leader Points of each game, from the first place on"),
        format_tenths,
    ),
    Parameter(39, race, "k", _("K of the points of a Race stage")),
    Parameter(40, race, "most_players", _("Most players of a Race stage")),
    Parameter(40, race, "most_stages", _("Most Race stages of a season")),
)


def list_parameter_values(year: int) -> Iterator[ParameterValue]:
    """All values that a parameter has had, oldest first."""
    for parameter in PARAMETERS:
        in_force = parameter.book.EDITIONS.in_force(year)
        for edition in sorted(parameter.book.EDITIONS, key=lambda one: one.since):
            shown = parameter.shown(getattr(edition, parameter.name))
            is_in_force = edition == in_force and edition.since <= year
            yield ParameterValue(parameter, edition.since, shown, is_in_force)


def text_numbers(year: int) -> dict[str, str]:
    """The numbers that fill the texts of the paragraphs."""
    rating, ranking = ratings.EDITIONS.in_force(year), rankings.EDITIONS.in_force(year)
    points = race.EDITIONS.in_force(year)
    best = race_points(players=points.most_players, position=1, edition=points)
    numbers: dict[str, Decimal | int] = {
        "age": MINIMUM_AGE,
        "start": rating.start // PER_POINT,
        "k": rating.k,
        "enough_pgrs": ranking.enough_pgrs,
        "places": len(ranking.place_points),
        "leaders": len(ranking.leader_tenths),
        "years_kept": YEARS_KEPT,
        "race_k": points.k,
        "most_players": points.most_players,
        "most_stages": points.most_stages,
        "most_points": best,
        "most_total": season_total(0, [best] * points.most_stages, stages=points.most_stages).net,
    }
    return {name: number_format(number) for name, number in numbers.items()}
