"""A score sheet typed at the desk: faults, questions about ties, saving."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pergioco.core.policy import UserRequest, allow
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages.models import Seat, Stage, Table
from pergioco.stages.services import reporting
from pergioco.stages.services.drafting import new_submission
from risiko_master.labels import fault_in_words
from risiko_master.rules import sheet
from risiko_master.rules.editions import EDITIONS, Edition
from risiko_master.views.own_masters import DIRECTORS, own_master
from risiko_master.views.room import Room

FIELDS = ("points", "off", "order")


@dataclass(frozen=True)
class Row:
    """A player's line in the form: as typed, else as stored."""

    player: int
    name: str
    points: str
    made: bool
    off: str
    order: str
    asks_off: bool = False
    asks_order: bool = False


def stage_edition(stage: Stage) -> Edition:
    return EDITIONS.in_force(stage.season.year)


def draft_table(stage: Stage, game: int, number: int) -> Table:
    rows = Table.objects.filter(round__revision__stage=stage, round__revision__state="draft")
    return get_object_or_404(
        rows.select_related("round__revision__stage"), round__number=game, number=number
    )


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def scores_page(request: UserRequest, slug: str, game: int, table: int) -> HttpResponse:
    stage = own_master(request, slug)
    room, found = Room(stage), draft_table(stage, game, table)
    if request.method != "POST":
        return render_sheet(request, room, found, stored_rows(room, found))
    rows = list(typed_rows(request.POST, found, room.names))
    try:
        lines = [sheet_line(row) for row in rows]
        refuse_faults(lines, rows, stage_edition(stage))
        off, order = sheet.missing_answers(lines)
        if off or order:
            return render_sheet(request, room, found, open_boxes(rows, off, order), asks=True)
        save_results(request, found, sheet.in_order_of_play(lines))
    except Refused as refused:
        return render_sheet(request, room, found, rows, refused)
    messages.success(request, _("Table %(table)s is saved.") % {"table": table})
    return redirect("risiko-control", stage.slug)


def render_sheet(
    request: HttpRequest,
    room: Room,
    table: Table,
    rows: Sequence[Row],
    refused: Refused | None = None,
    **more: Any,
) -> HttpResponse:
    # With the stored version, so that typed results can be sent again over a conflict.
    fresh, is_outdated = Table.objects.get(pk=table.pk), isinstance(refused, Outdated)
    values = {
        "stage": room.stage,
        "table": fresh,
        "game": table.round.number,
        "rows": rows,
        "most": stage_edition(room.stage).most_table_points,
        "refusal": refused.sentence if refused else "",
        "submission": new_submission(),
        "on_file": stored_rows(room, fresh) if is_outdated else [],
        **more,
    }
    status = refused.status if refused else HTTPStatus.OK
    return render(request, "risiko_master/desk/scores.html", values, status=status)


def stored_rows(room: Room, table: Table) -> list[Row]:
    seats = table.seats.order_by("position")
    return [row_from_seat(seat, room.names[seat.player_id]) for seat in seats]


def row_from_seat(seat: Seat, name: str) -> Row:
    off = plain_number(seat.off_objective)
    return Row(
        seat.player_id,
        name,
        plain_number(seat.score),
        seat.objective_made,
        off,
        str(seat.position) if off else "",
    )


def plain_number(number: Decimal | None) -> str:
    return "" if number is None else f"{number.normalize():f}"


def typed_rows(typed: Mapping[str, str], table: Table, names: Mapping[int, str]) -> Iterator[Row]:
    for seat in table.seats.order_by("position"):
        of = {name: typed.get(f"{name}-{seat.player_id}", "").strip() for name in FIELDS}
        made = f"made-{seat.player_id}" in typed
        shown = {f"asks_{name}": f"{name}-{seat.player_id}" in typed for name in ("off", "order")}
        yield Row(
            seat.player_id,
            names[seat.player_id],
            of["points"],
            made,
            of["off"],
            of["order"],
            **shown,
        )


def open_boxes(rows: Sequence[Row], off: set[int], order: set[int]) -> list[Row]:
    return [
        replace(
            row,
            asks_off=row.asks_off or row.player in off,
            asks_order=row.asks_order or row.player in order,
        )
        for row in rows
    ]


def sheet_line(row: Row) -> sheet.Line:
    points, off, order = (parse_points(text, row.name) for text in (row.points, row.off, row.order))
    return sheet.Line(row.player, points, row.made, off, order)


def parse_points(text: str, name: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 4):  # noqa: PLR2004 - three digits
        raise Refused(
            _("“%(text)s” is no number of points. Look at the line of %(name)s.")
            % {"text": text, "name": name},
            rule="scores.parse_points",
        )
    return int(text)


def refuse_faults(lines: Sequence[sheet.Line], rows: Sequence[Row], edition: Edition) -> None:
    names = {row.player: row.name for row in rows}
    for fault in sheet.find_faults(lines, edition):
        raise Refused(
            fault_in_words(fault, names, edition.most_table_points), rule="scores.refuse_faults"
        )


def save_results(request: UserRequest, table: Table, lines: Sequence[sheet.Line]) -> None:
    # A reason makes it the referee's decision; needed after another sender, or once the next game
    # is seated.
    by, reason = request.user, request.POST.get("reason", "")
    results, key, version = (
        [seat_result(line) for line in lines],
        posted_submission(request),
        posted_version(request),
    )
    if reason.strip():
        reporting.settle_table(
            table, results, submission=key, version=version, by=by, reason=reason
        )
    else:
        reporting.report_scores(table, results, submission=key, version=version, by=by)


def seat_result(line: sheet.Line) -> reporting.Result:
    off = None if line.off_objective is None else Decimal(line.off_objective)
    return reporting.Result(
        line.player, score=Decimal(line.points or 0), off_objective=off, objective_made=line.made
    )


def posted_submission(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("submission", ""))
    except ValueError:
        raise Refused(
            _("The form was sent incomplete. Send it again."), rule="scores.posted_submission"
        ) from None


def posted_version(request: HttpRequest) -> int:
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() else -1
