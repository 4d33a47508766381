"""From the facts of a game to its ratings, and what of it is written."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from pergioco.players.models import Player
from pergioco.publishing.models import Computation, PgrChange
from pergioco.stages.games import closed_stages, parts_by_stage
from pergioco.stages.models import Game, OpeningRating, Seat, Stage
from pergioco.stages.rules.standings import Part
from ratings import stage_games
from ratings.compute import rate_stage, recompute, replay_game
from ratings.facts import Held, StageGames, held_before, registered_since
from ratings.purging import Memory
from tests import factories
from tests.ratings.play import ledger, people, played, write

DAY = date(2026, 1, 10)
RESULTS = (("win", "played"), ("loss", "played")), (("draw", "played"), ("draw", "played"))
ABSENT = (("win", "walkover"), ("loss", "no_show")), (("loss", "no_show"), ("loss", "no_show"))


# Pure: no database


def stage_of(parts: list[Part], *, is_swiss: bool = True) -> StageGames:
    return StageGames(
        stage=1,
        slug="s",
        game=1,
        season=1,
        year=2026,
        starts_on=DAY,
        ends_on=DAY,
        is_swiss=is_swiss,
        revision=1,
        rates_unregistered=True,
        parts=parts,
    )


def rated(
    parts: list[Part], *, is_swiss: bool = True, held: dict[int, Held] | None = None
) -> list[tuple[object, ...]]:
    nobody_sleeps = Memory({player: date(2021, 10, 1) for player in range(10)}, today=DAY)
    return rate_stage(stage_of(parts, is_swiss=is_swiss), dict(held or {}), {}, nobody_sleeps)


def game(round_: int, table: int, pair: tuple[int, int], outcomes) -> list[Part]:
    (one, first), (other, second) = zip(pair, outcomes, strict=True)
    return [Part(round_, table, one, other, *first), Part(round_, table, other, one, *second)]


@st.composite
def rounds(draw) -> list[Part]:
    """Up to four rounds of six players, some of them alone with a bye."""
    parts: list[Part] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations(range(6)))
        tables = draw(st.integers(1, 3))
        for place in range(1, tables + 1):
            pair = (order[2 * place - 2], order[2 * place - 1])
            parts += game(number, place, pair, draw(st.sampled_from(RESULTS + ABSENT)))
    return parts


@given(rounds(), st.randoms(use_true_random=False), st.booleans())
def test_pgm_22_order_of_rows_never_matters(parts, chance, is_swiss):
    turned = list(parts)
    chance.shuffle(turned)
    assert rated(turned, is_swiss=is_swiss) == rated(parts, is_swiss=is_swiss)


@given(rounds(), st.integers(0, 5), st.booleans())
def test_pgm_26_bye_changes_no_number(parts, player, is_swiss):
    """It is only told among the games, as what it is."""
    with_bye = [*parts, Part(9, 1, player, None, "win", "bye")]
    assert [row[:-1] for row in rated(with_bye, is_swiss=is_swiss)] == [
        row[:-1] for row in rated(parts, is_swiss=is_swiss)
    ]


@given(rounds(), st.booleans())
def test_every_game_of_a_change_is_told_and_adds_up_to_its_numbers(parts, is_swiss):
    for player, _before, half_points, _expected, rated_games, valid_games, *_rest, text in rated(
        parts, is_swiss=is_swiss
    ):
        games = stage_games.parse_trace(text)
        assert [(g.round, g.table) for g in games] == sorted(
            p.place for p in parts if p.player == player
        )
        assert sum(g.half_points or 0 for g in games) == half_points
        assert (sum(g.counts for g in games), sum(g.is_valid for g in games)) == (
            rated_games,
            valid_games,
        )


def test_pgm_25_what_does_not_count_is_told_with_its_reason():
    parts = [
        *game(1, 1, (1, 2), (("loss", "no_show"), ("win", "walkover"))),
        *game(2, 1, (1, 3), RESULTS[0]),
        *game(3, 1, (1, 4), (("loss", "no_show"), ("win", "walkover"))),
        *game(4, 1, (1, 5), (("loss", "no_show"), ("win", "walkover"))),
        Part(5, 1, 1, None, "win", "bye"),
    ]
    (games,) = [row[-1] for row in rated(parts, held={5: Held(1_200_000, DAY)}) if row[0] == 1]
    assert games == (
        "1.1.2.1000000.-.first_absence 2.1.3.1000000.2.played 3.1.4.1000000.0.penalty "
        "4.1.5.1200000.-.absence_again 5.1.-.-.-.bye"
    )


def test_pgm_25_penalty_is_no_game_played_and_leaves_the_day_of_the_last_one():
    parts = [
        *game(1, 1, (1, 2), RESULTS[0]),
        *game(2, 1, (1, 2), (("loss", "no_show"), ("win", "walkover"))),
    ]
    row = next(row for row in rated(parts) if row[0] == 1)
    assert (row[4], row[5]) == (2, 1)


def test_pgm_27_last_game_is_the_latest_of_all_though_stages_overlap():
    """A long stage is closed after a short one, and holds earlier games."""
    held = {1: Held(1_000_000, date(2026, 1, 20)), 2: Held(1_000_000, None)}
    last = {row[0]: row[-2] for row in rated(game(1, 1, (1, 2), RESULTS[0]), held=held)}
    assert last == {1: date(2026, 1, 20), 2: DAY}


# From the tables


@pytest.fixture
def who(db) -> dict[str, Player]:
    return people("ABCD")


@pytest.fixture
def go(db) -> Game:
    return factories.game("go")


def test_pgm_27_game_has_its_own_day_if_the_stage_was_on_then(who, go):
    stage = played("A 1 B, C 1 D", who=who, on=date(2026, 1, 20), game=go)
    Stage.objects.filter(pk=stage.pk).update(starts_on=DAY)
    for letter, day in (
        ("A", date(2026, 1, 12)),
        ("B", date(2026, 1, 12)),
        ("C", date(2025, 12, 31)),
    ):
        Seat.objects.filter(player=who[letter]).update(played_on=day)
    recompute(go, cause="closed")
    last = dict(PgrChange.objects.values_list("player", "last_valid_on"))
    assert last == {
        who["A"].pk: date(2026, 1, 12),
        who["B"].pk: date(2026, 1, 12),
        who["C"].pk: date(2026, 1, 20),
        who["D"].pk: date(2026, 1, 20),
    }


def test_only_closed_results_of_the_circuit_count(who, go):
    for fields in ({"circuit": "big"}, {"status": "cancelled"}):
        stage = played("A 1 B", who=who, on=DAY, game=go)
        Stage.objects.filter(pk=stage.pk).update(**fields)
    played("A 1 B", who=who, on=DAY, game=go).revisions.update(state="waiting")
    assert replay_game(go, today=DAY) == []


def test_of_a_stage_only_the_revision_in_force_counts(who, go):
    stage = played("A 1 B", who=who, on=DAY, game=go)
    write(stage, "A X B", who=who)
    ((_stage, parts),) = parts_by_stage(closed_stages(), today=DAY)
    assert [part.outcome for part in parts] == ["draw", "draw"]


def test_of_two_merged_players_the_one_that_stays_keeps_the_rating_that_he_brought_along(who, go):
    absorbed = people("XY", registered=False)
    Player.objects.filter(pk__in=[p.pk for p in absorbed.values()]).update(merged_into=who["A"])
    for player, pgr, day in (
        (absorbed["X"], "1300.000", date(2025, 6, 1)),
        (absorbed["Y"], "1200.000", date(2024, 6, 1)),
    ):
        OpeningRating.objects.create(player=player, game=go, pgr=pgr, last_played_on=day)
    assert held_before(go, None, {who["A"].pk}) == {who["A"].pk: Held(1_300_000, date(2025, 6, 1))}
    OpeningRating.objects.create(player=who["A"], game=go, pgr="1100.000")
    assert held_before(go, None, {who["A"].pk}) == {who["A"].pk: Held(1_100_000, None)}


def test_many_players_are_read_whole_instead_of_by_name(who, go, monkeypatch):
    recompute(go, cause="closed")
    OpeningRating.objects.create(player=who["A"], game=go, pgr="1100.000")
    named = registered_since([who["A"].pk]), held_before(go, None, [who["A"].pk])
    monkeypatch.setattr("ratings.facts.MOST_NAMED", 0)
    everybody = registered_since([who["A"].pk]), held_before(go, None, [who["A"].pk])
    assert set(everybody[0]) == {player.pk for player in who.values()}
    assert (named[0].items() <= everybody[0].items(), named[1]) == (True, everybody[1])


def test_recomputing_says_from_which_day_on_something_changed(who, go):
    for day in (date(2026, 1, 20), DAY):
        played("A 1 B", who=who, on=day, game=go)
    assert recompute(go, cause="closed") == DAY
    assert recompute(go, cause="closed") is None
    stage = Stage.objects.get(ends_on=date(2026, 1, 20))
    write(stage, "A X B", who=who)
    assert recompute(go, cause="corrected") == stage.ends_on


def test_recomputing_from_a_day_leaves_what_ended_before_it_alone(who, go):
    for day in (DAY, date(2026, 1, 20)):
        played("A 1 B", who=who, on=day, game=go)
    recompute(go, cause="closed")
    early = Stage.objects.get(ends_on=DAY)
    before = ledger()
    write(early, "A 2 B", who=who)
    assert recompute(go, since=date(2026, 1, 20), cause="closed") is None
    assert ledger() == before


def test_computation_says_what_it_is_made_of(who, go):
    stage = played("A 1 B", who=who, on=DAY, game=go)
    recompute(go, cause="closed")
    made = Computation.objects.get()
    assert (made.stage, made.revision, made.season) == (stage, stage.revisions.get(), stage.season)
    assert (made.edition, made.settings) == (2021, {"unregistered_rating": "shadow"})
    assert made.read == {"game": go.pk, "ends_on": "2026-01-10", "games": 2}


def test_one_stage_costs_the_same_whoever_else_there_is(who, go):
    """As many queries, and rows of its players only."""
    counts = []
    for _more in range(2):
        stage = played("A 1 B, C 1 D", who=who, on=date(2026, 1, 20), game=go)
        with CaptureQueriesContext(connection) as captured:
            recompute(go, since=stage.ends_on, cause="closed")
        counts.append(len(captured))
        strangers = people("KLMN")
        played("K 1 L, M 1 N", who=strangers, on=DAY, game=go)
        for stranger in strangers.values():
            OpeningRating.objects.create(player=stranger, game=go, pgr="1100.000")
        recompute(go, cause="closed")
    assert counts[0] == counts[1]
    today = timezone.localdate()
    assert {
        row[0] for one in replay_game(go, since=date(2026, 1, 20), today=today) for row in one.rows
    } == {player.pk for player in who.values()}
