"""The page of one table by its signed address, without an account, and the printed slips."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.core.addresses import absolute_url
from pergioco.core.displays import draw_qr_code
from pergioco.core.limits import consume
from pergioco.core.models import User
from pergioco.core.policy import Role, UserRequest, allow, everyone
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.naming import name_for_staff
from pergioco.stages import table_pages
from pergioco.stages.forms import ScoreForm, SubmissionForm
from pergioco.stages.models import Round, Seat, Stage
from pergioco.stages.services import drafting, reporting
from pergioco.stages.services.drafting import find_draft
from pergioco.stages.table_pages import TablePage

# A whole hall shares one address; a table taps its clock often.
PER_CONNECTION, PER_TABLE = "1200/m/ip", "120/m/key"
SECTIONS = {"bid": "auction", "auction-back": "auction", "turn": "clock", "clock-back": "clock"}


class ConfirmForm(SubmissionForm):
    player = forms.IntegerField()
    sent = forms.IntegerField()
    act = staticmethod(reporting.confirm_scores)


class DisputeForm(SubmissionForm):
    reason = forms.CharField(max_length=300, required=False)
    act = staticmethod(reporting.call_referee)


# Forms of every circuit besides the scores
ACT_FORMS: dict[str, type[Any]] = {"confirm": ConfirmForm, "dispute": DisputeForm}


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_page(request: HttpRequest, token: str) -> HttpResponse:
    place = table_pages.read_table_token(token)
    if place is None:
        raise Http404
    found = table_pages.find_open_table(place)
    page_class = table_pages.find_page_class(found.round.revision.stage.circuit) if found else None
    if found is None or page_class is None:
        return show_closed_table(request, place)
    page = page_class(found, token)
    if request.method == "POST":
        return handle_table_step(request, page)
    return render_table(request, page, is_live=True)


def show_closed_table(request: HttpRequest, place: table_pages.TableAddress) -> HttpResponse:
    stage = get_object_or_404(Stage.objects.select_related("season", "game"), pk=place.stage)
    values = {"stage": stage, "place": place}
    return without_index(
        render(request, "stages/table/closed.html", values, status=HTTPStatus.GONE)
    )


def without_index(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex"
    return response


def render_table(
    request: HttpRequest,
    page: TablePage,
    *,
    form: ScoreForm | None = None,
    status: int = HTTPStatus.OK,
    **more: Any,
) -> HttpResponse:
    values = page.values() | {
        "form": form or page.form(),
        "submission": drafting.new_submission(),
        **more,
    }
    return without_index(render(request, f"{page.templates}/table.html", values, status=status))


def handle_table_step(request: HttpRequest, page: TablePage) -> HttpResponse:
    # A refused step shows the typed values again.
    if not is_within_limits(request, page):
        sentence = _(
            "Very many steps came from here within a minute. Wait a moment, then try again."
        )
        return refuse_step(request, page, sentence, HTTPStatus.TOO_MANY_REQUESTS)
    act = request.POST.get("act", "")
    if act in {"check", "send"}:
        return handle_scores(request, page, is_sent=act == "send")
    wanted = (ACT_FORMS | page.act_forms).get(act)
    if wanted is None:
        sentence = _("This was not understood. Reload the page.")
        return refuse_step(request, page, sentence, HTTPStatus.UNPROCESSABLE_ENTITY)
    return carry_out_step(request, page, wanted(request.POST), act)


def is_within_limits(request: HttpRequest, page: TablePage) -> bool:
    return consume(request, "table", PER_CONNECTION, more_in_halls=True) and consume(
        request, "one-table", PER_TABLE, key=page.token
    )


def carry_out_step(request: HttpRequest, page: TablePage, form: Any, act: str) -> HttpResponse:
    if not form.is_valid():
        sentence = next(iter(form.errors.values()))[0]
        return refuse_step(request, page, str(sentence), HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        form.carry_out(page)
    except Refused as refusal:
        return refuse_step(request, page, str(refusal.sentence), refusal.status)
    return redirect(f"{page.address}#{SECTIONS.get(act, act)}")


def refuse_step(
    request: HttpRequest, page: TablePage, sentence: str, status: HTTPStatus
) -> HttpResponse:
    return render_table(
        request, reload_page(page), status=status, refusal=sentence, typed=request.POST
    )


def reload_page(page: TablePage) -> TablePage:
    table = table_pages.find_table_by_token(page.token)
    if table is None:
        raise Http404
    return type(page)(table, page.token)


def handle_scores(request: HttpRequest, page: TablePage, *, is_sent: bool) -> HttpResponse:
    # If scores alone do not decide the places, the form asks once before sending.
    form = page.form(request.POST)
    if not form.is_valid():
        return render_table(
            request,
            page,
            form=form,
            status=HTTPStatus.UNPROCESSABLE_ENTITY if is_sent else HTTPStatus.OK,
        )
    if not is_sent or form.is_to_ask:
        return render_table(request, page, form=form, is_asked=is_sent)
    typed = form.cleaned_data
    try:
        reporting.report_scores(
            page.table, form.results(), submission=typed["submission"], version=typed["version"]
        )
    except Outdated as refusal:
        return show_conflict(request, page, str(refusal.sentence))
    except Refused as refusal:
        sentence = str(refusal.sentence)
        return render_table(
            request, page, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY, refusal=sentence
        )
    return redirect(f"{page.address}#confirm")


def show_conflict(request: HttpRequest, page: TablePage, sentence: str) -> HttpResponse:
    # Shows both values; sending again replaces the other ones.
    fresh = reload_page(page)
    typed = request.POST.copy()
    typed["version"], typed["submission"] = str(fresh.table.version), drafting.new_submission()
    form = fresh.form(typed)
    form.is_valid()
    return render_table(
        request, fresh, form=form, status=HTTPStatus.CONFLICT, refusal=sentence, is_clash=True
    )


def get_run_stage(user: User, year: int, slug: str) -> Stage:
    # Slips are only for users who may settle these tables.
    stage = get_object_or_404(
        Stage.objects.select_related("game", "season"), season__year=year, slug=slug
    )
    if stage.circuit == Stage.Circuit.PGM or not reporting.is_run_by(stage, user):
        raise Http404
    return stage


@allow(Role.ORGANIZER, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR, Role.STAFF)
@never_cache
@require_safe
def print_slips(request: UserRequest, year: int, slug: str, number: int) -> HttpResponse:
    stage = get_run_stage(request.user, year, slug)
    draft = None if stage.is_closed else find_draft(stage)
    found = get_object_or_404(Round, revision=draft, number=number)
    numbers = found.tables.order_by("number").values_list("number", flat=True)
    names = names_by_table(found)
    tables = [table_slip(stage, number, table, names.get(table, [])) for table in numbers]
    return render(
        request, "stages/table/slips.html", {"stage": stage, "round": number, "tables": tables}
    )


def table_slip(stage: Stage, round_: int, table: int, names: list[str]) -> dict[str, object]:
    address = reverse("table", args=[table_pages.make_table_token(stage.pk, round_, table)])
    return {
        "number": table,
        "names": names,
        "address": address,
        "qr": draw_qr_code(absolute_url(address)),
    }


def names_by_table(round_: Round) -> dict[int, list[str]]:
    seats = Seat.objects.filter(table__round=round_).select_related("table", "player__person")
    found: dict[int, list[str]] = {}
    for seat in seats.prefetch_related("player__accounts__nicknames").order_by(
        "table__number", "position"
    ):
        found.setdefault(seat.table.number, []).append(name_for_staff(seat.player))
    return found
