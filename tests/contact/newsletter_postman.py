"""A worker that sends a newsletter, to be killed: `python -m tests.contact.newsletter_postman fill N | work MODE`.

`careful` is the portal's own way; the others lack one guard each: `hasty` ticks off before it sends, `unclaimed`
takes hold of nothing, `deaf` does not ask again who still wants it.
"""

import os
import sys
import time


def fill(count: int) -> None:
    """A newsletter that is due, and as many people who want it."""
    from datetime import timedelta

    from django.contrib.auth.models import Group
    from django.db import transaction
    from django.utils import timezone

    from pergioco.contact.models import Campaign
    from pergioco.contact.newsletter import sending
    from pergioco.stages.models import Season
    from tests import factories
    from tests.contact.readers import WORDS, agree

    Group.objects.get_or_create(name="staff")
    Season.objects.get_or_create(year=2026, defaults={"starts_on": "2026-01-02", "ends_on": "2026-12-31"})
    with transaction.atomic():
        for number in range(count):
            agree(factories.registered(login=False, contact_email=f"reader{number}@example.org"))
    due = timezone.now() - timedelta(seconds=1)
    sending.begin(Campaign.objects.create(**WORDS, state="held", leaves_at=due))


def work(mode: str) -> None:
    from pergioco.contact.models import Campaign, Delivery
    from pergioco.contact.newsletter import sending
    from pergioco.contact.reaching import reachable

    if mode == "unclaimed":
        sending.take_hold = lambda campaign: campaign.deliveries.waiting().select_related("player").first()
    if mode == "deaf":
        sending.subscribers = reachable
    if mode == "hasty":
        original = sending.send_one

        def ticked_off_first(row, editions, line):
            sending.tick_off(row, Delivery.State.SENT)
            return original(row, editions, line)

        sending.send_one = ticked_off_first
    while Campaign.objects.filter(state="sending").exists():
        sending.send_due()
        time.sleep(0.1)


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "pergioco.settings"
    import django

    django.setup()
    if sys.argv[1] == "fill":
        fill(int(sys.argv[2]))
    else:
        work(sys.argv[2])
