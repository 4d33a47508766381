"""Who moved between two publications, and nobody else."""

from decimal import Decimal

import pytest

from pergioco.publishing import difference
from pergioco.publishing.difference import Move
from tests import factories
from tests.publishing.books import computation, publication

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(clock):
    return factories.season()


@pytest.fixture
def players(db):
    return [factories.player() for _ in range(3)]


def test_a_place_or_a_value_that_changed_is_a_move_and_the_rest_is_not(season, players):
    a, b, c = players
    before = publication(
        season, computation(season, "red", {a: (1, "1300"), b: (2, "1250"), c: (3, "1200")})
    )
    after = publication(
        season, computation(season, "red", {b: (1, "1310"), a: (2, "1300"), c: (3, "1200")})
    )
    assert difference.diff_publications(before, after) == [
        Move("red", a.pk, 1, 2, Decimal(1300), Decimal(1300)),
        Move("red", b.pk, 2, 1, Decimal(1250), Decimal(1310)),
    ]


def test_value_that_changes_by_a_thousandth_is_a_move_without_a_step(season, players):
    a, *_ = players
    before = publication(season, computation(season, "blue", {a: (1, "2600.118")}))
    after = publication(season, computation(season, "blue", {a: (1, "2600.119")}))
    (move,) = difference.diff_publications(before, after)
    assert (move.steps, move.is_only_pushed) == (0, False)


def test_somebody_new_and_somebody_gone_have_one_side_only(season, players):
    a, b, _c = players
    before = publication(season, computation(season, "green", {a: (1, "30.5")}))
    after = publication(season, computation(season, "green", {b: (1, "12")}))
    assert difference.diff_publications(before, after) == [
        Move("green", a.pk, 1, None, Decimal("30.5"), None),
        Move("green", b.pk, None, 1, None, Decimal(12)),
    ]
    assert [move.steps for move in difference.diff_publications(before, after)] == [None, None]


def test_places_won_count_upwards_and_who_was_passed_is_only_pushed(season, players):
    a, b, c = players
    before = publication(
        season, computation(season, "red", {a: (1, "3"), b: (2, "2"), c: (3, "1")})
    )
    after = publication(season, computation(season, "red", {c: (1, "4"), a: (2, "3"), b: (3, "2")}))
    found = {
        move.player: (move.steps, move.is_only_pushed)
        for move in difference.diff_publications(before, after)
    }
    assert found == {c.pk: (2, False), a.pk: (-1, True), b.pk: (-1, True)}


def test_a_ranking_that_is_shown_again_is_not_looked_at(season, players, django_assert_num_queries):
    a, b, _c = players
    same = computation(season, "race", {a: (1, "20"), b: (2, "16")})
    before = publication(season, same, computation(season, "red", {a: (1, "1300")}))
    after = publication(season, same, computation(season, "red", {a: (1, "1301")}))
    with django_assert_num_queries(4):
        assert [move.kind for move in difference.diff_publications(before, after)] == ["red"]


def test_a_ranking_that_appears_or_ends_moves_everybody_in_it(season, players):
    a, b, _c = players
    before = publication(season, computation(season, "game:go", {a: (1, "1200")}))
    after = publication(season, computation(season, "game:chess", {b: (1, "1210")}))
    assert [
        (m.kind, m.rank_before, m.rank_after) for m in difference.diff_publications(before, after)
    ] == [
        ("game:chess", None, 1),
        ("game:go", 1, None),
    ]


def test_before_the_first_publication_everybody_is_new(season, players):
    a, b, _c = players
    first = publication(season, computation(season, "red", {a: (1, "1300"), b: (2, "1250")}))
    assert [(m.rank_before, m.rank_after) for m in difference.diff_publications(None, first)] == [
        (None, 1),
        (None, 2),
    ]


def test_moves_are_listed_by_ranking_and_by_the_better_of_the_two_places(season, players):
    a, b, c = players
    before = publication(
        season, computation(season, "red", {a: (1, "9"), b: (2, "8"), c: (3, "7")})
    )
    after = publication(
        season,
        computation(season, "red", {b: (1, "9.5"), c: (2, "8.5"), a: (3, "6")}),
        computation(season, "blue", {c: (1, "1")}),
    )
    assert [(m.kind, m.player) for m in difference.diff_publications(before, after)] == [
        ("blue", c.pk),
        ("red", a.pk),
        ("red", b.pk),
        ("red", c.pk),
    ]


def test_the_same_number_of_queries_for_one_row_and_for_three(
    season, players, django_assert_num_queries
):
    for standing in (players[:1], players):
        before = publication(
            season, computation(season, "red", {p: (n, "5") for n, p in enumerate(standing, 1)})
        )
        after = publication(
            season, computation(season, "red", {p: (n, "6") for n, p in enumerate(standing, 1)})
        )
        with django_assert_num_queries(4):
            assert len(difference.diff_publications(before, after)) == len(standing)
