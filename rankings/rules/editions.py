"""The tables of points of the rankings, by season. An edition once in force is never edited."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Edition:
    since: int
    enough_pgrs: int  # that many active PGRs put a player in the first tier of the Red ranking
    place_points: tuple[int, ...]  # for the first places of Blue and Red
    leader_tenths: tuple[int, ...]  # for the first places of each game, in tenths of a point


EDITIONS = (
    Edition(
        since=2021,
        enough_pgrs=10,
        place_points=(20, 18, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
        leader_tenths=(5, 4, 3, 2, 1),
    ),
)


def for_season(year: int) -> Edition:
    return max((edition for edition in EDITIONS if edition.since <= year), key=lambda edition: edition.since)
