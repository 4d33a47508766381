"""The auction, move by move; the example is the regulation's."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules import auction
from big_league.rules.auction import TENTH, WHOLE, Auction, Bid, BidRefused, WonItem

A, B, C = 1, 2, 3
RACES = ("race 1", "race 2", "race 3", "race 4")


def begun(kind: str = "B", items: tuple[str, ...] = RACES, step: Decimal = WHOLE) -> Auction:
    return Auction(kind, (A, B, C), items, step)


def offered(state: Auction, *bids: tuple[int, str, object]) -> Auction:
    for player, item, amount in bids:
        state = auction.offer_bid(state, Bid(player, item, Decimal(str(amount))))
    return state


def test_big_6_1_2_the_example_of_the_regulation():
    state, movers = begun(), []
    for player, item, amount in [
        (A, "race 1", 0),
        (B, "race 1", 1),
        (C, "race 2", 0),
        (A, "race 4", 0),
    ]:
        movers.append(auction.player_to_move(state))
        assert auction.auction_outcome(state) == ()
        state = offered(state, (player, item, amount))
    assert movers == [A, B, C, A]
    assert auction.player_to_move(state) is None
    assert auction.auction_outcome(state) == (
        WonItem(B, "race 1", Decimal(1), 1),
        WonItem(C, "race 2", Decimal(0), 2),
        WonItem(A, "race 4", Decimal(0), 3),
    )


def test_big_6_1_the_next_minimum():
    state = offered(begun(), (A, "race 1", 3))
    assert [auction.next_minimum(state, item) for item in ("race 1", "race 2")] == [4, 0]
    state = offered(begun(step=TENTH), (A, "race 1", "0.3"))
    assert auction.next_minimum(state, "race 1") == Decimal("0.4")


def test_big_6_1_who_was_outbid_moves_when_his_turn_comes():
    state = offered(begun(), (A, "race 1", 0), (B, "race 1", 1), (C, "race 1", 2))
    assert auction.player_to_move(state) == A
    state = offered(state, (A, "race 2", 0))
    assert auction.player_to_move(state) == B
    state = offered(state, (B, "race 1", 3))
    assert auction.player_to_move(state) == C  # A has a bid that holds, and is passed over
    assert auction.player_to_move(offered(state, (C, "race 2", 1))) == A


@pytest.mark.parametrize(
    ("bid", "code"),
    [
        (Bid(C, "race 2", Decimal(0)), "not_your_turn"),
        (Bid(A, "race 2", Decimal(0)), "not_your_turn"),  # whose bid holds may not change it
        (Bid(B, "race 9", Decimal(0)), "unknown_item"),
        (Bid(B, "race 1", Decimal(2)), "too_low"),
        (Bid(B, "race 2", Decimal(-1)), "too_low"),
        (Bid(B, "race 1", Decimal("3.5")), "not_a_step"),
        (Bid(B, "race 1", Decimal("NaN")), "not_a_step"),
        (Bid(B, "race 1", Decimal(3)), ""),
        (Bid(B, "race 1", Decimal(30)), ""),
        (Bid(B, "race 2", Decimal(0)), ""),
    ],
)
def test_big_6_1_what_is_refused(bid, code):
    state = offered(begun(), (A, "race 1", 2))
    assert auction.bid_refusal(state, bid) == code
    if code:
        with pytest.raises(BidRefused, match=code):
            auction.offer_bid(state, bid)


def test_big_6_1_when_everybody_has_a_bid_it_is_over():
    state = offered(begun(), (A, "race 1", 0), (B, "race 2", 0), (C, "race 3", 0))
    assert auction.bid_refusal(state, Bid(A, "race 4", Decimal(0))) == "over"


def test_big_6_1_tenths_where_a_point_is_too_much():
    state = offered(
        begun("A", ("first", "second", "third"), TENTH), (A, "first", "0.1"), (B, "first", "0.2")
    )
    assert auction.bid_refusal(state, Bid(C, "first", Decimal("0.25"))) == "not_a_step"
    assert auction.bid_refusal(state, Bid(C, "first", Decimal("0.2"))) == "too_low"
    assert auction.bid_refusal(state, Bid(C, "first", Decimal("0.3"))) == ""


def test_big_6_1_a_move_typed_wrong_is_taken_back():
    state = offered(begun(), (A, "race 1", 0))
    assert auction.without_last_bid(offered(state, (B, "race 1", 9))) == state


def test_big_6_1_an_auction_needs_something_for_everybody():
    with pytest.raises(BidRefused, match="too_few_items"):
        begun(items=("race 1", "race 2"))


def test_big_6_1_1_the_seats_are_the_items():
    seats = ("first", "second", "third")
    state = offered(begun("A", seats), (A, "third", 0), (B, "first", 2), (C, "second", 0))
    assert [(won.player, won.seat, won.amount) for won in auction.auction_outcome(state)] == [
        (B, 1, 2),
        (C, 2, 0),
        (A, 3, 0),
    ]


def test_big_6_1_3_the_faction_alone_leaves_everybody_where_he_sits():
    state = offered(begun("C"), (A, "race 4", 0), (B, "race 1", 2), (C, "race 2", 0))
    assert [(w.player, w.item, w.seat) for w in auction.auction_outcome(state)] == [
        (A, "race 4", 1),
        (B, "race 1", 2),
        (C, "race 2", 3),
    ]


def test_big_6_1_one_who_wants_it_is_enough():
    assert auction.is_auction_held({A: False, B: True, C: False})
    assert not auction.is_auction_held({A: False, B: False, C: False})


def test_big_6_1_nobody_wants_it_and_they_sit_as_on_the_sheet():
    state = begun("A", ("first", "second", "third"))
    assert [(w.player, w.item, w.amount) for w in auction.without_auction(state)] == [
        (A, "first", 0),
        (B, "second", 0),
        (C, "third", 0),
    ]


def test_big_6_1_nobody_wants_it_and_they_choose_as_on_the_sheet():
    won = auction.without_auction(begun("B"), ("race 3", "race 1", "race 4"))
    assert [(w.player, w.item, w.seat) for w in won] == [
        (B, "race 1", 1),
        (A, "race 3", 2),
        (C, "race 4", 3),
    ]
    with pytest.raises(BidRefused, match="too_low"):
        auction.without_auction(begun("B"), ("race 3", "race 3", "race 4"))


@given(st.data())
def test_big_6_1_every_auction_ends_with_one_thing_for_each(data):
    players = tuple(range(1, data.draw(st.integers(2, 7)) + 1))
    items = tuple(f"item {n}" for n in range(len(players) + data.draw(st.integers(0, 2))))
    step = data.draw(st.sampled_from([WHOLE, TENTH]))
    state = Auction(data.draw(st.sampled_from("ABC")), players, items, step)
    spent = 0
    while (player := auction.player_to_move(state)) is not None:
        item = data.draw(st.sampled_from(items)) if spent < 12 else _free(state)
        extra = data.draw(st.integers(0, 3)) * step
        state = auction.offer_bid(
            state, Bid(player, item, auction.next_minimum(state, item) + extra)
        )
        spent += 1
    won = auction.auction_outcome(state)
    assert sorted(w.player for w in won) == list(players)
    assert len({w.item for w in won}) == len(players)
    assert [w.seat for w in won] == list(range(1, len(players) + 1))
    highest = {
        item: max(b.amount for b in state.moves if b.item == item)
        for item in {b.item for b in state.moves}
    }
    assert {w.item: w.amount for w in won} == highest


def _free(state: Auction) -> str:
    return next(item for item in state.items if item not in auction.standing_bids(state))
