"""Table sizes, the drawn first round, and the Swiss rounds after it (BIG 4.1 and 7)."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from big_league.rules.table import TWO_PLAYERS
from pergioco.rulekit.paragraph import paragraph

SMALLEST = 3  # of a multi-player game (BIG-5)
Table = tuple[int, ...]


class CannotSeat(ValueError):
    """No table sizes fit that number of players."""


@dataclass(frozen=True)
class Seating:
    """Tables in order, each in the order of its score sheet; a bye is a last table of one."""

    tables: tuple[Table, ...]
    repeated: tuple[Table, ...] = ()  # pairs of the round before, which could not be avoided


@paragraph("BIG", "4.1")
def sizes_of_tables(players: int, wanted: int, *, most: int | None = None) -> tuple[int, ...]:
    """As few tables as hold all players, sizes differing by one, smaller ones last (BIG-5). Rather
    than tables below three, some are larger than wanted, up to `most`."""
    if wanted == TWO_PLAYERS:
        return (TWO_PLAYERS,) * (players // TWO_PLAYERS) + (1,) * (players % TWO_PLAYERS)
    tables = min(-(-players // wanted), players // SMALLEST)
    if tables == 0 or -(-players // tables) > max(most or players, wanted):
        raise CannotSeat(players)
    size, greater = divmod(players, tables)
    return (size + 1,) * greater + (size,) * (tables - greater)


@paragraph("BIG", "7")
def heads_of_series(
    champion: int | None, ranking: Sequence[int], *, shape: Sequence[int]
) -> tuple[int, ...]:
    """The champion, then the top of the ranking, at most one a table (BIG-14)."""
    tables = sum(size > 1 for size in shape)
    heads = dict.fromkeys([*([] if champion is None else [champion]), *ranking])
    return tuple(heads)[:tables]


@paragraph("BIG", "4.1", "7")
def draw_first_round(
    drawn: Sequence[int], shape: Sequence[int], heads: Sequence[int] = ()
) -> Seating:
    """By lots alone; each head of series opens a table, also in the order of the lots."""
    if len(heads) > sum(size > 1 for size in shape):
        raise CannotSeat(len(heads))
    known = set(heads)
    apart = iter([player for player in drawn if player in known])
    others = iter([player for player in drawn if player not in known])
    lots = {player: lot for lot, player in enumerate(drawn)}
    tables = []
    for size in shape:
        own = list(islice(apart, 1))
        own += islice(others, size - len(own))
        tables.append(tuple(sorted(own, key=lots.__getitem__)))
    return Seating(tuple(tables))


@paragraph("BIG", "4.1")
def seat_by_standings(standings: Sequence[int], shape: Sequence[int]) -> Seating:
    """The first table takes the first places, and so on."""
    left = iter(standings)
    return Seating(tuple(tuple(islice(left, size)) for size in shape))


@paragraph("BIG", "4.1")
def pair_players(
    standings: Sequence[int], last_round: Sequence[Table], byes: Mapping[int, int]
) -> Seating:
    """Pairs from the top, each with the next player not met in the round before."""
    barred = {frozenset(table) for table in last_round if len(table) == TWO_PLAYERS}
    resting = choose_bye(standings, barred, byes)
    left = deque(player for player in standings if player not in resting)
    tables: list[Table] = []
    while left:
        first = left.popleft()
        second = next((other for other in left if may_meet(first, other, left, barred)), left[0])
        left.remove(second)  # near the front of the deque
        tables.append((first, second))
    again = tuple(table for table in tables if frozenset(table) in barred)
    return Seating((*tables, *((player,) for player in resting)), again)


def may_meet(first: int, second: int, left: Collection[int], barred: set[frozenset[int]]) -> bool:
    # Exact: one barred opponent each, so only the last two players can be left without a pair.
    if frozenset((first, second)) in barred:
        return False
    return len(left) != TWO_PLAYERS + 1 or can_all_be_paired(
        [player for player in left if player != second], barred
    )


def can_all_be_paired(players: Sequence[int], barred: set[frozenset[int]]) -> bool:
    return len(players) != TWO_PLAYERS or frozenset(players) not in barred


def choose_bye(
    standings: Sequence[int], barred: set[frozenset[int]], byes: Mapping[int, int]
) -> tuple[int, ...]:
    """In an odd field the lowest of those with the fewest byes (BIG-5), unless that repeats a
    pair."""
    if len(standings) % 2 == 0:
        return ()
    place = {player: position for position, player in enumerate(standings)}
    lowest_first = sorted(standings, key=lambda player: (byes.get(player, 0), -place[player]))
    harmless = (
        player
        for player in lowest_first
        if can_all_be_paired([p for p in standings if p != player], barred)
    )
    return (next(harmless, lowest_first[0]),)
