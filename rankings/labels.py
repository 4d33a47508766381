"""Red, Blue, Green and the rankings of the games in words."""

from collections.abc import Callable
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from pergioco.ledger.models import Line
from pergioco.ledger.wording import Criteria, Criterion

THOUSAND = 1000
NAMES: dict[str, Promise] = {"red": gettext_lazy("Red"), "blue": gettext_lazy("Blue"), "green": gettext_lazy("Green")}
MEANINGS: dict[str, Promise] = {
    "red": gettext_lazy("By the average of the active PGRs."),
    "blue": gettext_lazy("By the sum of the active PGRs."),
    "green": gettext_lazy("By points from Blue, Red and the games."),
    "game": gettext_lazy("By the active PGRs in this game."),
}


def whole(name: str) -> Callable[[Line], str]:
    return lambda line: number_format(line.detail[name], use_l10n=True)


def value(decimals: int) -> Callable[[Line], str]:
    return lambda line: number_format(line.value, decimals, use_l10n=True)


def yes_or_no(line: Line) -> str:
    return _("yes") if line.detail["has_enough"] else _("no")


MORE_PGRS = Criterion(gettext_lazy("active PGRs"), whole("active_pgrs"))
MORE_GAMES = Criterion(gettext_lazy("games played"), whole("games"))
CRITERIA: dict[str, Criteria] = {
    "red": {
        "tier": Criterion(gettext_lazy("enough active PGRs for the first band"), yes_or_no),
        "average": Criterion(gettext_lazy("overall PGR"), whole("overall")),
        "active_pgrs": MORE_PGRS,
        "games": MORE_GAMES,
    },
    "blue": {
        "sum": Criterion(gettext_lazy("sum of the active PGRs"), value(3)),
        "active_pgrs": MORE_PGRS,
        "games": MORE_GAMES,
    },
    "green": {"points": Criterion(gettext_lazy("Green points"), value(1)), "games": MORE_GAMES},
    "game": {"pgr": Criterion(pgettext_lazy("a player's rating", "PGR"), value(3))},
}
# The paragraphs that a number rests on, in the order in which they are put into effect
PARAGRAPHS = {"red": (27, 24, 29, 30), "blue": (27, 32, 33), "green": (35, 36), "game": (22, 27, 35)}


def exact_average(line: Line) -> Decimal:
    """As stored with the line: exact to the last digit that a decimal of 28 digits holds."""
    return Decimal(line.detail["average"])


def total(line: Line) -> Decimal:
    return Decimal(line.detail["total"]) / THOUSAND


def leader_points(line: Line) -> Decimal:
    return Decimal(line.detail["leader_tenths"]) / 10
