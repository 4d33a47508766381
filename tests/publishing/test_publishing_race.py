"""Two at once, each with a connection of its own: one version, one mark, one letter; without the
lock, trouble.

On SQLite a transaction lets nobody else write from its first moment, so there the controls stay
harmless."""

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta

import pytest
from django.core import mail
from django.db import close_old_connections, connection, connections
from django.utils import timezone

from pergioco.core.models import Job
from pergioco.core.refusal import Refused
from pergioco.publishing.models import Erratum, Publication
from pergioco.publishing.services import errata, publish, withdrawing
from pergioco.stages.models import Revision, Season
from tests import factories
from tests.emptying import unguarded
from tests.publishing import play

pytestmark = pytest.mark.django_db(transaction=True)
LONGEST_WAIT_SECONDS = 0.5
PATIENCE_SECONDS = 60
Result = object


class Meeting:
    """Whoever comes first waits for the other: not for long where a lock may keep him away, as it
    always does on SQLite; in a control on PostgreSQL he comes, however busy the machine is."""

    def __init__(self, *, is_control: bool = False) -> None:
        self.barrier = threading.Barrier(2)
        comes = is_control and connection.vendor == "postgresql"
        self.seconds = PATIENCE_SECONDS if comes else LONGEST_WAIT_SECONDS

    def join(self) -> None:
        with suppress(threading.BrokenBarrierError):
            self.barrier.wait(self.seconds)


def at_once(*acts: Callable[[], Result]) -> list[Result]:
    """What each returned, or raised."""
    results: list[Result] = [None] * len(acts)

    def run(number: int, act: Callable[[], Result]) -> None:
        close_old_connections()
        try:
            results[number] = act()
        except Exception as trouble:  # noqa: BLE001 - it is the result
            results[number] = trouble
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    return results


@pytest.fixture
def season() -> Season:
    """One stage was published and a second one has just been rated."""
    season = factories.season(timezone.localdate().year)
    a, b = (factories.registered(date(season.year, 1, 2), login=False) for _ in range(2))
    organizer = factories.user_with_role("organizer")
    for number in (1, 2):
        day = date(season.year, 1, 2 + number)
        play.close(
            play.drafted([(a, b)], "1", of=season, on=day, game=factories.game()), by=organizer
        )
        if number == 1:
            play.follow()
    Job.objects.filter(kind="publish", done_at=None).delete()
    return season


def meet(monkeypatch, place: Meeting) -> None:
    """Between reading what is public and writing what shall be, each waits for the other."""
    contents = publish.read_contents

    def slowly(season, day):
        place.join()
        return contents(season, day)

    monkeypatch.setattr(publish, "read_contents", slowly)


def unlocked(season: Season, *, no_key: bool) -> Season:
    return Season.objects.get(pk=season.pk)


def publish_twice(season: Season) -> list[Result]:
    Publication.objects.filter(season=season, number__gt=1).delete()
    Publication.objects.filter(season=season).update(is_current=True, ratings={})
    return at_once(*[lambda: publish.publish_season(season, cause="closed")] * 2)


def test_of_two_who_publish_at_once_the_second_finds_the_version_of_the_first(season, monkeypatch):
    meet(monkeypatch, Meeting())
    assert is_one_version(publish_twice(season))


def is_one_version(results: list[Result]) -> bool:
    versions = Publication.objects.order_by("number").values_list("number", "is_current")
    return results[0] == results[1] and list(versions) == [(1, False), (2, True)]


def test_control_without_the_lock_one_fails_or_there_are_two_versions(season, monkeypatch):
    meet(monkeypatch, Meeting(is_control=True))
    monkeypatch.setattr(publish, "lock_row", unlocked)
    assert is_one_version(publish_twice(season)) is (connection.vendor != "postgresql")


@pytest.fixture
def erratum(season) -> Erratum:
    """A correction that can be withdrawn for one more moment, with its letters due."""
    first = Revision.objects.filter(stage__season=season).order_by("pk")[0]
    Publication.objects.update(published_at=timezone.now() - timedelta(hours=2))
    Revision.objects.update(closed_at=timezone.now() - timedelta(hours=2))
    for player in factories.Player.objects.all():
        player.person.user = factories.user()
        player.person.save()
    play.corrected(first.stage, "2", by=first.closed_by)
    return Erratum.objects.get()


def told_and_withdrawn(erratum: Erratum) -> tuple[int, bool]:
    """Letters that left, and whether the correction was withdrawn."""
    dropped = Revision.objects.get(pk=erratum.revision_id).state == Revision.State.DROPPED
    return len(mail.outbox), dropped


def withdraw(erratum: Erratum) -> Result:
    revision = erratum.revision
    return withdrawing.withdraw_results(revision.stage, revision=revision.pk, by=revision.closed_by)


def test_letters_and_a_withdrawal_at_the_same_moment_never_both_happen(erratum, monkeypatch):
    """The withdrawal looked at the clock in time; while it goes on, the letters become due."""
    place, reopen = Meeting(), withdrawing.closing.reopen_stage

    def slowly(*args, **kwargs):
        place.join()
        return reopen(*args, **kwargs)

    def tell() -> None:
        place.join()
        errata.tell_players(erratum.pk)

    monkeypatch.setattr(withdrawing.closing, "reopen_stage", slowly)
    results = at_once(lambda: withdraw(erratum), tell)
    assert [result for result in results if isinstance(result, Exception)] == []
    assert told_and_withdrawn(erratum) == (0, True)


def test_control_letters_that_do_not_wait_for_the_revision_leave_all_the_same(erratum, monkeypatch):
    place, reopen = Meeting(is_control=True), withdrawing.closing.reopen_stage
    sent = threading.Event()

    def slowly(*args, **kwargs):
        place.join()
        sent.wait(place.seconds)
        return reopen(*args, **kwargs)

    def tell() -> None:
        place.join()
        errata.tell_players(erratum.pk)
        sent.set()

    def heedless(erratum: Erratum) -> bool:
        return Revision.objects.get(pk=erratum.revision_id).state == Revision.State.DROPPED

    monkeypatch.setattr(errata, "was_withdrawn", heedless)
    monkeypatch.setattr(withdrawing.closing, "reopen_stage", slowly)
    at_once(lambda: withdraw(erratum), tell)
    assert told_and_withdrawn(erratum) == (
        (2, True) if connection.vendor == "postgresql" else (0, True)
    )


def test_letters_first_and_the_withdrawal_is_too_late(erratum):
    Publication.objects.update(published_at=timezone.now() - timedelta(minutes=31))
    results = at_once(lambda: errata.tell_players(erratum.pk), lambda: withdraw(erratum))
    assert isinstance(results[1], Refused)
    assert told_and_withdrawn(erratum) == (2, False)


def test_a_withdrawal_waits_for_the_publication_that_is_being_made_and_takes_it_back(
    erratum, season, monkeypatch
):
    """Otherwise the version would appear after it was withdrawn, and stay."""
    revision = erratum.revision
    with unguarded():
        Erratum.objects.all().delete()
    Publication.objects.filter(revision=revision).delete()
    Publication.objects.filter(number=1).update(is_current=True)
    begun, contents = threading.Event(), publish.read_contents

    def slowly(season, day):
        begun.set()
        return contents(season, day)

    def late() -> Result:
        begun.wait(PATIENCE_SECONDS)
        return withdrawing.withdraw_results(
            revision.stage, revision=revision.pk, by=revision.closed_by
        )

    monkeypatch.setattr(publish, "read_contents", slowly)
    steps = {"cause": "corrected", "year": season.year, "revision": revision.pk}
    results = at_once(lambda: publish.follow_change(**steps), late)
    assert [result for result in results if isinstance(result, Exception)] == []
    assert Publication.objects.get(revision=revision, cause="corrected").withdrawn_at is not None
    assert (
        publish.current_publication(season).number
        != Publication.objects.get(revision=revision, cause="corrected").number
    )
