"""PG-5 to PG-13: what a person says about absences, byes, matches, rounds and divisions becomes
tables."""

from datetime import date
from decimal import Decimal

import pytest

from pergioco.imports import sources
from pergioco.imports.canonical import MATCH, Game, Match, Result
from pergioco.imports.lineup import (
    BY_SCORE,
    ONE_GAME,
    Choices,
    find_withdrawn,
    last_tables,
    line_up,
    plan_rounds,
    split_score,
)
from pergioco.stages.rules.results import sign_of
from tests.imports.sample_files import raw


def lined(text: str, *, one_game_a_round: bool = True):
    return line_up(sources.read_source("typed", text.encode()), one_game_a_round=one_game_a_round)


def planned(lineup, **choices):
    numbers = {name: number for number, name in enumerate(lineup.result.participants, 1)}
    return plan_rounds(lineup, Choices(players=numbers, **choices))


def signs(lineup, **choices):
    """Round, sign and players of each table."""
    names = dict(enumerate(lineup.result.participants, 1))
    return [
        (
            round_.number,
            sign_of(tuple((seat.outcome, seat.kind) for seat in table.seats)),
            *(names[s.player] for s in table.seats),
        )
        for round_ in planned(lineup, **choices)
        for table in round_.tables
    ]


def suspects(lineup):
    return [(place.round, place.loser) for place in lineup.suspects]


THREE_ROUNDS = "Round 1\nA 1-0 B\nC 1-0 D\nRound 2\nA 1-0 C\nB 1-0 D\nRound 3\nA 1-0 D\nC 1-0 B"


def test_pg_5_each_lost_game_of_a_first_paired_round_is_asked_about():
    assert suspects(lined(THREE_ROUNDS)) == [(1, "B"), (1, "D")]


def test_pg_5_a_bye_is_no_first_game():
    assert suspects(lined("Round 1\nA 1-0 B\nC bye\nRound 2\nA 1-0 C\nB bye")) == [
        (1, "B"),
        (2, "C"),
    ]


def test_pg_8_a_loss_followed_by_absence_is_asked_about():
    assert suspects(
        lined("Round 1\nA 1-0 B\nRound 2\nB 1-0 A\nC bye\nRound 3\nB 1-0 C\nA absent")
    ) == [
        (1, "B"),
        (2, "A"),
        (3, "C"),
    ]


def test_pg_25_nobody_is_absent_without_a_tick():
    assert signs(lined("A 1-0 B")) == [(1, "1", "A", "B")]
    assert signs(lined("A 0-1 B"), absent=frozenset({"g0"})) == [(1, "-", "A", "B")]
    assert signs(lined("A 1-0 B"), absent=frozenset({"g0"})) == [(1, "+", "A", "B")]


def test_pg_25_an_absence_that_the_source_writes_is_one_only_when_a_person_agrees():
    lineup = lined("A + / - B")
    assert [place.key for place in lineup.shown] == ["g0"]
    assert lineup.suspects == []
    assert signs(lineup) == [(1, "1", "A", "B")]
    assert signs(lineup, absent=frozenset({"g0"})) == [(1, "+", "A", "B")]


def test_pg_9_both_absent_or_left_out():
    lineup = line_up(sources.read_source("trf", raw("trf/trf16_full.trf")), one_game_a_round=True)
    (double,) = [place for place in lineup.shown if not place.loser]
    players = double.game.a, double.game.b
    assert (double.round, "0", *players) in signs(lineup, absent=frozenset({double.key}))
    assert not any(row[2:] == players for row in signs(lineup) if row[0] == double.round)


def test_pg_10_a_bye_is_a_table_of_one_and_only_with_a_tick():
    lineup = lined("Round 1\nA 1-0 B\nC bye\nRound 2\nA 1-0 C\nB half bye")
    byes = frozenset(idle.key for idle in lineup.idle)
    assert signs(lineup, byes=byes) == [
        (1, "1", "A", "B"),
        (1, "B", "C"),
        (2, "1", "A", "C"),
        (2, "H", "B"),
    ]
    assert signs(lineup) == [(1, "1", "A", "B"), (2, "1", "A", "C")]


def test_pg_8_who_has_no_game_in_a_round_may_have_had_a_bye():
    lineup = lined(THREE_ROUNDS + "\nE bye")
    assert [(idle.round, idle.player, idle.is_bye) for idle in lineup.idle] == [
        (1, "E", False),
        (2, "E", False),
        (3, "E", True),
    ]


def test_whoever_stays_away_to_the_end_withdrew_after_the_last_table():
    lineup = lined("Round 1\nA 1-0 B\nRound 2\nA 1-0 C\nRound 3\nA 1-0 C")
    rounds = planned(lineup)
    assert find_withdrawn(lineup, last_tables(rounds), {"A": 1, "B": 2, "C": 3}) == {2: 1}


def match_of(a_points, b_points, results=(), result="1-0"):
    match = Match("2 games", Decimal(a_points), Decimal(b_points), ("m1", "m2", "m3"), results)
    game = Game("A", "B", result, MATCH, "m1", match=match)
    return line_up(Result("playstrategy", "api", ("A", "B"), {1: (game,)}), one_game_a_round=True)


def test_pg_11_each_game_of_a_match_is_rated_when_the_source_gives_them():
    lineup = match_of(2, 1, ("1-0", "0-1", "1-0"))
    assert lineup.matches_in_question == []
    assert signs(lineup) == [(1, "1", "A", "B"), (1, "2", "A", "B"), (1, "1", "A", "B")]
    assert [t.platform_key for t in planned(lineup)[0].tables] == ["m1", "m2", "m3"]


def test_pg_11_only_the_lost_games_of_a_match_are_absences():
    lineup = match_of(2, 1, ("1-0", "0-1", "1-0"))
    assert signs(lineup, absent=frozenset({"g0"})) == [
        (1, "+", "A", "B"),
        (1, "2", "A", "B"),
        (1, "+", "A", "B"),
    ]


def test_pg_11_a_match_without_its_games_is_asked_about():
    lineup = match_of(2, 1)
    assert [place.key for place in lineup.matches_in_question] == ["g0"]
    assert signs(lineup, matches=ONE_GAME) == [(1, "1", "A", "B")]
    assert signs(lineup, matches=BY_SCORE) == [
        (1, "1", "A", "B"),
        (1, "1", "A", "B"),
        (1, "2", "A", "B"),
    ]


@pytest.mark.parametrize(
    ("a", "b", "games"),
    [
        ("1.5", "0.5", ("1-0", "1/2-1/2")),
        ("1", "1", ("1-0", "0-1")),
        ("0.5", "0.5", ("1/2-1/2",)),
        ("0", "2", ("0-1", "0-1")),
        ("1.5", "1", ()),
        ("30", "1", ()),
    ],
)
def test_pg_11_a_score_becomes_as_many_games_as_it_has_points(a, b, games):
    assert split_score(Match(a_points=Decimal(a), b_points=Decimal(b))) == games


def test_games_without_rounds_get_rounds_in_which_nobody_plays_twice():
    lineup = line_up(
        sources.read_source("playstrategy.arena", raw("playstrategy/ps_arena.games.ndjson")),
        one_game_a_round=True,
    )
    assert lineup.rounds_proposed
    for number in lineup.rounds:
        seated = [
            name for place in lineup.placed if place.round == number for name in place.game.players
        ]
        assert len(seated) == len(set(seated))
    assert lineup.idle == []


def test_a_round_robin_played_at_once_keeps_its_round_where_the_stage_is_one():
    result = sources.read_source(
        "abstractplay.tournament", raw("abstractplay/ap_tournament.get_tournament.json")
    )
    assert not line_up(result, one_game_a_round=False).rounds_proposed
    assert line_up(result, one_game_a_round=True).rounds_proposed


def test_only_the_ticked_divisions_belong_to_the_stage():
    result = sources.read_source(
        "abstractplay.tournament", raw("abstractplay/ap_tournament.get_tournament.json")
    )
    lineup = line_up(result, one_game_a_round=False, divisions={2})
    assert {place.game.division for place in lineup.placed} == {2}
    assert lineup.seen == set(result.divisions[2])


def test_pg_13_the_day_of_a_game_is_kept_where_the_source_says_it():
    lineup = line_up(
        sources.read_source("playstrategy.arena", raw("playstrategy/ps_arena.games.ndjson")),
        one_game_a_round=True,
    )
    days = {
        seat.played_on
        for round_ in planned(lineup)
        for table in round_.tables
        for seat in table.seats
    }
    assert days == {date(2025, 11, 7)}


@pytest.mark.parametrize("sample", ["trf/trf16_full.trf", "playstrategy/ps_swiss_single.trf"])
def test_every_game_of_a_source_has_its_table(sample):
    lineup = line_up(sources.read_source("trf", raw(sample)), one_game_a_round=True)
    shown = frozenset(place.key for place in lineup.shown)
    assert len(signs(lineup, absent=shown)) == len(lineup.placed)
