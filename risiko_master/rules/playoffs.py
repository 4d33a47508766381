"""What follows the two games: structure, semifinals, finalists and their substitutes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pergioco.rulekit.ordering import Placed
from pergioco.rulekit.paragraph import paragraph
from risiko_master.rules.editions import Edition
from risiko_master.rules.rankings import Record

# of a semifinal, and of a final: the winners of the semifinals and those who went straight there
AT_A_TABLE = 4
BOTH = 2


@dataclass(frozen=True)
class Structure:
    """`case` is the case of the regulation; a `proposed` structure has none, and the referee
    decides."""

    players: int  # with both games
    double_winners: int
    direct: int
    semifinals: int
    winners: int
    case: str
    proposed: bool = False
    beyond_text: bool = False  # more players than the text speaks of (RK-8)

    @property
    def goes_on(self) -> int:
        return self.direct + self.semifinals * AT_A_TABLE


@dataclass(frozen=True)
class Qualified:
    """A player with both games: place before lots, and number of games won."""

    player: int
    tied_place: int
    wins: int


@paragraph("RKM", "both-games")
def with_both_games(placed: Iterable[Placed[Record]]) -> list[Placed[Record]]:
    """Only they count for the structure and may go on (RK-4)."""
    return [one for one in placed if one.row.is_complete]


@paragraph("RKM", "structure")
def find_structure(qualified: Sequence[Qualified], edition: Edition) -> Structure:
    """Table 1, by the number of players with both games, in ranking order."""
    players = len(qualified)
    twice = [one.tied_place for one in qualified if one.wins == BOTH]
    row = max((row for row in edition.table if row.players <= players), key=lambda row: row.players)
    direct, case = 0, f"from_{row.players}"
    if players < edition.direct_below:
        direct, case = straight_to_the_final(twice)
    found = Structure(players, len(twice), direct, row.semifinals - direct, row.winners, case)
    return replace(fit_structure(found, players), beyond_text=players >= edition.warn_from)


@paragraph("RKM", "direct-finalists")
def straight_to_the_final(twice: Sequence[int]) -> tuple[int, str]:
    """By shared places of players with two wins: a tie that only lots would break changes the
    structure (RK-5)."""
    if len(twice) < BOTH:
        return len(twice), ("one_double_winner" if twice else "no_double_winner")
    third = twice[BOTH] if len(twice) > BOTH else None
    if third == twice[0]:
        return 0, "tie_of_three"
    return (1, "tie_for_second") if third == twice[1] else (2, "two_double_winners")


@paragraph("RKM", "too-few")
def fit_structure(wanted: Structure, there: int) -> Structure:
    """Too few for the regulation (RK-7): propose as many full semifinals as possible to the
    referee."""
    if wanted.goes_on <= there:
        return wanted
    return replace(wanted, semifinals=max(0, there - wanted.direct) // AT_A_TABLE, proposed=True)


Bands = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Group:
    """One parallel tournament: its bands, each of which gives every table one player."""

    number: int
    bands: Bands

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(player for band in self.bands for player in band)


@dataclass(frozen=True)
class Field:
    """Who goes on and where, without players who renounced before the semifinals."""

    structure: Structure
    direct: tuple[int, ...]
    groups: tuple[Group, ...]


@paragraph("RKM", "parallel-rankings")
def parallel_rankings(players: Sequence[int], rankings: int) -> list[tuple[int, ...]]:
    """Of three: the first, fourth, seventh…; the second, fifth, eighth…; the third, sixth,
    ninth…"""
    return [tuple(players[number::rankings]) for number in range(rankings)]


@paragraph("RKM", "bands")
def cut_bands(players: Sequence[int]) -> Bands:
    """Equal parts in ranking order; each table gets one player of each by lot (RK-11)."""
    tables = len(players) // AT_A_TABLE
    return tuple(
        tuple(players[at : at + tables]) for at in range(0, tables * AT_A_TABLE, tables or 1)
    )


@paragraph("RKM", "renounced-before")
def structure_after_renunciations(
    found: Structure,
    ranking: Sequence[int],
    renounced: Collection[int],
    *,
    keep_direct: bool = False,
) -> Structure:
    """If a direct finalist renounces, four semifinals are played, although another one would go on
    (RK-13).

    `keep_direct` is the referee's other choice: the remaining direct finalists stay in the final.
    """
    left = sum(player not in renounced for player in ranking[: found.direct])
    if left != found.direct:
        direct = left if keep_direct else 0
        case = "direct_finalist_renounced"
        found = replace(found, direct=direct, semifinals=AT_A_TABLE - direct, case=case)
    return fit_structure(found, sum(player not in renounced for player in ranking))


@paragraph("RKM", "too-few", "renounced-before")
def structure_by_referee(found: Structure, direct: int, semifinals: int) -> Structure:
    """Where the regulation leaves it open (RK-7, RK-13)."""
    return replace(found, direct=direct, semifinals=semifinals, case="referee", proposed=False)


def semifinal_field(found: Structure, ranking: Sequence[int], renounced: Collection[int]) -> Field:
    """`ranking`: players with both games, lots included. The next ones move up (RK-12)."""
    there = [player for player in ranking if player not in renounced]
    playing = there[found.direct : found.goes_on]
    groups = parallel_rankings(playing, found.winners)
    return Field(
        found,
        tuple(there[: found.direct]),
        tuple(Group(number, cut_bands(own)) for number, own in enumerate(groups, 1)),
    )


Table = Sequence[int]  # the players of a semifinal in the order of arrival


@dataclass(frozen=True)
class Step:
    """A player who was offered a seat; `code` is his right to it."""

    player: int
    code: str
    renounced: bool


@dataclass(frozen=True)
class Place:
    """A seat in the finals: by right, and after renunciations. `player` is `None` if all
    renounced."""

    entitled: int
    player: int | None
    table: int  # the semifinal, from one; 0 for a direct finalist
    chain: tuple[Step, ...] = field(default=())

    @property
    def code(self) -> str:
        return self.chain[-1].code if self.player is not None else ""


ARRIVED = ("winner", "second", "third", "fourth", "fifth")
BEST_OF_OTHERS = ("", "best_second", "best_third", "best_fourth", "best_fifth")


def find_finalists(
    direct: Sequence[int],
    tables: Sequence[Table],
    *,
    ranking: Sequence[int],
    renounced: Collection[int],
) -> list[Place]:
    """Direct finalists first, then the seat of each semifinal. `ranking` is the one after two
    games."""
    order = {player: position for position, player in enumerate(ranking)}
    places = [direct_place(player, renounced) for player in direct]
    places += [semifinal_place(table, number, renounced) for number, table in enumerate(tables, 1)]
    taken = {place.player for place in places}
    return [
        place
        if place.player is not None
        else substitute_place(place, tables, order, taken, renounced)
        for place in places
    ]


def direct_place(player: int, renounced: Collection[int]) -> Place:
    gone = player in renounced
    return Place(player, None if gone else player, 0, (Step(player, "direct", gone),))


@paragraph("RKM", "renounced-final")
def semifinal_place(table: Table, number: int, renounced: Collection[int]) -> Place:
    """The winner's seat passes to the second of the same table, then to the third, then to the
    fourth (RK-14)."""
    chain: list[Step] = []
    for player, code in zip(table, ARRIVED, strict=False):
        chain.append(Step(player, code, player in renounced))
        if player not in renounced:
            return Place(table[0], player, number, tuple(chain))
    return Place(table[0], None, number, tuple(chain))


@paragraph("RKM", "renounced-direct", "renounced-table")
def substitute_place(
    place: Place,
    tables: Sequence[Table],
    order: Mapping[int, int],
    taken: set[int | None],
    renounced: Collection[int],
) -> Place:
    """The best second of the other semifinals by the ranking after two games; then thirds, then
    fourths."""
    chain = list(place.chain)
    for player, code in substitute_candidates(place, tables, order):
        if player in taken:
            continue
        chain.append(Step(player, code, player in renounced))
        if player not in renounced:
            taken.add(player)
            return Place(place.entitled, player, place.table, tuple(chain))
    return Place(place.entitled, None, place.table, tuple(chain))


def substitute_candidates(
    place: Place, tables: Sequence[Table], order: Mapping[int, int]
) -> Iterator[tuple[int, str]]:
    others = [table for number, table in enumerate(tables, 1) if number != place.table]
    for arrived, code in enumerate(BEST_OF_OTHERS):
        if code:
            here = [table[arrived] for table in others if len(table) > arrived]
            yield from (
                (player, code) for player in sorted(here, key=lambda p: order.get(p, len(order)))
            )
