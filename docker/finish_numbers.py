"""Read by `docker/restore` into a shell of Django, of this version or an older one: computes what
was waiting when the backup was made, and what the erasures change."""

from time import sleep

from pergioco.core import jobs
from ratings.checking import has_pending_jobs

MOST_SECONDS = 400  # a job that was running is free after five minutes

for _second in range(MOST_SECONDS):
    jobs.run_waiting(jobs.NUMBERS)
    if not has_pending_jobs():
        break
    sleep(1)
