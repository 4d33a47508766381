"""The signs of results as people read them."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

READ_AS: Mapping[str, str | Promise] = {
    "1": "1–0",
    "X": "½–½",
    "2": "0–1",
    "+": _("1–0, second absent"),
    "-": _("0–1, first absent"),
    "0": _("0–0, both absent"),
    "B": _("bye, 1 point"),
    "H": _("bye, ½ point"),
    "Z": _("bye, no point"),
    "": pgettext_lazy("no result yet", "none"),
}
WINNER = {"1": 0, "+": 0, "2": 1, "-": 1}
