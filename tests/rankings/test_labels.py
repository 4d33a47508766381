"""Every criterion that can decide a place has its words, and says how much of it a line has."""

import pytest

from pergioco.publishing.models import Line
from rankings import labels, rules
from rankings.rules import Active, Ingredients, Rated

EDITION = rules.EDITIONS.in_force(2026)


def decided(*, placed) -> set[str]:
    return {one.decided_by for one in placed} - {""}


def test_every_criterion_of_red_and_blue_has_words():
    """One row is behind the next by each criterion in turn: band, value, PGRs, games."""
    many = (1_000_000,) * 10
    rows = [
        Active(1, many, 9),
        Active(2, (2_000_000,), 9),
        Active(3, (1_000_000,) * 2, 9),
        Active(4, (1_000_000,), 9),
    ]
    rows.append(Active(5, (1_000_000,), 8))
    standings = rules.overall_standings(rows, EDITION)

    assert decided(placed=rules.rank_red(standings)) == set(labels.CRITERIA["red"])
    more = [*standings, *rules.overall_standings([Active(6, (1_500_000, 500_000), 9)], EDITION)]
    assert decided(placed=rules.rank_blue(more)) == set(labels.CRITERIA["blue"])


def test_every_criterion_of_green_and_of_a_game_has_words():
    of = Ingredients(blue={1: 20, 2: 18, 3: 18}, red={}, leaders=[], games={1: 1, 2: 2, 3: 1})

    assert decided(placed=rules.rank_green(of)) == set(labels.CRITERIA["green"])
    ranked = rules.rank_game([Rated(1, 1_010_000, 1), Rated(2, 1_000_000, 1)])
    assert decided(placed=ranked) == set(labels.CRITERIA["game"])


LINE = Line(
    value=1009,
    detail={
        "overall": 1009,
        "average": "1009.7125",
        "total": 2019425,
        "active_pgrs": 2,
        "games": 4,
        "has_enough": False,
    },
)


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("code", "amount"), [("tier", "no"), ("average", "1009"), ("active_pgrs", "2"), ("games", "4")]
)
def test_how_much_of_a_criterion_a_line_has(code, amount):
    assert labels.CRITERIA["red"][code].amount(LINE) == amount


def test_numbers_of_a_line_are_exact():
    assert str(labels.exact_average(LINE)) == "1009.7125"
    assert str(labels.blue_total(LINE)) == "2019.425"
    assert str(labels.leader_points(Line(detail={"leader_tenths": 3}))) == "0.3"


def test_every_ranking_has_a_name_a_meaning_and_its_paragraphs():
    assert (
        set(labels.NAMES) | {"game"}
        == set(labels.MEANINGS)
        == set(labels.PARAGRAPHS)
        == set(labels.CRITERIA)
    )
