"""Who is called to a final, and who stands in reserve."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from big_league.rules.convocation import Ranked, choose_called


def line(player: int, points: int, *results: int, elo: int | None = 1000) -> Ranked:
    return Ranked(
        player, Decimal(points), tuple(map(Decimal, results)), None if elo is None else Decimal(elo)
    )


def ranking(count: int) -> list[Ranked]:
    return [line(player, 10_000 - player) for player in range(1, count + 1)]


def players(made, *, reserves: bool) -> list[int]:
    return [one.player for one in made if one.is_reserve is reserves]


def test_big_7_1_thirty_two_and_thirty_two():
    made = choose_called(ranking(70), range(1, 71))
    assert players(made, reserves=False) == list(range(1, 33))
    assert players(made, reserves=True) == list(range(33, 65))
    assert [one.position for one in made] == list(range(1, 65))
    assert not any(one.is_flagged for one in made)


def test_big_7_1_fewer_than_that_in_the_ranking():
    made = choose_called(ranking(40), range(1, 41))
    assert (len(players(made, reserves=False)), len(players(made, reserves=True))) == (32, 8)
    assert choose_called([], []) == ()


def test_big_7_1_seats_other_than_thirty_two():
    made = choose_called(ranking(70), range(1, 71), seats=24, reserves=10)
    assert (players(made, reserves=False)[-1], players(made, reserves=True)[-1], len(made)) == (
        24,
        34,
        34,
    )


def test_big_7_1_a_tie_at_the_border_is_decided_and_flagged():
    tied = [line(1, 900), line(2, 500, 300, 200), line(3, 500, 400, 100), line(4, 100)]
    made = choose_called(tied, [1, 2, 3, 4], seats=2, reserves=2)
    assert [(one.player, one.is_reserve, one.decided_by, one.is_flagged) for one in made] == [
        (1, False, "", False),
        (3, False, "points", True),
        (2, True, "results", True),
        (4, True, "points", False),
    ]


def test_big_7_1_a_tie_elsewhere_is_decided_without_a_flag():
    tied = [line(1, 500, 500), line(2, 500, 400, 100), line(3, 200), line(4, 100)]
    assert not any(one.is_flagged for one in choose_called(tied, [1, 2, 3, 4], seats=2, reserves=2))


def test_big_7_1_the_border_below_the_reserves_too():
    tied = [line(1, 900), line(2, 500), line(3, 300, 300), line(4, 300, 200, 100)]
    made = choose_called(tied, [1, 2, 3, 4], seats=1, reserves=2)
    assert [(one.player, one.is_flagged) for one in made] == [(1, False), (2, False), (3, True)]


def test_big_7_1_the_chain_of_the_tie_breaks():
    tied = [
        line(1, 600, 300, 200, 100, elo=900),
        line(2, 600, 300, 200, 100, elo=950),
        line(3, 600, 100, 300, 200, elo=None),
        line(4, 600, 200, 250, 150),
        line(5, 600, 300, 250, 50),
        line(6, 600, 300, 200, 100, elo=900),
    ]
    made = choose_called(tied, [6, 1, 2, 3, 4, 5], seats=3, reserves=3)
    assert [(one.player, one.decided_by) for one in made] == [
        (5, ""),
        (2, "results"),
        (6, "elo"),
        (1, "lots"),
        (3, "elo"),
        (4, "results"),
    ]
    assert all(one.is_flagged for one in made)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.lists(st.integers(0, 3), max_size=3), st.integers(0, 1)),
        max_size=12,
    ),
    st.integers(1, 5),
    st.integers(0, 5),
)
def test_big_7_1_whoever_is_called_stands_before_whoever_is_not(rows, seats, reserves):
    lines = {n: line(n, points, *results, elo=elo) for n, (points, results, elo) in enumerate(rows)}
    made = choose_called(list(lines.values()), list(lines), seats=seats, reserves=reserves)
    order = [one.player for one in made]
    left = [player for player in lines if player not in order]
    points = {player: lines[player].points for player in lines}
    assert len(made) == min(len(lines), seats + reserves)
    assert [points[p] for p in order] == sorted((points[p] for p in order), reverse=True)
    assert not left or points[order[-1]] >= max(points[player] for player in left)
    inside, outside = order[:seats], [*order[seats:], *left]
    if inside and outside and points[inside[-1]] == max(points[player] for player in outside):
        assert next(one for one in made if one.player == inside[-1]).is_flagged
