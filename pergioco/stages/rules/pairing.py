"""Pairings: Berger tables, Swiss rounds, and rounds typed from paper."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from pergioco.stages.rules.results import EMPTY, sign_typed

if TYPE_CHECKING:
    import networkx as nx

Pair = tuple[int, ...]  # players in seat order; one alone has no opponent in that round
EMPTY_CHAIR = 0  # node of the matching: its partner rests
OUTWEIGHS = 10**9  # more than any wish can sum to over all tables of a round
SPACES_PATTERN = re.compile(r"[\s,;.:–]+")
GAME_PATTERN = re.compile(r"(\d\d)(\d\d)([1X2=3+\-−0?])", re.IGNORECASE)
REST_PATTERN = re.compile(r"(\d\d)([BHZ])", re.IGNORECASE)
NOT_YET = "?"  # the pairing is known, its result is not


def round_robin_rounds(players: Sequence[int]) -> list[list[Pair]]:
    """Every player meets every other once; with an odd number one rests each round."""
    numbers = len(players) + len(players) % 2
    return [
        [seat_pair(players, pair) for pair in numbered_round(numbers, number)]
        for number in range(max(numbers - 1, 0))
    ]


def numbered_round(numbers: int, round_: int) -> list[tuple[int, int]]:
    # The last start number keeps its place and changes seat each round.
    half = numbers // 2
    turned = [(place + round_ * half) % (numbers - 1) + 1 for place in range(numbers - 1)]
    top = (turned[0], numbers) if round_ % 2 == 0 else (numbers, turned[0])
    return [top, *((turned[i], turned[numbers - 1 - i]) for i in range(1, half))]


def seat_pair(players: Sequence[int], pair: tuple[int, int]) -> Pair:
    # With an odd number of players the highest number is a rest.
    return tuple(players[number - 1] for number in pair if number <= len(players))


@dataclass(frozen=True)
class SwissStanding:
    """What the pairing of the next round needs to know about one player."""

    player: int
    points: Decimal
    met: frozenset[int]
    rested: bool
    first_seats: int  # first seats minus second seats


@dataclass(frozen=True)
class SwissRound:
    pairs: tuple[Pair, ...]
    rematches: tuple[Pair, ...]  # empty unless there was no other way


def pair_swiss_round(standings: list[SwissStanding], drawn: Sequence[int]) -> SwissRound:
    """Pairs all players at once by a matching of maximum weight, in which each wish outweighs all
    lower ones.

    `drawn` lists the players in the order of their lots, the last criterion."""
    import networkx as nx  # slow to start, and most processes never pair

    order = {player: place for place, player in enumerate(drawn)}
    field = sorted(standings, key=lambda s: (-s.points, order[s.player]))
    matching = nx.max_weight_matching(pairing_graph(field), maxcardinality=True)
    by_player = {s.player: s for s in field}
    pairs = [seat_by_balance(by_player, order, *sorted(couple)) for couple in matching]
    pairs.sort(key=lambda couple: table_order(couple, by_player, order))
    again = tuple(c for c in pairs if len(c) > 1 and c[1] in by_player[c[0]].met)
    return SwissRound(tuple(pairs), again)


def pairing_graph(field: list[SwissStanding]) -> "nx.Graph[int]":
    """An edge for each possible table; a heavier edge is a better table."""
    import networkx as nx

    levels = score_groups(field)
    edges: nx.Graph[int] = nx.Graph()
    edges.add_nodes_from(s.player for s in field)
    for place, a in enumerate(field):
        for b in field[place + 1 :]:
            edges.add_edge(a.player, b.player, weight=-weigh_wishes(broken_wishes(a, b, levels)))
        if len(field) % 2:
            edges.add_edge(
                EMPTY_CHAIR,
                a.player,
                weight=-weigh_wishes((int(a.rested), len(field) - place, 0, 0, 0)),
            )
    return edges


def weigh_wishes(broken: tuple[int, ...]) -> int:
    """Combines the wishes into one number, each outweighing all later ones over every table."""
    total = 0
    for wish in broken:
        total = total * OUTWEIGHS + wish
    return total


def score_groups(field: list[SwissStanding]) -> dict[int, tuple[int, int]]:
    found: dict[Decimal, list[int]] = {}
    for s in field:
        found.setdefault(s.points, []).append(s.player)
    return {
        player: (place, len(members))
        for members in found.values()
        for place, player in enumerate(members)
    }


def broken_wishes(
    a: SwissStanding, b: SwissStanding, levels: dict[int, tuple[int, int]]
) -> tuple[int, ...]:
    """How far a table is from each wish.

    In order: no rematch; the last player rests; close points; first half of a group against the
    second; balanced seats."""
    gap = int(abs(a.points - b.points) * 2)
    (place, members), (other, _) = levels[a.player], levels[b.player]
    fold = abs(abs(place - other) - members // 2) if gap == 0 else 0
    same_seats = int(a.first_seats == b.first_seats and a.first_seats != 0)
    return int(b.player in a.met), 0, gap * gap, fold, same_seats


def seat_by_balance(
    by_player: dict[int, SwissStanding], order: dict[int, int], a: int, b: int
) -> Pair:
    # The player with fewer first seats gets it now.
    if EMPTY_CHAIR in (a, b):
        return (a or b,)
    return tuple(sorted((a, b), key=lambda p: (by_player[p].first_seats, order[p])))


def table_order(
    couple: Pair, by_player: dict[int, SwissStanding], order: dict[int, int]
) -> tuple[bool, Decimal, int]:
    # Most points at the first tables, the rest last.
    best = max(by_player[p].points for p in couple)
    return len(couple) == 1, -best, min(order[p] for p in couple)


@dataclass(frozen=True)
class PaperGame:
    players: Pair
    sign: str


@dataclass(frozen=True)
class PaperTrouble:
    """A code with values, for one typed line."""

    line: int
    code: str
    values: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Paper:
    rounds: tuple[tuple[PaperGame, ...], ...]
    troubles: tuple[PaperTrouble, ...]


def read_paper(text: str, players: Sequence[int]) -> Paper:
    """`players` are in the order of their start numbers, from 1."""
    rounds: list[tuple[PaperGame, ...]] = []
    troubles: list[PaperTrouble] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            rounds.append(tuple(read_games(SPACES_PATTERN.sub("", line), players)))
        except UnclearLine as unclear:
            troubles.append(PaperTrouble(number, unclear.code, {"text": unclear.text}))
    return Paper(tuple(rounds), tuple(troubles))


class UnclearLine(Exception):
    def __init__(self, code: str, text: str) -> None:
        super().__init__(code)
        self.code, self.text = code, text


def read_games(line: str, players: Sequence[int]) -> Iterator[PaperGame]:
    # The last two players of a round are known: their result is enough.
    left = dict.fromkeys(range(1, len(players) + 1))
    while line:
        if len(line) == 1 and len(left) == len(("first", "second")):
            line = "".join(f"{number:02}" for number in left) + line
        found = GAME_PATTERN.match(line) or REST_PATTERN.match(line)
        if found is None:
            raise UnclearLine("not_a_game", line)
        *numbers, key = found.groups()
        seated = tuple(players[take_number(number, left, len(players)) - 1] for number in numbers)
        yield PaperGame(seated, EMPTY if key == NOT_YET else sign_typed(key))
        line = line[found.end() :]


def take_number(typed: str, left: dict[int, None], players: int) -> int:
    number = int(typed)
    if number not in left:
        raise UnclearLine("twice" if 1 <= number <= players else "no_such_number", typed)
    del left[number]
    return number
