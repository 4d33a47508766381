"""Read by `docker/restore` into a shell of Django, of this version or an older one: computes what
waited when the backup was made, and what the erasures change. Only on a copy that has no workers:
there every lease has ended, and nothing is gained by waiting."""

from django.db.models import Q
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.models import Job
from ratings.checking import has_pending_jobs

MOST_PASSES = 100  # a job that fails is given up after five attempts
of_numbers = Job.objects.filter(Q(kind__startswith="pgr.") | Q(kind="publish"))

for _pass in range(MOST_PASSES):
    if not has_pending_jobs():
        break
    now = timezone.now()
    of_numbers.filter(state=Job.State.LEASED).update(leased_until=now)
    of_numbers.filter(state=Job.State.QUEUED).update(not_before=now)
    jobs.run_waiting(jobs.NUMBERS)
