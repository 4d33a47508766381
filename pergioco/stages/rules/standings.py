"""The order within one stage between two: who is classified in it, and with how many points."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pergioco.rulekit.placing import Criterion, Placed, place
from pergioco.stages.rules.parts import HALF_POINTS, Part, took_part


class Score(NamedTuple):
    """A classified player and the points as scored, byes included, in halves."""

    player: int
    half_points: int


def scores(parts: Sequence[Part], *, is_swiss: bool) -> Iterator[Score]:
    """Of those who took part (PGM 25), by number of player."""
    own: dict[int, list[Part]] = defaultdict(list)
    for part in parts:
        own[part.player].append(part)
    for player, played in sorted(own.items()):
        if took_part(played, is_swiss=is_swiss):
            yield Score(player, sum(HALF_POINTS[part.outcome] for part in played))


def standings(classified: Iterable[Score]) -> list[Placed[Score]]:
    """By points alone: the regulation names no tie-break of a stage, so equal points share a place."""
    return place(classified, (Criterion("points", lambda s: s.half_points),), key=lambda s: s.player)
