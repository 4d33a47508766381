"""The rounds of a stage: paired by the portal, typed from paper, mended, removed."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.desk.entries import entries_of
from pergioco.desk.forms import ReasonField, UseCaseForm
from pergioco.desk.grid import names_in, names_of_entrants, rounds_of
from pergioco.desk.stages import own_stage
from pergioco.players.models import User
from pergioco.players.policy import Role, allow
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import pairing
from pergioco.stages.drafting import draft_of, remove_last_round
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules import paper

CONFLICT = 409
LONGEST_PAPER = 10_000


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def rounds(request: HttpRequest, number: int) -> HttpResponse:
    stage = own_stage(request, number)
    draft = draft_of(stage)
    values = {"stage": stage, "draft": draft, "rounds": rounds_of(draft) if draft else []}
    return render(request, "desk/rounds.html", {**values, "entered": stage.entries.count()})


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def seed(request: HttpRequest, number: int) -> HttpResponse:
    stage = own_stage(request, number)
    pairing.draw_seed(stage, by=cast("User", request.user))
    return redirect("desk-rounds-next", stage.pk)


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, number: int) -> HttpResponse:
    """Looked at first; saved only if nothing it was drawn from changed."""
    stage = own_stage(request, number)
    status, outdated = 200, ""
    if request.method == "POST":
        try:
            pairing.accept(stage, by=cast("User", request.user), sha256=request.POST.get("sha256", ""))
        except Refused as refusal:
            status, outdated = CONFLICT if isinstance(refusal, Outdated) else 422, str(refusal.sentence)
        else:
            messages.success(request, _("The pairings are saved."))
            return redirect("admin:stage-results", stage.pk)
    return render(request, "desk/rounds_next.html", {**proposal_for(stage), "outdated": outdated}, status=status)


def proposal_for(stage: Stage) -> dict[str, Any]:
    values: dict[str, Any] = {"stage": stage}
    try:
        proposal = pairing.propose(stage, draft_of(stage))
    except Refused as refusal:
        return {**values, "refusal": str(refusal.sentence)}
    names = names_of_entrants(stage)
    drawn = [[[names[player] for player in pair] for pair in pairs] for pairs in proposal.rounds]
    again = [" – ".join(names[player] for player in pair) for pair in proposal.rematches]
    return {**values, "proposal": proposal, "drawn": list(enumerate(drawn, proposal.first_round)), "rematches": again}


class PaperForm(UseCaseForm):
    text = forms.CharField(
        label=gettext_lazy("Rounds, one a line"),
        max_length=LONGEST_PAPER,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, players: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players

    def clean_text(self) -> tuple[tuple[paper.Game, ...], ...]:
        read = paper.read(self.cleaned_data["text"], self.players)
        if read.troubles:
            raise forms.ValidationError([trouble_in_words(trouble) for trouble in read.troubles])
        return read.rounds


def trouble_in_words(trouble: paper.Trouble) -> str:
    sentences = {
        "not_a_game": _("Line %(line)s: “%(text)s” is not a game. Write two start numbers and the result: 0102X."),
        "twice": _("Line %(line)s: player %(text)s stands there twice. Which is right?"),
        "no_such_number": _("Line %(line)s: nobody has the start number %(text)s."),
    }
    return sentences[trouble.code] % {"line": trouble.line, **trouble.values}


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def from_paper(request: HttpRequest, number: int) -> HttpResponse:
    stage = own_stage(request, number)
    entered = entries_of(stage)
    form = PaperForm(request.POST or None, players=[row.entry.player_id for row in entered])
    if form.carries_out(lambda text: pairing.type_rounds(stage, text, by=cast("User", request.user))):
        messages.success(request, _("The rounds are saved."))
        return redirect("admin:stage-results", stage.pk)
    return render(request, "desk/rounds_paper.html", {"stage": stage, "form": form, "entries": entered})


class SwapForm(UseCaseForm):
    first = forms.TypedChoiceField(label=gettext_lazy("This player"), coerce=int)
    second = forms.TypedChoiceField(label=gettext_lazy("changes places with"), coerce=int)
    reason = ReasonField(help_text=gettext_lazy("The results of both tables are empty again."))

    def __init__(self, *args: Any, seated: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_name = [(player, seated[player]) for player in sorted(seated, key=lambda player: seated[player])]
        for name in ("first", "second"):
            cast("forms.TypedChoiceField", self.fields[name]).choices = by_name


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def swap(request: HttpRequest, number: int, round_: int) -> HttpResponse:
    stage = own_stage(request, number)
    draft = draft_of(stage)
    seated = seated_in(draft, round_)
    if draft is None or not seated:
        raise Http404
    form = SwapForm(request.POST or None, seated=seated)
    by = cast("User", request.user)
    if form.carries_out(
        lambda first, second, reason: pairing.swap(draft, round_=round_, players=(first, second), by=by, reason=reason)
    ):
        messages.success(request, _("The pairing is changed. The draft before can be taken back."))
        return redirect("admin:stage-results", stage.pk)
    return render(request, "desk/rounds_swap.html", {"stage": stage, "form": form, "round": round_})


def seated_in(draft: Revision | None, round_: int) -> dict[int, str]:
    return names_in([r for r in (rounds_of(draft) if draft else []) if r.number == round_])


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def remove(request: HttpRequest, number: int) -> HttpResponse:
    """The button names the round: pressed twice, it removes one."""
    stage = own_stage(request, number)
    draft = draft_of(stage)
    last = draft.rounds.order_by("-number").values_list("number", flat=True).first() if draft else None
    if draft is not None and last is not None and request.POST.get("round") == str(last):
        remove_last_round(draft, by=cast("User", request.user))
        messages.success(
            request, _("Round %(round)s is removed. The draft before can be taken back.") % {"round": last}
        )
    return redirect("desk-rounds", stage.pk)
