"""From the facts of the database to the lines of the rankings of a day."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.players.models import Player, Registration
from pergioco.players.services import discipline
from pergioco.publishing.computed import Computed, Row
from pergioco.stages.models import Game, OpeningRating, Season, Stage
from rankings.compute import compute_season_rankings
from ratings.compute import recompute_all
from tests import factories
from tests.ratings.play import people, played, season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TODAY = date(2026, 3, 12)
FEBRUARY = date(2026, 2, 1)


def computed(day: date = TODAY) -> dict[str, Computed]:
    recompute_all(cause="test")
    return {one.kind: one for one in compute_season_rankings(day, season(day.year))}


def rows(kind: str, day: date = TODAY) -> list[Row]:
    return list(computed(day)[kind].rows)


def places(kind: str, who: dict[str, Player], day: date = TODAY) -> list[tuple[int, str, str, str]]:
    """Place, letter, value, what decided."""
    letters = {player.pk: letter for letter, player in who.items()}
    return [
        (row.rank, letters[row.player], f"{row.value:f}", row.decided_by) for row in rows(kind, day)
    ]


def brought(player: Player, *pgrs: str, last: date = date(2025, 6, 1)) -> None:
    """A PGR in as many games as there are numbers."""
    for number, pgr in enumerate(pgrs):
        game = Game.objects.filter(slug=f"g{number:02}").first() or factories.game(f"g{number:02}")
        OpeningRating.objects.create(
            player=player, game=game, pgr=pgr, games=50, last_played_on=last
        )


def set_up(**settings: str) -> None:
    Season.objects.filter(pk=season(2026).pk).update(settings=settings)


# Who stands there


@pytest.mark.parametrize(
    ("erased_at", "there"),
    [
        (datetime(2026, 3, 12, 22, 59, tzinfo=UTC), False),  # the last minute of the day in Rome
        (datetime(2026, 3, 12, 23, 0, tzinfo=UTC), True),  # the first of the next one
    ],
)
def test_who_is_erased_stands_in_no_ranking_from_the_day_of_the_erasure_on(erased_at, there):
    who = people("A")
    brought(who["A"], "1100.000")
    Player.objects.filter(pk=who["A"].pk).update(erased_at=erased_at)
    assert len(rows("red", TODAY)) == there


# PGM 24, 29 to 34: Red and Blue


def test_pgm_24_a_mean_that_floats_would_make_one_too_low():
    who = people("A")
    brought(who["A"], "1210.013", "1067.235", "1115.752")
    assert places("red", who) == [(1, "A", "1131", "")]
    assert places("blue", who) == [(1, "A", "3393", "")]


def test_pgm_29_ten_active_pgrs_stand_before_nine_better_ones():
    who = people("AB")
    brought(who["A"], *["2000"] * 9)
    brought(who["B"], *["900"] * 10)
    assert places("red", who) == [(1, "B", "900", ""), (2, "A", "2000", "tier")]
    assert places("blue", who) == [(1, "A", "18000", ""), (2, "B", "9000", "sum")]


def test_pgm_30_ties_go_to_more_active_pgrs_then_to_more_games_then_are_shared():
    who, go = people("ABCDEF"), factories.game("g00")
    brought(who["A"], "1000", "1000.999")
    brought(who["B"], "1000.4", "1000.4", "1000.4")
    for letter in "CD":
        brought(who[letter], "1000")
    played("E X F; E X F", who=who, on=FEBRUARY, game=go)
    assert places("red", who) == [
        (1, "B", "1000", ""),
        (2, "A", "1000", "active_pgrs"),
        (3, "E", "1000", "active_pgrs"),
        (3, "F", "1000", ""),
        (5, "C", "1000", "games"),
        (5, "D", "1000", ""),
    ]
    assert [row.is_shared for row in rows("red")] == [False, False, True, True, True, True]


def test_pgm_33_blue_is_the_exact_sum_with_the_same_ties():
    who = people("ABC")
    brought(who["A"], "2000.001")
    brought(who["B"], "2000.000")
    brought(who["C"], "1000", "1000.000")
    assert places("blue", who) == [
        (1, "A", "2000.001", ""),
        (2, "C", "2000", "sum"),
        (3, "B", "2000", "active_pgrs"),
    ]


# PGM 23, 27: what is active


@pytest.mark.parametrize(
    ("last", "is_there"), [(date(2025, 1, 1), True), (date(2024, 12, 31), False)]
)
def test_pgm_27_active_in_2026(last, is_there):
    who = people("A")
    brought(who["A"], "1100", last=last)
    assert [row[1] for row in places("red", who)] == (["A"] if is_there else [])


def test_pg_13_activity_is_by_game_and_a_penalised_absence_keeps_none_alive():
    who, go, hex_ = people("ABC"), factories.game("go"), factories.game("hex")
    played("A 1 B", who=who, on=date(2024, 6, 1), game=go)
    played("A 1 B", who=who, on=date(2025, 6, 1), game=hex_)
    played("A bye, B 1 C; A - C; B 1 A", who=who, on=FEBRUARY, game=hex_)
    played("A X C; A - C", who=who, on=date(2025, 7, 1), game=go)
    assert [row.detail["active_pgrs"] for row in rows("red") if row.player == who["A"].pk] == [2]
    assert "B" not in [row[1] for row in places("game:go", who)]


def test_pg_13_a_game_with_a_day_of_its_own_counts_on_that_day():
    """The stage ran across the new year: one game of 2024 is neither active in 2026 nor one more
    that decides."""
    who, go = people("AB"), factories.game("go")
    stage = played("A X B; A X B", who=who, on=date(2025, 1, 10), game=go)
    Stage.objects.filter(pk=stage.pk).update(starts_on=date(2024, 12, 1))
    seats = stage.revisions.get().rounds.get(number=1).tables.get().seats
    seats.update(played_on=date(2024, 12, 30))
    assert [row.detail["games"] for row in rows("game:go")] == [1, 1]
    stage.revisions.get().rounds.get(number=2).tables.get().seats.update(
        played_on=date(2024, 12, 31)
    )
    assert "game:go" not in computed()


# PG-4, PG-26: who is ranked


def test_pg_4_who_registers_comes_to_light_with_the_rating_earned_before():
    who = people("A") | {"S": factories.player()}
    played("S 1 A", who=who, on=FEBRUARY, game=factories.game("go"))
    assert places("game:go", who) == [(1, "A", "990", "")]
    Registration.objects.create(player=who["S"], registered_on=date(2026, 3, 1), state="new")
    assert places("game:go", who, date(2026, 2, 28)) == [(1, "A", "990", "")]
    assert places("game:go", who, date(2026, 3, 1)) == [
        (1, "S", "1010", ""),
        (2, "A", "990", "pgr"),
    ]


@pytest.mark.parametrize("kind", ["ranking", "void"])
def test_pg_26_who_is_disqualified_is_out_from_that_day_and_void_games_are_void_on_every_day(
    kind, staff
):
    who = people("AB")
    played("A 1 B", who=who, on=FEBRUARY, game=factories.game("go"))
    decision = discipline.propose_disqualification(
        who["A"], kind=kind, effective_on=date(2026, 3, 1), reason="-", by=staff
    )
    discipline.confirm_disqualification(decision, by=factories.user_with_role("staff"))
    before, after = places("red", who, date(2026, 2, 28)), places("red", who)
    if kind == "void":
        assert before == after == []
    else:
        assert before == [(1, "A", "1010", ""), (2, "B", "990", "average")]
        assert after == [(1, "B", "990", "")]


# PG-16: which games decide


@pytest.mark.parametrize(("counts", "games"), [("active", 3), ("lifetime", 4), ("year", 1)])
def test_pg_16_more_games_played_counts_as_the_season_says(counts, games):
    who, go = people("AB"), factories.game("go")
    for on, text in (
        (date(2024, 5, 1), "A 1 B"),
        (date(2025, 5, 1), "A 1 B; A + B; B bye"),
        (FEBRUARY, "A 1 B; B bye; A - B"),
    ):
        played(text, who=who, on=on, game=go)
    brought(who["A"], "1000")
    set_up(more_games_played=counts)
    assert {row.detail["games"] for row in rows("red") if row.player == who["A"].pk} == {games}
    assert computed()["red"].settings == {"more_games_played": counts}


def test_pg_16_a_year_begins_on_its_first_day():
    who, go = people("AB"), factories.game("go")
    played("A 1 B", who=who, on=date(2025, 12, 31), game=go)
    played("A 1 B", who=who, on=date(2026, 1, 1), game=go)
    set_up(more_games_played="year")
    assert [row.detail["games"] for row in rows("red")] == [1, 1]


def test_pg_16_a_lifetime_knows_the_games_of_ratings_that_were_purged():
    """PGM 28 deletes ratings of unregistered players, not the games that they played."""
    who, go = people("AB") | {"S": factories.player()}, factories.game("go")
    played("S 1 A; S 1 B", who=who, on=date(2021, 10, 10), game=go)
    Registration.objects.create(player=who["S"], registered_on=date(2026, 1, 5), state="new")
    played("S 1 A", who=who, on=FEBRUARY, game=go)
    set_up(more_games_played="lifetime")
    found = {row.player: (row.value, row.detail["games"]) for row in rows("blue")}
    assert found[who["S"].pk] == (Decimal("1009.712"), 3)


# PGM 35, 36: games and Green


def test_pgm_35_green_adds_the_points_of_blue_and_red_and_of_each_game():
    who = people("AB")
    brought(who["A"], "1100", "1000")
    brought(who["B"], "1000")
    assert places("green", who) == [(1, "A", "41", ""), (2, "B", "36.4", "points")]
    detail = next(row.detail for row in rows("green") if row.player == who["A"].pk)
    assert (detail["leaders"], detail["leader_tenths"]) == ({"g00": 5, "g01": 5}, 10)


def test_pgm_35_whoever_is_sixteenth_everywhere_and_leads_nowhere_is_not_in_green():
    who = people("ABCDEFGHIJKLMNOP")
    for number, player in enumerate(who.values()):
        brought(player, str(1100 - number))
    green = places("green", who)
    assert len(green) == 15
    assert green[0] == (1, "A", "40.5", "")
    assert green[-1] == (15, "O", "2", "points")


def test_pgm_36_who_is_equal_in_points_and_games_shares_the_place_in_green():
    who, go, hex_ = people("AB"), factories.game("go"), factories.game("hex")
    played("A 1 B", who=who, on=FEBRUARY, game=go)
    played("B 1 A", who=who, on=FEBRUARY, game=hex_)
    assert places("green", who) == [(1, "A", "40.9", ""), (1, "B", "40.9", "")]


# As of any day; and what it costs


def test_as_of_any_day_the_rankings_are_those_of_that_day():
    who, go = people("AB"), factories.game("go")
    played("A 1 B", who=who, on=date(2025, 12, 31), game=go)
    played("B 1 A", who=who, on=date(2026, 1, 2), game=go)
    assert "game:go" not in computed(date(2025, 12, 30))
    assert places("game:go", who, date(2025, 12, 31)) == [
        (1, "A", "1010", ""),
        (2, "B", "990", "pgr"),
    ]
    assert places("game:go", who, date(2026, 1, 1)) == places("game:go", who, date(2025, 12, 31))
    assert places("game:go", who, date(2026, 1, 2)) == [
        (1, "B", "1000.575", ""),
        (2, "A", "999.425", "pgr"),
    ]


def queries() -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        for one in compute_season_rankings(TODAY, season(2026)):
            list(one.rows)
    return len(seen)


@pytest.mark.parametrize("counts", ["active", "lifetime", "year"])
def test_as_many_queries_for_one_player_and_stage_as_for_many(counts):
    who = people("ABCDEF")
    set_up(more_games_played=counts)
    played("A 1 B", who=who, on=FEBRUARY, game=factories.game("g00"))
    recompute_all(cause="test")
    few = queries()
    for number in range(1, 4):
        played("A 1 B, C X D, E + F", who=who, on=FEBRUARY, game=factories.game(f"g{number:02}"))
        brought(who["ABC"[number - 1]], "1000")
    recompute_all(cause="test")
    assert queries() == few
