"""Pages for machines: health, metrics, robots.txt, sitemaps."""

import shutil
from collections.abc import Iterator
from datetime import time, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.sitemaps import views
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from pergioco.core import audit_seals, breaker, jobs, last_runs
from pergioco.core.addresses import absolute_url
from pergioco.core.models import Job
from pergioco.core.policy import everyone
from pergioco.publishing.models import Publication
from pergioco.publishing.services.statements import CHECK
from pergioco.website.sitemaps import SITEMAPS
from ratings import checking

OLDEST_ACCEPTED_SECONDS = 60
LEAST_FREE_MEGABYTES = 500
XML_TYPE = "application/xml; charset=utf-8"
State = dict[str, Any]


@everyone
@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@everyone
@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    try:
        state = read_state()
    except Error:
        return readiness_response(["The database does not answer."], {})
    return readiness_response(explain_state(state), state)


def readiness_response(why_not: list[str], state: State) -> JsonResponse:
    return JsonResponse(
        {"ready": not why_not, "reasons": why_not, **state}, status=503 if why_not else 200
    )


def read_state() -> State:
    missing = len(known_migrations() - MigrationRecorder(connection).applied_migrations().keys())
    if missing:
        return {"migrations_missing": missing}
    runs = last_runs.list_runs()
    return {
        "migrations_missing": 0,
        "oldest_waiting_seconds": jobs.oldest_waiting_seconds(),
        "steps_given_up": jobs.count_given_up(),
        "steps_of_dead_workers": jobs.count_held_by_dead_workers(),
        "servers_left_alone": [row.name for row in breaker.list_open()],
        "late": [run.name for run in runs if run.is_late],
        "ages": {run.name: run.age for run in runs},
        "numbers_that_differ": checking.found_last_night(),
        "free_megabytes": free_megabytes(),
        "audit_log_problems": int(audit_seals.audit_problem() is not None),
    }


def free_megabytes() -> int:
    return shutil.disk_usage(settings.DATA_DIR).free // 2**20


def explain_state(state: State) -> list[str]:
    too_much = {
        "migrations_missing": (0, "Migrations are missing: run manage.py migrate."),
        "oldest_waiting_seconds": (
            OLDEST_ACCEPTED_SECONDS,
            "Steps wait too long: does a worker run?",
        ),
        "steps_given_up": (0, "Steps were given up: see docs/operations.md."),
        "steps_of_dead_workers": (0, "A worker died with a step in its hands: start it again."),
        "numbers_that_differ": (0, "Numbers differ from the facts: see docs/operations.md."),
        "audit_log_problems": (0, "The audit log does not hold: run manage.py audit_check."),
    }
    found = [words for name, (most, words) in too_much.items() if state.get(name, 0) > most]
    found += explain_names("A server does not answer", state.get("servers_left_alone", []))
    late = state.get("late", [])
    if last_runs.BACKUP in late:
        found.append("The last backup is too old: make one, then manage.py backup_done.")
    if CHECK in late:
        found.append("The numbers were not checked for more than a day: see docs/operations.md.")
    others = [name for name in late if name not in {last_runs.BACKUP, CHECK}]
    found += explain_names("Work by the clock is late", others)
    if state.get("free_megabytes", LEAST_FREE_MEGABYTES) < LEAST_FREE_MEGABYTES:
        found.append("The disk is nearly full: make room.")
    return found


def explain_names(words: str, names: list[str]) -> list[str]:
    return [f"{words}: {', '.join(names)}."] if names else []


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    # Cached: they do not change while the process lives
    return frozenset(MigrationLoader(None).graph.nodes)


METRIC_HELP = {
    "database_up": "1 while the database answers",
    "migrations_missing": "Migrations on disk that the database lacks",
    "oldest_waiting_seconds": "For how long the step that waits longest has been due",
    "steps_given_up": "Steps that failed too often and wait for a person",
    "steps_open": "Steps promised and not done yet, those for later included",
    "numbers_that_differ": "Published numbers that the last nightly replay found to differ from "
    "the facts",
    "steps_of_dead_workers": "Steps whose worker gives no sign of life any more",
    "servers_left_alone": "Servers of others (mail, platforms) that are left alone after failures",
    "late": "What should have run by the clock and did not, backup and check of the numbers "
    "included; what never ran counts after its first time is over",
    "age_seconds": "For how long each has not run; without a value if it never ran",
    "free_megabytes": "Free space where the portal keeps its files",
    "published_timestamp_seconds": "When rankings were published last",
    "audit_log_problems": "1 if the last check of the audit log found a row that was changed, "
    "removed or added, or if it is not sealed or checked any more",
}


@everyone
@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    # Without a token in the settings there is no such page
    token, given = settings.METRICS_TOKEN, request.headers.get("Authorization", "")
    if not token or not constant_time_compare(given, f"Bearer {token}"):
        raise Http404
    return HttpResponse(
        format_metrics(dict(read_metrics())),
        content_type="text/plain; version=0.0.4; charset=utf-8",
    )


def read_metrics() -> Iterator[tuple[str, Any]]:
    # Without a database it still reports that there is none
    yield "free_megabytes", free_megabytes()
    try:
        for name, value in read_state().items():
            yield name, len(value) if isinstance(value, list) else value
        yield "steps_open", Job.objects.not_done().count()
        last = Publication.objects.order_by("-pk").values_list("published_at", flat=True).first()
        yield "published_timestamp_seconds", last.timestamp() if last else 0
        yield "database_up", 1
    except Error:
        yield "database_up", 0


def format_metrics(values: dict[str, Any]) -> bytes:
    registry = CollectorRegistry()
    ages = Gauge("portal_age_seconds", METRIC_HELP["age_seconds"], ["name"], registry=registry)
    for name, age in values.pop("ages", {}).items():
        if age is not None:
            ages.labels(name).set(age)
    for name, value in values.items():
        Gauge(f"portal_{name}", METRIC_HELP[name], registry=registry).set(value)
    return generate_latest(registry)


SECURITY_TEXT_IS_GOOD_FOR = timedelta(days=90)
NOT_FOR_SEARCHING = ("account/", "admin/", "staff/", "me/", "register/", "calendar/mine/")


@everyone
@require_safe
def robots_txt(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *"]
    lines += [
        f"Disallow: /{code}/{path}"
        for code, _name in settings.LANGUAGES
        for path in NOT_FOR_SEARCHING
    ]
    lines += ["", f"Sitemap: {absolute_url(reverse('sitemap'))}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@everyone
@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """RFC 9116. Expires after ninety days, so that an abandoned site promises nothing."""
    until = timezone.localdate() + SECURITY_TEXT_IS_GOOD_FOR
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {until:%Y-%m-%d}T{time():%H:%M:%S}Z",
        "Preferred-Languages: " + ", ".join(code for code, _name in settings.LANGUAGES),
        f"Canonical: {absolute_url(reverse('security'))}",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@everyone
@require_safe
def sitemap_index(request: HttpRequest) -> HttpResponseBase:
    return views.index(request, SITEMAPS, sitemap_url_name="sitemap-section", content_type=XML_TYPE)


@everyone
@require_safe
def sitemap_section(request: HttpRequest, section: str) -> HttpResponseBase:
    return views.sitemap(request, SITEMAPS, section=section, content_type=XML_TYPE)


@everyone
@require_safe
def favicon(request: HttpRequest) -> HttpResponseBase:
    # Browsers request it for pages that name no icon: frames and files
    return redirect(static("icons/portal.svg"))
