"""The job queue: jobs are enqueued with a change and run after it, at least once, by one worker at
a time.

enqueue -> queued -> (lease) -> leased -> (finish) -> done
             ^                    |
             +---- retry, later --+--- after five attempts -> failed
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from traceback import format_tb
from typing import TypedDict, Unpack

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Min, Q
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from pergioco.core import last_runs
from pergioco.core.heartbeat import heartbeat
from pergioco.core.models import MOST_ATTEMPTS, Job, JobQuerySet

logger = logging.getLogger(__name__)
State = Job.State
NUMBERS, OUTSIDE, PAPER = LANES = tuple(Job.Lane.values)
LEASE = timedelta(minutes=5)  # longer than a worker may run (`task_time_limit`)
PAUSES = [timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1)]
GROUP_PAUSE = timedelta(seconds=10)
AT_ONCE = 500
LONGEST_PASS = 60.0  # seconds
KEEP_DONE_FOR = timedelta(days=30)

Write = Callable[[], object]


class Options(TypedDict, total=False):
    """`is_atomic`: runs in the transaction that finishes the job. Other jobs have outside effects
    or take long; they run without a transaction and return a function that writes, called when the
    job is finished. `is_bulk`: one of many, runs after all other jobs of its lane. `after_failure`:
    called with the arguments after the last attempt; then no operator has to handle the failure.
    `after_pass`: called after a worker's pass, to close connections. `may_hang`: whether it may
    wait for a server of others; then no request runs it, not even without a broker."""

    is_atomic: bool
    is_bulk: bool
    after_failure: Callable[..., object] | None
    after_pass: Callable[[], object] | None
    may_hang: Callable[[], bool]


def never() -> bool:
    return False


@dataclass(frozen=True)
class Kind:
    run: Callable[..., Write | None]
    lane: str
    is_atomic: bool = True
    is_bulk: bool = False
    after_failure: Callable[..., object] | None = None
    after_pass: Callable[[], object] | None = None
    may_hang: Callable[[], bool] = never


kinds: dict[str, Kind] = {}
declared: set[str] = set()
# The jobs that a dry run enqueued, in order
collected: ContextVar[list[Job] | None] = ContextVar("collected", default=None)
running: ContextVar[Job | None] = ContextVar("running", default=None)


class LeaseLost(Exception):
    """The job took longer than its lease and another worker took it over."""


class Postponed(Exception):
    """Raised by a job that cannot run now; does not count as an attempt."""

    def __init__(self, pause: timedelta, *, whole_kind: bool = False) -> None:
        super().__init__()
        self.pause, self.whole_kind = pause, whole_kind


# Registration


def declare(kind: str) -> str:
    """Called by the module that enqueues; a system check proves that the kind is registered."""
    declared.add(kind)
    return kind


def register(
    kind: str, run: Callable[..., Write | None], *, lane: str, **options: Unpack[Options]
) -> None:
    kinds[kind] = Kind(run, lane, **options)


def find_job_problems() -> Iterator[str]:
    for kind in sorted(declared - kinds.keys()):
        yield f"Jobs “{kind}” are enqueued but not registered."


# Enqueueing


def enqueue(
    kind: str,
    *,
    not_before: datetime | None = None,
    unique_key: str = "",
    group: str = "",
    **arguments: int | str,
) -> Job:
    """Writes the job in the current transaction; without `not_before` a worker is notified on
    commit.

    If the key is queued already, returns that job: it will see this change.
    """
    job = new_job(kind, arguments, not_before=not_before, unique_key=unique_key, group=group)
    if unique_key and not save_once(job):
        return Job.objects.get(unique_key=unique_key)
    if not unique_key:
        job.save()
    seen = collected.get()
    if seen is not None:
        seen.append(job)
    elif not_before is None:
        # robust: the change is committed, so a failure here must not break the response
        transaction.on_commit(lambda: notify(job), robust=True)
    return job


def enqueue_many(kind: str, arguments: Iterable[dict[str, int]]) -> None:
    # Workers are not notified: they find these jobs in their next pass
    Job.objects.bulk_create((new_job(kind, one) for one in arguments), batch_size=500)


def new_job(
    kind: str,
    arguments: Mapping[str, int | str],
    *,
    not_before: datetime | None = None,
    **more: str,
) -> Job:
    known = kinds.get(kind)
    if known is None:
        raise LookupError(f"Jobs “{kind}” are not registered.")
    due = not_before or timezone.now()
    return Job(
        kind=kind,
        arguments=arguments,
        lane=known.lane,
        is_bulk=known.is_bulk,
        not_before=due,
        **more,
    )


def save_once(job: Job) -> bool:
    """False if the key is queued. Locks that row until commit, so that no worker starts it
    before it can see this change."""
    same = Job.objects.filter(unique_key=job.unique_key)
    while not same.update(made_at=F("made_at")):
        try:
            with transaction.atomic():
                job.save()
        except IntegrityError:
            continue  # another transaction has just enqueued it
        return True
    return False


def notify(job: Job) -> None:
    # A lost notification is harmless: the next pass of a worker finds the job
    if not settings.BROKER_URL:
        if not kinds[job.kind].may_hang():
            run(job.pk)
        return
    from pergioco import celery

    try:
        celery.notify(job.pk, job.lane)
    except (OSError, BrokerError) as unreachable:
        logger.warning(
            "broker unreachable, job %s waits for a worker: %s", job.pk, type(unreachable).__name__
        )


# Running


def run_waiting(lane: str = "") -> int:
    """One pass over all due jobs, of one lane or of all. Returns how many were done."""
    until, done = monotonic() + LONGEST_PASS, 0
    give_up_abandoned()
    due = Job.objects.due(timezone.now()).order_by("is_bulk", "pk")
    due = due.filter(lane=lane) if lane else due
    begun = set()
    for pk, kind in due.values_list("pk", "kind")[:AT_ONCE]:
        begun.add(kind)
        done += run(pk)
        if monotonic() > until:
            break
    for kind in begun & kinds.keys():
        after_pass = kinds[kind].after_pass
        if after_pass is not None:
            after_pass()
    return done


def run(pk: int) -> bool:
    """True if the job is done. A failed job is retried later."""
    job = lease(pk)
    if job is None:
        return False
    token = running.set(job)
    try:
        with heartbeat(own_lease(job)):
            run_leased(job)
    except Postponed as later:
        postpone(job, later)
        return False
    except Exception as trouble:  # noqa: BLE001 - the job stays and the worker goes on
        retry(job, trouble)
        return False
    finally:
        running.reset(token)
    return True


def lease(pk: int) -> Job | None:
    # One conditional UPDATE: of two workers one gets the job, on every database
    now = timezone.now()
    due = Job.objects.due(now).filter(pk=pk)
    try:
        mine = due.unblocked().update(
            state=State.LEASED,
            leased_until=now + LEASE,
            seen_at=now,
            attempts=F("attempts") + 1,
            unique_key="",
        )
    except IntegrityError:  # another worker has just started a job of the same group
        mine = 0
    if not mine:
        due.filter(state=State.QUEUED).exclude(group="").update(not_before=now + GROUP_PAUSE)
        return None
    return Job.objects.get(pk=pk)


def run_leased(job: Job) -> None:
    kind = kinds[job.kind]
    if kind.is_atomic:
        with transaction.atomic():
            kind.run(**job.arguments)
            finish(job)
        return
    write = kind.run(**job.arguments)
    with transaction.atomic():
        finish(job)
        if write is not None:
            write()


def finish(job: Job) -> None:
    # In the transaction of what the job writes: if the lease is lost, that is rolled back
    if not own_lease(job).update(
        state=State.DONE, done_at=timezone.now(), leased_until=None, trouble=""
    ):
        raise LeaseLost


def own_lease(job: Job) -> JobQuerySet:
    """The row, if this worker still holds the lease."""
    return Job.objects.filter(
        pk=job.pk, state=State.LEASED, attempts=job.attempts, leased_until=job.leased_until
    )


def report_progress(done: int, of: int = 0) -> None:
    """For the running job; only for kinds that are not atomic."""
    job = running.get()
    if job is not None and not own_lease(job).update(progress=done, progress_of=of):
        raise LeaseLost


def postpone(job: Job, later: Postponed) -> None:
    until = timezone.now() + later.pause
    own_lease(job).update(
        state=State.QUEUED,
        leased_until=None,
        seen_at=None,
        not_before=until,
        attempts=job.attempts - 1,
    )
    if later.whole_kind:
        Job.objects.filter(kind=job.kind, state=State.QUEUED, not_before__lt=until).update(
            not_before=until
        )


def retry(job: Job, trouble: Exception) -> None:
    # Logs where it failed, never the exception's message: it may contain personal data
    name = type(trouble).__name__
    logger.error(
        "job %s (%s) failed: %s\n%s",
        job.pk,
        job.kind,
        name,
        "".join(format_tb(trouble.__traceback__)),
    )
    if job.attempts >= MOST_ATTEMPTS:
        give_up(job, name)
        return
    later = timezone.now() + PAUSES[job.attempts - 1]
    own_lease(job).update(
        state=State.QUEUED, leased_until=None, seen_at=None, not_before=later, trouble=name
    )


def give_up(job: Job, trouble: str) -> None:
    kind = kinds.get(job.kind)
    with transaction.atomic():
        if kind is None or kind.after_failure is None:
            own_lease(job).update(state=State.FAILED, leased_until=None, trouble=trouble)
        elif own_lease(job).update(
            state=State.DONE, done_at=timezone.now(), leased_until=None, trouble=trouble
        ):
            kind.after_failure(**job.arguments)


def give_up_abandoned() -> None:
    # Their worker died in the last attempt
    for job in Job.objects.abandoned(timezone.now()).filter(attempts__gte=MOST_ATTEMPTS):
        give_up(job, job.trouble or "WorkerLost")


# For people and monitors


def try_again() -> int:
    """For operators, once the cause is fixed: failed and pausing jobs are due now."""
    pausing = Q(state=State.QUEUED, attempts__gt=0)
    return requeue(Job.objects.filter(Q(state=State.FAILED) | pausing))


def requeue(jobs: JobQuerySet) -> int:
    waiting = jobs.filter(state__in=[State.QUEUED, State.FAILED])
    return waiting.update(state=State.QUEUED, attempts=0, not_before=timezone.now())


def forget_done() -> None:
    Job.objects.filter(done_at__lt=timezone.now() - KEEP_DONE_FOR).delete()


def oldest_waiting_seconds() -> int:
    """How long the oldest due job has been waiting, including jobs of dead workers."""
    now = timezone.now()
    oldest = Job.objects.due(now).filter(is_bulk=False).aggregate(at=Min("not_before"))["at"]
    return int((now - oldest).total_seconds()) if oldest else 0


def count_given_up() -> int:
    return Job.objects.filter(state=State.FAILED).count()


def count_held_by_dead_workers() -> int:
    return Job.objects.abandoned(timezone.now()).count()


HOUR = 3600.0
DAY = 24 * HOUR


@dataclass(frozen=True)
class PeriodicTask:
    run: Callable[[], object]
    seconds: float  # between two runs
    lane: str

    @property
    def every(self) -> timedelta:
        return timedelta(seconds=self.seconds)


periodic_tasks: dict[str, PeriodicTask] = {}


def register_periodic(name: str, run: Callable[[], object], *, seconds: float, lane: str) -> None:
    periodic_tasks[name] = PeriodicTask(run, seconds, lane)
    last_runs.expect(name, every=periodic_tasks[name].every)


def run_periodic(name: str) -> None:
    periodic_tasks[name].run()
    last_runs.note(name)
