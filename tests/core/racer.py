"""Workers that race each other for the same jobs: `python -m tests.core.racer LOG START MODE
SECONDS_A_JOB WORKERS`. Each is a process; Django is started once for all of them.

Each run of a job appends one line to the log, which no rollback takes back.
"""

import multiprocessing
import os
import sys
import time
from pathlib import Path

log, start, mode, slow = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3], float(sys.argv[4])
workers = int(sys.argv[5])


def write_down(number: int) -> None:
    time.sleep(slow)
    with log.open("a", encoding="ascii") as lines:
        lines.write(f"{number}\n")
    if mode == "killed" and number % 10 == 0:
        os.kill(os.getpid(), 9)


def tick_off(row):
    if row:
        type(row).objects.filter(pk=row.pk).update(
            state="done", done_at=row.made_at, leased_until=None
        )
    return row


def race() -> None:
    from pergioco.core import jobs
    from pergioco.core.models import Job

    jobs.register("write", write_down, lane=jobs.NUMBERS, is_atomic=False)
    if mode == "unleased":  # looks whether the job is open, but takes hold of nothing
        jobs.lease = lambda pk: Job.objects.filter(pk=pk, done_at=None).first()
        jobs.own_lease = lambda job: Job.objects.filter(pk=job.pk)
    if mode == "hasty":  # takes for done what it has only begun
        lease = jobs.lease
        jobs.lease = lambda pk: tick_off(lease(pk))
        jobs.finish = lambda job: None
    pks = list(Job.objects.values_list("pk", flat=True))
    time.sleep(max(0.0, start - time.time()))
    for pk in pks:
        jobs.run(pk)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    import django

    django.setup()
    if workers == 1:  # the process that is killed is the one that works
        race()
    else:
        racers = [multiprocessing.get_context("fork").Process(target=race) for _ in range(workers)]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
