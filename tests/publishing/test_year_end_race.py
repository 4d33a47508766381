"""The year end, at the same moment as everything else: two people, results, the purge. Each race
has its control."""

from datetime import UTC, date, datetime
from threading import Barrier, Thread

import pytest
from django.db import connection, connections, transaction

from pergioco.core.models import Job
from pergioco.core.refusal import Refused
from pergioco.publishing.models import Freeze, PgrChange
from pergioco.publishing.services import freezing, publish
from ratings import compute, purging
from ratings.models import Purge, Purged
from tests import factories
from tests.publishing import year
from tests.ratings import play
from tests.servers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 4
ON_SERVER = (
    "postgresql"  # SQLite lets nobody write while another does: there a control cannot do harm
)


@pytest.fixture(autouse=True)
def _later(clock, english, settings):
    settings.BROKER_URL = ""
    clock.move_to(datetime(2041, 1, 10, 12, tzinfo=UTC))


class Worker(Thread):
    """Somebody else, on a connection of their own. What they ended with is kept for the test."""

    def __init__(self, act, barrier=None) -> None:
        super().__init__()
        self.act, self.barrier, self.outcome = act, barrier, None

    def run(self) -> None:
        try:
            if self.barrier:
                self.barrier.wait()
            self.outcome = self.act()
        except Exception as trouble:  # noqa: BLE001 - the test looks at it
            self.outcome = trouble
        finally:
            connections.close_all()


def at_once(*acts):
    barrier = Barrier(len(acts))
    workers = [Worker(act, barrier) for act in acts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [worker.outcome for worker in workers]


def confirm_stubbornly(freeze, by):
    """As somebody does who is told to look again, and looks again."""

    def confirmed():
        try:
            return freezing.confirm_freeze(Freeze.objects.get(pk=freeze.pk), by=by)
        except Refused as refusal:
            if freezing.find_final_freeze(freeze.season):
                return refusal
            raise

    return wait_until(confirmed)


def close_another_race_stage(season, pair):
    with transaction.atomic():
        stage = year.played(*pair, on=date(season.year, 6, 6), race=True, slug=f"{season.year}-02")
        year.tell(stage)
    return stage


def propose_purge(season):
    """Tries until the year is final; a purge that was proposed found it so."""
    by = factories.user_with_role("staff")
    wait_until(lambda: purging.propose_purge(season.year + 1, by=by))
    return freezing.find_final_freeze(season) is not None


MANY = [
    pytest.param(2030 + number % 10, id=f"round {number}", marks=pytest.mark.proof)
    for number in range(50)
]


@pytest.mark.parametrize("of", [*range(2030, 2030 + ROUNDS), *MANY])
def test_freeze_and_freeze_and_results_and_purge_at_once(of, figure):
    sleeper, awake = factories.player(), factories.registered(date(2025, 1, 3))
    year.played(sleeper, awake, on=date(2025, 3, 1), slug="2025-01")
    season, winner, loser = year.year_over(of)
    before = freezing.draft_document(season)
    freeze = freezing.propose_freeze(season, by=factories.user_with_role("staff"))
    people = [factories.user_with_role("staff") for _ in range(2)]
    *confirmed, closed, purge_came_after = at_once(
        *[lambda by=by: confirm_stubbornly(freeze, by) for by in people],
        lambda: close_another_race_stage(season, (winner, loser)),
        lambda: propose_purge(season),
    )
    final = Freeze.objects.get(frozen_at__isnull=False)
    assert sorted(type(outcome).__name__ for outcome in confirmed) == ["Freeze", "Refused"]
    after = freezing.draft_document(season)
    assert before != after
    assert final.document in {before, after}
    assert (
        final.sha256
        == year.sha256_of_what_is_shown(final)
        == freezing.hash_document(final.document)
    )
    assert (purge_came_after, Purge.objects.get().listed) == (True, [sleeper.public_id])
    assert PgrChange.objects.current().filter(stage=closed).count() == 2
    assert Job.objects.filter(done_at=None, kind__startswith="pgr.").count() == 0
    figure(
        "T19",
        "years ended while two confirm, a stage closes and a purge is asked for",
        1,
        target="50",
    )


def frozen_while_a_stage_is_closed(monkeypatch):
    """Red is computed; then somebody closes a stage, which is computed and published; then the Race
    is read."""
    season, *pair = year.year_over(2030)
    before, freeze = freezing.draft_document(season), freezing.propose_freeze(season, by=None)
    readings = publish.compute_season
    closing = Worker(lambda: close_another_race_stage(season, pair))

    def interrupted(day, of):
        for one in readings(day, of):
            if one.kind == "green" and not closing.ident and connection.in_atomic_block:
                closing.start()
                if connection.vendor == ON_SERVER:
                    wait_for_the_results(season)
            yield one

    monkeypatch.setattr(publish, "compute_season", interrupted)
    outcome = Worker(
        lambda: freezing.confirm_freeze(
            freeze, by=factories.user_with_role("staff"), seen=freezing.hash_document(before)
        )
    )
    outcome.start()
    outcome.join()
    closing.join()
    monkeypatch.undo()
    return season, before, freezing.draft_document(season)


def wait_for_the_results(season):
    """They are committed, while the publication that follows them waits for the one that
    freezes."""
    wait_until(lambda: PgrChange.objects.filter(stage__slug=f"{season.year}-02")[0])


def test_a_mixture_of_before_and_after_is_never_frozen(monkeypatch):
    season, before, after = frozen_while_a_stage_is_closed(monkeypatch)
    final = freezing.find_final_freeze(season)
    assert before != after
    assert final is None or final.document == before


def test_control_without_looking_twice_the_mixture_is_frozen(monkeypatch):
    truth = freezing.hash_document
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(freezing, "hash_document", lambda _document: "0" * 64)
        season, before, after = frozen_while_a_stage_is_closed(monkeypatch)
    document = freezing.find_final_freeze(season).document
    assert (document not in {before, after}) is (connection.vendor == ON_SERVER)
    assert truth(document) != freezing.find_final_freeze(season).sha256


# The rows of a purge are destroyed while their game is being computed


def destroyed_while_its_game_is_computed(monkeypatch):
    """The rows are computed; then the purge is carried out; then the rows are written."""
    who = play.people("A") | play.people("S", registered=False)
    go = factories.game("go")
    stage = play.played("S 1 A", who=who, on=date(2030, 3, 1), game=go)
    play.settled(stage)
    purge = Purge.objects.create(
        year=2036, listed=[who["S"].public_id], confirmed_at=datetime(2036, 1, 1, tzinfo=UTC)
    )
    play.write(stage, "A 1 S", who=who)
    write, destroying = compute.write_pgr_changes, Worker(lambda: purging.destroy_purge(purge))

    def interrupted(*arguments, **options):
        destroying.start()
        if connection.vendor == ON_SERVER:
            wait_for(destroying)
        return write(*arguments, **options)

    monkeypatch.setattr(compute, "write_pgr_changes", interrupted)
    compute.recompute(go, cause="corrected")
    destroying.join()
    assert destroying.outcome is None
    return who["S"]


def wait_for(destroying):
    """Until it is done, or waits for the very lock that we hold."""

    def done_or_held_up():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            assert not destroying.is_alive() or cursor.fetchone()[0] > 0

    wait_until(done_or_held_up)


def test_a_row_that_was_computed_before_is_not_written_after_it_was_destroyed(monkeypatch):
    gone = destroyed_while_its_game_is_computed(monkeypatch)
    assert (PgrChange.objects.filter(player=gone).count(), Purged.objects.count()) == (0, 1)
    assert play.ledger() == play.recomputed()


def test_control_without_the_lock_it_comes_back(monkeypatch):
    monkeypatch.setattr(purging, "lock_all_games", lambda: None)
    gone = destroyed_while_its_game_is_computed(monkeypatch)
    assert PgrChange.objects.filter(player=gone).exists() is (connection.vendor == ON_SERVER)
