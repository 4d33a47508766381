"""The places at one table and the points that they give (BIG 4, 7.2.2 and 8.1)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from big_league.rules.editions import Edition
from pergioco.rulekit.paragraph import paragraph
from pergioco.rulekit.placing import Criterion, place

PAIR = 2
NOUGHT = Decimal(0)
RANK_OF_OUTCOME = {"win": 3, "draw": 2, "": 1, "loss": 0}
BANDS = ("win", "draw", "", "loss")  # by which those of the same worth are told apart, the first before the next
LATE = ("draw", "", "loss")  # and those out of time; there is no winner among them


class Part(NamedTuple):
    """What one player did at a table."""

    player: int
    score: Decimal | None = None  # before the bid is taken off
    bid: Decimal | None = None
    outcome: str = ""  # win, draw, loss; empty where the scores decide
    kind: str = "played"
    timed_out: int = 0  # 0: never; else which one at the table it was to run out of time, as far as that is known

    @property
    def net(self) -> Decimal:
        return (self.score or NOUGHT) - (self.bid or NOUGHT)


class Placed(NamedTuple):
    """A player's place at a table, how many share it, and the points that it gives."""

    player: int
    place: int
    sharing: int
    points: Fraction


def present(parts: Sequence[Part]) -> list[Part]:
    """Who was absent sat at no table of many; between two the absence is a loss."""
    return list(parts) if len(parts) <= PAIR else [part for part in parts if part.kind != "no_show"]


def placed(parts: Sequence[Part], edition: Edition) -> list[Placed]:
    """In the order of the places."""
    there = present(parts)
    if len(there) == PAIR and all(part.outcome for part in there):
        return sorted((by_outcome(part, edition) for part in there), key=lambda one: one.place)
    suspended = is_suspended(there)
    strength = Criterion("strength", lambda part: () if suspended else strength_of(part))
    ranked = place(there, (strength,), key=lambda part: part.player)
    sharing = Counter(one.rank for one in ranked)
    return [
        Placed(
            one.row.player,
            one.rank,
            sharing[one.rank],
            points(len(there), one.rank, sharing=sharing[one.rank], edition=edition),
        )
        for one in ranked
    ]


@paragraph("BIG", "4")
def by_outcome(part: Part, edition: Edition) -> Placed:
    """Between two whose result is known without scores: a draw shares the first place, a loss is a loss even if both
    were absent."""
    if part.outcome == "loss":
        return Placed(part.player, PAIR, 1, points(PAIR, PAIR, sharing=1, edition=edition))
    sharing = PAIR if part.outcome == "draw" else 1
    return Placed(part.player, 1, sharing, points(PAIR, 1, sharing=sharing, edition=edition))


@paragraph("BIG", "7.2.2")
def is_suspended(parts: Sequence[Part]) -> bool:
    """Broken off at the latest hour: noted as a draw of all, whatever the scores say, and all share their places."""
    return all(part.outcome == "draw" for part in parts)


@paragraph("BIG", "7.2.2")
def strength_of(part: Part) -> tuple[int, int, int, Decimal]:
    """Out of time: last, whatever the score, and of two the one who ran out later stands first (BIG-1); below them
    whoever left the table. An outcome beside the scores tells what the game's own tie-break decided, or who of those
    out of time came first."""
    if part.kind == "quit":
        return (0, 0, 0, NOUGHT)
    if part.timed_out:
        return (1, part.timed_out, lateness(part.outcome), NOUGHT)
    return (2, 0, RANK_OF_OUTCOME[part.outcome], part.net)


@paragraph("BIG", "7.2.2")
def lateness(outcome: str) -> int:
    """Of those out of time, by what is noted beside it: the more, the later."""
    return {"": 1, "draw": 2}.get(outcome, 0)


@paragraph("BIG", "4", "8.1")
def points(seats: int, place: int, *, sharing: int, edition: Edition) -> Fraction:
    """Whoever shares places shares out their points (BIG-1). Alone at the table: worth a win (BIG-5)."""
    if seats == 1:
        return Fraction(edition.table_points[PAIR][0])
    return Fraction(sum(edition.table_points[seats][place - 1 : place - 1 + sharing]), sharing)


@paragraph("BIG", "7.2.2", "8.1")
def decided(parts: Sequence[Part], ahead: Mapping[int, int]) -> list[Part]:
    """With the outcomes that tell what the scores do not: who of those with the same net score stands before whom by
    the game's own tie-break (`ahead`: player -> place among them), and who ran out of time later."""
    there = [part for part in parts if part.kind == "played"]
    outcome = outcomes([(-part.net, ahead.get(part.player, 1), part.player) for part in there if not part.timed_out])
    outcome |= outcomes([(NOUGHT, -part.timed_out, part.player) for part in there if part.timed_out], LATE)
    return [part._replace(outcome=outcome.get(part.player, "loss")) for part in parts]


def outcomes(rows: Iterable[tuple[Decimal, int, int]], names: Sequence[str] = BANDS) -> dict[int, str]:
    """Of rows (worth, place among equals, player): all the same, but where a place parts those of the same worth."""
    band, bands = 0, {}
    for before, (worth, among, player) in pairwise([None, *sorted(rows)]):  # type: ignore[misc]
        band += before is not None and before[0] == worth and before[1] != among
        bands[player] = min(band, len(names) - 1)
    used = names[-1 - max(bands.values(), default=0) :] if band else ("",)
    return {player: used[number] for player, number in bands.items()}


def ties(parts: Sequence[Part]) -> list[list[int]]:
    """Players with the same net score, which the game's own tie-break may part."""
    there = [part for part in parts if part.kind == "played" and not part.timed_out]
    nets = Counter(part.net for part in there)
    return [[part.player for part in there if part.net == net] for net, many in sorted(nets.items()) if many > 1]
