"""The table page of a RisiKo! Master."""

import pytest

from pergioco.stages.models import Seat
from pergioco.stages.rules.table_state import State
from pergioco.stages.services import reporting
from tests.stages.table.at_the_table import Phone, seated, words


@pytest.fixture
def phone(db) -> Phone:
    return Phone(seated(4, circuit="rkm"))


def placings(answer) -> list[tuple[str, int, int]]:
    return [(row.name, row.place, row.points) for row in answer.context["placings"]]


def state(phone: Phone) -> State:
    return reporting.table_states(phone.draft)[phone.table.pk].state


def test_table_points_become_ranking_points(phone):
    phone.scores(39, 45, 21, 30)
    assert placings(phone.page()) == [
        ("Bice Conti", 1, 1045),
        ("Ada Bassi", 2, 39),
        ("Dora Elmi", 3, 30),
        ("Carlo Dini", 4, 21),
    ]
    phone.confirm(*phone.players)
    assert state(phone) == State.CONFIRMED


def test_a_table_of_five_weighs_more(db):
    phone = Phone(seated(5, circuit="rkm"))
    phone.scores(45, 21, 20, 19, 18)
    assert [points for _name, _place, points in placings(phone.page())][:2] == [1057, 27]


def test_risiko_made_needs_no_points_and_only_one_player_makes_it(phone):
    a, b, *_rest = phone.players
    phone.scores(39, "", 21, 30, **{f"made-{b}": "on"})
    assert placings(phone.page())[0] == ("Bice Conti", 1, 1100)
    answer = phone.scores(39, 45, 21, 30, **{f"made-{a}": "on", f"made-{b}": "on"})
    assert "Only one player makes RisiKo! at a table." in words(answer)


def test_more_points_than_there_are_are_refused_with_a_sentence(phone):
    answer = phone.scores(91, 45, 21, 30)
    assert (answer.status_code, state(phone)) == (422, State.MISSING)
    assert "91 points? The most for this table is 86. Check the sheet." in words(answer)
    assert 'value="91"' in answer.content.decode()


def test_what_decides_a_tie_is_asked_only_of_those_who_tie(phone):
    assert "Outside the objective" not in phone.text()
    answer = phone.scores(45, 45, 21, 30)
    assert (answer.status_code, answer.context["form"].tied) == (200, [phone.players[:2]])
    assert words(answer).count("Outside the objective") == 2
    assert state(phone) == State.MISSING


def test_points_outside_the_objective_decide(phone):
    a, b, *_rest = phone.players
    phone.scores(45, 45, 21, 30, asked=f"{a},{b}", **{f"off-{a}": 3, f"off-{b}": 7})
    assert placings(phone.page())[:2] == [("Bice Conti", 1, 1045), ("Ada Bassi", 2, 45)]


def test_then_whoever_plays_later_and_the_seats_follow_the_order_of_play(phone):
    a, b, c, d = phone.players
    more = {f"off-{a}": 3, f"off-{b}": 3, f"order-{a}": 4, f"order-{b}": 2}
    phone.scores(45, 45, 21, 30, asked=f"{a},{b}", **more)
    assert placings(phone.page())[0] == ("Ada Bassi", 1, 1045)
    assert list(Seat.objects.order_by("position").values_list("player", flat=True)) == [b, a, c, d]


def test_answers_that_do_not_decide_are_asked_for_again(phone):
    a, b, *_rest = phone.players
    missing = phone.scores(45, 45, 21, 30, asked=f"{a},{b}", **{f"off-{a}": 3})
    same = phone.scores(45, 45, 21, 30, asked=f"{a},{b}", **{f"off-{a}": 3, f"off-{b}": 3})
    assert "Write the points outside the objective: 0 if there are none." in words(missing)
    assert "Say in which order they play: the last one stands before." in words(same)
    assert state(phone) == State.MISSING


def test_it_has_neither_an_auction_nor_a_clock_of_its_own(phone):
    assert phone.send("auction", kind="A", step="1", seen=0).status_code == 422
    assert "Auction" not in phone.text()
