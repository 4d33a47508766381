"""BIG points and Elo in words: names of the rankings, and what decided a place."""

from collections.abc import Callable
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from pergioco.ledger.models import Line
from pergioco.ledger.wording import Criterion

NAMES: dict[str, Promise] = {
    "big": gettext_lazy("BIG points"),
    "big-game": gettext_lazy("BIG points"),
    "big-elo": gettext_lazy("BIG Elo"),
    "big-event": gettext_lazy("BIG tournament"),
}
DECIMALS = {"big": 2, "big-elo": 3, "big-event": 2}
MEANINGS: dict[str, Promise] = {
    "big": gettext_lazy("All championships of Board Italian Gamers: the best three results of each game."),
    "big-game": gettext_lazy("The best five results since the last national final."),
    "big-elo": gettext_lazy(
        "Who wins against whom, never begun again. "
        "Its arithmetic is ours: the rules of BIG name an Elo, not how it goes."
    ),
}
ENDS: dict[str, Promise] = {
    "big": gettext_lazy("No year ends it: each game counts until its next national final."),
    "big-game": gettext_lazy("No year ends it: the next national final of the game begins it anew."),
    "big-elo": gettext_lazy("No year and no final ends it."),
}
PARAGRAPHS: dict[str, tuple[str, ...]] = {
    "big": ("5", "5.1", "5.2", "5.3", "7"),
    "big-game": ("5", "5.1", "5.2", "5.3", "7"),
    "big-elo": ("5", "5.3"),
}
BEHIND_AN_EVENT = ("5.1", "5.2", "5.3")
CALLED = gettext_lazy("1–32: called to a national final, as it stands")
RESERVES = gettext_lazy("33–64: reserves")
NOT_CALLED = gettext_lazy("From 65 on")


def value(line: Line) -> str:
    return number_format(line.value, 2, use_l10n=True)


def elo(line: Line) -> str:
    return number_format(line.value, 3, use_l10n=True)


def in_round(number: int, name: str) -> Callable[[Line], str]:
    """Of a round that somebody did not play there is nothing to say."""

    def amount(line: Line) -> str:
        found: Any = next((one[name] for one in line.detail["rounds"] if one["round"] == number), "–")
        return str(found)

    return amount


def last_place(line: Line) -> str:
    return str(line.detail["rounds"][-1]["place"])


def share(line: Line) -> str:
    return in_round(line.detail["rounds"][0]["round"], "share")(line)


def nothing(_line: Line) -> str:
    return ""


def phase(line: Line) -> str:
    return str(PHASES.get(line.detail["rounds"][-1]["phase"], ""))


PHASES: dict[str, Promise] = {
    "qualification": gettext_lazy("qualification"),
    "final_8": gettext_lazy("round of sixteen"),
    "final_4": gettext_lazy("quarter-finals"),
    "semifinal": gettext_lazy("semifinals"),
    "final": pgettext_lazy("the last phase of a tournament", "final"),
}
CRITERIA: dict[str, Criterion] = {
    "points": Criterion(gettext_lazy("points"), value),
    "elo": Criterion(gettext_lazy("Elo"), elo),
}
OF_AN_EVENT: dict[str, Criterion] = {
    "points": Criterion(gettext_lazy("points at the tables"), lambda line: number_format(line.detail["table_points"])),
    "phase": Criterion(gettext_lazy("phase reached"), phase),
    "final": Criterion(gettext_lazy("place in the final"), last_place),
    "pbg": Criterion(gettext_lazy("share of the points at the first table"), share),
    "lots": Criterion(gettext_lazy("lots"), nothing),
}


def of_an_event(code: str) -> Criterion | None:
    """“table:3” is the table in round 3."""
    name, _colon, number = code.partition(":")
    if name == "table":
        return Criterion(_("the higher table in round %(n)s") % {"n": number}, in_round(int(number), "table"))
    if name == "place":
        return Criterion(_("place at the table in round %(n)s") % {"n": number}, in_round(int(number), "place"))
    return OF_AN_EVENT.get(code)
