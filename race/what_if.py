"""What a player can still reach in the Race, and what it takes to pass another one. Nothing is stored."""

from collections.abc import Iterator
from dataclasses import dataclass

from race.labels import most_of_a_stage
from race.rules.editions import Edition
from race.rules.points import Drops, most_possible, race_points, total


@dataclass(frozen=True)
class Outlook:
    """A player's results in a Race that may still have stages to come."""

    results: tuple[int, ...]
    left: int
    drops: Drops
    edition: Edition

    def net(self, *more: int) -> int:
        """After drops, with these results on top."""
        return total(0, [*self.results, *more], stages=self.edition.most_stages, drops=self.drops).net

    @property
    def reachable(self) -> int:
        """The same number as beside every player of the Race."""
        return most_possible(self.results, stages_left=self.left, drops=self.drops, edition=self.edition)


@dataclass(frozen=True)
class Need:
    """That many points in each of so many stages. None: not even the most would do."""

    stages: int
    points: int | None


def needs(own: Outlook, *, to_pass: int) -> Iterator[Need]:
    """For every number of stages that can still be played: the fewest points that give a higher total after drops."""
    for stages in range(1, own.left + 1):
        enough = (points for points in range(most_of_a_stage(own.edition) + 1) if own.net(*[points] * stages) > to_pass)
        yield Need(stages, next(enough, None))


def last_place_for(points: int, *, players: int, edition: Edition) -> int | None:
    """The worst place that still gives that many points in a stage of so many classified players."""
    places = range(players, 0, -1)
    return next((p for p in places if race_points(players=players, position=p, edition=edition) >= points), None)
