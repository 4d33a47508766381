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
    """Its code is a result of `bid_refusal`."""


@dataclass(frozen=True)
class Bid:
    player: int
    item: str
    amount: Decimal


@dataclass(frozen=True)
class Auction:
    """`players` go clockwise as on the score sheet, `items` in playing order, `moves` from the
    first bid on."""

    kind: Kind
    players: tuple[int, ...]
    items: tuple[str, ...]
    step: Decimal = WHOLE
    moves: tuple[Bid, ...] = ()

    def __post_init__(self) -> None:
        if len(self.items) < len(self.players):
            raise BidRefused("too_few_items")


@dataclass(frozen=True)
class WonItem:
    """The amount is taken off the player's score; `seat` counts from one."""

    player: int
    item: str
    amount: Decimal
    seat: int


@paragraph("BIG", "6.1")
def is_auction_held(wants: Mapping[int, bool]) -> bool:
    """One player who wants it is enough; the others may bid nothing."""
    return any(wants.values())


@paragraph("BIG", "6.1")
def standing_bids(auction: Auction) -> dict[str, Bid]:
    # Each bid is higher than the one before, so the last one holds.
    return {bid.item: bid for bid in auction.moves}


@paragraph("BIG", "6.1")
def player_to_move(auction: Auction) -> int | None:
    """The next player clockwise without a standing bid; None when the auction is over."""
    holders = {bid.player for bid in standing_bids(auction).values()}
    after = auction.players.index(auction.moves[-1].player) + 1 if auction.moves else 0
    clockwise = auction.players[after:] + auction.players[:after]
    return next((player for player in clockwise if player not in holders), None)


@paragraph("BIG", "6.1")
def next_minimum(auction: Auction, item: str) -> Decimal:
    """Zero for an item without a bid, else one step above the bid."""
    held = standing_bids(auction).get(item)
    return NOTHING if held is None else held.amount + auction.step


@paragraph("BIG", "6.1")
def bid_refusal(auction: Auction, bid: Bid) -> str:
    """The code of the reason; empty for a valid bid."""
    if player_to_move(auction) is None:
        return "over"
    if player_to_move(auction) != bid.player:
        return "not_your_turn"
    if bid.item not in auction.items:
        return "unknown_item"
    if not bid.amount.is_finite() or bid.amount % auction.step:
        return "not_a_step"
    return "too_low" if bid.amount < next_minimum(auction, bid.item) else ""


def offer_bid(auction: Auction, bid: Bid) -> Auction:
    if code := bid_refusal(auction, bid):
        raise BidRefused(code)
    return replace(auction, moves=(*auction.moves, bid))


def without_last_bid(auction: Auction) -> Auction:
    return replace(auction, moves=auction.moves[:-1])


@paragraph("BIG", "6.1.1", "6.1.2", "6.1.3")
def auction_outcome(auction: Auction) -> tuple[WonItem, ...]:
    """In kinds A and B the item is the seat, and items without a bid leave no gap. In kind C the
    order of the score sheet stays. Empty until the auction is over."""
    if player_to_move(auction) is not None:
        return ()
    held = standing_bids(auction)
    bids = [held[item] for item in auction.items if item in held]
    if auction.kind == "C":
        bids.sort(key=lambda bid: auction.players.index(bid.player))
    return tuple(
        WonItem(bid.player, bid.item, bid.amount, seat) for seat, bid in enumerate(bids, 1)
    )


@paragraph("BIG", "6.1")
def without_auction(auction: Auction, chosen: Sequence[str] = ()) -> tuple[WonItem, ...]:
    """Items go for nothing in the order of the score sheet, as chosen or as listed."""
    made = replace(auction, moves=())
    for player, item in zip(auction.players, chosen or auction.items, strict=False):
        made = offer_bid(made, Bid(player, item, NOTHING))
    return auction_outcome(made)
