"""The desk of the national finals: announcing, calling, and who is in."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from big_league.finals import answering, convening
from big_league.finals.answering import Reply
from big_league.finals.calling import List, list_of
from big_league.finals.heads import first_shape, heads_of
from big_league.finals.models import CalledPlayer, Final
from big_league.finals.standing import desk_of
from pergioco.desk.final_forms import AnnounceForm, AnswerForm, FinalForm, GrantForm
from pergioco.desk.forms import UseCaseForm
from pergioco.players.models import Player, User
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Outdated, Refused

FORM_METHODS = ["GET", "HEAD", "POST"]


@allow(Role.STAFF)
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    return render(request, "desk/finals.html", {"finals": Final.objects.listed()})


@allow(Role.STAFF)
@require_http_methods(FORM_METHODS)
def announce(request: HttpRequest) -> HttpResponse:
    form = AnnounceForm(request.POST) if request.method == "POST" else AnnounceForm()
    if form.is_bound and form.is_valid():
        values = dict(form.cleaned_data)
        game, submission = values.pop("game"), values.pop("submission")
        act = partial(convening.announce, values, game, submission=submission, by=cast("User", request.user))
        made = carried_out(form, act)
        if isinstance(made, Final):
            messages.success(request, _("The final is announced and stands on the calendar."))
            return redirect("desk-final", made.pk)
    return render(request, "desk/final_form.html", {"form": form})


def carried_out(form: forms.Form, act: Callable[[], Final]) -> Final | Refused:
    """A refusal stands on the form, beside what was typed."""
    try:
        return act()
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal.sentence))
        return refusal


def found(number: int) -> Final:
    return get_object_or_404(Final.objects.listed(), pk=number)


@allow(Role.STAFF)
@require_http_methods(FORM_METHODS)
def edit(request: HttpRequest, number: int) -> HttpResponse:
    final = found(number)
    initial = {name: getattr(final, name) for name in (*convening.FIELDS, "version")}
    form = FinalForm(request.POST) if request.method == "POST" else FinalForm(initial=initial)
    status = HTTPStatus.OK
    if form.is_bound and form.is_valid():
        values = dict(form.cleaned_data)
        version = values.pop("version") or 0
        act = partial(convening.change, final, values, version=version, by=cast("User", request.user))
        made = carried_out(form, act)
        if isinstance(made, Final):
            messages.success(request, _("Saved."))
            return redirect("desk-final", number)
        status = HTTPStatus.CONFLICT if isinstance(made, Outdated) else HTTPStatus.OK
    values = {"form": form, "final": final, "outdated": status == HTTPStatus.CONFLICT}
    return render(request, "desk/final_form.html", values, status=status)


@allow(Role.STAFF)
@require_safe
def one(request: HttpRequest, number: int) -> HttpResponse:
    return page(request, found(number))


def page(request: HttpRequest, final: Final, **typed: UseCaseForm) -> HttpResponse:
    """Before the first mail the list as the ranking has it now; afterwards as it was written down."""
    values: dict[str, Any] = {
        "final": final,
        "stage": final.stage,
        "answer_form": typed.get("answer") or AnswerForm(prefix="answer"),
        "grant_form": typed.get("grant") or GrantForm(prefix="grant"),
    }
    if final.first_mail_at is None:
        values["coming"] = coming_list(final, list_of(final))
    else:
        values |= {
            "desk": desk_of(final),
            "heads": heads_of(final, shape=first_shape(final)),
            "unreached": final.mails.filter(is_sent=False).select_related("player__person"),
        }
    return render(request, "desk/final.html", values)


def coming_list(final: Final, found: List) -> list[tuple[CalledPlayer, Player]]:
    """As rows that nobody has written yet."""
    players = Player.objects.with_names().in_bulk([one.player for one in found.called])
    return [(convening.called_row(final, one, found.ranked[one.player]), players[one.player]) for one in found.called]


@allow(Role.STAFF)
@require_POST
def answer(request: HttpRequest, number: int) -> HttpResponse:
    """Somebody said so on the phone, or changes late."""
    final, form = found(number), AnswerForm(request.POST, prefix="answer")
    if form.carries_out(partial(written, final), by=request.user):
        messages.success(request, _("The answer is written down."))
        return redirect("desk-final", number)
    return page(request, final, answer=form)


def written(final: Final, player: Player, **typed: Any) -> Final:
    """Of somebody who was called, under this or an absorbed name."""
    if typed["said"] != answering.Said.YES:
        typed["brings_box"] = None
    called = final.called.filter(player__in=[player.pk, *player.absorbed.values_list("pk", flat=True)]).first()
    return answering.reply(final, called.player if called else player, Reply(**typed))


@allow(Role.STAFF)
@require_POST
def grant(request: HttpRequest, number: int) -> HttpResponse:
    final, form = found(number), GrantForm(request.POST, prefix="grant")
    if form.carries_out(partial(answering.grant, final), by=request.user):
        messages.success(request, _("The seat is given, and a mail says so."))
        return redirect("desk-final", number)
    return page(request, final, grant=form)


@allow(Role.STAFF)
@require_POST
def close(request: HttpRequest, number: int) -> HttpResponse:
    final = found(number)
    try:
        convening.close(final, version=version_in(request), by=cast("User", request.user))
    except Refused as refusal:
        messages.error(request, str(refusal.sentence))
    else:
        messages.success(request, _("The list is settled."))
    return redirect("desk-final", number)


def version_in(request: HttpRequest) -> int:
    """0, which is no version, for whatever is no number."""
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() else 0
