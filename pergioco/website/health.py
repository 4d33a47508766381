"""For machines: is the process alive, and does anything need a person."""

import shutil
from functools import cache

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pergioco.ledger import relay
from pergioco.players.policy import everyone
from ratings import checking

OLDEST_ACCEPTED_SECONDS = 60
LEAST_FREE_MEGABYTES = 500
State = dict[str, int]


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
        state = look()
    except Error:
        return answer(["The database does not answer."], {})
    return answer(reasons(state), state)


def answer(why_not: list[str], state: State) -> JsonResponse:
    return JsonResponse({"ready": not why_not, "reasons": why_not, **state}, status=503 if why_not else 200)


def look() -> State:
    missing = len(known_migrations() - MigrationRecorder(connection).applied_migrations().keys())
    if missing:
        return {"migrations_missing": missing}
    return {
        "migrations_missing": 0,
        "oldest_waiting_seconds": relay.oldest_waiting_seconds(),
        "steps_given_up": relay.given_up(),
        "numbers_that_differ": checking.found_last_night(),
        "free_megabytes": free_megabytes(),
    }


def free_megabytes() -> int:
    return shutil.disk_usage(settings.DATA_DIR).free // 2**20


def reasons(state: State) -> list[str]:
    found = {
        "Migrations are missing: run manage.py migrate.": state["migrations_missing"] > 0,
        "Steps wait too long: does a worker run?": state.get("oldest_waiting_seconds", 0) > OLDEST_ACCEPTED_SECONDS,
        "Steps were given up: see docs/operations.md.": state.get("steps_given_up", 0) > 0,
        "Numbers differ from the facts: see docs/operations.md.": state.get("numbers_that_differ", 0) > 0,
        "The disk is nearly full: make room.": state.get("free_megabytes", LEAST_FREE_MEGABYTES) < LEAST_FREE_MEGABYTES,
    }
    return [sentence for sentence, holds in found.items() if holds]


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """Those on disk. Read once: they do not change while the process lives."""
    return frozenset(MigrationLoader(None).graph.nodes)
