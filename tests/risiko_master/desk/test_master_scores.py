"""The sheet of a table at the desk: level points are asked for, what cannot be is said, nobody is
overwritten."""

from decimal import Decimal
from uuid import uuid4

import pytest

from pergioco.stages.models import Change, Seat
from pergioco.stages.services import reporting
from tests.risiko_master.desk.master_day import MasterDay

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def day():
    made = MasterDay(players=8, clubs=())
    made.begin()
    return made


def text(answer):
    return " ".join(answer.content.decode().split())


def players_of(day, number=1):
    return [seat.player_id for seat in day.tables(1)[number - 1].seats.all()]


def on_file(day, number=1):
    rows = Seat.objects.filter(table=day.tables(1)[number - 1]).order_by("position")
    return [(seat.player_id, seat.score, seat.off_objective, seat.objective_made) for seat in rows]


def test_points_are_saved_in_one_step(day):
    first, second, third, fourth = players_of(day)
    assert day.sheet(1, 1, [45, 39, 20, 0]).status_code == 302
    points = (Decimal(45), Decimal(39), Decimal(20), Decimal(0))
    assert on_file(day) == [
        (p, score, None, False)
        for p, score in zip((first, second, third, fourth), points, strict=True)
    ]


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([91, 39, 20, 0], "91 points? The most for this table is 86. Check the sheet."),
        (["", 39, 20, 0], "are missing."),
        (["ten", 39, 20, 0], "“ten” is no number of points."),
        (["-1", 39, 20, 0], "“-1” is no number of points."),
    ],
)
def test_what_cannot_be_is_said_and_what_was_typed_stays(day, points, sentence):
    answer = day.sheet(1, 1, points)
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert [row.points for row in answer.context["rows"]] == [str(one) for one in points]
    assert {score for _player, score, *_rest in on_file(day)} == {None}


def test_rkm_table_level_points_ask_first_what_is_outside_the_objective_then_the_order(day):
    first, second, _third, _fourth = players_of(day)
    asked = day.sheet(1, 1, [45, 45, 20, 0])
    assert [(row.asks_off, row.asks_order) for row in asked.context["rows"]] == [
        (True, False)
    ] * 2 + [(False, False)] * 2
    off = {f"off-{first}": "7", f"off-{second}": "7"}
    asked = day.sheet(1, 1, [45, 45, 20, 0], **off)
    assert [row.asks_order for row in asked.context["rows"]] == [True, True, False, False]
    order = {f"order-{first}": "4", f"order-{second}": "1"}
    assert day.sheet(1, 1, [45, 45, 20, 0], **off, **order).status_code == 302
    assert [player for player, *_rest in on_file(day)] == [second, *players_of(day)[1:3], first]
    (card, _other) = day.get().context["room"].cards
    assert [seat.is_winner for seat in card.seats] == [False, False, False, True]


def test_who_makes_risiko_needs_no_points(day):
    first = players_of(day)[0]
    day.sheet(1, 1, ["", 39, 20, 0], **{f"made-{first}": "on"})
    (card, _other) = day.get().context["room"].cards
    assert [(seat.told, seat.points) for seat in card.seats[:2]] == [
        ("RisiKo!", "1.100"),
        ("39", "0.039"),
    ]


def test_sent_twice_it_is_written_once(day):
    key = str(uuid4())
    for _time in range(2):
        day.sheet(1, 1, [45, 39, 20, 0], submission=key)
    assert Change.objects.filter(what="scores").count() == 1


def test_of_two_desks_the_slower_one_sees_both_sheets(day):
    day.sheet(1, 1, [45, 39, 20, 0])
    answer = day.sheet(1, 1, [46, 39, 20, 0], version="0")
    assert answer.status_code == 409
    assert [row.points for row in answer.context["rows"]] == ["46", "39", "20", "0"]
    assert [row.points for row in answer.context["on_file"]] == ["45", "39", "20", "0"]
    assert on_file(day)[0][1] == 45


def test_after_the_next_draw_only_the_referees_word_changes_a_sheet(day):
    day.play(1)
    day.post("draws/2/", step="draw")
    refused = day.sheet(1, 1, [50, 39, 20, 0])
    assert refused.status_code == 422
    assert "only the referee" in text(refused)
    assert day.sheet(1, 1, [50, 39, 20, 0], reason="the sheet says 50").status_code == 302
    assert on_file(day)[0][1] == 50


def test_what_a_phone_sent_stands_in_the_room(day):
    table = day.tables(1)[0]
    results = [
        reporting.Result(seat.player_id, score=Decimal(10 * seat.position))
        for seat in table.seats.all()
    ]
    reporting.report_scores(table, results, submission=uuid4(), version=table.version)
    card, other = day.get().context["room"].cards
    assert (card.is_sent, str(card.words), other.is_sent) == (True, "sent", False)


def test_a_table_that_is_not_there_is_not_found(day):
    assert day.get("games/1/9/").status_code == 404
    assert day.get("games/2/1/").status_code == 404
