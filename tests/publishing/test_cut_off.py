"""A worker dies anywhere in a step: somebody else makes it from nothing, and every number is as if
nobody had died.

`test_faults.py` does the same with real processes and servers.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from pergioco.core import jobs
from pergioco.publishing.services import publish
from pergioco.stages.models import Season
from ratings.compute import recompute_all
from tests import factories
from tests.publishing import play

POINTS = (
    "ratings.compute.write_pgr_changes",  # nothing is written yet
    "ratings.compute.insert_rows",  # the old changes are out of force, the new ones not written
    # the changes are written, the publication not enqueued
    "ratings.following.publish.enqueue_publication",
    # the new rankings have their heads but no lines
    "pergioco.publishing.services.publish.insert_rows",
    # no publication is current, or one that shows nothing
    "pergioco.publishing.services.publish.Shown.objects.bulk_create",
    "pergioco.core.jobs.finish",  # all is done but the step is not ticked off
)


class Killed(BaseException):
    """As a signal would: nothing of ours takes it."""


@pytest.fixture
def season(db, clock, staff) -> Season:
    """A stage is published, and the next one is closed: its steps wait."""
    one, other = factories.registered(), factories.registered()
    game = factories.game()
    play.played([(one, other)], "1", by=staff, game=game)
    play.close(play.drafted([(other, one)], "1", game=game, on=timezone.localdate()), by=staff)
    return Season.objects.get()


def cut_off(point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, at that point; then the claim ends and somebody else goes on."""

    def kill(*_arguments: object, **_named: object) -> None:
        raise Killed

    with monkeypatch.context() as broken:
        broken.setattr(point, kill)
        with pytest.raises(Killed):
            play.follow()


def go_on(clock) -> None:
    clock.shift(jobs.LEASE + timedelta(seconds=1))
    play.follow()


def is_as_the_facts_say(season: Season) -> bool:
    """A replay of everything changes nothing, and would publish nothing else."""
    public = publish.current_publication(season)
    return (
        not recompute_all(cause="replay")
        and publish.publish_season(season, cause="replay") == public
    )


@pytest.mark.parametrize("point", POINTS)
def test_a_step_that_was_cut_off_is_made_again_from_nothing(season, clock, monkeypatch, point):
    cut_off(point, monkeypatch)
    go_on(clock)
    assert is_as_the_facts_say(season)
    assert season.publications.count() == 2


@pytest.mark.parametrize("point", POINTS)
def test_control_ticked_off_too_early_it_is_lost(season, clock, monkeypatch, point):
    take_hold = jobs.lease

    def claim(pk):
        row = take_hold(pk)
        type(row).objects.filter(pk=pk).update(
            state="done", done_at=timezone.now(), leased_until=None
        )
        return row

    monkeypatch.setattr(jobs, "lease", claim)
    monkeypatch.setattr(jobs, "finish", lambda _row: None)
    cut_off(point, monkeypatch)
    go_on(clock)
    assert not is_as_the_facts_say(season)
