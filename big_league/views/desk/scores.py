"""The scores of one table, typed by the organizer from the score sheet."""

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods

from big_league.day_facts import Day
from big_league.rules.table import TWO_PLAYERS
from big_league.views.desk.check_in import ORGANIZERS
from big_league.views.desk.day import own_event_day
from big_league.views.desk.day_parts import NamedDay, TableRow
from pergioco.core.forms import UseCaseForm
from pergioco.core.models import User
from pergioco.core.policy import UserRequest, allow
from pergioco.core.refusal import Refused
from pergioco.stages.facts import SeatFacts
from pergioco.stages.models import Table
from pergioco.stages.services import reporting
from pergioco.stages.services.reporting import Result

PLAYED, TIMED_OUT, QUIT, NO_SHOW = "played", "timed_out", "quit", "no_show"
WHAT = (
    (PLAYED, gettext_lazy("played")),
    (TIMED_OUT, gettext_lazy("out of time: last")),
    (QUIT, gettext_lazy("left the table")),
    (NO_SHOW, gettext_lazy("did not come")),
)
OUTCOMES = (
    ("", gettext_lazy("by the scores")),
    ("win", pgettext_lazy("outcome of a table", "won")),
    ("draw", pgettext_lazy("outcome of a table", "shared")),
    ("loss", pgettext_lazy("outcome of a table", "lost")),
)


class PointsField(forms.DecimalField):
    """Accepts a comma; tenths come from auctions in steps of 0.1."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput({"inputmode": "decimal", "class": "points", "autocomplete": "off"})
        super().__init__(max_digits=8, decimal_places=2, required=False, widget=widget, **kwargs)
        self.error_messages["invalid"] = gettext_lazy("Write a number: 82, or 7.5.")

    def to_python(self, value: Any) -> Any:
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


class SeatForm(forms.Form):
    score = PointsField(label=gettext_lazy("Score"))
    bid = PointsField(label=gettext_lazy("Bid"), min_value=0)
    what = forms.ChoiceField(label=gettext_lazy("What happened"), choices=WHAT)
    outcome = forms.ChoiceField(label=gettext_lazy("Place"), choices=OUTCOMES, required=False)

    def result(self, player: int) -> Result:
        # An absent player, or one who left, loses; the other scores count as typed.
        typed = self.cleaned_data
        what, is_out = typed["what"], typed["what"] in {QUIT, NO_SHOW}
        return Result(
            player,
            score=None if is_out else typed["score"],
            bid=typed["bid"],
            timed_out=what == TIMED_OUT,
            outcome="loss" if is_out else typed["outcome"],
            kind=what if is_out else PLAYED,
        )


class SheetForm(UseCaseForm):
    """`reason` is required once the next round has begun (BIG-22)."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    submission = forms.UUIDField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=300,
        required=False,
        help_text=gettext_lazy(
            "Once the next round has begun only the referee puts a table right, and says why."
        ),
    )


@allow(*ORGANIZERS)
@require_http_methods(["GET", "HEAD", "POST"])
def table_scores(request: UserRequest, number: int, round_: int, table: int) -> HttpResponse:
    event, day = own_event_day(request, number)
    row = get_table_row(day, round_, table)
    sent = request.POST if request.method == "POST" else None
    seats = seat_forms(row, sent)
    sheet = SheetForm(sent, initial={"version": row.version, "submission": uuid4()})
    if round_ == len(day.facts):
        del sheet.fields["reason"]
    status = HTTPStatus.OK
    if sent is not None and sheet.is_valid():
        is_suspended = "suspend" in sent
        write = partial(write_scores, row, [] if is_suspended else seats, by=request.user)
        is_typed = all(form.is_valid() for form in seats)
        if (is_typed or is_suspended) and sheet.carries_out(write):
            messages.success(request, _("Table %(n)s is saved.") % {"n": row.number})
            return redirect(reverse("desk-big-day", args=[event.pk]) + f"#t{table}")
        status = HTTPStatus.CONFLICT if sheet.is_outdated else HTTPStatus.UNPROCESSABLE_ENTITY
    values = {"event": event, "stage": day.stage, "table": row, "round": round_, "sheet": sheet}
    values["rows"] = list(zip(row.seats, seats, strict=True))
    return render(request, "big_league/desk/table.html", values, status=status)


def seat_forms(row: TableRow, sent: QueryDict | None) -> list[SeatForm]:
    return [
        SeatForm(sent, prefix=str(n), initial=seat_initial(one.seat))
        for n, one in enumerate(row.seats, 1)
    ]


def get_table_row(day: Day, round_: int, table: int) -> TableRow:
    # By its numbers: a replaced draft keeps them. A bye has no scores.
    found = NamedDay(day).find_round(round_) if day.draft else None
    tables = found.tables if found else []
    row = next((one for one in tables if one.number == table and not one.is_bye), None)
    if row is None:
        raise Http404
    return row


def seat_initial(seat: SeatFacts) -> dict[str, Any]:
    what = TIMED_OUT if seat.timed_out else seat.kind if seat.kind in {QUIT, NO_SHOW} else PLAYED
    outcome = "" if seat.kind in {QUIT, NO_SHOW} else seat.outcome
    return {
        "score": plain_number(seat.score),
        "bid": plain_number(seat.bid),
        "what": what,
        "outcome": outcome,
    }


def plain_number(value: Decimal | None) -> str:
    return "" if value is None else f"{value.normalize() + 0:f}"


def write_scores(row: TableRow, seats: Sequence[SeatForm], *, by: User, **typed: Any) -> Table:
    """Without forms of seats the game is suspended: a draw between all."""
    players = [one.seat.player for one in row.seats]
    results = (
        complete_results([form.result(p) for form, p in zip(seats, players, strict=True)])
        if seats
        else [Result(player, outcome="draw") for player in players]
    )
    save = reporting.settle_table if "reason" in typed else reporting.report_scores
    return save(row.table, results, **typed, by=by)


def complete_results(results: list[Result]) -> list[Result]:
    """Between two players one absence is a win for the other."""
    if len(results) == TWO_PLAYERS:
        absent = [one.kind == NO_SHOW for one in results]
        if sum(absent) == 1:
            here = results[absent.index(False)]
            won = Result(here.player, here.score, here.bid, outcome="win", kind="walkover")
            return [one if one.kind == NO_SHOW else won for one in results]
    if not all(one.outcome or one.score is not None for one in results):
        raise Refused(
            _("Write the score of everybody at the table, or what happened."),
            rule="scores.complete_results",
        )
    return results
