"""The worker's side of the waiting work. The broker only wakes workers up: what to do stands in the outbox."""

import os
from typing import Any

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pergioco.settings")

app = Celery("pergioco")
app.conf.update(
    broker_url=settings.BROKER_URL or None,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_soft_time_limit=240,
    task_time_limit=270,
    broker_transport_options={
        "visibility_timeout": 600,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "max_retries": 0,  # a page does not wait for a broker that is gone
    },
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,  # a worker waits for its broker as long as it takes
    timezone="Europe/Rome",
    worker_hijack_root_logger=False,
    beat_schedule={
        # A round that nobody took before the next one is due is dropped: they do not pile up without a worker.
        name: {"task": "pergioco.run_round", "schedule": seconds, "args": [name], "options": {"expires": seconds}}
        for name, (_dotted, seconds) in settings.PIPELINE_ROUNDS.items()
    },
    beat_schedule_filename=str(settings.DATA_DIR / "beat-schedule"),
)


@app.task(name="pergioco.run_round")
def run_round(name: str) -> None:
    from pergioco.ledger import relay

    relay.run_round(name)


@app.task(name="pergioco.run_step")
def run_step(row: int) -> None:
    from pergioco.ledger import relay

    relay.run_one(row)


def wake(row: int) -> Any:
    return run_step.apply_async(args=[row], retry=False)
