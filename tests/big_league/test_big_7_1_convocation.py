"""Answers in time, and who has a seat. Players 1 to 4 are called, 5 to 8 are reserves, nobody
called 20 and after."""

from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.convocation import Answer, Called, Final, order_requests, seat_by_answers

SEATS = 4
OPENED = (0, "opened")


def final(seats: int = SEATS, first: int = SEATS, reserves: int = 4, **settings) -> Final:
    lines = [Called(n, n, n > first, "points", False) for n in range(1, first + reserves + 1)]
    return Final(seats, tuple(lines), **settings)


def after(*said: tuple[int, str], of: Final | None = None):
    return seat_by_answers(
        of or final(), [Answer(at, what, player) for at, (player, what) in enumerate(said)]
    )


def test_big_7_1_the_called_are_seated_at_once_and_reserves_wait():
    made = after((5, "yes"), (2, "yes"), (1, "yes"))
    assert (made.seated, made.waiting, made.held) == ({2: "called", 1: "called"}, (5,), (3, 4))
    assert (made.free, made.is_open) == (0, False)


def test_big_7_1_a_seat_declined_early_waits_for_the_second_mail():
    made = after((5, "yes"), (1, "no"))
    assert (made.seated, made.waiting, made.declined, made.held, made.free) == (
        {},
        (5,),
        (1,),
        (2, 3, 4),
        1,
    )


def test_big_7_1_at_the_second_mail_early_reserves_enter_by_the_time_of_their_answer():
    made = after((7, "yes"), (5, "yes"), (1, "yes"), (2, "yes"), (6, "yes"), OPENED)
    assert made.seated == {1: "called", 2: "called", 7: "early_reserve", 5: "early_reserve"}
    assert (made.waiting, made.held, made.free) == ((6,), (), 0)


def test_big_7_1_or_by_the_ranking_where_that_is_set():
    said = ((7, "yes"), (5, "yes"), (1, "yes"), (2, "yes"), (6, "yes"), OPENED)
    made = after(*said, of=final(early_order="ranking"))
    assert (list(made.seated), made.waiting) == ([1, 2, 5, 6], (7,))


def test_big_7_1_after_the_second_mail_whoever_answers_first():
    made = after((1, "yes"), OPENED, (8, "yes"), (3, "yes"), (6, "yes"), (2, "yes"))
    # 2 was called, and answered too late
    assert (list(made.seated), made.waiting) == (
        [1, 8, 3, 6],
        (2,),
    )
    assert made.seated[3] == made.seated[8] == "answered"


def test_big_7_1_who_declines_late_gives_the_seat_to_the_next_in_the_line():
    made = after(
        (1, "yes"), (2, "yes"), (3, "yes"), (4, "yes"), (6, "yes"), (5, "yes"), OPENED, (2, "no")
    )
    assert (list(made.seated), made.waiting, made.declined) == ([1, 3, 4, 6], (5,), (2,))


def test_big_7_1_who_changes_his_mind_before_the_second_mail_keeps_his_right():
    assert after((1, "no"), (5, "yes"), (1, "yes"), OPENED).seated == {
        1: "called",
        5: "early_reserve",
    }


def test_big_7_1_who_changes_his_mind_after_it_stands_at_the_end():
    said = (
        (1, "yes"),
        (2, "yes"),
        (3, "yes"),
        (4, "yes"),
        OPENED,
        (5, "yes"),
        (2, "no"),
        (6, "yes"),
        (2, "yes"),
    )
    made = after(*said)
    assert (list(made.seated), made.waiting) == ([1, 3, 4, 5], (6, 2))


def test_big_7_1_a_reserve_who_took_it_back_counts_from_the_new_answer():
    made = after((5, "yes"), (6, "yes"), (5, "no"), (5, "yes"), (7, "yes"), (6, "yes"))
    assert made.waiting == (6, 5, 7)


def test_big_7_1_outsiders_come_last():
    said = ((20, "yes"), (20, "granted"), (1, "yes"), (2, "yes"), (3, "yes"), (5, "yes"), OPENED)
    made = after(*said, (20, "granted"))
    assert (list(made.seated), made.asking) == ([1, 2, 3, 5], (20,))
    made = after(*said, (5, "no"), (20, "granted"), (21, "granted"))
    assert (made.seated, made.asking, made.free) == (
        {1: "called", 2: "called", 3: "called", 20: "granted"},
        (21,),
        0,
    )


def test_big_7_1_what_was_granted_is_kept():
    made = after(OPENED, (20, "yes"), (20, "granted"), *((n, "yes") for n in range(1, 6)))
    assert (list(made.seated), made.waiting) == ([20, 1, 2, 3], (4, 5))


def test_big_7_1_outsiders_may_take_their_request_back():
    assert after((20, "yes"), (20, "no")).asking == ()
    made = after(OPENED, (20, "yes"), (20, "granted"), (20, "no"))
    assert (made.seated, made.declined, made.free) == ({}, (), SEATS)


def test_big_7_1_nothing_is_granted_to_those_who_were_called():
    assert after(OPENED, (5, "granted")).seated == {}


def test_big_7_1_more_seats_than_called():
    made = after((5, "yes"), (1, "yes"), of=final(seats=6))
    assert (list(made.seated), made.waiting, made.free) == ([1], (5,), 2)
    assert after((5, "yes"), OPENED, (6, "yes"), of=final(seats=6)).free == 4


def test_big_7_1_fewer_seats_than_called_are_never_oversold():
    made = after(*((n, "yes") for n in range(1, 5)), of=final(seats=2))
    assert (list(made.seated), made.waiting) == ([1, 2], (3, 4))
    assert after(of=final(seats=2)).free == 0


def test_big_7_1_the_second_mail_counts_once():
    said = ((5, "yes"), OPENED, (6, "yes"), (1, "yes"), (2, "yes"), (3, "yes"))
    assert after(*said, OPENED) == after(*said)


def test_big_7_1_requests_from_outside_by_ranking_then_by_time():
    assert order_requests([30, 22, 31, 21], [20, 21, 22]) == (21, 22, 30, 31)


SAYING = st.one_of(
    st.tuples(st.integers(1, 8), st.sampled_from(["yes", "yes", "no"])),
    st.tuples(st.integers(20, 22), st.sampled_from(["yes", "no", "granted"])),
)


@st.composite
def courses(draw):
    said = draw(st.lists(SAYING, max_size=30))
    where = draw(st.one_of(st.none(), st.integers(0, len(said))))
    if where is not None:
        said.insert(where, OPENED)
    return draw(st.integers(1, 7)), draw(st.sampled_from(["time", "ranking"])), said


@given(courses())
def test_big_7_1_in_whatever_order_the_answers_come(course):
    seats, early_order, said = course
    of = final(seats, early_order=early_order)
    before = after(of=of)
    for number, (player, what) in enumerate(said, 1):
        made = after(*said[:number], of=of)
        groups = [*made.seated, *made.waiting, *made.declined, *made.asking, *made.held]
        assert len(made.seated) <= seats
        assert len(groups) == len(set(groups))
        assert set(before.seated) - set(made.seated) <= ({player} if what == "no" else set())
        if made.is_open:
            assert not (made.free and made.waiting)
            assert made.free == seats - len(made.seated)
        else:
            assert all(one in range(1, 5) for one in made.seated)
        new = [one for one in made.seated if one not in before.seated]
        line = [one for one in (*before.waiting, player) if one != player or what != "no"]
        if what in ("yes", "no"):
            assert new == line[: len(new)] or new == [player]
        if what == "granted":
            assert new in ([], [player])
            assert not new or made.is_open
        before = made


@given(courses())
def test_big_7_1_early_answers_of_those_called_are_a_right(course):
    _seats, early_order, said = course
    early = said[: said.index(OPENED)] if OPENED in said else said
    made = after(*early, of=final(early_order=early_order))
    last = {player: what for player, what in early if player <= SEATS}
    assert set(made.seated) == {player for player, what in last.items() if what == "yes"}
    assert made.held == tuple(player for player in range(1, SEATS + 1) if player not in last)


@given(st.permutations(range(1, 65)), st.integers(0, 64))
def test_big_7_1_sixty_four_answers_fill_exactly_the_seats(order, where):
    said = [(player, "yes") for player in order]
    said.insert(where, OPENED)
    made = after(*said, of=final(32, 32, 32))
    early, late = order[:where], order[where:]
    firsts = [p for p in early if p <= 32]
    assert list(made.seated) == [*firsts, *[p for p in early if p > 32], *late][:32]
