"""The auction for seats and factions, move by move (BIG 6.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from pergioco.rulekit.paragraph import paragraph

Kind = Literal["A", "B", "C"]  # the seat; the seat with the faction; the faction alone
WHOLE, TENTH = Decimal(1), Decimal("0.1")
NOTHING = Decimal(0)


class BidRefused(ValueError):
    """Its code is one of those of `refusal`."""


@dataclass(frozen=True)
class Bid:
    player: int
    item: str
    amount: Decimal


@dataclass(frozen=True)
class Auction:
    """`players` as on the score sheet, which is clockwise; `items` in the order in which they will play. `moves` is all
    that was offered, from the first bid to the last."""

    kind: Kind
    players: tuple[int, ...]
    items: tuple[str, ...]
    step: Decimal = WHOLE
    moves: tuple[Bid, ...] = ()

    def __post_init__(self) -> None:
        if len(self.items) < len(self.players):
            raise BidRefused("too_few_items")


@dataclass(frozen=True)
class Won:
    """What a player pays is taken off his score. `seat` counts from one."""

    player: int
    item: str
    amount: Decimal
    seat: int


@paragraph("BIG", "6.1")
def is_held(wants: Mapping[int, bool]) -> bool:
    """One who wants it is enough; the others may offer nothing."""
    return any(wants.values())


@paragraph("BIG", "6.1")
def standing(auction: Auction) -> dict[str, Bid]:
    """Item -> the bid that holds: the last one, since each is higher than the one before."""
    return {bid.item: bid for bid in auction.moves}


@paragraph("BIG", "6.1")
def to_move(auction: Auction) -> int | None:
    """Clockwise from the last who moved, the first one without a bid that holds; nobody: the auction is over."""
    holders = {bid.player for bid in standing(auction).values()}
    after = auction.players.index(auction.moves[-1].player) + 1 if auction.moves else 0
    clockwise = auction.players[after:] + auction.players[:after]
    return next((player for player in clockwise if player not in holders), None)


@paragraph("BIG", "6.1")
def next_minimum(auction: Auction, item: str) -> Decimal:
    """Nothing for what nobody wanted yet; else a step more than was offered."""
    held = standing(auction).get(item)
    return NOTHING if held is None else held.amount + auction.step


@paragraph("BIG", "6.1")
def refusal(auction: Auction, bid: Bid) -> str:
    """Why it cannot be made; empty if it can."""
    if to_move(auction) is None:
        return "over"
    if to_move(auction) != bid.player:
        return "not_your_turn"
    if bid.item not in auction.items:
        return "unknown_item"
    if not bid.amount.is_finite() or bid.amount % auction.step:
        return "not_a_step"
    return "too_low" if bid.amount < next_minimum(auction, bid.item) else ""


def offer(auction: Auction, bid: Bid) -> Auction:
    if code := refusal(auction, bid):
        raise BidRefused(code)
    return replace(auction, moves=(*auction.moves, bid))


def taken_back(auction: Auction) -> Auction:
    """Without the last move: somebody typed it wrong."""
    return replace(auction, moves=auction.moves[:-1])


@paragraph("BIG", "6.1.1", "6.1.2", "6.1.3")
def outcome(auction: Auction) -> tuple[Won, ...]:
    """Who has what, by seat. In kinds A and B the item is the seat; what nobody took leaves no gap. In kind C everybody
    stays where the score sheet put him. Empty while somebody has to move."""
    if to_move(auction) is not None:
        return ()
    held = standing(auction)
    bids = [held[item] for item in auction.items if item in held]
    if auction.kind == "C":
        bids.sort(key=lambda bid: auction.players.index(bid.player))
    return tuple(Won(bid.player, bid.item, bid.amount, seat) for seat, bid in enumerate(bids, 1))


@paragraph("BIG", "6.1")
def without_auction(auction: Auction, chosen: Sequence[str] = ()) -> tuple[Won, ...]:
    """Nobody wants one: items go for nothing in the order of the score sheet, as chosen, else as they lie."""
    made = replace(auction, moves=())
    for player, item in zip(auction.players, chosen or auction.items, strict=False):
        made = offer(made, Bid(player, item, NOTHING))
    return outcome(made)
