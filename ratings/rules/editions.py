"""The parameters of the rating, by the season from which they hold. An edition once in force is never edited."""

from dataclasses import dataclass
from datetime import date

FIRST_DAY = date(2021, 10, 1)  # of the rating (PGM 19)


@dataclass(frozen=True)
class Edition:
    since: int
    k: int
    start: int  # thousandths


EDITIONS = (Edition(since=2021, k=20, start=1_000_000),)


def for_season(year: int) -> Edition:
    return max((edition for edition in EDITIONS if edition.since <= year), key=lambda edition: edition.since)
