"""The draws in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

CRITERIA = {
    "repeat": gettext_lazy("Seats at a table of five for somebody who had one before"),
    "winners": gettext_lazy("Pairs of winners of the first game at one table"),
    "group": gettext_lazy("Pairs of the same club or group at one table"),
    "group_of_fifths": gettext_lazy("The same, between a fifth player and the others"),
    "met": gettext_lazy("Pairs who have met already"),
}
PROOFS = {
    "bound": gettext_lazy("No draw could do better: each number is the least that counting alone allows."),
    "search": gettext_lazy("No draw could do better: every other one was looked at."),
    "open": gettext_lazy(
        "Whether a draw could do better is not proven: the most that could be saved stands beside each number."
    ),
}
FINDINGS = {
    "seed": gettext_lazy("the seed does not have the hash that was published before"),
    "inputs": gettext_lazy("what it was drawn from does not have the published hash"),
    "tables": gettext_lazy("the tables that come out are others"),
}
BY_THE_CHECKER = gettext_lazy("the checker finds a fault: %(code)s")


@dataclass(frozen=True)
class Measured:
    """A criterion with its numbers; `most` says that nobody has proven how much could really be saved."""

    name: Promise
    cost: int
    unavoidable: int
    avoidable: int
    most: bool


def measured(result: Mapping[str, Any]) -> list[Measured]:
    """Of a draw, in the order of priority."""
    return [
        Measured(
            CRITERIA[one["code"]],
            one["cost"],
            one["bound"],
            one["cost"] - one["bound"],
            most=one["cost"] > one["bound"],
        )
        for one in result["measures"]
    ]
