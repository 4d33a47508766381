"""From the facts of the database to results of tournaments and BIG rankings."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from big_league.compute import compute_big_rankings, compute_events
from pergioco.players.models import Disqualification, Membership, Player
from pergioco.stages.models import Season
from tests import factories
from tests.big_league.play import TODAY, computed, line_of, lines, people, tournament
from tests.ratings.play import season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
FEBRUARY = date(2026, 2, 1)
SIX = "A9 B7 C5, D8 E6 F3"


def test_without_tournaments_there_is_nothing_and_one_query():
    season(2026)
    with CaptureQueriesContext(connection) as seen:
        assert list(compute_big_rankings(TODAY, Season.objects.get(year=2026))) == []
    assert len(seen) == 2  # the other one reads the season


def test_big_5_a_tournament_of_six_gives_what_the_regulation_prints():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=FEBRUARY)
    assert lines(f"big-event:{stage.slug}", who) == [
        (1, "D", "1116.67"),
        (2, "A", "750.00"),
        (3, "E", "583.33"),
        (4, "B", "416.67"),
        (5, "C", "250.00"),
        (6, "F", "83.33"),
    ]
    assert [row[:2] for row in lines("big:catan", who)] == [row[:2] for row in lines("big", who)]
    assert line_of("big", who["D"]).value == Decimal("1116.67")


def test_the_detail_of_a_result_holds_all_that_the_rule_worked_out():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=FEBRUARY)
    assert line_of(f"big-event:{stage.slug}", who["D"]).detail == {
        "players": 6,
        "table_points": "1000.00",
        "rounds": [
            {
                "round": 1,
                "phase": "",
                "table": 2,
                "place": 1,
                "points": "1000.00",
                "share": "0.4706",
            }
        ],
        "base": "916.67",
        "bonus": "200.00",
        "multiplier": "1.000000",
        "is_halved": False,
        "mean": "1000.000",
        "elo_before": 1_000_000,
        "elo_after": 1_010_000,
    }
    assert line_of(f"big-event:{stage.slug}", who["A"]).decided_by == "pbg"


def test_big_4_2_lots_are_drawn_from_the_seed_and_the_public_ids():
    who = people("ABCDEF")
    drawn = set()
    for day, seed in enumerate("abcdefgh", 1):
        stage = tournament("A9 B7 C5, D9 E7 F5", who=who, on=date(2026, 2, day), seed=seed)
        first, second, *_rest = computed()[f"big-event:{stage.slug}"].rows
        assert second.decided_by == "lots"
        drawn.add(first.player)
    assert drawn == {who["A"].pk, who["D"].pk}


def test_big_5_3_the_weaker_gains_by_the_elo_before_the_tournament():
    who = people("ABCDEF")
    tournament(SIX, who=who, on=FEBRUARY)
    second = tournament(SIX, who=who, on=date(2026, 2, 2))
    row = line_of(f"big-event:{second.slug}", who["D"])
    assert (row.detail["elo_before"], row.detail["mean"], row.detail["multiplier"]) == (
        1_010_000,
        "1000.000",
        "0.990000",
    )
    assert row.value == Decimal("1105.50")


def test_big_5_3_each_game_has_an_elo_of_its_own():
    who = people("ABCDEF")
    tournament(SIX, who=who, on=FEBRUARY)
    other = tournament(SIX, who=who, on=date(2026, 2, 2), game="azul")
    assert line_of(f"big-event:{other.slug}", who["D"]).detail["elo_before"] == 1_000_000
    assert set(computed()) >= {"big", "big:azul", "big:catan", "big-elo:azul", "big-elo:catan"}


def test_the_elo_ranking_tells_how_often_somebody_played_and_what_the_last_time_moved():
    who = people("ABCDEF")
    tournament(SIX, who=who, on=FEBRUARY)
    last = tournament("A9 B7 C5", who=who, on=date(2026, 2, 2))
    row = line_of("big-elo:catan", who["A"])
    assert row.detail == {"events": 2, "games": 2, "moved": 9569, "last": last.slug}
    assert row.value == Decimal("1019.569")
    assert line_of("big-elo:catan", who["E"]).detail["events"] == 1
    assert lines("big-elo:catan", who)[0][:2] == (1, "A")


def test_settings_of_the_season_change_start_and_k():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=FEBRUARY)
    Season.objects.filter(year=2026).update(settings={"big_elo_start": 1500, "big_elo_k": 40})
    row = line_of(f"big-event:{stage.slug}", who["D"])
    assert (row.detail["elo_before"], row.detail["elo_after"]) == (1_500_000, 1_520_000)
    assert computed()["big"].settings == {"big_elo_start": 1500, "big_elo_k": 40}


def test_big_7_a_national_final_opens_the_new_cycle_and_is_its_first_event():
    who = people("ABCDEF")
    tournament(SIX, who=who, on=FEBRUARY, slug="before")
    tournament("F9 A7 B5, C8 D6 E4", who=who, on=date(2026, 2, 2), slug="the-final", final=True)
    tournament(SIX, who=who, on=date(2026, 2, 3), slug="after")
    row = line_of("big:catan", who["D"])
    assert list(row.detail["results"]) == ["the-final", "after"]
    assert computed()["big:catan"].read == {
        "events": ["the-final", "after"],
        "final": "the-final",
        "champion": who["C"].pk,
    }
    assert computed(FEBRUARY)["big:catan"].read == {
        "events": ["before"],
        "final": None,
        "champion": None,
    }
    assert computed()["big-elo:catan"].read == {"events": ["before", "the-final", "after"]}


def test_big_5_five_count_in_the_game_and_three_of_each_in_general():
    who = people("ABCDEF")
    slugs = [
        tournament(SIX, who=who, on=date(2026, 2, day), slug=f"t{day}").slug for day in range(1, 8)
    ]
    row, general = line_of("big:catan", who["F"]), line_of("big", who["F"])
    assert (
        len(row.detail["results"]),
        len(row.detail["counted"]),
        len(general.detail["counted"]),
    ) == (7, 5, 3)
    # the weaker he becomes, the more his last places are worth
    assert row.detail["counted"] == slugs[:1:-1]
    assert general.detail["counted"] == slugs[:3:-1]


def test_big_7_2_1_the_final_phases_of_a_final_order_it():
    who = people("ABCDEFGH")
    swiss = "A9 B8 C7 D1, E7 F6 G5 H4; A9 E8 B7 F1, C7 G6 D5 H4"
    stage = tournament(f"{swiss}; A1 E2 C3 B4", who=who, on=FEBRUARY, final=True)
    assert [letter for _rank, letter, _value in lines(f"big-event:{stage.slug}", who)][:4] == [
        "B",
        "C",
        "E",
        "A",
    ]
    rounds = line_of(f"big-event:{stage.slug}", who["B"]).detail["rounds"]
    assert [one["phase"] for one in rounds] == ["", "", "final"]
    ordinary = tournament(f"{swiss}; A1 E2 C3 B4", who=who, on=date(2026, 2, 2))
    assert lines(f"big-event:{ordinary.slug}", who)[0][1] != "B"


def test_the_phase_that_a_round_tells_is_the_one_that_counts():
    who = people("ABCD")
    stage = tournament(
        "A9 B7, C9 D7; A9 C7, B8 D7; D9 B1", who=who, on=FEBRUARY, phases={3: "final"}
    )
    assert [letter for _rank, letter, _value in lines(f"big-event:{stage.slug}", who)][:2] == [
        "D",
        "B",
    ]


def test_bids_and_time_count():
    who = people("ABCDEF")
    stage = tournament("A9-5 B7 C5-4.5, D8t E6 F4", who=who, on=FEBRUARY)
    assert [letter for _rank, letter, _value in lines(f"big-event:{stage.slug}", who)] == [
        "B",
        "E",
        "A",
        "F",
        "D",
        "C",
    ]


# Who stands in the rankings


def standing(kind: str, who: dict[str, Player], day: date = TODAY) -> str:
    return "".join(letter for _rank, letter, _value in lines(kind, who, day))


def test_big_2_only_members_stand_in_the_rankings_and_strangers_take_no_place():
    who = people("ABCEF") | people("D", member_on=None)
    stage = tournament(SIX, who=who, on=FEBRUARY)
    assert standing("big", who) == standing("big:catan", who) == "AEBCF"
    assert lines("big", who)[0][0] == 1
    assert "D" not in standing("big-elo:catan", who)
    assert standing(f"big-event:{stage.slug}", who) == "DAEBCF"


def test_a_membership_counts_from_its_day_on():
    who = people("ABCDE") | people("F", member_on=date(2026, 2, 10))
    tournament(SIX, who=who, on=FEBRUARY)
    assert "F" not in standing("big", who, date(2026, 2, 9))
    assert "F" in standing("big", who, date(2026, 2, 10))


def test_excluded_and_erased_players_stand_nowhere_and_the_others_keep_their_results():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=FEBRUARY)
    before = lines(f"big-event:{stage.slug}", who)
    by = [factories.user(), factories.user()]
    for kind, player in (("ranking", who["A"]), ("void", who["B"])):
        Disqualification.objects.create(
            player=player,
            kind=kind,
            effective_on=FEBRUARY,
            proposed_by=by[0],
            confirmed_by=by[1],
            confirmed_at=NOON,
        )
    Player.objects.filter(pk=who["C"].pk).update(erased_at=NOON)
    assert standing("big", who) == "DEF"
    assert lines(f"big-event:{stage.slug}", who) == before


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_who_was_merged_counts_as_the_one_that_stays():
    who = people("ABCDEFG")
    tournament(SIX, who=who, on=FEBRUARY)
    tournament("G9 B7 C5, D8 E6 F3", who=who, on=date(2026, 2, 2))
    Player.objects.filter(pk=who["G"].pk).update(merged_into=who["A"])
    assert "G" not in standing("big", who)
    assert len(line_of("big", who["A"]).detail["results"]) == 2


def test_two_that_were_one_person_played_no_game_at_their_table():
    who = people("ABCDEFGHI")
    stage = tournament("A9 B7 C5, D8 E6 F4, G9 H8 I1", who=who, on=FEBRUARY)
    Player.objects.filter(pk=who["B"].pk).update(merged_into=who["A"])
    assert standing(f"big-event:{stage.slug}", who) == "GDHEFI"


# What is counted at all


def test_only_closed_tournaments_of_big_up_to_the_day_count():
    who = people("ABCDEF")
    tournament(SIX, who=who, on=FEBRUARY, slug="counts")
    tournament(SIX, who=who, on=date(2026, 3, 13), slug="tomorrow")
    tournament(SIX, who=who, on=FEBRUARY, slug="cancelled", status="cancelled")
    tournament(SIX, who=who, on=FEBRUARY, slug="other-circuit", circuit="rkm")
    draft = tournament(SIX, who=who, on=FEBRUARY, slug="open")
    draft.revisions.update(state="draft")
    assert [kind for kind in computed() if kind.startswith("big-event:")] == ["big-event:counts"]
    assert computed()["big"].read == {"events": ["counts"]}


def test_results_stand_in_the_season_of_their_last_day_and_points_go_on():
    who = people("ABCDEF")
    tournament(SIX, who=who, on=date(2025, 12, 1), slug="last-year")
    tournament(SIX, who=who, on=FEBRUARY, slug="this-year")
    assert [kind for kind in computed() if kind.startswith("big-event:")] == ["big-event:this-year"]
    assert computed()["big:catan"].read["events"] == ["last-year", "this-year"]
    assert [one.kind for one in compute_events(TODAY)] == [
        "big-event:last-year",
        "big-event:this-year",
    ]


def test_a_tournament_at_which_nobody_played_is_none():
    stage = factories.stage(of=season(2026), circuit="big", status="closed")
    stage.revisions.create(number=1, state="current")
    assert list(compute_big_rankings(TODAY, season(2026))) == []


def queries() -> int:
    with CaptureQueriesContext(connection) as seen:
        for one in compute_big_rankings(TODAY, season(2026)):
            list(one.rows)
    return len(seen)


def test_as_many_queries_for_one_tournament_as_for_many():
    who = people("ABCDEF")
    tournament(SIX, who=who, on=FEBRUARY)
    few = queries()
    for day in range(2, 6):
        tournament(SIX, who=who, on=date(2026, 2, day), game=f"game-{day}", final=day % 2 == 0)
    Membership.objects.create(player=factories.player(), member_on=FEBRUARY)
    assert queries() == few
