"""The same grid, empty: the results are typed again, and a difference stops with both values."""

import re
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pergioco.desk.grid import NotSaved, rounds_of
from pergioco.desk.stages import own_stage
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Refused
from pergioco.stages import second_pass
from pergioco.stages.drafting import draft_of
from pergioco.stages.models import Revision, Stage
from pergioco.stages.result_words import READ_AS
from pergioco.stages.rules.results import EMPTY, sign_typed

CONFLICT = 409
SIGN = re.compile(r"sign-[0-9]{1,18}")


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest, number: int) -> HttpResponse:
    stage = own_stage(request, number)
    draft = draft_of(stage)
    if draft is None:
        return redirect("admin:stage-results", stage.pk)
    if request.method != "POST":
        return page(request, stage, draft, {})
    typed = {int(n.removeprefix("sign-")): str(sign) for n, sign in request.POST.items() if SIGN.fullmatch(n)}
    try:
        differences = second_pass.compare(draft, typed, by=cast("User", request.user))
    except Refused as refusal:
        messages.warning(request, str(refusal.sentence))
        return redirect("admin:stage-results", stage.pk)
    if differences:
        troubles = {table: difference(typed.get(table, EMPTY), sign) for table, sign in differences.items()}
        return page(request, stage, draft, typed, troubles)
    messages.success(request, _("Both passes agree."))
    return redirect("desk-close", stage.pk)


def page(
    request: HttpRequest,
    stage: Stage,
    draft: Revision,
    typed: dict[int, str],
    troubles: dict[int, str] | None = None,
) -> HttpResponse:
    """Nothing of the draft is chosen: who types again should not read what stands there."""
    troubles = troubles or {}
    rows = {table: NotSaved(typed.get(table, EMPTY), troubles.get(table, "")) for table in second_pass.signs_of(draft)}
    values = {
        "stage": stage,
        "draft": draft,
        "rounds": rounds_of(draft, rows),
        "verifying": True,
        "not_saved": troubles,
    }
    return render(request, "desk/results.html", values, status=CONFLICT if troubles else 200)


def difference(typed: str, sign: str) -> str:
    if not typed:
        return _("Not typed a second time yet.")
    values = {"typed": READ_AS.get(sign_typed(typed), typed), "draft": READ_AS[sign]}
    return _("You typed %(typed)s; the draft says %(draft)s. Type it again, or change the draft.") % values
