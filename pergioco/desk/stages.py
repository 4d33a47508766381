"""The stages that somebody looks after. Of a foreign one this desk knows nothing."""

from typing import Any, cast

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from pergioco.desk import following
from pergioco.desk.grid import names_in, points_in, rounds_of
from pergioco.players.models import User
from pergioco.players.policy import Role, allow, has_role
from pergioco.stages.models import Revision, Stage

PER_PAGE = 50
State = Revision.State


def own_stage(request: HttpRequest, number: int) -> Stage:
    """One that this user looks after; any other does not exist."""
    rows = Stage.objects.managed_by(cast("User", request.user)).select_related("game", "season")
    return get_object_or_404(rows, pk=number)


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    rows = Stage.objects.managed_by(cast("User", request.user)).select_related("game", "season")
    rows = rows.prefetch_related("date_changes")
    page = Paginator(rows.order_by("-starts_on", "-id"), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/stages.html", {"page": page, "today": timezone.localdate()})


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def one(request: HttpRequest, number: int) -> HttpResponse:
    """The facts of a stage, its results if it was closed, and what can be done next."""
    rows = Stage.objects.managed_by(cast("User", request.user)).select_related("game", "season")
    stage = get_object_or_404(rows.prefetch_related("organizers__person"), pk=number)
    revisions = {r.state: r for r in stage.revisions.exclude(state__in=[State.SUPERSEDED, State.DROPPED])}
    current = revisions.get(State.CURRENT)
    values = {
        "stage": stage,
        "today": timezone.localdate(),
        "draft": revisions.get(State.DRAFT),
        "waiting": revisions.get(State.WAITING),
        "current": current,
        "entered": stage.entries.count(),
        "offers_prizes": stage.circuit == Stage.Circuit.BIG and has_role(request.user, Role.STAFF),
    }
    values |= following.state_of(stage, current)
    answer = render(request, "desk/stage.html", {**values, **(results_of(current) if current else {})})
    if values.get("is_computing"):
        answer.headers["Refresh"] = str(following.SECONDS_BETWEEN_LOOKS)
    return answer


def results_of(revision: Revision) -> dict[str, Any]:
    rounds = rounds_of(revision)
    return {"rounds": rounds, "points": points_in(revision, names_in(rounds))}
