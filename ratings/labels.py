"""Reason codes of games, in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# Why a table counts for a player, or why it does not (PGM 25 and 26)
REASONS: dict[str, str | Promise] = {
    "played": _("played"),
    "walkover": _("won because the opponent was absent: a valid win"),
    "quit": _("abandoned: an ordinary loss"),
    "no_show": _("absent: outside the Swiss system an ordinary loss"),
    "penalty": _("absent after the first game: a loss, once in a stage"),
    "bye": _("bye: no game"),
    "first_absence": _("absent at the first game: it costs nothing"),
    "absence_again": _("absent once more: the loss was counted already"),
}
