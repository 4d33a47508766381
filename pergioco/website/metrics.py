"""For Prometheus: what the portal knows of itself, read from the database at each question. So it is the same whichever
process answers, and needs no memory shared between them. How many pages were served the proxy knows better."""

from collections.abc import Iterator

from django.conf import settings
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from pergioco.ledger.models import Outbox, Publication
from pergioco.players.policy import everyone
from pergioco.website import health

WORDS = {
    "database_up": "1 while the database answers",
    "migrations_missing": "Migrations on disk that the database lacks",
    "oldest_waiting_seconds": "For how long the step that waits longest has been due",
    "steps_given_up": "Steps that failed too often and wait for a person",
    "steps_open": "Steps promised and not done yet, those for later included",
    "numbers_that_differ": "Published numbers that the last nightly replay found to differ from the facts",
    "free_megabytes": "Free space where the portal keeps its files",
    "published_timestamp_seconds": "When rankings were published last",
}


@everyone
@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Only for whoever knows the token; without one in the settings there is no such page."""
    token, given = settings.METRICS_TOKEN, request.headers.get("Authorization", "")
    if not token or not constant_time_compare(given, f"Bearer {token}"):
        raise Http404
    return HttpResponse(text(dict(state())), content_type="text/plain; version=0.0.4; charset=utf-8")


def state() -> Iterator[tuple[str, float]]:
    """Without its database it still says that it has none."""
    yield "free_megabytes", health.free_megabytes()
    try:
        yield from health.look().items()
        yield "steps_open", Outbox.objects.filter(done_at=None).count()
        last = Publication.objects.order_by("-pk").values_list("published_at", flat=True).first()
        yield "published_timestamp_seconds", last.timestamp() if last else 0
        yield "database_up", 1
    except Error:
        yield "database_up", 0


def text(values: dict[str, float]) -> bytes:
    registry = CollectorRegistry()
    for name, value in values.items():
        Gauge(f"portal_{name}", WORDS[name], registry=registry).set(value)
    return generate_latest(registry)
