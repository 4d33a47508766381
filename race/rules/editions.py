"""The parameters of the Race, by season. An edition once in force is never edited."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Edition:
    since: int
    k: Decimal
    most_stages: int
    most_players: int


EDITIONS = (Edition(since=2026, k=Decimal("16.70"), most_stages=12, most_players=64),)


def is_held(year: int) -> bool:
    """The Race began in 2026 (PGM 38): whatever a stage of an earlier season says, it counts for none."""
    return year >= EDITIONS[0].since


def for_season(year: int) -> Edition:
    """For a season without a Race the first edition: that is what pages explain there."""
    in_force = (edition for edition in EDITIONS if edition.since <= year)
    return max(in_force, default=EDITIONS[0], key=lambda edition: edition.since)
