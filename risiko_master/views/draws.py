"""A draw: its public page, document and script, its verification, and the director's page."""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.core.exports import as_json
from pergioco.core.forms import ButtonForm, ReasonField, UseCaseForm
from pergioco.core.models import User
from pergioco.core.policy import UserRequest, allow, everyone
from pergioco.players.models import Player
from pergioco.stages.models import Stage
from pergioco.stages.queries.stage_view import Participant, name_participants
from risiko_master import standalone, verify
from risiko_master.labels import BY_THE_CHECKER, FINDINGS, PROOFS, Measured, measure_lines
from risiko_master.models import Commitment, Draw
from risiko_master.rules.draw_facts import FIVE
from risiko_master.services import drawing
from risiko_master.services.planning import all_masters
from risiko_master.views.own_masters import DIRECTORS, own_master

Reader = User | AnonymousUser


@dataclass(frozen=True)
class DrawnTable:
    number: int
    who: tuple[Participant | str, ...]

    @property
    def is_of_five(self) -> bool:
        return len(self.who) == FIVE


class DrawPage:
    """One attempt of a draw, with the others."""

    def __init__(self, stage: Stage, number: int, attempt: str) -> None:
        self.stage, self.number = stage, number
        made = Commitment.objects.filter(stage=stage, number=number).order_by("attempt")
        self.attempts = list(made.select_related("draw", "superseded_by"))
        self.commitment = self.chosen(attempt)

    def chosen(self, attempt: str) -> Commitment | None:
        if not attempt:
            return self.attempts[-1] if self.attempts else None
        found = [one for one in self.attempts if str(one.attempt) == attempt]
        if not found:
            raise Http404
        return found[0]

    @property
    def name(self) -> str:
        return str(Commitment.Number(self.number).label)

    @property
    def numbers(self) -> list[tuple[int, str]]:
        return [(number.value, str(number.label)) for number in Commitment.Number]

    @cached_property
    def draw(self) -> Draw | None:
        return getattr(self.commitment, "draw", None)

    @property
    def draw_id(self) -> int:
        if self.draw is None:
            raise Http404
        return self.draw.pk

    @cached_property
    def result(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.draw.result) if self.draw else {}
        return found

    @property
    def proof(self) -> Promise:
        return PROOFS[self.result["proof"]]

    @property
    def is_proven(self) -> bool:
        return bool(self.result["proof"] != "open")

    @property
    def measures(self) -> list[Measured]:
        return measure_lines(self.result)

    def tables(self, reader: Reader) -> list[DrawnTable]:
        # Players are named as on the pages of the stage.
        ids = {player for table in self.result["tables"] for player in table}
        people = name_participants(
            Player.objects.with_names().filter(public_id__in=ids), Stage.Circuit.RKM, reader=reader
        )
        named = {one.player.public_id: one for one in people.values()}
        return [
            DrawnTable(number, tuple(named.get(player, player) for player in table))
            for number, table in enumerate(self.result["tables"], 1)
        ]

    @cached_property
    def document(self) -> dict[str, Any]:
        # Only after the draw: the seed is secret before.
        if self.draw is None or self.commitment is None:
            raise Http404
        return {
            "seed_sha256": self.commitment.seed_sha256,
            "seed_published_at": self.commitment.at.isoformat(),
            "attempt": self.commitment.attempt,
            "reason": self.commitment.reason,
            "drawn_at": self.draw.at.isoformat(),
            "seed": self.draw.seed,
            "inputs": json.loads(self.draw.inputs),
            "inputs_sha256": self.draw.inputs_sha256,
            "result": self.result,
            "result_sha256": self.draw.result_sha256,
        }


KEY, SECONDS = "risiko-draw-again", 60  # a run takes up to a second


@dataclass(frozen=True)
class Run:
    at: datetime
    codes: tuple[str, ...]

    @property
    def faults(self) -> list[str]:
        return [str(FINDINGS.get(code) or BY_THE_CHECKER % {"code": code}) for code in self.codes]


def find_draw_page(request: HttpRequest, slug: str, number: int) -> DrawPage:
    if number not in Commitment.Number:
        raise Http404
    return DrawPage(
        get_object_or_404(all_masters(), slug=slug), number, request.GET.get("attempt", "")
    )


def render_draw(request: HttpRequest, shown: DrawPage, **more: object) -> HttpResponse:
    tables = shown.tables(request.user) if shown.draw else []
    return render(
        request,
        "risiko_master/draws/draw.html",
        {"shown": shown, "stage": shown.stage, "tables": tables, **more},
    )


@everyone
@require_safe
def draw_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return render_draw(request, find_draw_page(request, slug, number))


@everyone
@csrf_exempt  # writes nothing; without a token the page can be cached
@require_POST
def rerun_draw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = find_draw_page(request, slug, number)
    return render_draw(request, shown, run=recent_run(shown))


def recent_run(shown: DrawPage) -> Run:
    key, known = f"{KEY}:{shown.draw_id}", caches["process"]
    run: Run | None = known.get(key)
    if run is None:
        run = Run(timezone.now(), tuple(verify.draw_findings(shown.document)))
        known.set(key, run, SECONDS)
    return run


@everyone
@require_safe
def draw_json(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = find_draw_page(request, slug, number)
    return attachment(
        as_json.dump_json(shown.document), f"{slug}-draw-{number}.json", "application/json"
    )


@everyone
@require_safe
def draw_script(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    # The same for every draw of this algorithm.
    find_draw_page(request, slug, number)
    return attachment(standalone.standalone_script(), "draw.py", "text/x-python; charset=utf-8")


def attachment(text: str, name: str, content_type: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text.encode(), content_type=content_type, headers=headers)


class AgainForm(UseCaseForm):
    reason = ReasonField(
        label=gettext_lazy("Why it is drawn again"),
        help_text=gettext_lazy("Everybody will read it."),
    )
    seed = forms.CharField(
        label=gettext_lazy("A seed of your own"),
        help_text=gettext_lazy(
            "Sixteen characters at least. Empty: the portal takes one by chance."
        ),
        required=False,
        max_length=64,
    )


@allow(*DIRECTORS)
@require_http_methods(["GET", "HEAD", "POST"])
def draw_desk(request: UserRequest, slug: str, number: int) -> HttpResponse:
    if number not in Commitment.Number:
        raise Http404
    stage, by = own_master(request, slug), request.user
    step = request.POST.get("step")
    go = ButtonForm(request.POST if step == "draw" else None)
    again = AgainForm(request.POST if step == "again" else None)
    if go.carries_out(lambda: drawing.draw_game(stage, number, by=by)):
        messages.success(request, _("Drawn: the tables and the seed are public."))
        return redirect("risiko-control", stage.slug)
    if again.carries_out(lambda **typed: draw_again(stage, number, by, **typed)):
        messages.success(request, _("Drawn again with another seed, and the reason is public."))
        return redirect("risiko-control", stage.slug)
    status = max(go.status, again.status)
    shown = DrawPage(stage, number, "")
    values = {"stage": stage, "number": number, "go": go, "again": again, "shown": shown}
    return render(request, "risiko_master/desk/draw.html", values, status=status)


def draw_again(stage: Stage, number: int, by: User, *, reason: str, seed: str) -> Draw:
    drawing.commit_seed(stage, number, by=by, reason=reason, seed=seed)
    return drawing.draw_game(stage, number, by=by)
