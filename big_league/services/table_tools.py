"""Auction and clock of a table, kept on the server so that all phones show the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from big_league.rules.auction import (
    Auction,
    Bid,
    BidRefused,
    Kind,
    WonItem,
    auction_outcome,
    next_minimum,
    offer_bid,
    player_to_move,
    standing_bids,
    without_auction,
)
from big_league.rules.clock import Clock, ClockEvent, is_clock_overrun, read_clock
from pergioco.core.refusal import Refused
from pergioco.stages.models import Table, TableStep
from pergioco.stages.services import reporting
from pergioco.stages.services.reporting import AUCTION, CLOCK, TableRun, add_run_step

MOST_ITEMS, LONGEST_ITEM = 20, 60
BID_REFUSALS = {
    "over": _("The auction is over: everybody has a bid that holds."),
    "not_your_turn": _("It is somebody else's turn. Look at the page as it is now."),
    "unknown_item": _("Choose one of the things that are for auction."),
    "not_a_step": _("Bids rise by whole steps: see the least bid beside each thing."),
    "too_low": _("That bid is too low: see the least bid beside each thing."),
}


@dataclass(frozen=True)
class AuctionSetup:
    """Without `is_wanted` items go for nothing, in the order of the score sheet."""

    kind: Kind
    items: tuple[str, ...]  # of kinds B and C; the seats of kind A name themselves
    step: Decimal
    is_wanted: bool = True


@dataclass(frozen=True)
class Lot:
    """An item, its standing bid, and the least bid that beats it."""

    item: str
    held: Bid | None
    least: Decimal


@dataclass(frozen=True)
class AuctionState:
    """`seen` goes back with the next step."""

    auction: Auction | None
    seen: int
    won: tuple[WonItem, ...] = ()

    @property
    def to_move(self) -> int | None:
        return player_to_move(self.auction) if self.auction and not self.won else None

    @property
    def lots(self) -> list[Lot]:
        if self.auction is None:
            return []
        held = standing_bids(self.auction)
        return [
            Lot(item, held.get(item), next_minimum(self.auction, item))
            for item in self.auction.items
        ]

    @property
    def bids(self) -> dict[int, Decimal]:
        return {one.player: one.amount for one in self.won}


def read_auction(table: Table) -> AuctionState:
    return build_auction_state(TableRun(table, AUCTION), players_at_big_table(table))


def build_auction_state(run: TableRun, players: Sequence[int]) -> AuctionState:
    # An auction with other players than those seated now is over.
    if run.begun is None or run.begun.data["players"] != list(players):
        return AuctionState(None, run.seen)
    data = run.begun.data
    moves = tuple(
        Bid(step.data["player"], step.data["item"], Decimal(step.data["amount"]))
        for step in run.moves
    )
    auction = Auction(
        data["kind"], tuple(players), tuple(data["items"]), Decimal(data["step"]), moves
    )
    return AuctionState(
        auction, run.seen, auction_outcome(auction) if data["wanted"] else without_auction(auction)
    )


def players_at_big_table(table: Table) -> list[int]:
    return list(table.seats.order_by("position").values_list("player", flat=True))


def begin_auction(table: Table, begun: AuctionSetup, *, submission: UUID, seen: int) -> None:
    players = players_at_big_table(table)
    items = auction_items(begun, len(players))

    def first(_run: TableRun) -> tuple[TableStep.Kind, dict[str, Any]]:
        return TableStep.Kind.AUCTION, {
            "kind": begun.kind,
            "players": players,
            "items": items,
            "step": str(begun.step),
            "wanted": begun.is_wanted,
        }

    add_run_step(table, AUCTION, submission=submission, seen=seen, make=first)


def auction_items(begun: AuctionSetup, players: int) -> list[str]:
    if begun.kind == "A":
        return [str(seat) for seat in range(1, players + 1)]
    items = [item.strip()[:LONGEST_ITEM] for item in begun.items if item.strip()]
    if len(set(items)) < len(items):
        raise Refused(
            _("Two of the things for auction have the same name."),
            "items",
            rule="table_tools.auction_items",
        )
    if not players <= len(items) <= MOST_ITEMS:
        raise Refused(
            _("Write at least one thing for each player, one a line; twenty at most."),
            "items",
            rule="table_tools.auction_items",
        )
    return items


def place_bid(table: Table, item: str, amount: Decimal, *, submission: UUID, seen: int) -> None:
    def next_bid(run: TableRun) -> tuple[TableStep.Kind, dict[str, Any]]:
        now = build_auction_state(run, players_at_big_table(table))
        if now.auction is None:
            raise Refused(_("No auction is under way at this table."), rule="table_tools.next_bid")
        made = Bid(now.to_move or 0, item, amount)
        try:
            offer_bid(now.auction, made)
        except BidRefused as refusal:
            raise Refused(
                BID_REFUSALS[str(refusal)], "amount", rule="table_tools.next_bid"
            ) from None
        return TableStep.Kind.BID, {"player": made.player, "item": item, "amount": str(amount)}

    add_run_step(table, AUCTION, submission=submission, seen=seen, make=next_bid)


def take_back_bid(table: Table, *, submission: UUID, seen: int) -> None:
    """Takes back the auction itself if it has no bid."""
    reporting.take_back_run_step(table, AUCTION, submission=submission, seen=seen)


MINUTE = 60_000  # a clock counts thousandths of a second
LONGEST_WAIT = timedelta(hours=3)  # of a tap that a phone without a network kept


@dataclass(frozen=True)
class ClockState:
    """`begun`: at least one player's time has run."""

    clock: Clock | None
    seen: int
    allowed: int = 0
    begun: bool = False
    is_over: bool = False  # all times and refills are used up: the table is suspended (7.2.2)

    @property
    def order_out(self) -> list[int]:
        return [one.player for one in self.clock.timed_out] if self.clock else []


def to_milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def read_table_clock(table: Table, now: datetime) -> ClockState:
    run, players = TableRun(table, CLOCK), players_at_big_table(table)
    if run.begun is None or run.begun.data["players"] != players:
        return ClockState(None, run.seen)
    each, refills = (run.begun.data[name] * MINUTE for name in ("minutes", "refills"))
    allowed = dict.fromkeys(players, each)
    events = clock_events(run)
    clock = read_clock(allowed, events, to_milliseconds(now))
    lasted = to_milliseconds(now) - events[0].at if events else 0
    return ClockState(
        clock,
        run.seen,
        each,
        bool(events),
        is_clock_overrun(allowed, lasted=lasted, for_refills=refills),
    )


def clock_events(run: TableRun) -> list[ClockEvent]:
    return [ClockEvent(step.data["at"], step.data["player"]) for step in run.moves]


def set_up_clock(table: Table, *, minutes: int, refills: int, submission: UUID, seen: int) -> None:
    data = {"players": players_at_big_table(table), "minutes": minutes, "refills": refills}
    add_run_step(
        table,
        CLOCK,
        submission=submission,
        seen=seen,
        make=lambda _run: (TableStep.Kind.CLOCK, data),
    )


def hand_over_turn(
    table: Table, player: int | None, *, now: datetime, ago: timedelta, submission: UUID
) -> None:
    """`player` None is a refill. `ago`: how long the phone kept the tap."""
    players = players_at_big_table(table)
    if player is not None and player not in players:
        raise Refused(
            _("This player does not sit at this table."), rule="table_tools.hand_over_turn"
        )
    at = to_milliseconds(now - min(max(ago, timedelta()), LONGEST_WAIT))

    def turn(run: TableRun) -> tuple[TableStep.Kind, dict[str, Any]]:
        if run.begun is None:
            raise Refused(_("No clock is set up at this table."), rule="table_tools.turn")
        moments = [event.at for event in clock_events(run)]
        return TableStep.Kind.TURN, {"player": player, "at": max([at, *moments[-1:]])}

    add_run_step(table, CLOCK, submission=submission, seen=None, make=turn)


def take_back_turn(table: Table, *, submission: UUID, seen: int) -> None:
    reporting.take_back_run_step(table, CLOCK, submission=submission, seen=seen)
