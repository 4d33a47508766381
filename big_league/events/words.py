"""Hints and states in words."""

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from big_league.events import asking
from big_league.events.models import Event
from big_league.events.standing import Standing
from big_league.rules.requests import Hint
from big_league.rules.seats import Line
from pergioco.stages.models import Game

STANDINGS: dict[Standing, str | Promise] = {
    Standing.OPEN: pgettext_lazy("event", "Open"),
    Standing.STARTED: gettext_lazy("Started"),
    Standing.CLOSED: pgettext_lazy("event", "Closed"),
    Standing.CANCELLED: gettext_lazy("Cancelled"),
}


def hint_words(hint: Hint, games: Iterable[Game]) -> str:
    if hint == Hint.SHORT_NOTICE:
        return _("Less than seven days are left: BIG may be too late to announce the tournament.")
    if hint == Hint.HALF_POINTS:
        return _("With fewer than six players the tournament counts for half the points.")
    titles = ", ".join(game.name for game in asking.two_only(list(games)))
    return _("BIG homologates these games with two players at a table only: %(games)s.") % {"games": titles}


def standing_words(event: Event, standing: Standing, line: Line) -> str:
    """A full one stays open to those who wait, and to boxes."""
    if standing != Standing.OPEN or len(line.seated) != event.capacity:
        return str(STANDINGS[standing])
    count = len(line.waiting)
    return ngettext("Full, %(n)s is waiting", "Full, %(n)s are waiting", count) % {"n": count} if count else _("Full")
