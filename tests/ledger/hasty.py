"""A Celery worker without the guard, which takes for done what it has only begun: `celery -A tests.ledger.hasty`."""

import os

import django
from django.utils import timezone

from pergioco.celery import app  # noqa: F401 - what Celery looks for

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pergioco.settings")
django.setup()

from pergioco.ledger import relay  # noqa: E402 - models need the set-up

take_hold = relay.claim


def claim(pk):
    row = take_hold(pk)
    if row:
        type(row).objects.filter(pk=pk).update(done_at=timezone.now())
    return row


relay.claim = claim
relay.finish = lambda row: None
