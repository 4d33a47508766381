"""Chapter 2: box bringers first where seats are limited, then by time."""

from datetime import UTC, datetime, timedelta

from big_league.rules.events import Applicant, WaitingLine, order_applicants

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)


def asked(*boxes):
    """One a minute, in this order; True brings a box."""
    return [
        Applicant(number, box, NOON + timedelta(minutes=number))
        for number, box in enumerate(boxes, 1)
    ]


def test_big_2_without_a_limit_everybody_has_a_seat_in_the_order_of_asking():
    assert order_applicants(asked(False, True, False), None) == WaitingLine((1, 2, 3), ())


def test_big_2_boxes_come_first_where_seats_are_limited_then_time():
    assert order_applicants(asked(False, False, True, True), 3) == WaitingLine((3, 4, 1), (2,))


def test_big_2_those_of_one_moment_keep_the_order_in_which_they_were_written():
    rows = [Applicant(number, False, NOON) for number in (2, 1, 3)]
    assert order_applicants(rows, 2) == WaitingLine((1, 2), (3,))


def test_big_2_the_waiting_list_counts_from_one_and_a_seat_is_no_place_in_it():
    line = order_applicants(asked(False, False, False, False), 2)
    assert [line.place_of(number) for number in (1, 2, 3, 4)] == [0, 0, 1, 2]


def test_big_2_no_seat_at_all_is_a_limit_too():
    assert order_applicants(asked(True), 0) == WaitingLine((), (1,))
