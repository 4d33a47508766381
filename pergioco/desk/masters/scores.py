"""The sheet of one table typed at the desk: what is level is asked for, what cannot be is said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pergioco.desk.masters.listed import WHO, own_master
from pergioco.desk.masters.room import Room
from pergioco.players.models import User
from pergioco.players.policy import allow
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import reporting
from pergioco.stages.drafting import new_submission
from pergioco.stages.models import Seat, Stage, Table
from risiko_master.rules import sheet
from risiko_master.rules.editions import Edition, for_season
from risiko_master.sheet_words import fault_in_words

CONFLICT, UNFIT = 409, 422
FIELDS = ("points", "off", "order")


@dataclass(frozen=True)
class Row:
    """A player's line as it stands in the form: what was typed, else what is on file."""

    player: int
    name: str
    points: str
    made: bool
    off: str
    order: str
    asks_off: bool = False
    asks_order: bool = False


def edition_of(stage: Stage) -> Edition:
    return for_season(stage.season.year)


def table_of(stage: Stage, game: int, number: int) -> Table:
    rows = Table.objects.filter(round__revision__stage=stage, round__revision__state="draft")
    return get_object_or_404(rows.select_related("round__revision__stage"), round__number=game, number=number)


@allow(*WHO)
@require_http_methods(["GET", "HEAD", "POST"])
def scores(request: HttpRequest, slug: str, game: int, table: int) -> HttpResponse:
    stage = own_master(request, slug)
    found = table_of(stage, game, table)
    if request.method != "POST":
        return page(request, stage, found, rows_on_file(stage, found))
    edition = edition_of(stage)
    rows = list(rows_typed(request.POST, found, Room(stage).names))
    try:
        lines = [line_of(row) for row in rows]
        refuse_faults(lines, rows, edition)
        off, order = sheet.still_asked(lines)
        if off or order:
            return page(request, stage, found, asking(rows, off, order), asks=True)
        save(request, found, sheet.in_order_of_play(lines))
    except Refused as refused:
        status = CONFLICT if isinstance(refused, Outdated) else UNFIT
        return page(request, stage, found, rows, refusal=str(refused.sentence), status=status)
    messages.success(request, _("Table %(table)s is saved.") % {"table": table})
    return redirect("risiko-control", stage.slug)


def page(request: HttpRequest, stage: Stage, table: Table, rows: Sequence[Row], **more: Any) -> HttpResponse:
    """With the version that stands there now: what was typed stays, and can be sent over it."""
    room, status = Room(stage), more.pop("status", 200)
    fresh = Table.objects.get(pk=table.pk)
    values = {
        "stage": stage,
        "table": fresh,
        "game": table.round.number,
        "rows": rows,
        "most": edition_of(stage).most_table_points,
        **more,
    }
    values |= {"submission": new_submission(), "on_file": rows_on_file(stage, fresh) if status == CONFLICT else []}
    values["state"] = room.states.get((table.round.number, table.number))
    return render(request, "desk/masters/scores.html", values, status=status)


def rows_on_file(stage: Stage, table: Table) -> list[Row]:
    names = Room(stage).names
    return [row_of(seat, names[seat.player_id]) for seat in table.seats.order_by("position")]


def row_of(seat: Seat, name: str) -> Row:
    off = plain(seat.off_objective)
    return Row(seat.player_id, name, plain(seat.score), seat.objective_made, off, str(seat.position) if off else "")


def plain(number: Decimal | None) -> str:
    return "" if number is None else f"{number.normalize():f}"


def rows_typed(typed: Mapping[str, str], table: Table, names: Mapping[int, str]) -> Iterator[Row]:
    for seat in table.seats.order_by("position"):
        of = {name: typed.get(f"{name}-{seat.player_id}", "").strip() for name in FIELDS}
        made = f"made-{seat.player_id}" in typed
        shown = {f"asks_{name}": f"{name}-{seat.player_id}" in typed for name in ("off", "order")}
        yield Row(seat.player_id, names[seat.player_id], of["points"], made, of["off"], of["order"], **shown)


def asking(rows: Sequence[Row], off: set[int], order: set[int]) -> list[Row]:
    """The boxes that were open stay open."""
    return [
        replace(row, asks_off=row.asks_off or row.player in off, asks_order=row.asks_order or row.player in order)
        for row in rows
    ]


def line_of(row: Row) -> sheet.Line:
    points, off, order = (number(text, row.name) for text in (row.points, row.off, row.order))
    return sheet.Line(row.player, points, row.made, off, order)


def number(text: str, name: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4):  # noqa: PLR2004 - three digits
        raise Refused(
            _("“%(text)s” is no number of points. Look at the line of %(name)s.") % {"text": text, "name": name}
        )
    return int(text)


def refuse_faults(lines: Sequence[sheet.Line], rows: Sequence[Row], edition: Edition) -> None:
    names = {row.player: row.name for row in rows}
    for fault in sheet.faults(lines, edition):
        raise Refused(fault_in_words(fault, names, edition.most_table_points))


def save(request: HttpRequest, table: Table, lines: Sequence[sheet.Line]) -> None:
    """With a reason it is the referee's word; it takes one once somebody else has sent and the next game is seated."""
    by, reason = cast("User", request.user), request.POST.get("reason", "")
    results, key, version = [result_of(line) for line in lines], key_in(request), version_in(request)
    if reason.strip():
        reporting.settle(table, results, submission=key, version=version, by=by, reason=reason)
    else:
        reporting.report(table, results, submission=key, version=version, by=by)


def result_of(line: sheet.Line) -> reporting.Result:
    off = None if line.off_objective is None else Decimal(line.off_objective)
    return reporting.Result(line.player, score=Decimal(line.points or 0), off_objective=off, objective_made=line.made)


def key_in(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("submission", ""))
    except ValueError:
        raise Refused(_("The form was sent incomplete. Send it again.")) from None


def version_in(request: HttpRequest) -> int:
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() else -1
