"""Places, shared places, and the criterion that decided."""

from hypothesis import given
from hypothesis import strategies as st

from pergioco.rulekit.ordering import Criterion, assign_places

CRITERIA = (Criterion("first", lambda row: row[1]), Criterion("second", lambda row: row[2]))


def placed(rows):
    return [
        (p.rank, p.row[0], p.is_shared, p.decided_by)
        for p in assign_places(rows, CRITERIA, key=lambda row: row[0])
    ]


def test_shared_places_skip_the_next_one_and_each_place_says_what_decided_it():
    assert placed([("a", 5, 1), ("b", 3, 9), ("c", 3, 9), ("d", 3, 2), ("e", 7, 0)]) == [
        (1, "e", False, ""),
        (2, "a", False, "first"),
        (3, "b", True, "first"),
        (3, "c", True, ""),
        (5, "d", False, "second"),
    ]


def test_nobody():
    assert placed([]) == []


@given(
    st.lists(
        st.tuples(st.integers(), st.integers(0, 3), st.integers(0, 3)), unique_by=lambda row: row[0]
    )
)
def test_order_of_rows_does_not_matter(rows):
    assert placed(rows) == placed(rows[::-1])


@given(
    st.lists(
        st.tuples(st.integers(), st.integers(0, 2), st.integers(0, 2)), unique_by=lambda row: row[0]
    )
)
def test_a_place_is_one_more_than_the_rows_before_it(rows):
    for p in assign_places(rows, CRITERIA, key=lambda row: row[0]):
        assert p.rank == 1 + sum(row[1:] > p.row[1:] for row in rows)
