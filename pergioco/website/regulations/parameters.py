"""The numbers of PerGioco Masters: from the dated editions of the rules, never typed here."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from pergioco.players.rules.age import MINIMUM_AGE
from pergioco.website.regulations.text import Text
from race.rules import editions as race
from race.rules.points import race_points, total
from rankings.rules import editions as rankings
from ratings.rules import editions as ratings
from ratings.rules.purging import YEARS_KEPT

THOUSAND, TENTHS = 1000, 10
FIRST_SEASON = min(edition.since for book in (ratings, rankings, race) for edition in book.EDITIONS)


def as_it_is(value: Any) -> str:
    return number_format(value)


def thousandths(value: int) -> str:
    return number_format(Decimal(value) / THOUSAND, 3)


def whole_points(value: Sequence[int]) -> str:
    return " · ".join(number_format(points) for points in value)


def tenths(value: Sequence[int]) -> str:
    return " · ".join(number_format(Decimal(points) / TENTHS, 1) for points in value)


@dataclass(frozen=True)
class Parameter:
    """A field of the editions of a rule."""

    paragraph: int
    book: Any  # the module that holds the editions
    name: str
    words: Text
    shown: Callable[[Any], str] = as_it_is


@dataclass(frozen=True)
class Value:
    parameter: Parameter
    since: int
    shown: str
    is_in_force: bool


PARAMETERS = (
    Parameter(22, ratings, "start", _("PGR with which everybody begins a game"), thousandths),
    Parameter(22, ratings, "k", _("K: what one point more or less than expected moves")),
    Parameter(29, rankings, "enough_pgrs", _("Active PGRs needed for the upper part of Red")),
    Parameter(35, rankings, "place_points", _("Blue Points and Red Points, from the first place on"), whole_points),
    Parameter(35, rankings, "leader_tenths", _("Leader Points of each game, from the first place on"), tenths),
    Parameter(39, race, "k", _("K of the points of a Race stage")),
    Parameter(40, race, "most_players", _("Most players of a Race stage")),
    Parameter(40, race, "most_stages", _("Most Race stages of a season")),
)


def values(year: int) -> Iterator[Value]:
    """Every value that a parameter has had, the oldest first; marked is the one in force in that season."""
    for parameter in PARAMETERS:
        in_force = parameter.book.for_season(year)
        for edition in sorted(parameter.book.EDITIONS, key=lambda one: one.since):
            shown = parameter.shown(getattr(edition, parameter.name))
            yield Value(parameter, edition.since, shown, is_in_force=edition == in_force and edition.since <= year)


def in_words(year: int) -> dict[str, str]:
    """What the texts of the paragraphs are filled with."""
    rating, ranking, points = ratings.for_season(year), rankings.for_season(year), race.for_season(year)
    best = race_points(players=points.most_players, position=1, edition=points)
    numbers: dict[str, Decimal | int] = {
        "age": MINIMUM_AGE,
        "start": rating.start // THOUSAND,
        "k": rating.k,
        "enough_pgrs": ranking.enough_pgrs,
        "places": len(ranking.place_points),
        "leaders": len(ranking.leader_tenths),
        "years_kept": YEARS_KEPT,
        "race_k": points.k,
        "most_players": points.most_players,
        "most_stages": points.most_stages,
        "most_points": best,
        "most_total": total(0, [best] * points.most_stages, stages=points.most_stages).net,
    }
    return {name: number_format(number) for name, number in numbers.items()}
