"""A change of a tournament or of a member promises a publication; changes of others promise
none."""

from datetime import date

import pytest
from django.utils import timezone

from pergioco.core import events, jobs
from pergioco.core.models import Job
from pergioco.players.models import Membership, Registration
from pergioco.players.services.memberships import join_big
from pergioco.publishing.models import Publication
from pergioco.publishing.services import publish
from pergioco.stages.models import Stage
from pergioco.stages.services import closing
from tests import factories
from tests.big_league.play import people, tournament, write
from tests.ratings.play import season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
FEBRUARY = date(2026, 2, 1)
SIX = "A9 B7 C5, D8 E6 F3"


def promised(step: str = "publish") -> list[dict[str, object]]:
    return list(
        Job.objects.filter(kind=step, done_at=None)
        .order_by("pk")
        .values_list("arguments", flat=True)
    )


def follow() -> None:
    """Whatever its hour."""
    Job.objects.filter(done_at=None).update(not_before=timezone.now())
    for pk in list(Job.objects.filter(done_at=None).values_list("pk", flat=True)):
        jobs.run(pk)


def settled(stage: Stage, cause: str = "closed") -> None:
    events.emit("stage.settled", stage=stage.pk, cause=cause)


def values(kind: str = "big", *, year: int = 2026) -> dict[int, str]:
    publication = Publication.objects.get(is_current=True, season__year=year)
    computation = publication.computations.get(kind=kind)
    return {line.player_id: f"{line.value:.2f}" for line in computation.lines.all()}


def test_a_closed_tournament_is_published_at_once():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=FEBRUARY)
    closing.settle_stage(stage)
    assert promised() == [{"cause": "closed", "year": 2026, "revision": stage.revisions.get().pk}]
    follow()
    assert values()[who["D"].pk] == "1116.67"
    assert set(Publication.objects.get().shown.values_list("kind", flat=True)) >= {
        "big",
        "big:catan",
        "big-elo:catan",
        f"big-event:{stage.slug}",
    }


def test_a_correction_is_published_and_has_its_erratum():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=FEBRUARY)
    settled(stage)
    follow()
    write(stage, "A9 B7 C5, D8 F7 E3", who=who, phases={})
    settled(stage, "corrected")
    follow()
    assert Publication.objects.count() == 2
    assert (values()[who["F"].pk], values()[who["E"].pk]) == ("583.33", "83.33")
    erratum = Publication.objects.get(is_current=True).errata.get()
    assert {move["kind"] for move in erratum.changes["moves"]} == {
        "big",
        "big:catan",
        "big-elo:catan",
        f"big-event:{stage.slug}",
    }


def test_a_withdrawn_closing_takes_its_results_away():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=FEBRUARY)
    settled(stage)
    follow()
    stage.revisions.update(state="dropped")
    settled(stage, "withdrawn")
    follow()
    assert (
        not Publication.objects.get(is_current=True)
        .computations.filter(kind__startswith="big")
        .exists()
    )


def test_one_that_moves_to_another_year_is_followed_in_both():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=date(2025, 12, 1))
    season(2026)
    settled(stage)
    follow()
    Stage.objects.filter(pk=stage.pk).update(starts_on=FEBRUARY, ends_on=FEBRUARY)
    settled(stage, "moved")
    assert [one["year"] for one in promised()] == [2025]
    follow()
    shown = Publication.objects.filter(
        is_current=True, computations__kind=f"big-event:{stage.slug}"
    )
    assert [one.season.year for one in shown] == [2026]


def test_one_that_left_big_takes_its_results_along():
    who = people("ABCDEF")
    stage = tournament(SIX, who=who, on=FEBRUARY)
    settled(stage)
    follow()
    Stage.objects.filter(pk=stage.pk).update(circuit="pgm")
    settled(stage, "moved")
    follow()
    assert (
        not Publication.objects.get(is_current=True)
        .computations.filter(kind__startswith="big")
        .exists()
    )


def test_a_stage_of_another_circuit_promises_nothing_here():
    settled(factories.stage(of=season(2026), circuit="pgm"))
    assert promised() == []


def test_a_tournament_promises_no_ratings():
    settled(tournament(SIX, who=people("ABCDEF"), on=FEBRUARY))
    assert promised("pgr.stage") == []


def test_who_joins_after_having_played_comes_into_the_rankings():
    who = people("ABCDE") | people("F", member_on=None)
    settled(tournament(SIX, who=who, on=FEBRUARY))
    follow()
    assert who["F"].pk not in values()
    join_big(who["F"], by=factories.user())
    follow()
    assert who["F"].pk in values()


def test_a_membership_that_is_mended_reaches_the_rankings_of_every_year_before_registration():
    """BIG asks for no registration with PerGioco Masters, so that its day says nothing here."""
    who = people("ABCDE") | people("F", member_on=date(2026, 1, 5))
    Registration.objects.create(player=who["F"], registered_on=date(2026, 1, 5), state="new")
    settled(tournament(SIX, who=who, on=date(2025, 12, 1)))
    follow()
    assert who["F"].pk not in values(year=2025)
    Membership.objects.filter(player=who["F"]).update(member_on=date(2025, 1, 1))
    events.emit("player.changed", player=who["F"].pk, cause="mended")
    follow()
    assert who["F"].pk in values(year=2025)


def test_who_never_sat_at_a_table_of_big_promises_nothing():
    settled(tournament(SIX, who=people("ABCDEF"), on=FEBRUARY))
    follow()
    join_big(factories.player(), by=factories.user())
    assert promised() == []


def test_joining_twice_tells_once():
    who = people("ABCDEF")
    settled(tournament(SIX, who=who, on=FEBRUARY))
    follow()
    join_big(who["A"], by=factories.user())
    assert promised() == []
    assert Membership.objects.count() == 6


def test_a_tournament_that_was_closed_before_its_last_day_counts_at_once():
    who = people("ABCDEF")
    settled(tournament(SIX, who=who, on=date(2026, 3, 13)))
    follow()
    assert who["D"].pk in values()


def test_the_clock_publishes_what_nobody_told_of():
    who = people("ABCDEF")
    tournament(SIX, who=who, on=FEBRUARY)
    publish.follow_the_clock()
    assert who["D"].pk in values()
