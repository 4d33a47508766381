"""Where the lines of the chart stand."""

from datetime import date

from pergioco.players.queries.chart import (
    BOTTOM,
    LEFT,
    MARKS,
    MOST_LINES,
    RIGHT,
    TOP,
    ChartRating,
    draw_chart,
    rating_bounds,
)


def ratings(*pairs):
    return [ChartRating(date(2026, 1, day), pgr) for day, pgr in pairs]


def test_nothing_is_drawn_of_nothing():
    assert draw_chart([]) is None
    assert draw_chart([("Go", [])]) is None


def test_the_first_day_stands_left_the_last_right_the_lowest_below():
    drawn = draw_chart([("Go", ratings((1, 1_000_000), (11, 1_040_000)))])
    first, last = drawn.lines[0].points
    assert (first.x, last.x) == (LEFT, RIGHT)
    assert (first.y, last.y) == (BOTTOM, TOP)
    assert drawn.lines[0].line == f"{LEFT},{BOTTOM} {RIGHT},{TOP}"


def test_a_single_rating_stands_in_the_middle_between_two_rules():
    drawn = draw_chart([("Go", ratings((1, 1_005_000)))])
    assert drawn.lines[0].points[0].x == (LEFT + RIGHT) // 2
    assert [pgr for _y, pgr in drawn.rules] == [1000, 1010]
    assert [day for _x, day in drawn.days] == [date(2026, 1, 1)]


def test_rules_are_round_few_and_hold_every_rating():
    for pgrs in (
        [999_999, 1_000_001],
        [850_123, 1_249_000],
        [1_000_000, 1_000_000],
        [400_000, 2_100_000],
    ):
        low, high, step = rating_bounds(pgrs)
        assert low <= min(pgrs) <= max(pgrs) <= high
        assert low < high
        assert low % (step * 1000) == high % (step * 1000) == 0
        assert (high - low) // (step * 1000) < 5


def test_those_with_the_most_stages_are_drawn_each_with_its_own_mark():
    series = [
        (f"Game {n}", ratings(*((day, 1_000_000) for day in range(1, n + 2))))
        for n in range(MOST_LINES + 2)
    ]
    drawn = draw_chart(series)
    assert [one.name for one in drawn.lines] == [f"Game {n}" for n in range(MOST_LINES + 1, 1, -1)]
    assert drawn.left_out == 2
    assert len({one.mark for one in drawn.lines}) == MOST_LINES == len(set(MARKS))
