"""Round robins, held against the published Berger tables."""

from collections import Counter

import pytest

from pergioco.stages.rules.pairing import round_robin_rounds

# As printed in the FIDE Handbook, C.05, annex 1: one string a round.
PUBLISHED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
    10: [
        "1-10 2-9 3-8 4-7 5-6",
        "10-6 7-5 8-4 9-3 1-2",
        "2-10 3-1 4-9 5-8 6-7",
        "10-7 8-6 9-5 1-4 2-3",
        "3-10 4-2 5-1 6-9 7-8",
        "10-8 9-7 1-6 2-5 3-4",
        "4-10 5-3 6-2 7-1 8-9",
        "10-9 1-8 2-7 3-6 4-5",
        "5-10 6-4 7-3 8-2 9-1",
    ],
}


def printed(table: list[str]) -> list[list[tuple[int, ...]]]:
    return [[tuple(map(int, pair.split("-"))) for pair in line.split()] for line in table]


@pytest.mark.parametrize("size", PUBLISHED)
def test_tables_are_the_published_ones(size):
    assert round_robin_rounds(range(1, size + 1)) == printed(PUBLISHED[size])


@pytest.mark.parametrize("size", PUBLISHED)
def test_odd_field_plays_the_same_table_and_the_last_number_is_the_rest(size):
    expected = [
        [tuple(n for n in pair if n != size) for pair in line] for line in printed(PUBLISHED[size])
    ]
    assert round_robin_rounds(range(1, size)) == expected


@pytest.mark.parametrize("size", range(2, 26))
def test_everybody_meets_everybody_once_and_sits_at_one_table_a_round(size):
    played = round_robin_rounds(range(100, 100 + size))
    pairs = Counter(frozenset(pair) for line in played for pair in line if len(pair) > 1)
    assert set(pairs.values()) == {1}
    assert len(pairs) == size * (size - 1) // 2
    assert all(len({p for pair in line for p in pair}) == size for line in played)


@pytest.mark.parametrize("size", [0, 1])
def test_nobody_to_play(size):
    assert [
        pair for line in round_robin_rounds(range(size)) for pair in line if len(pair) > 1
    ] == []
