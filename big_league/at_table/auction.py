"""The auction of a table, step by step, on the server: a phone that reloads, and any other, sees the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from big_league.rules.auction import (
    Auction,
    Bid,
    BidRefused,
    Kind,
    Won,
    next_minimum,
    offer,
    outcome,
    standing,
    to_move,
    without_auction,
)
from pergioco.players.refusal import Refused
from pergioco.stages import table_steps
from pergioco.stages.models import Table, TableStep
from pergioco.stages.table_steps import AUCTION, Run, go_on

MOST_ITEMS, LONGEST_ITEM = 20, 60
SENTENCES = {
    "over": _("The auction is over: everybody has a bid that holds."),
    "not_your_turn": _("It is somebody else's turn. Look at the page as it is now."),
    "unknown_item": _("Choose one of the things that are for auction."),
    "not_a_step": _("Bids rise by whole steps: see the least bid beside each thing."),
    "too_low": _("That bid is too low: see the least bid beside each thing."),
}


@dataclass(frozen=True)
class Begun:
    """What somebody typed to begin. Nobody wants an auction: things go for nothing, in the order of the score sheet."""

    kind: Kind
    items: tuple[str, ...]  # of kinds B and C; the seats of kind A name themselves
    step: Decimal
    is_wanted: bool = True


@dataclass(frozen=True)
class Lot:
    """One thing for auction, the bid that holds, and the least one that beats it."""

    item: str
    held: Bid | None
    least: Decimal


@dataclass(frozen=True)
class Shown:
    """An auction as it stands; `seen` goes back with the next step."""

    auction: Auction | None
    seen: int
    won: tuple[Won, ...] = ()

    @property
    def to_move(self) -> int | None:
        return to_move(self.auction) if self.auction and not self.won else None

    @property
    def lots(self) -> list[Lot]:
        if self.auction is None:
            return []
        held = standing(self.auction)
        return [Lot(item, held.get(item), next_minimum(self.auction, item)) for item in self.auction.items]

    @property
    def bids(self) -> dict[int, Decimal]:
        """What each player pays."""
        return {one.player: one.amount for one in self.won}


def read(table: Table) -> Shown:
    return shown(Run(table, AUCTION), players_at(table))


def shown(run: Run, players: Sequence[int]) -> Shown:
    """Of an auction that others began who sit there no more, nothing."""
    if run.begun is None or run.begun.data["players"] != list(players):
        return Shown(None, run.seen)
    data = run.begun.data
    moves = tuple(Bid(step.data["player"], step.data["item"], Decimal(step.data["amount"])) for step in run.moves)
    auction = Auction(data["kind"], tuple(players), tuple(data["items"]), Decimal(data["step"]), moves)
    return Shown(auction, run.seen, outcome(auction) if data["wanted"] else without_auction(auction))


def players_at(table: Table) -> list[int]:
    return list(table.seats.order_by("position").values_list("player", flat=True))


def begin(table: Table, begun: Begun, *, submission: UUID, seen: int) -> None:
    players = players_at(table)
    items = items_of(begun, len(players))

    def first(_run: Run) -> tuple[TableStep.Kind, dict[str, Any]]:
        return TableStep.Kind.AUCTION, {
            "kind": begun.kind,
            "players": players,
            "items": items,
            "step": str(begun.step),
            "wanted": begun.is_wanted,
        }

    go_on(table, AUCTION, submission=submission, seen=seen, make=first)


def items_of(begun: Begun, players: int) -> list[str]:
    if begun.kind == "A":
        return [str(seat) for seat in range(1, players + 1)]
    items = [item.strip()[:LONGEST_ITEM] for item in begun.items if item.strip()]
    if len(set(items)) < len(items):
        raise Refused(_("Two of the things for auction have the same name."), "items")
    if not players <= len(items) <= MOST_ITEMS:
        raise Refused(_("Write at least one thing for each player, one a line; twenty at most."), "items")
    return items


def bid(table: Table, item: str, amount: Decimal, *, submission: UUID, seen: int) -> None:
    """By whoever has to move."""

    def next_bid(run: Run) -> tuple[TableStep.Kind, dict[str, Any]]:
        now = shown(run, players_at(table))
        if now.auction is None:
            raise Refused(_("No auction is under way at this table."))
        made = Bid(now.to_move or 0, item, amount)
        try:
            offer(now.auction, made)
        except BidRefused as refusal:
            raise Refused(SENTENCES[str(refusal)], "amount") from None
        return TableStep.Kind.BID, {"player": made.player, "item": item, "amount": str(amount)}

    go_on(table, AUCTION, submission=submission, seen=seen, make=next_bid)


def take_back(table: Table, *, submission: UUID, seen: int) -> None:
    """The last bid, or the auction itself if there is none: somebody typed it wrong."""
    table_steps.take_back(table, AUCTION, submission=submission, seen=seen)
