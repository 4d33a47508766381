"""Public pages of RisiKo! Masters: list, one Master, its files, explanations, clock and check-
in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.core.displays import is_screen
from pergioco.core.exports.download import download_sheet
from pergioco.core.forms import ButtonForm
from pergioco.core.models import User
from pergioco.core.policy import Role, UserRequest, allow, everyone
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.publishing.models import Line
from pergioco.stages.models import Stage
from pergioco.stages.queries import stage_exports, stage_page, stage_tables
from pergioco.stages.queries.stage_view import StageView
from pergioco.stages.queries.stage_view import stages_for_view as seen_stages
from pergioco.stages.services.drafting import find_draft
from risiko_master import draft_facts, labels, live_page
from risiko_master.compute import FINAL, GAME, QUALIFICATION, ROUND_1
from risiko_master.master_page import PublishedMaster, Row, ranking_sheet, table_anchor
from risiko_master.rules.points import FIVE
from risiko_master.services import clock as clocks
from risiko_master.services import presence
from risiko_master.services.planning import all_masters


def find_master(slug: str) -> Stage:
    return get_object_or_404(all_masters(), slug=slug)


def find_published(request: HttpRequest, slug: str) -> PublishedMaster:
    return PublishedMaster(find_master(slug), request.user)


@everyone
@require_safe
def list_masters(request: HttpRequest) -> HttpResponse:
    rows = all_masters().exclude(status=Stage.Status.CANCELLED)
    stages = rows.order_by("-starts_on", "slug")
    return render(request, "risiko_master/public/list.html", {"stages": stages})


@everyone
@require_safe
def master_page(request: HttpRequest, slug: str) -> HttpResponse:
    seen = StageView(
        get_object_or_404(seen_stages(), circuit=Stage.Circuit.RKM, slug=slug),
        today=timezone.localdate(),
    )
    if is_screen(request) and (wall := stage_page.show_standings_screen(request, seen)):
        return wall
    shown = PublishedMaster(seen.stage, request.user)
    values = stage_page.stage_summary(seen) | {
        "shown": shown,
        "hall": live_page.read_hall(shown.stage, request.user),
    }
    if shown.final:
        values |= final_exports(seen, shown, values)
    return render(request, "risiko_master/public/master.html", values)


def final_exports(
    seen: StageView, shown: PublishedMaster, values: Mapping[str, Any]
) -> dict[str, Any]:
    order = stage_tables.master_order(shown.lines_of(FINAL), shown.people)
    known = {**values, "order": order}
    return {
        "order": order,
        "exports": stage_exports.exports_with_files(shown.files(FINAL), seen, known),
        "image": stage_exports.stage_image_address(seen),
    }


@everyone
@require_safe
def download_standings(request: HttpRequest, slug: str, what: str, ending: str) -> HttpResponseBase:
    shown = find_published(request, slug)
    if not shown.standings(what):
        raise Http404
    return download_sheet(request, ranking_sheet(shown, what), ending)


MILLISECOND = timedelta(milliseconds=1)


@everyone
@never_cache
@require_safe
def clock_json(request: HttpRequest, slug: str) -> HttpResponse:
    # Hall pages poll it every half minute and reload when the mark changes.
    stage = find_master(slug)
    rounds = draft_facts.read_draft_rounds(find_draft(stage))
    shown = clocks.current_clock(stage, rounds[-1].number) if rounds else None
    answer: dict[str, Any] = {
        "state": shown.state if shown else "",
        "left_ms": shown.left // MILLISECOND if shown else 0,
    }
    return JsonResponse({**answer, "mark": draft_facts.live_version(rounds, shown)})


@allow(Role.PLAYER)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def here_page(request: UserRequest, token: str) -> HttpResponse:
    # The signed code on the wall proves presence, the login identity.
    stage, user = presence.find_stage_by_token(token), request.user
    if stage is None:
        raise Http404
    player = getattr(getattr(user, "person", None), "player", None)
    button = ButtonForm(request.POST if request.method == "POST" else None)
    if button.carries_out(partial(check_in_self, stage, player, user)):
        messages.success(request, _("You are checked in. Good luck!"))
        return redirect("risiko-here", token)
    refusal = button.refusal.sentence if button.refusal else ""
    values = {
        "stage": stage,
        "player": player,
        "refusal": refusal,
        "is_here": is_checked_in(stage, player),
    }
    return render(request, "risiko_master/public/here.html", values, status=button.status)


def is_checked_in(stage: Stage, player: Player | None) -> bool:
    return (
        player is not None and stage.entries.filter(player=player).exclude(presence=None).exists()
    )


def check_in_self(stage: Stage, player: Player | None, user: User) -> None:
    # The desk knows how many more can be seated.
    if player is None:
        raise Refused(
            _("This login has no player: go to the desk of the Master."),
            rule="public.check_in_self",
        )
    entry = stage.entries.select_related("stage", "player").filter(player=player).first()
    if entry is None:
        raise Refused(
            _("You are not entered in this Master: go to its desk."), rule="public.check_in_self"
        )
    if presence.is_drawn(stage):
        raise Refused(
            _("The tables are drawn already: go to the desk of the Master."),
            rule="public.check_in_self",
        )
    presence.check_in_entry(entry, by=user)


@dataclass(frozen=True)
class Step:
    """One game: its points and how they came about."""

    name: str | Promise
    anchor: str
    words: str
    points: str
    counts: bool


def game_words(line: Line) -> str:
    # From the stored detail, never recomputed.
    detail = line.detail
    if detail["objective_made"]:
        return _("RisiKo! made: 1.100 at any table.")
    answer = _("%(points)s table points") % {"points": detail["table_points"]}
    if detail["players"] == FIVE:
        answer += " " + _("× 1.25 at a table of five, rounded up, 0.100 at most")
    return answer + (" + " + _("1.000 for the winner of the table") if line.rank == 1 else "")


def game_steps(shown: PublishedMaster, player: int) -> list[Step]:
    # In the order of play. A final gives places, no points that count.
    found = []
    for number in shown.rounds:
        what = f"{GAME}:{number}"
        phase = shown.computations[what].read["phase"]
        for line in (one for one in shown.lines_of(what) if one.player_id == player):
            anchor = table_anchor(number, line.detail["table"])
            name = labels.round_name(number, phase)
            found.append(
                Step(name, anchor, game_words(line), labels.line_points(line), phase != FINAL)
            )
    return found


def ranking_places(shown: PublishedMaster, player: int) -> list[tuple[str | Promise, Row]]:
    return [
        (labels.RANKINGS[what], row)
        for what in (ROUND_1, QUALIFICATION, FINAL)
        for row in shown.standings(what)
        if row.line.player_id == player
    ]


@everyone
@require_safe
def why_page(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    shown = find_published(request, slug)
    who = next((one for one in shown.people.values() if one.player.public_id == public_id), None)
    if who is None:
        raise Http404
    values = {"shown": shown, "stage": shown.stage, "who": who}
    values |= {
        "steps": game_steps(shown, who.player.pk),
        "places": ranking_places(shown, who.player.pk),
    }
    return render(request, "risiko_master/public/why.html", values)
