"""The page of one table, opened by its signed address. No account is needed; nothing is ever kept of it."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from pergioco.players.policy import everyone
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import drafting, reporting, table_links
from pergioco.stages.models import Stage
from pergioco.website.limits import is_within
from pergioco.website.tables import big, risiko
from pergioco.website.tables.big import Sent
from pergioco.website.tables.score_form import ScoreForm
from pergioco.website.tables.seen import TablePage

# A whole hall sends from one address; one table taps its clock.
PER_CONNECTION, PER_TABLE = "1200/m/ip", "120/m/key"
PAGES: dict[str, type[TablePage]] = {Stage.Circuit.BIG: big.BigPage, Stage.Circuit.RKM: risiko.RisikoPage}


class ConfirmForm(Sent):
    player = forms.IntegerField()
    sent = forms.IntegerField()

    def carry_out(self, page: TablePage) -> None:
        typed = self.cleaned_data
        reporting.confirm(page.table, typed["player"], submission=typed["submission"], sent=typed["sent"])


class DisputeForm(Sent):
    reason = forms.CharField(max_length=300, required=False)

    def carry_out(self, page: TablePage) -> None:
        reporting.dispute(page.table, **self.cleaned_data)


class SuspendForm(Sent):
    version = forms.IntegerField(min_value=0)

    def carry_out(self, page: TablePage) -> None:
        reporting.suspend(page.table, **self.cleaned_data)


SPOKEN: dict[str, type[Any]] = {"confirm": ConfirmForm, "dispute": DisputeForm}
OF_BIG: dict[str, type[Any]] = {
    "suspend": SuspendForm,
    "auction": big.AuctionForm,
    "bid": big.BidForm,
    "auction-back": big.BackForm,
    "clock": big.ClockForm,
    "turn": big.TurnForm,
    "clock-back": big.ClockBackForm,
}
ACTS = {Stage.Circuit.BIG: SPOKEN | OF_BIG, Stage.Circuit.RKM: SPOKEN}
SECTIONS = {"bid": "auction", "auction-back": "auction", "turn": "clock", "clock-back": "clock"}


@everyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, token: str) -> HttpResponse:
    place = table_links.place_behind(token)
    if place is None:
        raise Http404
    found = table_links.table_at(place)
    if found is None or found.round.revision.stage.circuit not in PAGES:
        return closed(request, place)
    page = PAGES[found.round.revision.stage.circuit](found, token)
    if request.method == "POST":
        return answer(request, page)
    return show(request, page, is_live=True)


def closed(request: HttpRequest, place: table_links.Place) -> HttpResponse:
    stage = get_object_or_404(Stage.objects.select_related("season", "game"), pk=place.stage)
    values = {"stage": stage, "place": place}
    return dressed(render(request, "website/tables/closed.html", values, status=HTTPStatus.GONE))


def dressed(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex"
    return response


def show(
    request: HttpRequest, page: TablePage, *, form: ScoreForm | None = None, status: int = HTTPStatus.OK, **more: Any
) -> HttpResponse:
    values = page.values() | {"form": form or page.form(), "submission": drafting.new_submission(), **more}
    return dressed(render(request, f"website/tables/{page.kind}.html", values, status=status))


def answer(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Whatever is refused comes back with what was typed."""
    if not is_allowed(request, page):
        sentence = _("Very many steps came from here within a minute. Wait a moment, then try again.")
        return refuse(request, page, sentence, HTTPStatus.TOO_MANY_REQUESTS)
    act = request.POST.get("act", "")
    if act in {"check", "send"}:
        return scores(request, page, is_sent=act == "send")
    wanted = ACTS[Stage.Circuit(page.stage.circuit)].get(act)
    if wanted is None:
        sentence = _("This was not understood. Reload the page.")
        return refuse(request, page, sentence, HTTPStatus.UNPROCESSABLE_ENTITY)
    return carry_out(request, page, wanted(request.POST), act)


def is_allowed(request: HttpRequest, page: TablePage) -> bool:
    return is_within(request, "table", PER_CONNECTION) and is_within(request, "one-table", PER_TABLE, key=page.token)


def carry_out(request: HttpRequest, page: TablePage, form: Any, act: str) -> HttpResponse:
    if not form.is_valid():
        sentence = next(iter(form.errors.values()))[0]
        return refuse(request, page, str(sentence), HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        form.carry_out(page)
    except Refused as refusal:
        status = HTTPStatus.CONFLICT if isinstance(refusal, Outdated) else HTTPStatus.UNPROCESSABLE_ENTITY
        return refuse(request, page, str(refusal.sentence), status)
    return redirect(f"{page.address}#{SECTIONS.get(act, act)}")


def refuse(request: HttpRequest, page: TablePage, sentence: str, status: HTTPStatus) -> HttpResponse:
    """The table as it stands now, with what was typed."""
    return show(request, fresh_page(page), status=status, refusal=sentence, typed=request.POST)


def fresh_page(page: TablePage) -> TablePage:
    table = table_links.table_behind(page.token)
    if table is None:
        raise Http404
    return type(page)(table, page.token)


def scores(request: HttpRequest, page: TablePage, *, is_sent: bool) -> HttpResponse:
    """Looked at, or sent. Where the scores alone do not tell the places it is asked first, once."""
    form = page.form(request.POST)
    if not form.is_valid():
        return show(request, page, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY if is_sent else HTTPStatus.OK)
    if not is_sent or form.is_to_ask:
        return show(request, page, form=form, is_asked=is_sent)
    typed = form.cleaned_data
    try:
        reporting.report(page.table, form.results(), submission=typed["submission"], version=typed["version"])
    except Outdated as refusal:
        return clash(request, page, str(refusal.sentence))
    except Refused as refusal:
        sentence = str(refusal.sentence)
        return show(request, page, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY, refusal=sentence)
    return redirect(f"{page.address}#confirm")


def clash(request: HttpRequest, page: TablePage, sentence: str) -> HttpResponse:
    """Both values side by side; sent again, those that were typed here replace the others."""
    fresh = fresh_page(page)
    typed = request.POST.copy()
    typed["version"], typed["submission"] = str(fresh.table.version), drafting.new_submission()
    form = fresh.form(typed)
    form.is_valid()
    return show(request, fresh, form=form, status=HTTPStatus.CONFLICT, refusal=sentence, is_clash=True)
