"""What is wrong with a sheet, in words for whoever typed it."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from risiko_master.rules.sheet import Fault

WORDS = {
    "missing": gettext_lazy("The table points of %(name)s are missing."),
    "too_many": gettext_lazy("%(name)s: %(points)s points? The most for this table is %(most)s. Check the sheet."),
    "made_twice": gettext_lazy("Two players cannot both make RisiKo! at one table. Check the sheet."),
    "order": gettext_lazy("%(name)s: the order of play is a number from 1 to that of the players at the table."),
    "order_twice": gettext_lazy("Two players have the same place in the order of play. Check the sheet."),
}


def fault_in_words(fault: Fault, names: Mapping[int, str], most: int) -> str:
    name = names[fault.player] if fault.player is not None else ""
    return str(WORDS[fault.code]) % {"name": name, "points": fault.points, "most": most}
