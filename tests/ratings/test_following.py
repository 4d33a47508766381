"""What the ratings do when something changes: afterwards the ledger holds what the facts give, and
nothing else."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.models import Job
from pergioco.players.models import Disqualification, Player, Registration
from pergioco.players.services import discipline, merging
from pergioco.publishing.models import Computation, Line, PgrChange, Publication
from pergioco.stages.models import Game, OpeningRating, Season, Stage
from ratings import checking, following
from ratings.following import recompute_stage_ratings
from tests import factories
from tests.ratings.play import (
    changed,
    done,
    ledger,
    people,
    pgr,
    played,
    recomputed,
    settled,
    write,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
FIRST, SECOND, THIRD = date(2026, 1, 10), date(2026, 1, 20), date(2026, 1, 30)


@pytest.fixture
def who() -> dict[str, Player]:
    return people("ABCD")


@pytest.fixture
def go() -> Game:
    return factories.game("go")


@pytest.fixture
def hex_() -> Game:
    return factories.game("hex")


def move(stage: Stage, **fields: object) -> None:
    Stage.objects.filter(pk=stage.pk).update(**fields)


def three_stages(who, game) -> list[Stage]:
    stages = [
        played("A 1 B, C X D", who=who, on=FIRST, game=game),
        played("A 1 C, B 1 D", who=who, on=SECOND, game=game),
        played("D 1 A, C 1 B", who=who, on=THIRD, game=game),
    ]
    for stage in stages:
        settled(stage)
    return stages


def test_closed_stage_is_rated(who, go):
    settled(played("A 1 B", who=who, on=FIRST, game=go))
    assert (pgr(who["A"], go), pgr(who["B"], go)) == (1_010_000, 990_000)


def test_stages_closed_in_any_order_give_the_ratings_of_the_calendar(who, go):
    later = played("A 1 C", who=who, on=SECOND, game=go)
    settled(later)
    settled(played("A 1 B", who=who, on=FIRST, game=go))
    assert ledger() == recomputed()
    assert PgrChange.objects.current().get(stage=later, player=who["A"]).before == 1_010_000


def test_followed_twice_nothing_is_written_twice(who, go):
    stages = three_stages(who, go)
    rows, computations = PgrChange.objects.count(), Computation.objects.count()
    for stage in (*stages, *reversed(stages)):
        recompute_stage_ratings(stage=stage.pk, cause="closed")
    assert (PgrChange.objects.count(), Computation.objects.count()) == (rows, computations)


def test_correction_reaches_the_later_stages_and_leaves_the_earlier_ones_alone(who, go):
    first, second, third = three_stages(who, go)
    untouched = Computation.objects.get(stage=first)
    write(second, "A 2 C, B 1 D", who=who)
    settled(second, "corrected")
    assert ledger() == recomputed()
    assert Computation.objects.get(stage=first) == untouched
    assert Computation.objects.filter(stage=third).count() == 2


def test_corrected_stage_takes_the_place_of_the_one_before_and_keeps_it(who, go):
    stage = played("A 1 B", who=who, on=FIRST, game=go)
    settled(stage)
    write(stage, "A 2 B", who=who)
    settled(stage, "corrected")
    old, new = Computation.objects.filter(kind="pgr").order_by("pk")
    assert new.supersedes == old
    assert [row.is_current for row in old.pgr_changes.all()] == [False, False]


def test_correction_without_effect_on_the_numbers_still_names_its_revision(who, go):
    stage = played("A 1 B", who=who, on=FIRST, game=go)
    settled(stage)
    revision = write(stage, "A 1 B", who=who)
    settled(stage, "corrected")
    assert {row.computation.revision for row in PgrChange.objects.current()} == {revision}


def test_stage_that_lost_its_results_is_rated_no_more(who, go):
    first, _second, _third = three_stages(who, go)
    first.revisions.update(state="dropped")
    settled(first, "withdrawn")
    assert ledger() == recomputed()
    assert not PgrChange.objects.current().filter(stage=first).exists()


def test_stage_closed_again_after_it_was_withdrawn_names_what_it_follows(who, go):
    stage = played("A 1 B", who=who, on=FIRST, game=go)
    settled(stage)
    withdrawn = Computation.objects.get(kind="pgr")
    stage.revisions.update(state="dropped")
    settled(stage, "withdrawn")
    write(stage, "A X B", who=who)
    settled(stage)
    assert Computation.objects.filter(kind="pgr").latest("pk").supersedes == withdrawn
    assert ledger() == recomputed()


@pytest.mark.parametrize("day", [date(2026, 2, 8), date(2026, 1, 5), date(2026, 1, 20)])
def test_stage_that_moves_in_the_calendar_is_rated_where_it_stands(who, go, day):
    _first, second, _third = three_stages(who, go)
    move(second, starts_on=day, ends_on=day)
    settled(second, "moved")
    assert ledger() == recomputed()


@pytest.mark.parametrize(("year", "other"), [(2025, 2026), (2026, 2025)])
def test_stage_that_moves_to_another_year_is_published_in_both(who, go, year, other):
    for number in (2025, 2026):  # something stands in each year
        settled(played("C 1 D", who=who, on=date(number, 1, 20), game=go))
    stage = played("A 1 B", who=who, on=date(year, 2, 1), game=go)
    settled(stage)
    last = Publication.objects.latest("pk")
    day = date(other, 2, 1)
    move(stage, starts_on=day, ends_on=day, season=Season.objects.get(year=other))
    settled(stage, "moved")
    fresh = Publication.objects.filter(pk__gt=last.pk, cause="moved", is_current=True)
    assert {one.season.year: str(stage.pk) in one.ratings for one in fresh} == {
        year: False,
        other: True,
    }


@pytest.mark.parametrize("day", [date(2026, 1, 5), date(2026, 2, 8)])
def test_stage_between_the_old_place_and_the_new_one_may_be_followed_first(who, go, day):
    """The later step still finds out where the stage stood, though its rows have been written anew
    meanwhile."""
    first, second, third = three_stages(who, go)
    move(second, starts_on=day, ends_on=day)
    for stage in (third, first, second):
        settled(stage, "moved")
    assert ledger() == recomputed()


@pytest.mark.parametrize("to_the_older_game", [True, False])
def test_stage_that_changes_its_game_leaves_one_and_joins_the_other(
    who, go, hex_, to_the_older_game
):
    ours, other = (hex_, go) if to_the_older_game else (go, hex_)
    first, _second, _third = three_stages(who, ours)
    settled(played("A X B", who=who, on=THIRD, game=other))
    move(first, game=other)
    settled(first, "moved")
    assert ledger() == recomputed()
    assert set(PgrChange.objects.current().filter(stage=first).values_list("game", flat=True)) == {
        other.pk
    }


def test_stage_whose_new_game_was_followed_before_it_still_leaves_the_old_one(who, go, hex_):
    first, _second, _third = three_stages(who, go)
    move(first, game=hex_)
    following.recompute_game_ratings(game=hex_.pk, cause="recomputed")
    settled(first, "moved")
    assert ledger() == recomputed()


def test_stage_that_changes_its_system_is_counted_by_the_rules_of_the_new_one(who, go):
    stage = played("A + B", who=who, on=FIRST, game=go)
    settled(stage)
    assert pgr(who["B"], go) is None
    move(stage, system="round_robin")
    settled(stage, "moved")
    assert pgr(who["B"], go) == 990_000


def test_stage_that_leaves_the_circuit_takes_its_ratings_away(who, go):
    first, _second, _third = three_stages(who, go)
    move(first, circuit="big")
    settled(first, "moved")
    assert ledger() == recomputed()
    assert not PgrChange.objects.current().filter(stage=first).exists()


def test_stages_of_one_day_count_in_the_order_of_their_names(who, go):
    late = played("A 1 B", who=who, on=FIRST, game=go, slug="b-late")
    early = played("A X B", who=who, on=FIRST, game=go, slug="B-early")
    for stage in (late, early):
        settled(stage)
    assert PgrChange.objects.current().get(stage=early, player=who["A"]).is_first is True
    move(late, slug="A-first")
    settled(late, "moved")
    assert ledger() == recomputed()
    assert PgrChange.objects.current().get(stage=late, player=who["A"]).is_first is True


def test_merged_players_are_rated_as_the_one_that_stays(who, go, staff):
    three_stages(who, go)
    merge = merging.merge_players(
        who["A"], people("X", registered=False)["X"], by=staff, reason="-"
    )
    past = Player.objects.get(pk=merge.absorbed_id)
    settled(played("X 1 B", who={**who, "X": past}, on=date(2025, 12, 1), game=go))
    assert ledger() == recomputed()
    assert not PgrChange.objects.current().filter(player=past).exists()


def test_merge_and_its_undoing_follow_both_players(who, go, staff):
    past = people("X", registered=False)["X"]
    settled(played("X 1 B", who={**who, "X": past}, on=date(2025, 12, 1), game=go))
    three_stages(who, go)
    before = ledger()
    merge = merging.merge_players(who["A"], past, by=staff, reason="-")
    done()
    assert ledger() == recomputed() != before
    merging.undo_merge(merge, by=staff, reason="-")
    done()
    assert ledger() == recomputed() == before


def test_two_of_one_table_found_to_be_one_person_played_no_game(who, go):
    stage = played("A 1 B, C 1 D", who=who, on=FIRST, game=go)
    Player.objects.filter(pk=who["B"].pk).update(merged_into=who["A"])
    settled(stage)
    assert set(PgrChange.objects.current().values_list("player", flat=True)) == {
        who["C"].pk,
        who["D"].pk,
    }


def void(player: Player, *, on: date) -> Disqualification:
    return Disqualification.objects.create(
        player=player, kind="void", effective_on=on, reason="-", confirmed_at=timezone.now()
    )


def test_void_games_count_for_nobody_and_count_again_when_the_decision_is_withdrawn(who, go, staff):
    three_stages(who, go)
    before = ledger()
    decision = void(who["A"], on=date(2026, 3, 1))
    changed(who["A"], "disqualified")
    assert ledger() == recomputed() != before
    assert pgr(who["A"], go) is None
    discipline.withdraw_disqualification(decision, by=staff, reason="-")
    done()
    assert ledger() == recomputed() == before


def test_disqualification_out_of_the_rankings_leaves_all_ratings_as_they_are(who, go):
    three_stages(who, go)
    before = ledger()
    Disqualification.objects.filter(pk=void(who["A"], on=date(2026, 3, 1)).pk).update(
        kind="ranking"
    )
    changed(who["A"], "disqualified")
    assert ledger() == before


def test_void_decision_for_a_later_day_is_followed_when_the_day_has_come(who, go, clock):
    three_stages(who, go)
    before = ledger()
    void(who["A"], on=date(2026, 4, 1))
    changed(who["A"], "disqualified")
    following.enqueue_voided_players()
    assert (ledger(), Job.objects.filter(done_at=None).count()) == (before, 0)
    clock.shift(timedelta(days=25))
    following.enqueue_voided_players()
    following.enqueue_voided_players()
    assert Job.objects.filter(done_at=None, kind="pgr.player").count() == 1
    done()
    assert ledger() == recomputed()
    assert pgr(who["A"], go) is None
    following.enqueue_voided_players()
    assert Job.objects.filter(done_at=None).count() == 0


def settings(season: Season, **values: str) -> None:
    Season.objects.filter(pk=season.pk).update(settings=values)


def test_season_that_rates_no_unregistered_players_is_computed_anew(go):
    who = {**people("AB"), **people("X", registered=False)}
    stage = played("A 1 X, X 1 B", who=who, on=FIRST, game=go)
    settled(stage)
    settings(stage.season, unregistered_rating="none")
    following.enqueue_season_ratings(season=stage.season_id, cause="season_changed")
    done()
    assert ledger() == recomputed()
    assert (pgr(who["X"], go), pgr(who["A"], go)) == (None, 1_010_000)


@pytest.mark.parametrize(("days", "rated"), [(0, 1_010_000), (1, None)])
def test_pgm_5_who_registers_while_a_stage_runs_had_not_registered_before_it(go, days, rated):
    """On its first day at the latest."""
    who = people("AB")
    stage = played("A 1 B", who=who, on=FIRST, game=go)
    move(stage, ends_on=SECOND)
    settings(stage.season, unregistered_rating="none")
    Registration.objects.filter(player=who["A"]).update(registered_on=FIRST + timedelta(days=days))
    settled(stage)
    assert (pgr(who["A"], go), pgr(who["B"], go)) == (rated, 990_000)


def test_refused_registration_counts_no_more_and_reopened_counts_again(go):
    who = people("AB")
    stage = played("A 1 B", who=who, on=FIRST, game=go)
    settings(stage.season, unregistered_rating="none")
    settled(stage)
    for state, rated in (("refused", None), ("new", 1_010_000)):
        Registration.objects.filter(player=who["A"]).update(state=state)
        changed(who["A"])
        assert pgr(who["A"], go) == rated
        assert ledger() == recomputed()


def test_opening_rating_is_where_a_player_begins(who, go):
    OpeningRating.objects.create(
        player=who["A"], game=go, pgr="1100.000", last_played_on=date(2021, 11, 1)
    )
    settled(played("A 1 B", who=who, on=FIRST, game=go))
    change = PgrChange.objects.current().get(player=who["A"])
    assert (change.before, change.is_first) == (1_100_000, False)


def test_opening_rating_that_was_mended_reaches_every_later_stage(who, go):
    opening = OpeningRating.objects.create(player=who["A"], game=go, pgr="1100.000")
    three_stages(who, go)
    OpeningRating.objects.filter(pk=opening.pk).update(pgr="1200.500")
    changed(who["A"], "mended")
    assert ledger() == recomputed()
    assert PgrChange.objects.current().filter(player=who["A"]).in_order()[0].before == 1_200_500


@pytest.mark.parametrize("mend", ["rating", "registration"])
def test_what_is_mended_reaches_the_rankings_of_every_year_however_late_one_registered(
    who, go, mend
):
    """A game of 2025 against somebody who registered in 2026: his rating decided what the other one
    won."""
    late = people("X", registered=False)["X"]
    registration = Registration.objects.create(
        player=late, registered_on=date(2026, 1, 5), state="new"
    )
    settled(played("X 1 A", who=who | {"X": late}, on=date(2025, 3, 1), game=go))
    if mend == "rating":
        OpeningRating.objects.create(player=late, game=go, pgr="1400.000")
    else:
        Registration.objects.filter(pk=registration.pk).update(registered_on=date(2025, 1, 5))
    changed(late, "mended")
    line = Line.objects.get(
        computation__kind="red", computation__shown__publication=public(2025), player=who["A"]
    )
    assert [str(one) for one in checking.find_differences()] == []
    assert line.detail["active_pgrs"] == 1


def public(year: int) -> Publication:
    return Publication.objects.get(season__year=year, is_current=True)


def test_step_that_failed_midway_leaves_nothing_behind_and_succeeds_later(who, go, monkeypatch):
    stage = played("A 1 B", who=who, on=FIRST, game=go)
    following.enqueue_stage_ratings(stage=stage.pk, cause="closed")
    with monkeypatch.context() as broken:
        broken.setattr(
            "pergioco.publishing.services.publish.enqueue_publication", lambda **_: 1 / 0
        )
        jobs.run_waiting()
    assert PgrChange.objects.count() == 0
    Job.objects.update(not_before=timezone.now())
    done()
    assert ledger() == recomputed() != []
