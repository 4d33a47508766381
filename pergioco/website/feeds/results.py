"""Results of stages, of every game or of one: an entry a stage, which is told again when it is corrected."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from pergioco.players.policy import everyone
from pergioco.stages.models import Game, Revision, Stage
from pergioco.website.feeds import atom

IN_FORCE_SINCE = Coalesce("approved_at", "closed_at")
WERE_PUBLIC = (Revision.State.CURRENT, Revision.State.SUPERSEDED)


@everyone
@require_safe
@conditional_page
def results(request: HttpRequest) -> HttpResponse:
    title = _("PerGioco Masters: results")
    return atom.answer("results", title, (reverse("calendar"), request.path), entries(Stage.objects.all()))


@everyone
@require_safe
@conditional_page
def of_game(request: HttpRequest, slug: str) -> HttpResponse:
    game = get_object_or_404(Game, slug=slug)
    title = _("PerGioco Masters: results of %(game)s") % {"game": game.name}
    page = reverse("calendar", query={"game": slug, "when": "past"})
    return atom.answer(f"games/{game.pk}", title, (page, request.path), entries(game.stages.all()))


def entries(stages: QuerySet[Stage]) -> Iterator[atom.Entry]:
    for revision in told(stages)[: atom.SHOWN]:
        yield entry(revision)


def told(stages: QuerySet[Stage]) -> QuerySet[Revision, Any]:
    """Of each stage the latest that can no longer be withdrawn as if it had not been."""
    public = Revision.objects.filter(state__in=WERE_PUBLIC).annotate(since=IN_FORCE_SINCE)
    known = public.filter(since__lte=atom.told_before())
    same_stage = known.filter(stage=OuterRef("stage")).order_by()
    first = same_stage.values("stage").annotate(at=Min("since")).values("at")
    latest = same_stage.order_by("-number").values("pk")[:1]
    shown = known.filter(stage__in=stages.exclude(status=Stage.Status.CANCELLED), pk=Subquery(latest))
    rows = shown.annotate(first=Subquery(first), players=Count("stage__entries"))
    return rows.select_related("stage__game", "stage__season").order_by("-since", "-pk")


def entry(revision: Any) -> atom.Entry:
    stage, since, first = revision.stage, revision.since, revision.first
    return atom.Entry(
        key=f"stages/{stage.pk}",
        title=title(stage, is_corrected=since > first),
        path=reverse("stage", args=[stage.season.year, stage.slug]),
        updated=since,
        published=first,
        summary=summary(revision),
    )


def title(stage: Stage, *, is_corrected: bool) -> str:
    words = {"game": stage.game.name, "day": date_format(stage.ends_on)}
    return (_("%(game)s, %(day)s: results corrected") if is_corrected else _("%(game)s, %(day)s: results")) % words


def summary(revision: Any) -> str:
    players = ngettext("%(n)s player", "%(n)s players", revision.players) % {"n": revision.players}
    where = revision.stage.get_platform_display()
    said = f"{where}, {players}." if where else f"{players}."
    return f"{said} {revision.reason}".strip()
