"""A worker that sends a newsletter, to be killed.

`python -m tests.office.contact.newsletter_postman fill N | work MODE [after-kill]`.

After a kill it need not wait for the end of the lease of the one that was killed.
`careful` is the portal's own way; the others lack one guard each: `hasty` ticks off before it
sends, `unleased` takes hold of nothing, `deaf` does not ask again who still wants it."""

import os
import sys
import time


def fill(count: int) -> None:
    """A newsletter that is due, and as many people who want it."""
    from datetime import timedelta

    from django.contrib.auth.models import Group
    from django.db import transaction
    from django.utils import timezone

    from pergioco.office.models import Campaign
    from pergioco.office.newsletter import sending
    from pergioco.stages.models import Season
    from tests import factories
    from tests.office.contact.readers import WORDS, agree

    Group.objects.get_or_create(name="staff")
    Season.objects.get_or_create(
        year=2026, defaults={"starts_on": "2026-01-02", "ends_on": "2026-12-31"}
    )
    with transaction.atomic():
        for number in range(count):
            agree(factories.registered(login=False, contact_email=f"reader{number}@example.org"))
    due = timezone.now() - timedelta(seconds=1)
    sending.begin_sending(Campaign.objects.create(**WORDS, state="held", leaves_at=due))


def end_leases() -> None:
    from django.utils import timezone

    from pergioco.core.models import Job

    Job.objects.filter(state="leased").update(leased_until=timezone.now())


def work(mode: str) -> None:
    from pergioco.core import jobs
    from pergioco.core.models import Job
    from pergioco.office.models import Campaign, Delivery
    from pergioco.office.newsletter import sending
    from pergioco.office.newsletter.recipients import reachable_players

    if mode == "unleased":
        jobs.lease = lambda pk: Job.objects.filter(pk=pk, done_at=None).first()
        jobs.own_lease = lambda job: Job.objects.filter(pk=job.pk)
    if mode == "deaf":
        sending.subscribers = reachable_players
    if mode == "hasty":
        original = sending.SmtpConnection.send

        def ticked_off_first(connection, raw, address):
            delivery = Delivery.objects.get(pk=jobs.running.get().arguments["delivery"])
            sending.tick_off(delivery, Delivery.State.SENT)
            original(connection, raw, address)

        sending.SmtpConnection.send = ticked_off_first
    while Campaign.objects.filter(state="sending").exists():
        sending.send_due_newsletters()
        jobs.run_waiting()
        time.sleep(0.1)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    import django

    django.setup()
    if sys.argv[1] == "fill":
        fill(int(sys.argv[2]))
    else:
        if "after-kill" in sys.argv:
            end_leases()
        work(sys.argv[2])
