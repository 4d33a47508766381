"""The places at one table and the points that they give (BIG 4, 7.2.2 and 8.1)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from big_league.rules.editions import Edition
from pergioco.rulekit.ordering import Criterion, assign_places
from pergioco.rulekit.paragraph import paragraph

TWO_PLAYERS = 2
NOUGHT = Decimal(0)
RANK_OF_OUTCOME = {"win": 3, "draw": 2, "": 1, "loss": 0}
BANDS = ("win", "draw", "", "loss")  # tie-break of equal scores, best first
LATE = ("draw", "", "loss")  # the same for players out of time: no winner


class Part(NamedTuple):
    """One player's result at a table."""

    player: int
    score: Decimal | None = None  # before the bid is taken off
    bid: Decimal | None = None
    outcome: str = ""  # win, draw, loss; empty where the scores decide
    kind: str = "played"
    timed_out: int = 0  # 0: never; else the order of running out of time

    @property
    def net(self) -> Decimal:
        return (self.score or NOUGHT) - (self.bid or NOUGHT)


class Placed(NamedTuple):
    """A place at a table, the number of players who share it, and its points."""

    player: int
    place: int
    sharing: int
    points: Fraction


def players_present(parts: Sequence[Part]) -> list[Part]:
    # Between two an absence is a loss; at larger tables the player simply is not there.
    return (
        list(parts)
        if len(parts) <= TWO_PLAYERS
        else [part for part in parts if part.kind != "no_show"]
    )


def place_table(parts: Sequence[Part], edition: Edition) -> list[Placed]:
    there = players_present(parts)
    if len(there) == TWO_PLAYERS and all(part.outcome for part in there):
        return sorted(
            (place_by_outcome(part, edition) for part in there), key=lambda one: one.place
        )
    suspended = is_table_suspended(there)
    strength = Criterion("strength", lambda part: () if suspended else table_strength(part))
    ranked = assign_places(there, (strength,), key=lambda part: part.player)
    sharing = Counter(one.rank for one in ranked)
    return [
        Placed(
            one.row.player,
            one.rank,
            sharing[one.rank],
            table_points(len(there), one.rank, sharing=sharing[one.rank], edition=edition),
        )
        for one in ranked
    ]


@paragraph("BIG", "4")
def place_by_outcome(part: Part, edition: Edition) -> Placed:
    """Two players without scores: a draw shares the first place; both lose if both were absent."""
    if part.outcome == "loss":
        return Placed(
            part.player,
            TWO_PLAYERS,
            1,
            table_points(TWO_PLAYERS, TWO_PLAYERS, sharing=1, edition=edition),
        )
    sharing = TWO_PLAYERS if part.outcome == "draw" else 1
    return Placed(
        part.player, 1, sharing, table_points(TWO_PLAYERS, 1, sharing=sharing, edition=edition)
    )


@paragraph("BIG", "7.2.2")
def is_table_suspended(parts: Sequence[Part]) -> bool:
    """Stopped at the time limit: a draw of all, whatever the scores."""
    return all(part.outcome == "draw" for part in parts)


@paragraph("BIG", "7.2.2")
def table_strength(part: Part) -> tuple[int, int, int, Decimal]:
    """Out of time is last, later before earlier (BIG-1); below it players who left the table. An
    outcome beside the scores holds the game's own tie-break, or the order out of time."""
    if part.kind == "quit":
        return (0, 0, 0, NOUGHT)
    if part.timed_out:
        return (1, part.timed_out, lateness(part.outcome), NOUGHT)
    return (2, 0, RANK_OF_OUTCOME[part.outcome], part.net)


@paragraph("BIG", "7.2.2")
def lateness(outcome: str) -> int:
    """From the outcome noted beside a time-out: higher is later."""
    return {"": 1, "draw": 2}.get(outcome, 0)


@paragraph("BIG", "4", "8.1")
def table_points(seats: int, place: int, *, sharing: int, edition: Edition) -> Fraction:
    """Shared places share out their points (BIG-1). A bye is worth a win (BIG-5)."""
    if seats == 1:
        return Fraction(edition.table_points[TWO_PLAYERS][0])
    return Fraction(sum(edition.table_points[seats][place - 1 : place - 1 + sharing]), sharing)


@paragraph("BIG", "7.2.2", "8.1")
def with_decided_outcomes(parts: Sequence[Part], ahead: Mapping[int, int]) -> list[Part]:
    """Notes what scores cannot say: the game's own tie-break (`ahead`: player -> place among the
    tied), and the order of time-outs."""
    there = [part for part in parts if part.kind == "played"]
    outcome = name_outcomes(
        [
            (-part.net, ahead.get(part.player, 1), part.player)
            for part in there
            if not part.timed_out
        ]
    )
    outcome |= name_outcomes(
        [(NOUGHT, -part.timed_out, part.player) for part in there if part.timed_out], LATE
    )
    return [part._replace(outcome=outcome.get(part.player, "loss")) for part in parts]


def name_outcomes(
    rows: Iterable[tuple[Decimal, int, int]], names: Sequence[str] = BANDS
) -> dict[int, str]:
    """Rows are (worth, place among equals, player); only a place among equals changes the name."""
    band, bands = 0, {}
    for before, (worth, among, player) in pairwise([None, *sorted(rows)]):  # type: ignore[misc]
        band += before is not None and before[0] == worth and before[1] != among
        bands[player] = min(band, len(names) - 1)
    used = names[-1 - max(bands.values(), default=0) :] if band else ("",)
    return {player: used[number] for player, number in bands.items()}


def find_ties(parts: Sequence[Part]) -> list[list[int]]:
    """Players with the same net score, for the game's own tie-break."""
    there = [part for part in parts if part.kind == "played" and not part.timed_out]
    nets = Counter(part.net for part in there)
    return [
        [part.player for part in there if part.net == net]
        for net, many in sorted(nets.items())
        if many > 1
    ]
