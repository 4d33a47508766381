"""A computed ranking on its way into the ledger. Whoever computes one makes these; the ledger writes them."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

OF_A_STAGE = ("race:", "rkm:", "big-event:")  # what one stage gave stands in the ledger as a ranking of its own


def is_of_a_stage(kind: str) -> bool:
    return kind.startswith(OF_A_STAGE)


class Row(NamedTuple):
    """One line. `detail` holds what the rule worked out on the way: whole numbers, texts and lists of them."""

    player: int
    rank: int
    value: Decimal
    is_shared: bool = False
    decided_by: str = ""
    detail: dict[str, Any] = {}  # read only: all rows without one share it


@dataclass(frozen=True)
class Computed:
    """One whole ranking, in its order. `settings` are the readings in force, `read` says what it is made of."""

    kind: str
    edition: int
    rows: Sequence[Row]
    settings: dict[str, Any] = field(default_factory=dict)
    read: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def sha256(self) -> str:
        """The same content has the same hash, whenever and wherever it was computed."""
        content = [self.kind, self.edition, self.settings, self.read, self.rows]
        text = json.dumps(content, default=str, sort_keys=True, check_circular=False)  # a Decimal as it is written
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Contents:
    """What a publication shows of a season: its rankings, and the PGR changes on which they rest."""

    rankings: Sequence[Computed]
    ratings: dict[str, int]  # a stage of the season -> the computation in force of its changes
