"""The table page of a tournament of BIG (3, 4, 6.1, 7.2.2, 8.1)."""

from decimal import Decimal

import pytest

from pergioco.stages.models import Seat
from pergioco.stages.rules.table_state import State
from pergioco.stages.services import reporting
from tests.stages.table.at_the_table import Phone, seated, words


@pytest.fixture
def phone(db) -> Phone:
    return Phone(seated(4))


def placings(answer) -> list[tuple[str, int, int, Decimal]]:
    return [(row.name, row.place, row.sharing, row.points) for row in answer.context["placings"]]


def state(phone: Phone) -> State:
    return reporting.table_states(phone.draft)[phone.table.pk].state


def seat(player: int) -> Seat:
    return Seat.objects.get(player=player)


def test_it_opens_without_a_login_shows_the_score_sheet_and_is_never_kept(phone):
    answer = phone.page()
    assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex")
    assert "no-store" in answer["Cache-Control"]
    assert "Ada Bassi" in words(answer)
    assert "No scores yet" in words(answer)


def test_scores_sent_show_places_and_points_and_wait_for_everybody(phone):
    answer = phone.scores(82, 60, 43, 12)
    assert (answer.status_code, answer["Location"]) == (302, f"{phone.address}#confirm")
    assert placings(phone.page()) == [
        ("Ada Bassi", 1, 1, Decimal(1000)),
        ("Bice Conti", 2, 1, Decimal(611)),
        ("Carlo Dini", 3, 1, Decimal(403)),
        ("Dora Elmi", 4, 1, Decimal(200)),
    ]
    phone.confirm(*phone.players)
    assert state(phone) == State.CONFIRMED


def test_the_bid_is_taken_off(phone):
    a, b, *_rest = phone.players
    phone.scores(60, "58,5", 43, 12, **{f"bid-{a}": "2", f"bid-{b}": "0.1"})
    assert [(row.name, row.net) for row in phone.page().context["placings"]][:2] == [
        ("Bice Conti", Decimal("58.4")),
        ("Ada Bassi", Decimal(58)),
    ]


def test_who_has_the_same_score_is_asked_about_once_then_shares_the_place(phone):
    asked = phone.scores(82, 60, 60, 12)
    assert (asked.status_code, asked.context["form"].tied) == (200, [phone.players[1:3]])
    assert state(phone) == State.MISSING
    phone.scores(82, 60, 60, 12, asked=asked.context["form"].question)
    assert [(row[1], row[2], row[3]) for row in placings(phone.page())] == [
        (1, 1, Decimal(1000)),
        (2, 2, Decimal(507)),
        (2, 2, Decimal(507)),
        (4, 1, Decimal(200)),
    ]


def test_the_tie_break_of_the_game_parts_them(phone):
    _a, b, c, _d = phone.players
    phone.scores(82, 60, 60, 12, asked=f"{b},{c}", **{f"tie-{b}": 2, f"tie-{c}": 1})
    assert [(row[0], row[1]) for row in placings(phone.page())][1:3] == [
        ("Carlo Dini", 2),
        ("Bice Conti", 3),
    ]


def test_who_runs_out_of_time_is_last_and_the_later_one_stands_before(phone):
    a, b, *_rest = phone.players
    phone.scores(99, 98, 43, 12, **{f"end-{a}": "1", f"end-{b}": "2"})
    assert [row[0] for row in placings(phone.page())] == [
        "Carlo Dini",
        "Dora Elmi",
        "Bice Conti",
        "Ada Bassi",
    ]
    assert (seat(a).timed_out, seat(b).timed_out) == (True, True)
    form = phone.page().context["form"]
    assert (form[f"end-{a}"].value(), form[f"end-{b}"].value()) == ("1", "2")


def test_who_left_the_table_needs_no_score(phone):
    *_rest, d = phone.players
    phone.scores(82, 60, 43, "", **{f"end-{d}": "quit"})
    assert (seat(d).kind, seat(d).outcome, seat(d).score) == ("quit", "loss", None)


def test_what_is_missing_is_named_and_nothing_typed_is_lost(phone):
    answer = phone.scores(82, "", "many", 12)
    assert answer.status_code == 422
    assert "The score of Bice Conti is missing." in words(answer)
    assert "Write the points as a number: 82 or 82.5." in words(answer)
    assert 'value="many"' in answer.content.decode()
    assert state(phone) == State.MISSING


def test_to_look_at_the_places_writes_nothing(phone):
    answer = phone.scores(82, 60, 43, 12, act="check")
    assert "place 2 · 611 points" in words(answer)
    assert state(phone) == State.MISSING


def test_two_phones_are_shown_both_values(phone):
    phone.scores(82, 60, 43, 12)
    answer = phone.scores(82, 60, 44, 12, version=0)
    assert answer.status_code == 409
    assert [row.net for row in answer.context["placings"]] == [82, 60, 43, 12]
    assert 'value="44"' in answer.content.decode()
    form = answer.context["form"]
    phone.scores(82, 60, 44, 12, version=form["version"].value())
    assert [row.net for row in phone.page().context["placings"]] == [82, 60, 44, 12]


def test_a_table_suspended_shares_all_places(phone):
    phone.send("suspend", version=0)
    assert [(row[1], row[2], row[3]) for row in placings(phone.page())] == [
        (1, 4, Decimal("553.5"))
    ] * 4


def test_a_call_for_the_referee_is_shown_to_the_table(phone):
    phone.scores(82, 60, 43, 12)
    assert phone.send("dispute", reason="").status_code == 422
    phone.send("dispute", reason="The last card")
    assert (state(phone), "The last card" in phone.text()) == (State.DISPUTED, True)


def test_once_the_next_round_has_started_the_page_says_who_corrects(phone):
    phone.scores(82, 60, 43, 12)
    phone.draft.rounds.create(number=2)
    assert "Round 2 has started: only the referee can now correct table 1." in phone.text()
    assert phone.scores(82, 60, 44, 12).status_code == 422
    assert seat(phone.players[2]).score == 43


def test_after_the_results_are_closed_the_page_leads_to_them(phone):
    phone.draft.stage.status = "closed"
    phone.draft.stage.save()
    answer = phone.page()
    assert (answer.status_code, phone.draft.stage.slug in answer.content.decode()) == (410, True)


def test_an_address_that_nobody_signed_is_not_found(phone):
    assert phone.client.get(phone.address.replace("/t/", "/t/9")).status_code == 404


def test_very_many_steps_within_a_minute_are_refused_with_a_sentence(phone, monkeypatch):
    monkeypatch.setattr("pergioco.stages.views.table.PER_TABLE", "1/m/key")
    assert [phone.send("dispute", reason="a").status_code for _time in range(2)] == [302, 429]


# The auction


def bid(phone: Phone, item: str, amount: str) -> int:
    return phone.send(
        "bid", item=item, amount=amount, seen=phone.page().context["auction"].seen
    ).status_code


def test_an_auction_for_seats_ends_in_bids_that_are_taken_off(phone):
    phone.send("auction", kind="A", step="1", seen=0)
    a, b, c, d = phone.players
    assert [
        bid(phone, *one) for one in (("1", "0"), ("1", "1"), ("2", "0"), ("3", "0"), ("4", "0"))
    ] == [302] * 5
    shown = phone.page().context["auction"]
    assert [(one.player, one.item, one.amount, one.seat) for one in shown.won] == [
        (b, "1", 1, 1),
        (c, "2", 0, 2),
        (d, "3", 0, 3),
        (a, "4", 0, 4),
    ]
    assert phone.page().context["form"][f"bid-{b}"].value() == 1


def test_an_auction_for_factions_tells_who_has_to_move_and_the_least_bid(phone):
    phone.send(
        "auction",
        kind="B",
        step="0.1",
        items="Witches\nGiants\nAlchemists\nNomads\nMermaids",
        seen=0,
    )
    assert bid(phone, "Giants", "0.5") == 302
    answer = phone.page()
    assert answer.context["to_move"] == "Bice Conti"
    assert [(lot.item, lot.least) for lot, _name in answer.context["lots"]][:2] == [
        ("Witches", 0),
        ("Giants", Decimal("0.6")),
    ]
    assert bid(phone, "Giants", "0.5") == 422
    assert bid(phone, "Giants", "0.65") == 422
    assert bid(phone, "Dwarves", "1") == 422


def test_in_kind_c_everybody_stays_where_the_score_sheet_put_him(phone):
    phone.send("auction", kind="C", step="1", items="Gizah\nRhodos\nBabylon\nEphesos", seen=0)
    for item in ("Rhodos", "Gizah", "Ephesos", "Babylon"):
        bid(phone, item, "0")
    assert [one.player for one in phone.page().context["auction"].won] == phone.players


def test_nobody_wants_an_auction_and_seats_go_in_the_order_of_the_score_sheet(phone):
    phone.send("auction", kind="A", step="1", seen=0, nobody="on")
    won = phone.page().context["auction"].won
    assert [(one.player, one.amount) for one in won] == [(player, 0) for player in phone.players]


def test_the_last_step_of_an_auction_is_taken_back_and_so_is_the_auction(phone):
    phone.send("auction", kind="A", step="1", seen=0)
    bid(phone, "1", "5")
    for left in (0, None):
        seen = phone.page().context["auction"].seen
        assert phone.send("auction-back", seen=seen).status_code == 302
        now = phone.page().context["auction"].auction
        assert (len(now.moves) if now else None) == left
    assert phone.send("auction-back", seen=phone.page().context["auction"].seen).status_code == 422


def test_of_two_phones_that_bid_at_once_one_is_told(phone):
    phone.send("auction", kind="A", step="1", seen=0)
    seen = phone.page().context["auction"].seen
    answers = [
        phone.send("bid", item=item, amount="0", seen=seen).status_code for item in ("1", "2")
    ]
    assert answers == [302, 409]


def test_things_for_auction_have_names_of_their_own_and_are_enough(phone):
    for items in ("One\nTwo\nThree", "One\nTwo\nTwo\nThree"):
        answer = phone.send("auction", kind="B", step="1", items=items, seen=0)
        assert (answer.status_code, "Two" in answer.content.decode()) == (422, True)


# The clock


def test_one_tap_hands_the_clock_over_and_a_refill_costs_nobody(phone, time_machine_at):
    a, b, *_rest = phone.players
    with time_machine_at(0):
        phone.send("clock", minutes=20, refills=10, seen=0)
        phone.send("turn", player=a)
    with time_machine_at(60):
        phone.send("turn", player=b)
    with time_machine_at(90):
        phone.send("turn", player="")
    with time_machine_at(500):
        times = {time["sitter"].player: time["words"] for time in phone.page().context["times"]}
    assert (times[a], times[b]) == ("19:00", "19:30")


def test_a_tap_that_waited_for_the_network_counts_from_when_it_was_made(phone, time_machine_at):
    a, b, *_rest = phone.players
    with time_machine_at(0):
        phone.send("clock", minutes=20, refills=10, seen=0)
        phone.send("turn", player=a)
    with time_machine_at(300):
        phone.send("turn", player=b, ago=240_000)
        times = {time["sitter"].player: time["words"] for time in phone.page().context["times"]}
    assert (times[a], times[b]) == ("19:00", "16:00")


def test_who_runs_out_of_time_stands_so_in_the_scores(phone, time_machine_at):
    a, *_rest = phone.players
    with time_machine_at(0):
        phone.send("clock", minutes=1, refills=0, seen=0)
        phone.send("turn", player=a)
    with time_machine_at(61):
        answer = phone.page()
        assert (
            answer.context["times"][0]["is_out"],
            answer.context["form"][f"end-{a}"].value(),
        ) == (True, "1")
    with time_machine_at(241):
        assert phone.page().context["clock"].is_over is True


def test_the_last_tap_is_taken_back(phone, time_machine_at):
    a, b, *_rest = phone.players
    with time_machine_at(0):
        phone.send("clock", minutes=20, refills=10, seen=0)
        phone.send("turn", player=a)
        phone.send("turn", player=b)
        phone.send("clock-back", seen=phone.page().context["clock"].seen)
        assert phone.page().context["clock"].clock.running == a
