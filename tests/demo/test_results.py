"""What was played in the demo: closed stages, and the cases that keep an organizer and the staff
busy."""

from collections import Counter
from datetime import date

import pytest

from pergioco.demo import seeding
from pergioco.demo.results import play_stage
from pergioco.stages.facts import hash_rounds, read_rounds
from pergioco.stages.labels import StageState, stage_state
from pergioco.stages.models import DateChange, Entry, Revision, Seat, Stage
from pergioco.stages.queries.calendar import build_fixtures, with_entry_counts
from pergioco.stages.queries.stage_view import StageView, stages_for_view
from pergioco.stages.rules.checking import may_close
from pergioco.stages.services.closing import check_revision

pytestmark = pytest.mark.django_db
TODAY = date(2026, 3, 12)
State = Revision.State


def test_all_stages_that_are_over_are_closed_but_two(demo):
    past = Stage.objects.filter(ends_on__lt=TODAY, circuit="pgm")
    assert Counter(past.values_list("status", flat=True)) == {
        "closed": 27,
        "corrected": 1,
        "open": 1,
        "planned": 1,
    }


def test_every_closed_revision_bears_its_hash_and_could_be_closed_by_a_person(demo):
    for revision in Revision.objects.filter(state=State.CURRENT).select_related("stage"):
        assert revision.sha256 == hash_rounds(read_rounds(revision))
        assert may_close(check_revision(revision))


def test_there_are_no_shows_walkovers_byes_and_withdrawals(demo):
    seats = Seat.objects.filter(table__round__revision__state=State.CURRENT)
    pairs = seats.filter(table__round__revision__stage__circuit="pgm")
    kinds = Counter(pairs.values_list("kind", flat=True))
    assert set(kinds) == {"played", "walkover", "no_show", "bye"}
    assert kinds["walkover"] == kinds["no_show"] >= 5
    assert Entry.objects.exclude(withdrew_after_round=None).count() >= 3


def test_pg_23_the_race_is_played_by_registered_players_and_other_stages_by_unregistered_ones_too(
    demo,
):
    entries = Entry.objects.filter(player__registration=None, player__merged_into=None)
    assert not entries.filter(stage__race=True).exists()
    assert entries.filter(stage__race=False).count() >= 3
    assert not any(
        entry.player.registration.registered_on > entry.stage.starts_on
        for entry in Entry.objects.filter(stage__race=True).select_related(
            "player__registration", "stage"
        )
    )


def test_the_organizer_has_a_draft_with_known_pairings_half_filled(demo):
    draft = Revision.objects.get(state=State.DRAFT, stage__ends_on__lt=TODAY)
    last = draft.rounds.order_by("-number").first()
    outcomes = Seat.objects.filter(table__round=last).values_list("outcome", flat=True)
    assert [user.email for user in draft.stage.organizers.all()] == ["organizer@example.org"]
    assert "" in outcomes
    assert set(outcomes) != {""}


def test_the_page_of_a_stage_is_shown_in_every_state(demo):
    seen = [StageView(stage, today=TODAY) for stage in stages_for_view()]
    codes = {stage_state(one.stage, today=TODAY, is_final=one.is_final) for one in seen}
    assert codes == set(StageState)


def test_what_is_on_that_day_is_half_played_and_the_next_race_stage_has_its_players(demo):
    running = Revision.objects.get(
        stage__circuit="pgm", stage__starts_on__lte=TODAY, stage__ends_on__gte=TODAY
    )
    outcomes = Counter(
        Seat.objects.filter(table__round__revision=running).values_list("outcome", flat=True)
    )
    assert outcomes[""] > 0 < outcomes["win"]
    coming = Stage.objects.filter(starts_on__gt=TODAY, race=True).order_by("starts_on")[0]
    assert (coming.status, coming.entries.count() > 0, running.state) == ("open", True, State.DRAFT)


def test_one_stage_to_come_is_full(demo):
    coming = build_fixtures(with_entry_counts(Stage.objects.filter(starts_on__gt=TODAY)))
    assert [fixture.is_full for fixture in coming].count(True) == 1


def test_one_stage_was_corrected_and_a_race_stage_waits_for_the_second_person(demo):
    corrected = Stage.objects.get(status=Stage.Status.CORRECTED)
    waiting = Revision.objects.get(state=State.WAITING)
    assert list(corrected.revisions.values_list("state", flat=True)) == [
        State.SUPERSEDED,
        State.CURRENT,
    ]
    assert (waiting.stage.race, waiting.closed_by.email) == (True, "staff@example.org")


def test_one_date_was_moved_and_one_stage_is_off(demo):
    moved, off = DateChange.objects.get(), Stage.objects.get(status=Stage.Status.CANCELLED)
    assert moved.old_starts_on < moved.new_starts_on == moved.stage.starts_on
    assert min(moved.stage.starts_on, off.starts_on) > TODAY


def test_a_stage_played_again_ends_the_same_way(demo):
    for slug in ("2026-01-amazons", "2025-02-havannah"):
        stage = Stage.objects.get(slug=slug)
        assert play_stage(stage).tournament.rounds == list(read_rounds(stage.revisions.get()))


@pytest.mark.parametrize("year", [2024, 2025, 2028])
def test_the_demo_can_be_made_on_any_day(demo_site, clock, year):
    clock.move_to(f"{year}-06-01T12:00:00+00:00")
    assert seeding.seed() is True
