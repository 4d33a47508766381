"""From the facts of the database to the points of Race stages and the Race of a day."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.players.models import Player, Registration
from pergioco.players.services import discipline
from pergioco.publishing.computed import Computed, Row
from pergioco.stages.models import Game, Season, Stage
from race.compute import compute_race_rankings
from tests import factories
from tests.ratings.play import people, played, season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TODAY, FEBRUARY = date(2026, 3, 12), date(2026, 2, 1)
# A 5, B 3.5, C 2.5, D and E 2, F 0: the printed example of PGM 39
EXAMPLE = (
    "A 1 B, C 1 D, E 1 F; A 1 C, B X D, E X C; A 1 D, B 1 E, C 1 F; A 1 E, B 1 F, D 1 F; A 1 "
    "F, B 1 C, D X E"
)
DROPS = ("results", "absences_are_zero", "only_with_twelve")


def computed(day: date = TODAY) -> dict[str, Computed]:
    return {one.kind: one for one in compute_race_rankings(day, season(day.year))}


def lines(kind: str, who: dict[str, Player], day: date = TODAY) -> list[tuple[int, str, int]]:
    letters = {player.pk: letter for letter, player in who.items()}
    return [(row.rank, letters[row.player], int(row.value)) for row in computed(day)[kind].rows]


def race_of(player: Player, day: date = TODAY) -> Row:
    return next(row for row in computed(day)["race"].rows if row.player == player.pk)


def race(games: str, *, who: dict[str, Player], on: date = FEBRUARY, **fields: object) -> Stage:
    game = Game.objects.first() or factories.game()
    return played(games, who=who, on=on, game=game, race=True, **fields)


def coming(number: int = 1) -> None:
    """Race stages that stand on the calendar."""
    for _ in range(number):
        factories.stage(of=season(2026), race=True)


def set_up(**settings: str) -> None:
    Season.objects.filter(pk=season(2026).pk).update(settings=settings)


# PGM 39: one stage


def test_pgm_39_the_printed_example_from_the_results_to_the_points():
    who = people("ABCDEF")
    stage = race(EXAMPLE, who=who)
    assert lines(f"race:{stage.slug}", who) == [
        (1, "A", 43),
        (2, "B", 27),
        (3, "C", 21),
        (4, "D", 18),
        (4, "E", 18),
        (6, "F", 15),
    ]
    assert {row.detail["players"] for row in computed()[f"race:{stage.slug}"].rows} == {6}


def test_pg_21_byes_count_among_the_points_as_they_were_scored():
    who = people("ABC")
    stage = race("A 1 B, C bye; C 1 B, A bye; B bye, A X C", who=who)
    assert lines(f"race:{stage.slug}", who) == [(1, "A", 26), (1, "C", 26), (3, "B", 13)]


def test_pg_22_who_never_sat_down_in_a_swiss_stage_is_not_counted():
    who = people("ABCD")
    stage = race("A 1 B, C + D", who=who)
    assert [row[1] for row in lines(f"race:{stage.slug}", who)] == ["A", "C", "B"]
    assert {row.detail["players"] for row in computed()[f"race:{stage.slug}"].rows} == {3}


def test_pg_9_elsewhere_an_absence_is_an_ordinary_loss():
    who = people("AB")
    stage = race("A + B", who=who, system="round_robin")
    assert lines(f"race:{stage.slug}", who) == [(1, "A", 16), (2, "B", 10)]


def test_pg_22_one_player_alone_has_no_points():
    who = people("A") | {"S": factories.player()}
    stage = race("A 1 S", who=who)
    assert lines(f"race:{stage.slug}", who) == [(1, "A", 0)]


# PGM 38: who takes part


@pytest.mark.parametrize(
    ("day", "takes_part"), [(date(2026, 1, 31), True), (FEBRUARY, True), (date(2026, 2, 2), False)]
)
def test_pg_23_registered_on_the_first_day_of_the_stage_at_the_latest(day, takes_part):
    """The others count as if he had not been there, on the points that they scored against him
    too."""
    who = people("AB") | {"S": factories.player()}
    Registration.objects.create(player=who["S"], registered_on=day, state="new")
    stage = race("S 1 A, B bye; S 1 B, A bye; A X B", who=who)
    found = lines(f"race:{stage.slug}", who)
    assert found == (
        [(1, "S", 26), (2, "A", 16), (2, "B", 16)] if takes_part else [(1, "A", 16), (1, "B", 16)]
    )


@pytest.mark.parametrize(("day", "classified"), [(FEBRUARY, ["A", "B"]), (date(2026, 2, 2), ["A"])])
def test_pg_23_the_first_day_of_a_stage_of_several_days_counts_not_its_last(day, classified):
    who = people("AB")
    Registration.objects.filter(player=who["B"]).update(registered_on=day)
    stage = race("A 1 B", who=who)
    Stage.objects.filter(pk=stage.pk).update(ends_on=date(2026, 2, 3))
    assert [letter for _rank, letter, _points in lines(f"race:{stage.slug}", who)] == classified


def test_pg_26_who_is_disqualified_is_taken_out_of_all_stages_from_that_day(staff):
    who = people("ABC")
    stage = race("A 1 B, C bye; A 1 C, B bye; B X C", who=who)
    coming()
    decision = discipline.propose_disqualification(
        who["A"], kind="ranking", effective_on=date(2026, 3, 1), reason="-", by=staff
    )
    discipline.confirm_disqualification(decision, by=factories.user_with_role("staff"))
    assert lines(f"race:{stage.slug}", who, date(2026, 2, 28)) == [
        (1, "A", 26),
        (2, "B", 16),
        (2, "C", 16),
    ]
    assert lines(f"race:{stage.slug}", who) == [(1, "B", 16), (1, "C", 16)]
    assert lines("race", who) == [(1, "B", 16), (1, "C", 16)]


def test_pg_26_void_games_never_took_place(staff):
    who = people("ABC")
    stage = race("A 1 B, C bye; C 1 B, A bye", who=who)
    decision = discipline.propose_disqualification(
        who["A"], kind="void", effective_on=TODAY, reason="-", by=staff
    )
    discipline.confirm_disqualification(decision, by=factories.user_with_role("staff"))
    assert lines(f"race:{stage.slug}", who) == [(1, "C", 16), (2, "B", 10)]


def test_pgm_38_the_race_began_in_2026():
    who = people("AB")
    race("A 1 B", who=who, on=date(2025, 5, 10))
    assert computed(date(2025, 12, 31)) == {}


def test_a_season_without_race_stages_has_an_empty_race():
    assert [(kind, list(one.rows)) for kind, one in computed().items()] == [("race", [])]
    assert computed()["race"].read == {"stages": [], "left": 0, "is_over": False}


# PGM 40: the season


def results(*points: str, who: dict[str, Player]) -> None:
    """A stage a day, each with the outcome of A against B."""
    for day, sign in enumerate(points, 1):
        race(f"A {sign} B", who=who, on=date(2026, 2, day), slug=f"race-{day:02}")


def test_pgm_40_while_stages_are_to_come_the_gross_sum_ranks_and_the_net_stands_beside_it():
    who = people("AB")
    results("1", "1", "1", who=who)
    coming(9)
    assert lines("race", who) == [(1, "A", 48), (2, "B", 30)]
    assert computed()["race"].read == {
        "stages": ["race-01", "race-02", "race-03"],
        "left": 9,
        "is_over": False,
    }
    assert race_of(who["A"]).detail == {
        "results": {"race-01": 16, "race-02": 16, "race-03": 16},
        "gross": 48,
        "net": 16,
        "dropped": [16, 16],
        "most_possible": 832,
    }
    assert race_of(who["B"]).decided_by == "gross"


def test_pgm_40_when_the_last_stage_is_closed_the_best_and_the_worst_are_dropped():
    who = people("AB")
    results("1", "2", "1", who=who)
    assert lines("race", who) == [(1, "A", 16), (2, "B", 10)]
    assert [race_of(who[one]).detail["dropped"] for one in "AB"] == [[16, 10], [16, 10]]
    assert race_of(who["B"]).decided_by == "net"


def test_pgm_40_a_stage_that_ends_later_is_still_to_come_on_that_day_and_a_cancelled_one_never():
    who = people("AB")
    results("1", "2", "1", who=who)
    coming()
    Stage.objects.filter(status="planned").update(status="cancelled")
    assert [computed(date(2026, 2, day))["race"].read["left"] for day in (1, 2, 3)] == [2, 1, 0]
    assert lines("race", who, date(2026, 2, 2)) == [(1, "A", 26), (1, "B", 26)]
    assert computed(date(2026, 1, 31))["race"].read["left"] == 3


def test_pgm_40_who_has_one_result_has_nothing_after_drops():
    who = people("ABCDEF")
    race(EXAMPLE, who=who)
    assert {row.value for row in computed()["race"].rows} == {0}
    assert (race_of(who["A"]).detail["gross"], race_of(who["A"]).detail["dropped"]) == (43, [43])


@pytest.mark.parametrize(
    ("drops", "value", "dropped"),
    [("results", 16, [16, 16]), ("absences_are_zero", 32, [16, 0]), ("only_with_twelve", 48, [])],
)
def test_pg_24_the_drops_are_read_as_the_season_says(drops, value, dropped):
    who = people("AB")
    results("1", "1", "1", who=who)
    set_up(race_drops=drops)
    assert computed()["race"].settings == {"race_drops": drops}
    row = race_of(who["A"])
    assert (row.value, row.detail["dropped"]) == (value, dropped)


@pytest.mark.parametrize("drops", DROPS)
def test_pg_24_with_twelve_results_all_readings_agree(drops):
    who = people("AB")
    results(*["1"] * 11, "2", who=who)
    set_up(race_drops=drops)
    assert lines("race", who) == [(1, "A", 160), (2, "B", 100)]


@pytest.mark.parametrize(
    ("drops", "left", "most"),
    [
        ("results", 9, 832),
        ("absences_are_zero", 9, 832),
        ("only_with_twelve", 9, 848),
        ("results", 2, 132),
        ("absences_are_zero", 2, 148),
        ("only_with_twelve", 2, 248),
    ],
)
def test_pg_24_the_most_that_is_possible_follows_the_reading(drops, left, most):
    """Under the third one the twelfth result may cost more than it brings: then he leaves it
    out."""
    who = people("AB")
    results("1", "1", "1", who=who)
    coming(left)
    set_up(race_drops=drops)
    assert race_of(who["A"]).detail["most_possible"] == most


def queries() -> int:
    with CaptureQueriesContext(connection) as seen:
        for one in compute_race_rankings(TODAY, season(2026)):
            list(one.rows)
    return len(seen)


def test_as_many_queries_for_one_stage_as_for_many():
    who = people("ABCDEF")
    results("1", who=who)
    few = queries()
    for day in range(2, 6):
        race(EXAMPLE, who=who, on=date(2026, 2, day))
    assert queries() == few
