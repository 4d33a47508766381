"""How the rankings put their numbers into words: what decided a place."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from django.utils.functional import Promise

from pergioco.ledger.models import Line


class Criterion(NamedTuple):
    """What put one line behind another, and how much of it a line has."""

    words: str | Promise
    amount: Callable[[Line], str]


Criteria = Mapping[str, Criterion]
