"""Desk pages of publications, withdrawal, year end and purge."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.core.forms import ButtonForm, ReasonField, UseCaseForm, posted_number
from pergioco.core.pages import Step, form_status, try_steps
from pergioco.core.policy import Role, UserRequest, allow, require_reauthentication
from pergioco.publishing import difference
from pergioco.publishing.models import Freeze, Publication, Shown
from pergioco.publishing.queries import change_labels
from pergioco.publishing.services import freezing, publish, withdrawing
from pergioco.stages.models import Revision, Season, Stage
from pergioco.stages.queries.stage_desk import get_managed_stage, withdraw_until
from ratings import purging
from ratings.models import Purge
from ratings.rules import YEARS_KEPT

PER_PAGE = 50
MOVES_PER_PAGE = 200
WITH_PEOPLE = ("season", "revision__stage__game", "published_by__person", "withdrawn_by__person")
PUBLICATION_CAUSES: dict[str, str | Promise] = {
    "closed": gettext_lazy("a stage was closed"),
    "corrected": gettext_lazy("a stage was corrected"),
    "withdrawn": gettext_lazy("a closing was withdrawn"),
    "moved": gettext_lazy("a closed stage was changed"),
    "registered": gettext_lazy("somebody registered"),
    "erased": gettext_lazy("somebody's data were erased"),
    "merged": gettext_lazy("two players were merged"),
    "unmerged": gettext_lazy("a merge was taken back"),
    "disqualified": gettext_lazy("somebody was disqualified"),
    "disqualification_withdrawn": gettext_lazy("a disqualification was withdrawn"),
    "clock": gettext_lazy("a new day or year"),
    "bundle": gettext_lazy("a bundle was loaded"),
    "frozen": gettext_lazy("the year became final"),
}
OTHER_CAUSE = gettext_lazy("something that numbers rest on was changed")


def publication_cause(publication: Publication) -> str | Promise:
    return PUBLICATION_CAUSES.get(publication.cause, OTHER_CAUSE)


@allow(Role.STAFF)
@require_safe
def list_publications(request: HttpRequest) -> HttpResponse:
    rows = Publication.objects.select_related(*WITH_PEOPLE)
    ordered = rows.defer("ratings").order_by("-published_at", "-pk")
    page = Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
    changed = changed_rankings(page)
    listed = [(row, publication_cause(row), changed[row.pk]) for row in page]
    return render(request, "publishing/desk/publications.html", {"page": page, "rows": listed})


def changed_rankings(publications: Iterable[Publication]) -> dict[int, list[str]]:
    rows = list(publications)
    ids = {pk for row in rows for pk in (row.pk, row.before_id) if pk}
    shown: dict[int | None, dict[str, int]] = {}
    for publication, kind, computation in Shown.objects.filter(publication__in=ids).values_list(
        "publication", "kind", "computation"
    ):
        shown.setdefault(publication, {})[kind] = computation
    titles = change_labels.desk_ranking_titles({kind for own in shown.values() for kind in own})
    return {
        row.pk: changed_ranking_names(shown.get(row.pk, {}), shown.get(row.before_id, {}), titles)
        for row in rows
    }


def changed_ranking_names(
    own: dict[str, int], before: dict[str, int], titles: dict[str, str]
) -> list[str]:
    kinds = {kind for kind in own.keys() | before.keys() if own.get(kind) != before.get(kind)}
    return [titles[kind] for kind in sorted(kinds, key=change_labels.rank_of_kind)]


@allow(Role.STAFF)
@require_safe
def show_publication(request: HttpRequest, number: int) -> HttpResponse:
    rows = Publication.objects.select_related("before", *WITH_PEOPLE)
    row = get_object_or_404(rows, pk=number)
    found = sorted(difference.diff_publications(row.before, row), key=change_labels.move_importance)
    page = Paginator(found, MOVES_PER_PAGE).get_page(request.GET.get("page"))
    values = {
        "publication": row,
        "cause": publication_cause(row),
        "page": page,
        "rankings": change_labels.describe_moves(page, at_most=MOVES_PER_PAGE),
        "withdraw_until": withdraw_until(row.revision),
        **stages_context(row),
    }
    return render(request, "publishing/desk/publication.html", values)


def stages_context(row: Publication) -> dict[str, Any]:
    before = row.before.ratings if row.before else {}
    known = Stage.objects.select_related("game").in_bulk({*before, *row.ratings})
    changed = [
        known[int(pk)] for pk in before if pk in row.ratings and row.ratings[pk] != before[pk]
    ]
    return {
        "new_stages": [known[int(pk)] for pk in row.ratings if pk not in before],
        "changed_stages": changed,
        "gone_stages": [known[int(pk)] for pk in before if pk not in row.ratings],
        "errata": row.errata.order_by("pk"),
    }


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw_results_page(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    current = stage.revisions.filter(state=Revision.State.CURRENT).first()
    form = ButtonForm(request.POST or None)
    shown = posted_number(request, "revision")
    act = partial(withdrawing.withdraw_results, stage, revision=shown, by=request.user)
    if form.carries_out(act):
        messages.success(
            request,
            _("Withdrawn: the results are a draft again, the rankings are those from before."),
        )
        return redirect("desk-stage", stage.pk)
    values = {
        "stage": stage,
        "revision": current,
        "withdraw_until": withdraw_until(current),
        "form": form,
    }
    return render(request, "publishing/desk/withdraw.html", values, status=form_status(form))


class FreezeForm(UseCaseForm):
    """Confirms exactly the text shown."""

    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)


class TakingBackForm(UseCaseForm):
    reason = ReasonField()


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@require_reauthentication
def year_end_page(request: UserRequest, year: int) -> HttpResponse:
    season = get_object_or_404(Season, year=year)
    freeze = load_freeze(season)
    steps = {
        "propose": Step(
            ButtonForm,
            partial(freezing.propose_freeze, season),
            _("Proposed. A second person must confirm it."),
        ),
        "take_back": Step(
            ButtonForm, partial(freezing.take_back_freeze, freeze), _("The proposal is taken back.")
        ),
        "confirm": Step(
            FreezeForm,
            partial(freezing.confirm_freeze, freeze),
            _("The rankings of %(year)s are final.") % {"year": year},
        ),
    }
    tried = try_steps(request, steps)
    if not tried:
        return redirect(request.path)
    values = year_end_context(season) | tried
    status = form_status(*tried.values())
    return render(request, "publishing/desk/year_end.html", values, status=status)


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@require_reauthentication
def purge_page(request: UserRequest, year: int) -> HttpResponse:
    get_object_or_404(Season, year=year - 1)
    row = load_purge(year)
    steps = {
        "propose": Step(
            ButtonForm,
            partial(purging.propose_purge, year),
            _("Proposed. A second person must confirm it."),
        ),
        "take_back": Step(
            TakingBackForm,
            partial(purging.take_back_purge, row),
            _("The purge is taken back: nothing is destroyed."),
        ),
        "confirm": Step(
            ButtonForm,
            partial(purging.confirm_purge, row),
            _("Confirmed. The ratings are destroyed after thirty days."),
        ),
    }
    tried = try_steps(request, steps)
    if not tried:
        return redirect(request.path)
    values = purge_context(year) | tried
    status = form_status(*tried.values())
    return render(request, "publishing/desk/purge.html", values, status=status)


def load_freeze(season: Season) -> Freeze:
    rows = Freeze.objects.select_related("season", "proposed_by", "frozen_by", "publication")
    return rows.filter(season=season).first() or Freeze(season=season)


def load_purge(year: int) -> Purge:
    return Purge.objects.select_related("proposed_by", "confirmed_by").filter(
        year=year
    ).first() or Purge(year=year)


def year_end_context(season: Season) -> dict[str, Any]:
    freeze, current = load_freeze(season), publish.current_publication(season)
    may_be_final = (
        not freeze.frozen_at
        and current
        and freezing.is_season_over(season, today=timezone.localdate())
    )
    draft = freezing.draft_document(season) if may_be_final else ""
    return {
        "season": season,
        "next_year": season.year + 1,
        "freeze": freeze,
        "current": current,
        "unfinished": freezing.list_unfinished(season),
        "seen": freezing.hash_document(draft) if draft else "",
        "places": freezing.count_places(draft),
    }


def purge_context(year: int) -> dict[str, Any]:
    row = load_purge(year)
    listed = [] if row.destroyed_at else purging.list_purge(year)
    return {
        "year": year,
        "year_before": year - 1,
        "first_kept": year - YEARS_KEPT + 1,
        "purge": row,
        "listed": listed,
        "is_same": row.listed == purging.listed_public_ids(listed),
        "due": row.confirmed_at + purging.WAIT if row.confirmed_at else None,
        "is_final": Freeze.objects.filter(season__year=year - 1, frozen_at__isnull=False).exists(),
    }
