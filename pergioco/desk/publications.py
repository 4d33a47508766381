"""The versions of the rankings that were published, what each one changed, and taking one back."""

from collections.abc import Iterable
from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.desk import moves
from pergioco.desk.following import withdraw_until
from pergioco.desk.forms import ButtonForm
from pergioco.desk.stages import own_stage
from pergioco.ledger import difference, withdrawing
from pergioco.ledger.models import Publication, Shown
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.stages.models import Revision, Stage

PER_PAGE = 50
MOVES_PER_PAGE = 200
CONFLICT = 409
WITH_PEOPLE = ("season", "revision__stage__game", "published_by__person", "withdrawn_by__person")
CAUSES: dict[str, str | Promise] = {
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


def cause_of(publication: Publication) -> str | Promise:
    return CAUSES.get(publication.cause, OTHER_CAUSE)


@allow(Role.STAFF)
@require_safe
def publications(request: HttpRequest) -> HttpResponse:
    rows = Publication.objects.select_related(*WITH_PEOPLE)
    ordered = rows.defer("ratings").order_by("-published_at", "-pk")
    page = Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
    changed = changed_in(page)
    told = [(row, cause_of(row), changed[row.pk]) for row in page]
    return render(request, "desk/publications.html", {"page": page, "rows": told})


def changed_in(publications: Iterable[Publication]) -> dict[int, list[str]]:
    """Publication -> the rankings that are not those of the version before, by name. Three queries for any number."""
    rows = list(publications)
    ids = {pk for row in rows for pk in (row.pk, row.before_id) if pk}
    shown: dict[int | None, dict[str, int]] = {}
    for publication, kind, computation in Shown.objects.filter(publication__in=ids).values_list(
        "publication", "kind", "computation"
    ):
        shown.setdefault(publication, {})[kind] = computation
    titles = moves.titles_of({kind for own in shown.values() for kind in own})
    return {row.pk: names_of(shown.get(row.pk, {}), shown.get(row.before_id, {}), titles) for row in rows}


def names_of(own: dict[str, int], before: dict[str, int], titles: dict[str, str]) -> list[str]:
    kinds = {kind for kind in own.keys() | before.keys() if own.get(kind) != before.get(kind)}
    return [titles[kind] for kind in sorted(kinds, key=moves.rank_of_kind)]


@allow(Role.STAFF)
@require_safe
def publication(request: HttpRequest, number: int) -> HttpResponse:
    rows = Publication.objects.select_related("before", *WITH_PEOPLE)
    row = get_object_or_404(rows, pk=number)
    found = sorted(difference.between(row.before, row), key=moves.importance)
    page = Paginator(found, MOVES_PER_PAGE).get_page(request.GET.get("page"))
    values = {
        "publication": row,
        "cause": cause_of(row),
        "page": page,
        "rankings": moves.in_words(page, at_most=MOVES_PER_PAGE),
        "withdraw_until": withdraw_until(row.revision),
        **stages_in(row),
    }
    return render(request, "desk/publication.html", values)


def stages_in(row: Publication) -> dict[str, Any]:
    """Whose ratings came, changed or went with this version."""
    before = row.before.ratings if row.before else {}
    known = Stage.objects.select_related("game").in_bulk({*before, *row.ratings})
    changed = [known[int(pk)] for pk in before if pk in row.ratings and row.ratings[pk] != before[pk]]
    return {
        "new_stages": [known[int(pk)] for pk in row.ratings if pk not in before],
        "changed_stages": changed,
        "gone_stages": [known[int(pk)] for pk in before if pk not in row.ratings],
        "errata": row.errata.order_by("pk"),
    }


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """For half an hour: the results become a draft again, and the public sees the version before."""
    stage = own_stage(request, number)
    current = stage.revisions.filter(state=Revision.State.CURRENT).first()
    form = ButtonForm(request.POST or None)
    act = partial(withdrawing.withdraw, stage, revision=shown_revision(request), by=cast("User", request.user))
    if form.carries_out(act):
        messages.success(request, _("Withdrawn: the results are a draft again, the rankings are those from before."))
        return redirect("desk-stage", stage.pk)
    values = {"stage": stage, "revision": current, "withdraw_until": withdraw_until(current), "form": form}
    return render(request, "desk/withdraw.html", values, status=CONFLICT if form.is_outdated else 200)


def shown_revision(request: HttpRequest) -> int:
    """The one that the page showed."""
    text = request.POST.get("revision", "")
    return int(text) if text.isdecimal() else 0
