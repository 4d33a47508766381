"""Half an hour in which a closing or a correction can be taken back: the mark at once, the numbers
after it."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import Job
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Player, Registration
from pergioco.publishing.models import Erratum, Freeze, PgrChange, Publication
from pergioco.publishing.services import publish, withdrawing
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage
from pergioco.stages.services import closing, drafting
from tests import factories
from tests.publishing import play
from tests.publishing.play import places, public

pytestmark = pytest.mark.django_db
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
State = Revision.State


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture(autouse=True)
def season(clock):
    return factories.season()


@pytest.fixture
def players(db) -> list[Player]:
    return [
        factories.registered(date(2025, 1, 10), last_name=n)
        for n in ("Rossi", "Bianchi", "Verdi", "Neri")
    ]


@pytest.fixture
def go(db):
    return factories.game("go")


@pytest.fixture
def first(players, organizer, go) -> Revision:
    a, b, *_ = players
    return play.played([(a, b)], "1", by=organizer, game=go)


def withdraw(revision: Revision, by) -> Revision:
    return withdrawing.withdraw_results(revision.stage, revision=revision.pk, by=by)


def states(stage: Stage) -> list[str]:
    return [row.state for row in stage.revisions.order_by("number")]


def status(stage: Stage) -> str:
    return Stage.objects.get(pk=stage.pk).status


def marks(season) -> list[tuple[int, bool, bool]]:
    rows = Publication.objects.filter(season=season).order_by("number")
    return [(row.number, row.is_current, row.withdrawn_at is not None) for row in rows]


def test_a_first_closing_becomes_a_draft_with_the_same_results_and_nothing_is_public(
    first, season, organizer, clock
):
    clock.shift(29 * MINUTE)
    draft = withdraw(first, organizer)
    assert (draft.state, draft.number, facts.read_rounds(draft)) == (
        State.DRAFT,
        2,
        facts.read_rounds(first),
    )
    assert (states(first.stage), status(first.stage)) == ([State.DROPPED, State.DRAFT], "open")
    assert (publish.current_publication(season), marks(season)) == (None, [(1, False, True)])
    play.follow()
    assert PgrChange.objects.current().count() == 0
    assert (publish.current_publication(season), Erratum.objects.count()) == (None, 0)


def test_what_was_closed_stays_on_file_as_it_was(first, organizer):
    before = facts.read_rounds(first)
    withdraw(first, organizer)
    kept = Revision.objects.get(pk=first.pk)
    assert (kept.sha256, kept.closed_by, facts.read_rounds(kept)) == (
        first.sha256,
        organizer,
        before,
    )
    entry = AuditEntry.objects.get(action="stage.reopened")
    assert (entry.actor, entry.object_id, entry.changes) == (
        organizer,
        str(first.pk),
        {"revision": ["1", "2"]},
    )


def test_a_correction_becomes_a_draft_again_and_the_results_before_it_are_in_force(
    first, season, players, organizer, clock
):
    clock.shift(HOUR)
    second = play.corrected(first.stage, "2", by=organizer)
    assert places(public(season), "game:go")[0][2] == "1010.000"
    draft = withdraw(second, organizer)
    assert states(first.stage) == [State.CURRENT, State.DROPPED, State.DRAFT]
    assert (draft.reason, facts.read_rounds(draft), status(first.stage)) == (
        second.reason,
        facts.read_rounds(second),
        "closed",
    )
    assert public(season).number == 1
    play.follow()
    assert marks(season) == [(1, True, False), (2, False, True)]
    assert sorted(PgrChange.objects.current().values_list("after", flat=True)) == [
        990_000,
        1_010_000,
    ]
    assert PgrChange.objects.current().get(after=1_010_000).player == players[0]


def test_after_a_second_correction_the_first_one_stays(first, organizer, clock):
    clock.shift(HOUR)
    play.corrected(first.stage, "2", by=organizer)
    clock.shift(HOUR)
    third = play.corrected(first.stage, "X", by=organizer)
    withdraw(third, organizer)
    assert states(first.stage) == [State.SUPERSEDED, State.CURRENT, State.DROPPED, State.DRAFT]
    assert status(first.stage) == "corrected"


def test_the_draft_can_be_closed_again_as_it_is(first, season, organizer, clock):
    draft = withdraw(first, organizer)
    play.follow()
    clock.shift(MINUTE)
    again = play.close(draft, by=organizer)
    play.follow()
    assert (again.state, public(season).number, public(season).before) == (State.CURRENT, 2, None)


def test_results_typed_twice_need_not_be_typed_a_third_time(first, organizer):
    Revision.objects.filter(pk=first.pk).update(verified_sha256=first.sha256)
    assert withdraw(first, organizer).verified_sha256 == first.sha256


def test_after_half_an_hour_it_is_too_late_and_the_sentence_says_what_to_do(
    first, season, organizer, clock
):
    clock.shift(30 * MINUTE)
    with pytest.raises(Refused) as refused:
        withdraw(first, organizer)
    assert (
        str(refused.value.sentence)
        == "It could be withdrawn until 12:30. To change it now, use “Correct the results”."
    )
    assert (status(first.stage), public(season).number) == ("closed", 1)


def test_the_half_hour_begins_when_it_is_public(players, organizer, clock):
    a, b, *_ = players
    revision = play.close(play.drafted([(a, b)], "1"), by=organizer)
    assert withdrawing.time_to_withdraw(revision) == 30 * MINUTE
    clock.shift(20 * MINUTE)
    play.follow()
    assert withdrawing.time_to_withdraw(revision) == 30 * MINUTE
    clock.shift(30 * MINUTE)
    assert withdrawing.time_to_withdraw(revision) is None


def test_before_it_was_published_it_can_be_withdrawn_too(players, season, organizer):
    a, b, *_ = players
    revision = play.close(play.drafted([(a, b)], "1"), by=organizer)
    withdraw(revision, organizer)
    play.follow()
    assert (publish.current_publication(season), Publication.objects.count()) == (None, 0)


def test_results_that_came_with_an_archive_were_not_closed_here(first, organizer):
    Publication.objects.update(revision=None)
    Revision.objects.filter(pk=first.pk).update(closed_at=None, closed_by=None)
    with pytest.raises(Refused, match="This was not closed here"):
        withdraw(first, organizer)


def test_withdrawing_twice_is_told(first, organizer):
    withdraw(first, organizer)
    with pytest.raises(Outdated):
        withdraw(first, organizer)
    assert AuditEntry.objects.filter(action="stage.reopened").count() == 1


def test_while_a_correction_is_under_way_it_is_refused_and_nothing_moves(first, season, organizer):
    drafting.begin_correction(first.stage, by=organizer, reason="x")
    with pytest.raises(Refused) as refused:
        withdraw(first, organizer)
    assert (
        str(refused.value.sentence)
        == "A correction of this stage is under way. Give it up first, then withdraw."
    )
    assert public(season).withdrawn_at is None


def test_what_was_published_since_is_published_anew_without_it(
    first, season, players, organizer, clock
):
    _a, _b, c, d = players
    clock.shift(MINUTE)
    play.played([(c, d)], "1", by=organizer, game=factories.game("zoo"))
    clock.shift(MINUTE)
    withdraw(first, organizer)
    assert public(season).number == 2  # it has numbers of ours, and also those of the other stage
    play.follow()
    now = public(season)
    assert (now.number, now.cause, now.revision, now.published_by) == (
        3,
        "withdrawn",
        first,
        organizer,
    )
    assert marks(season) == [(1, False, True), (2, False, False), (3, True, False)]
    assert sorted(
        now.computations.filter(kind__startswith="game:").values_list("kind", flat=True)
    ) == ["game:zoo"]


def test_two_withdrawn_one_after_the_other_before_anything_is_computed(
    first, season, players, organizer, clock
):
    """The version before ours has been withdrawn itself: the mark goes further back."""
    _a, _b, c, d = players
    clock.shift(MINUTE)
    second = play.played([(c, d)], "1", by=organizer)
    withdraw(first, organizer)
    withdraw(second, organizer)
    assert publish.current_publication(season) is None
    play.follow()
    assert (publish.current_publication(season), PgrChange.objects.current().count()) == (None, 0)


def test_a_withdrawal_that_changes_what_became_public_since_has_an_erratum_of_its_own(
    first, season, players, organizer, clock
):
    clock.shift(HOUR)
    correction = play.corrected(first.stage, "2", by=organizer)
    clock.shift(MINUTE)
    _a, _b, c, d = players
    play.played([(c, d)], "1", by=organizer, game=factories.game("zoo"))
    clock.shift(MINUTE)
    withdraw(correction, organizer)
    play.follow()
    said, taken_back = Erratum.objects.order_by("pk")
    assert (said.publication.number, said.publication.withdrawn_at is None) == (2, False)
    assert (taken_back.cause, taken_back.against.number, taken_back.publication.number) == (
        "withdrawn",
        3,
        4,
    )
    assert Job.objects.filter(kind="errata.tell").count() == 1


def test_every_season_that_it_reached_goes_back(players, organizer, clock):
    a, b, *_ = players
    Registration.objects.update(registered_on=date(2025, 1, 10))
    last_year, this_year = factories.season(2025), factories.stage().season
    revision = play.played([(a, b)], "1", by=organizer, of=last_year, on=date(2025, 11, 3))
    assert public(last_year).revision == public(this_year).revision == revision
    withdraw(revision, organizer)
    assert marks(last_year) == marks(this_year) == [(1, False, True)]


def test_a_season_that_is_final_by_now_keeps_its_numbers_and_gets_an_erratum(
    first, season, organizer, clock
):
    one, other = (factories.user_with_role("staff") for _ in range(2))
    Freeze.objects.create(
        season=season,
        publication=public(season),
        sha256="f" * 64,
        proposed_by=one,
        frozen_by=other,
        frozen_at=timezone.now(),
    )
    clock.shift(MINUTE)
    withdraw(first, organizer)
    play.follow()
    assert marks(season) == [(1, True, False)]
    erratum = Erratum.objects.get()
    assert (erratum.cause, erratum.is_against_final, erratum.decided_by) == (
        "withdrawn",
        True,
        organizer,
    )


def test_a_correction_approved_by_another_is_withdrawn_by_its_organizer(
    players, organizer, staff, season, clock
):
    a, b, *_ = players
    first = play.played([(a, b)], "1", by=organizer, race=True)
    clock.shift(HOUR)
    waiting = play.correction(first.stage, "2", by=organizer)
    clock.shift(HOUR)
    closing.approve_correction(waiting, by=staff)
    play.follow()
    withdraw(waiting, organizer)
    play.follow()
    assert states(first.stage) == [State.CURRENT, State.DROPPED, State.DRAFT]
    assert public(season).number == 1


def test_thinning_leaves_what_may_still_be_withdrawn(first, season, players, organizer, clock):
    _a, _b, c, d = players
    for _ in range(3):
        play.played([(c, d)], "1", by=organizer)
    publish.delete_old_publications()
    withdraw(first, organizer)
    play.follow()
    assert marks(season)[0] == (1, False, True)
