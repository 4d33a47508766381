"""A computed ranking before it is stored, and the apps that compute them."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.functional import Promise

from pergioco.publishing.models import Line
from pergioco.stages.models import Season

STAGE_KINDS = ("race:", "rkm:", "big-event:")  # a stage's own points are a ranking too
EXPECTED_RANKINGS = ("rankings", "race", "risiko_master", "big_league")  # in publication order


def is_of_a_stage(kind: str) -> bool:
    return kind.startswith(STAGE_KINDS)


class Row(NamedTuple):
    """One line. `detail` holds the intermediates of the rule: integers, texts and lists of them."""

    player: int
    rank: int
    value: Decimal
    is_shared: bool = False
    decided_by: str = ""
    detail: dict[str, Any] = {}  # read only: all rows without one share it


@dataclass(frozen=True)
class Computed:
    """One whole ranking in order. `settings`: the readings in force; `read`: its sources."""

    kind: str
    edition: int
    rows: Sequence[Row]
    settings: dict[str, Any] = field(default_factory=dict)
    read: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def sha256(self) -> str:
        # Equal content gives an equal hash, wherever it was computed.
        content = [self.kind, self.edition, self.settings, self.read, self.rows]
        # Decimals as text
        text = json.dumps(content, default=str, sort_keys=True, check_circular=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Contents:
    """What a publication shows of a season: rankings, and the PGR changes they rest on."""

    rankings: Sequence[Computed]
    ratings: dict[str, int]  # a stage of the season -> the computation in force of its changes


Compute = Callable[[date, Season], Iterable[Computed]]
registered_rankings: dict[str, Compute] = {}


def register_ranking(name: str, compute: Compute) -> None:
    registered_rankings[name] = compute


def compute_rankings(day: date, season: Season) -> Iterator[Computed]:
    for name in EXPECTED_RANKINGS:
        yield from registered_rankings[name](day, season)


def ranking_problems() -> Iterator[str]:
    for name in set(EXPECTED_RANKINGS) ^ registered_rankings.keys():
        yield (
            f"The rankings of “{name}” are "
            f"{'expected' if name in EXPECTED_RANKINGS else 'registered'} only."
        )


class Criterion(NamedTuple):
    """The tie-break between two lines, and how much of it a line has."""

    words: str | Promise
    amount: Callable[[Line], str]


Criteria = Mapping[str, Criterion]
