"""Celery's side of the queue. The broker only notifies workers: what there is to do is in the
database.

Each lane is a queue with workers of its own (`docker-compose.yml`).
"""

import os
import ssl
from typing import Any

import django
from celery import Celery
from django.apps import apps
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pergioco.settings")
if not apps.ready:
    django.setup()  # beat's schedule is what the apps register

from pergioco.core import jobs


def broker_tls(url: str) -> dict[str, Any] | None:
    # Without it, Celery's client takes any certificate
    if not url.startswith("rediss://"):
        return None
    return {"ssl_cert_reqs": ssl.CERT_REQUIRED, "ssl_check_hostname": True}


app = Celery("pergioco")
app.conf.update(
    broker_url=settings.BROKER_URL or None,
    broker_use_ssl=broker_tls(settings.BROKER_URL),
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
    task_default_queue=jobs.NUMBERS,
    beat_schedule={
        # One that no worker took before the next one is due is dropped: they do not pile up without
        # a worker.
        name: {
            "task": "pergioco.run_periodic",
            "schedule": task.seconds,
            "args": [name],
            "options": {"expires": task.seconds, "queue": task.lane},
        }
        for name, task in jobs.periodic_tasks.items()
    },
    beat_schedule_filename=str(settings.DATA_DIR / "beat-schedule"),
)


@app.task(name="pergioco.run_periodic")
def run_periodic(name: str) -> None:
    jobs.run_periodic(name)


@app.task(name="pergioco.run_job")
def run_job(pk: int) -> None:
    jobs.run(pk)


def notify(pk: int, lane: str) -> None:
    run_job.apply_async(args=[pk], queue=lane, retry=False)
