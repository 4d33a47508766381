"""Names and criteria of Red, Blue, Green and the game rankings."""

from collections.abc import Callable
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from pergioco.publishing.computed import Criteria, Criterion
from pergioco.publishing.models import Line
from pergioco.rulekit.numbers import to_points

NAMES: dict[str, Promise] = {
    "red": gettext_lazy("Red"),
    "blue": gettext_lazy("Blue"),
    "green": gettext_lazy("Green"),
}
MEANINGS: dict[str, Promise] = {
    "red": gettext_lazy("By the average of the active PGRs."),
    "blue": gettext_lazy("By the sum of the active PGRs."),
    "green": gettext_lazy("By points from Blue, Red and the games."),
    "game": gettext_lazy("By the active PGRs in this game."),
}


def detail_formatter(name: str) -> Callable[[Line], str]:
    return lambda line: number_format(line.detail[name], use_l10n=True)


def value_formatter(decimals: int) -> Callable[[Line], str]:
    return lambda line: number_format(line.value, decimals, use_l10n=True)


def has_enough_label(line: Line) -> str:
    return _("yes") if line.detail["has_enough"] else _("no")


MORE_PGRS = Criterion(gettext_lazy("active PGRs"), detail_formatter("active_pgrs"))
MORE_GAMES = Criterion(gettext_lazy("games played"), detail_formatter("games"))
CRITERIA: dict[str, Criteria] = {
    "red": {
        "tier": Criterion(gettext_lazy("enough active PGRs for the first band"), has_enough_label),
        "average": Criterion(gettext_lazy("overall PGR"), detail_formatter("overall")),
        "active_pgrs": MORE_PGRS,
        "games": MORE_GAMES,
    },
    "blue": {
        "sum": Criterion(gettext_lazy("sum of the active PGRs"), value_formatter(3)),
        "active_pgrs": MORE_PGRS,
        "games": MORE_GAMES,
    },
    "green": {
        "points": Criterion(gettext_lazy("Green points"), value_formatter(1)),
        "games": MORE_GAMES,
    },
    "game": {"pgr": Criterion(pgettext_lazy("a player's rating", "PGR"), value_formatter(3))},
}
# The paragraphs that a number rests on, in the order in which they are put into effect
PARAGRAPHS = {
    "red": (27, 24, 29, 30),
    "blue": (27, 32, 33),
    "green": (35, 36),
    "game": (22, 27, 35),
}


def exact_average(line: Line) -> Decimal:
    # Exact to 28 digits, as stored with the line.
    return Decimal(line.detail["average"])


def blue_total(line: Line) -> Decimal:
    return to_points(line.detail["total"])


def leader_points(line: Line) -> Decimal:
    return Decimal(line.detail["leader_tenths"]) / 10
