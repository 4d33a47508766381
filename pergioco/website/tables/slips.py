"""A slip of paper for each table of a round, with the code that opens its page. To be cut and laid on the tables."""

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from pergioco.players.models import User
from pergioco.players.naming import name_for_staff
from pergioco.players.policy import Role, allow
from pergioco.players.qr import qr_of
from pergioco.stages import reporting, table_links
from pergioco.stages.drafting import draft_of
from pergioco.stages.models import Round, Seat, Stage
from pergioco.website.addresses import whole


def run_by(user: User, year: int, slug: str) -> Stage:
    """Whoever may not settle its tables gets no slips for them."""
    stage = get_object_or_404(Stage.objects.select_related("game", "season"), season__year=year, slug=slug)
    if stage.circuit == Stage.Circuit.PGM or not reporting.is_run_by(stage, user):
        raise Http404
    return stage


@allow(Role.ORGANIZER, Role.BIG_ORGANIZER, Role.RISIKO_DIRECTOR, Role.STAFF)
@never_cache
@require_safe
def slips(request: HttpRequest, year: int, slug: str, number: int) -> HttpResponse:
    stage = run_by(cast("User", request.user), year, slug)
    draft = None if stage.is_closed else draft_of(stage)
    found = get_object_or_404(Round, revision=draft, number=number)
    numbers = found.tables.order_by("number").values_list("number", flat=True)
    names = names_at(found)
    tables = [slip(stage, number, table, names.get(table, [])) for table in numbers]
    return render(request, "website/tables/slips.html", {"stage": stage, "round": number, "tables": tables})


def slip(stage: Stage, round_: int, table: int, names: list[str]) -> dict[str, object]:
    address = reverse("table", args=[table_links.token(stage.pk, round_, table)])
    return {"number": table, "names": names, "address": address, "qr": qr_of(whole(address))}


def names_at(round_: Round) -> dict[int, list[str]]:
    """Table -> who sits there, in the order of the score sheet; as the organizer knows them."""
    seats = Seat.objects.filter(table__round=round_).select_related("table", "player__person")
    found: dict[int, list[str]] = {}
    for seat in seats.prefetch_related("player__accounts__nicknames").order_by("table__number", "position"):
        found.setdefault(seat.table.number, []).append(name_for_staff(seat.player))
    return found
