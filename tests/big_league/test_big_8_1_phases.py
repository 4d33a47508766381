"""Rounds and final phases: every printed row of chapter 8, and every number beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from big_league.rules import phases
from big_league.rules.phases import PHASE_EDITIONS, Advice, NoShape, Opening, Record

EDITION = PHASE_EDITIONS.in_force(2026)
TWO, THREE, FOUR = EDITION.finals["two"], EDITION.finals["three"], EDITION.finals["four"]
SEMIFINALS = ("semifinal", 0, 4)
QUARTERS = {
    4: SEMIFINALS,
    5: ("quarterfinal", 3, 2),
    6: ("quarterfinal", 2, 4),
    7: ("quarterfinal", 1, 6),
}
QUARTERS |= {8: ("quarterfinal", 0, 8), 9: ("last_16", 7, 2), 10: ("last_16", 6, 4)}


def begins(shape, participants, qualified):
    made = phases.plan_opening(shape, participants=participants, qualified=qualified)
    return (made.phase, made.straight, made.playing), made.is_printed


@pytest.mark.parametrize(
    ("kind", "least", "most", "rounds", "before_final"),
    [
        ("two", 6, 8, 3, 2),
        ("two", 9, 16, 4, 3),
        ("two", 17, 32, 5, 4),
        ("two", 33, 48, 6, 5),
        ("three", 6, 9, 2, 0),
        ("three", 10, 27, 3, 2),
        ("three", 28, 60, 4, 3),
        ("four", 6, 16, 2, 0),
        ("four", 17, 80, 3, 0),
    ],
)
def test_big_8_1_printed_rows_of_rounds(kind, least, most, rounds, before_final):
    for players in range(least, most + 1):
        assert phases.recommend_rounds(players, kind, EDITION) == Advice(
            rounds, before_final, False, True
        )


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_big_8_1_3_four_to_seven_at_a_table_are_one_kind(seats):
    assert (phases.game_kind(2), phases.game_kind(3), phases.game_kind(seats)) == (
        "two",
        "three",
        "four",
    )


def test_big_8_1_1_outside_the_rows_the_nearest_one_holds_and_is_called_so():
    assert phases.recommend_rounds(60, "two", EDITION) == Advice(
        6, 5, is_round_robin=False, is_printed=False
    )
    assert phases.recommend_rounds(5, "two", EDITION) == Advice(
        3, 2, is_round_robin=False, is_printed=False
    )


def test_big_8_1_1_four_players_meet_each_other():
    assert phases.recommend_rounds(4, "two", EDITION) == Advice(
        3, 2, is_round_robin=True, is_printed=False
    )
    assert not phases.recommend_rounds(4, "four", EDITION).is_round_robin


def test_big_8_1_2_and_3_some_games_ask_for_one_round_more():
    assert phases.recommend_rounds(16, "four", EDITION, extra=1) == Advice(3, 0, False, True)
    assert phases.recommend_rounds(12, "three", EDITION, extra=1) == Advice(4, 3, False, True)


@pytest.mark.parametrize(
    ("least", "most", "rounds", "cases"),
    [
        (7, 8, 3, (4,)),
        (9, 10, 3, (4, 5, 6)),
        (11, 12, 3, (5, 6, 7)),
        (13, 14, 3, (6, 7, 8)),
        (15, 16, 3, (8,)),
        (17, 18, 4, (5, 6, 7)),
        (19, 20, 4, (6, 7)),
        (21, 22, 4, (6, 7, 8)),
        (23, 24, 4, (7, 8)),
        (25, 26, 4, (6, 7, 8)),
        (27, 28, 4, (8, 9)),
        (29, 32, 4, (9, 10)),
    ],
)
def test_big_8_1_1_printed_rows_of_the_finals(least, most, rounds, cases):
    for participants in range(least, most + 1):
        assert phases.qualifying_rounds(TWO, participants) == ((rounds,), True)
        for qualified in range(1, 11):
            shape, is_printed = begins(TWO, participants, qualified)
            assert is_printed == (qualified in cases)
            assert shape == QUARTERS.get(qualified, shape)


def test_big_8_1_1_six_players():
    assert phases.qualifying_rounds(TWO, 6) == ((3,), True)
    assert begins(TWO, 6, 1) == (("champion", 1, 0), True)
    assert begins(TWO, 6, 3) == (("semifinal", 1, 2), True)
    assert begins(TWO, 6, 4) == (SEMIFINALS, False)  # a case outside the table


@pytest.mark.parametrize("participants", [33, 40, 48, 70])
def test_big_8_1_1_from_thirty_three_on_by_the_number_of_qualified(participants):
    assert phases.qualifying_rounds(TWO, participants) == ((4,), True)
    assert [begins(TWO, participants, q)[1] for q in (10, 11, 15, 16)] == [False, True, True, False]
    assert begins(TWO, participants, 11)[0] == ("last_16", 5, 6)
    assert begins(TWO, participants, 15)[0] == ("last_16", 1, 14)


@given(st.integers(2, 200))
def test_big_8_1_1_any_number_of_qualified_leaves_a_power_of_two(qualified):
    made = phases.plan_bracket(qualified, is_printed=False)
    after = made.straight + made.tables
    assert (made.straight + made.playing, made.playing) == (qualified, 2 * made.tables)
    assert after & (after - 1) == 0
    assert after < qualified <= 2 * after


def test_big_8_1_1_nobody_qualified():
    with pytest.raises(NoShape):
        phases.plan_bracket(0, is_printed=False)


def records(*scores: str) -> list[Record]:
    return [Record(n, score.count("w"), score.count("d")) for n, score in enumerate(scores, 1)]


def test_big_8_1_1_who_lost_once_is_through_and_a_draw_is_a_win():
    field = records("www", "wwd", "wwl", "wdl", "wll", "wll", "lll")
    assert phases.through_by_losses(TWO, field, rounds=3) == (1, 2, 3, 4)


def test_big_8_1_1_of_six_one_with_three_wins_is_champion_at_once():
    assert phases.through_by_losses(
        TWO, records("www", "wwl", "wwl", "wll", "wll", "lll"), rounds=3
    ) == (1,)
    assert phases.through_by_losses(
        TWO, records("wwl", "wwl", "wwl", "wll", "wll", "wll"), rounds=3
    ) == (1, 2, 3)
    assert phases.through_by_losses(
        TWO, records("wwd", "wwd", "wwl", "wll", "wll", "lll"), rounds=3
    ) == (1, 2, 3)
    assert phases.through_by_losses(TWO, records("www", *["wwl"] * 3, *["wll"] * 3), rounds=3) == (
        1,
        2,
        3,
        4,
    )


@pytest.mark.parametrize(
    ("code", "last"),
    [("three", 60), ("dominion", 48)],
    ids=["8.1.2", "8.3.5, the same rows without an open end"],
)
def test_big_8_1_2_printed_rows_of_the_finals(code, last):
    shape = EDITION.finals[code]
    rows = [
        (6, 6, 2, 3),
        (7, 12, 3, 3),
        (13, 24, 3, 9),
        (25, 27, 3, 7),
        (28, 33, 3, 9),
        (34, last, 4, 9),
    ]
    for least, most, rounds, qualified in rows:
        for participants in range(least, most + 1):
            assert phases.qualifying_rounds(shape, participants) == ((rounds,), True)
            assert begins(shape, participants, qualified)[1]
    assert begins(shape, 12, 3)[0] == ("final", 0, 3)
    assert begins(shape, 24, 9)[0] == ("semifinal", 0, 9)
    assert begins(shape, 26, 7)[0] == ("semifinal", 1, 6)
    assert begins(shape, 26, 9)[1] is False
    assert phases.qualifying_rounds(shape, 49) == ((4,), code == "three")


@pytest.mark.parametrize(
    ("least", "most", "rounds", "qualified", "shape"),
    [
        (6, 16, (2,), 4, ("final", 0, 4)),
        (17, 32, (2, 3), 10, ("semifinal", 2, 8)),
        (33, 90, (3, 4), 10, ("semifinal", 2, 8)),
    ],
)
def test_big_8_1_3_printed_rows_of_the_finals(least, most, rounds, qualified, shape):
    for participants in range(least, most + 1):
        assert phases.qualifying_rounds(FOUR, participants) == (rounds, True)
        assert begins(FOUR, participants, qualified) == (shape, True)


@pytest.mark.parametrize(("final", "qualified"), [(4, 5), (4, 20), (3, 2), (3, 11), (3, 4)])
def test_big_8_1_3_a_number_that_fits_no_semifinals(final, qualified):
    with pytest.raises(NoShape):
        phases.plan_groups(qualified, final, is_printed=False)


@pytest.mark.parametrize("participants", [6, 20, 64, 100])
def test_big_8_2_2_hardcore_is_four_rounds_and_no_final(participants):
    assert phases.qualifying_rounds(EDITION.finals["hardcore"], participants) == ((4,), True)
    assert (EDITION.finals["hardcore"].final, EDITION.finals["hardcore"].rows[0].qualified) == (
        0,
        (),
    )


def test_big_8_1_1_explosive_potions_ends_at_tables_of_two_with_as_many_as_the_mail_says():
    potions = EDITION.finals["potions"]
    assert phases.qualifying_rounds(potions, 20) == ((2, 3), True)
    assert begins(potions, 20, 6) == (QUARTERS[6], False)


def test_big_4_3_the_first_meets_the_last():
    assert phases.first_against_last([1, 2, 3, 4, 5, 6, 7, 8]) == ((1, 8), (2, 7), (3, 6), (4, 5))
    assert phases.first_against_last([4, 5]) == ((4, 5),)


def test_big_4_3_at_every_phase_anew():
    qualified = (11, 12, 13, 14, 15, 16)
    made = phases.plan_opening(TWO, participants=14, qualified=6)
    assert phases.seat_first_phase(qualified, made) == ((13, 16), (14, 15))
    still = phases.order_still_in(qualified, [16, 14, *qualified[: made.straight]])
    assert still == (11, 12, 14, 16)
    assert phases.seat_first_phase(still, phases.plan_bracket(4, is_printed=False)) == (
        (11, 16),
        (12, 14),
    )
    assert phases.seat_first_phase((12, 16), phases.plan_bracket(2, is_printed=False)) == (
        (12, 16),
    )
    assert phases.seat_first_phase((12,), phases.plan_bracket(1, is_printed=False)) == ()


@given(st.integers(2, 70), st.randoms(use_true_random=False))
def test_big_4_3_a_bracket_ends_with_one_champion(count, chance):
    qualified = tuple(range(count))
    left = qualified
    while len(left) > 1:
        made = phases.plan_bracket(len(left), is_printed=False)
        tables = phases.seat_first_phase(left, made)
        places = {player: place for place, player in enumerate(left)}
        assert {sum(places[p] for p in table) for table in tables} <= {
            made.straight + len(left) - 1
        }
        left = phases.order_still_in(
            qualified, [*left[: made.straight], *map(chance.choice, tables)]
        )
    assert len(left) == 1


@pytest.mark.parametrize(
    ("shape", "qualified", "tables"),
    [
        (THREE, 9, ((1, 4, 9), (2, 5, 8), (3, 6, 7))),
        (THREE, 7, ((2, 4, 7), (3, 5, 6))),
        (FOUR, 10, ((3, 5, 7, 10), (4, 6, 8, 9))),
        (THREE, 3, ((1, 2, 3),)),
        (FOUR, 4, ((1, 2, 3, 4),)),
    ],
)
def test_big_4_4_semifinals(shape, qualified, tables):
    made = phases.plan_opening(shape, participants=30, qualified=qualified)
    seated = phases.seat_first_phase(range(1, qualified + 1), made)
    assert tuple(tuple(sorted(table)) for table in seated) == tables
    assert made.straight + made.tables == shape.final or made.phase == "final"


def test_the_editions_by_year():
    assert [PHASE_EDITIONS.in_force(year).since for year in (2019, 2026, 2030)] == [
        2026,
        2026,
        2026,
    ]
    assert [edition.since for edition in PHASE_EDITIONS] == sorted(
        {edition.since for edition in PHASE_EDITIONS}
    )
    assert Opening("final", 0, 4, 1, is_printed=True) == phases.plan_groups(4, 4, is_printed=True)
