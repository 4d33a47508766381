"""Staff join two players who are one person, and take that back."""

from functools import partial
from typing import cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.desk.forms import ReasonField, UseCaseForm
from pergioco.players import merging
from pergioco.players.models import Merge, Player, User
from pergioco.players.policy import Role, allow, asks_again

PER_PAGE = 50


class ReasonForm(UseCaseForm):
    reason = ReasonField(help_text=gettext_lazy("Staff read it, and so does the player."))


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def merge(request: HttpRequest, kept: str, absorbed: str) -> HttpResponse:
    players = Player.objects.with_names().select_related("person__user").prefetch_related("accounts__nicknames")
    stays, goes = (get_object_or_404(players, public_id=public_id) for public_id in (kept, absorbed))
    if stays == goes:
        raise Http404
    form = ReasonForm(request.POST or None)
    if form.carries_out(partial(merging.merge, stays, goes), by=cast("User", request.user)):
        messages.success(request, _("Merged. You can take it back from this list."))
        return redirect("desk-merges")
    return render(request, "desk/merge.html", {"preview": merging.preview(stays, goes), "form": form})


@allow(Role.STAFF)
@require_safe
def merges(request: HttpRequest) -> HttpResponse:
    page = Paginator(Merge.objects.with_names(), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "desk/merges.html", {"page": page})


@allow(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@asks_again
def undo(request: HttpRequest, number: int) -> HttpResponse:
    row = get_object_or_404(Merge.objects.with_names(), pk=number)
    form = ReasonForm(request.POST or None)
    if form.carries_out(partial(merging.undo, row), by=cast("User", request.user)):
        messages.success(request, _("Taken back: they are two players again."))
        return redirect("desk-merges")
    return render(request, "desk/merge_undo.html", {"merge": row, "form": form})
