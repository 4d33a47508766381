"""Desk pages of players and pairings."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.core.forms import ButtonForm, SearchForm, UseCaseForm
from pergioco.core.pages import Step, try_steps
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.players.queries.search import player_search_filter
from pergioco.stages.forms import SwapForm
from pergioco.stages.models import Entry, Revision, Stage
from pergioco.stages.queries.results_grid import (
    entrant_names,
    grid_rounds,
    name_for_desk,
    player_names,
)
from pergioco.stages.queries.stage_desk import get_managed_stage
from pergioco.stages.rules import pairing as rules_pairing
from pergioco.stages.services import entrants, pairing
from pergioco.stages.services.drafting import find_draft, remove_last_round

MOST_FOUND = 20
LONGEST_LIST = 5000
MOST_ROUNDS = 99
LONGEST_PAPER = 10_000


class StrangersField(forms.BooleanField):
    def __init__(self) -> None:
        words = gettext_lazy(
            "Enter also who may not play for the Race: the games count, the Race leaves them out."
        )
        super().__init__(label=words, required=False)


class FindForm(SearchForm):
    q = forms.CharField(
        label=gettext_lazy("Name, nickname or public id"), required=False, max_length=200
    )


class AddForm(UseCaseForm):
    players = forms.ModelMultipleChoiceField(
        queryset=Player.objects.current(),
        to_field_name="public_id",
        widget=forms.MultipleHiddenInput,
    )
    with_strangers = StrangersField()


class PasteForm(UseCaseForm):
    nicknames = forms.CharField(
        label=gettext_lazy("Nicknames, one a line"),
        help_text=gettext_lazy(
            "As on the platform of the stage. Whom nobody knows is entered as not registered."
        ),
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    with_strangers = StrangersField()

    def clean_nicknames(self) -> list[str]:
        return [
            line.strip() for line in self.cleaned_data["nicknames"].splitlines() if line.strip()
        ]


class WithdrawalForm(UseCaseForm):
    after_round = forms.IntegerField(
        label=gettext_lazy("Last round played"),
        help_text=gettext_lazy("0 if the player never came. Empty if the player is still there."),
        required=False,
        min_value=0,
        max_value=MOST_ROUNDS,
    )


@dataclass(frozen=True)
class EntryRow:
    """An entry with its start number: its position in the order of entry."""

    number: int
    entry: Entry
    name: str
    nickname: str
    why_not: str


def list_entries(stage: Stage) -> list[EntryRow]:
    rows = stage.entries.order_by("id").select_related(
        "player__person", "player__registration", "player__merged_into"
    )
    rows = rows.select_related("player__merged_into__person", "player__merged_into__registration")
    rows = rows.prefetch_related(
        "player__accounts__nicknames", "player__merged_into__accounts__nicknames"
    )
    return [entry_row(stage, number, entry) for number, entry in enumerate(rows, 1)]


def entry_row(stage: Stage, number: int, entry: Entry) -> EntryRow:
    player = entry.player.merged_into or entry.player
    nicknames = [
        account.nickname for account in player.accounts.all() if account.platform == stage.platform
    ]
    return EntryRow(
        number,
        entry,
        name_for_desk(player),
        ", ".join(nicknames),
        entrants.why_no_race_points(stage, player),
    )


def find_players(stage: Stage, question: str) -> list[tuple[Player, str, str]]:
    if not question:
        return []
    players = (
        Player.objects.current()
        .filter(player_search_filter(question))
        .exclude(Q(entries__stage=stage))
        .distinct()
    )
    named = (
        players.with_names()
        .prefetch_related("accounts__nicknames")
        .order_by("person__last_name", "pk")
    )
    return [
        (player, name_for_desk(player), entrants.why_no_race_points(stage, player))
        for player in named[:MOST_FOUND]
    ]


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def entries_page(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    add_nicknames = partial(entrants.add_nicknames, on=timezone.localdate())
    steps = {
        "add": Step(AddForm, partial(enter_and_tell, request, entrants.add_players, stage)),
        "paste": Step(
            partial(PasteForm, auto_id="paste_%s"),
            partial(enter_and_tell, request, add_nicknames, stage),
        ),
    }
    tried = try_steps(request, steps)
    if not tried:
        return redirect("desk-entries", stage.pk)
    find = FindForm(request.GET)
    question = find.cleaned_data["q"] if find.is_valid() else ""
    values = {
        "stage": stage,
        "entries": list_entries(stage),
        "find": find,
        "found": find_players(stage, question),
        "question": question,
    }
    return render(request, "stages/desk/entries.html", values | tried)


def enter_and_tell(
    request: HttpRequest, enter: Callable[..., entrants.EntryResult], stage: Stage, **typed: Any
) -> None:
    done = enter(stage, **typed)
    count = len(done.made)
    messages.success(
        request, ngettext("%(n)s player entered.", "%(n)s players entered.", count) % {"n": count}
    )
    for player, reason in done.kept_out:
        values = {"name": name_for_desk(player), "reason": reason}
        messages.warning(
            request, _("%(name)s was kept out of this Race stage: %(reason)s.") % values
        )


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def entry_page(request: UserRequest, number: int, entry: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    row = get_object_or_404(stage.entries.select_related("player__person", "stage"), pk=entry)
    steps = {
        "withdraw": Step(
            partial(WithdrawalForm, initial={"after_round": row.withdrew_after_round}),
            partial(entrants.withdraw_player, row),
            _("Saved."),
        ),
        "remove": Step(
            ButtonForm, partial(entrants.remove_entry, row), _("The player is no longer entered.")
        ),
    }
    tried = try_steps(request, steps)
    if not tried:
        return redirect("desk-entries", stage.pk)
    values = {"stage": stage, "entry": row, "name": name_for_desk(row.player)}
    return render(request, "stages/desk/entry.html", values | tried)


@allow(Role.ORGANIZER, Role.STAFF)
@require_safe
def rounds_page(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    draft = find_draft(stage)
    values = {"stage": stage, "draft": draft, "rounds": grid_rounds(draft) if draft else []}
    return render(request, "stages/desk/rounds.html", {**values, "entered": stage.entries.count()})


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def draw_seed_page(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    pairing.draw_seed(stage, by=request.user)
    return redirect("desk-rounds-next", stage.pk)


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def propose_rounds_page(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    status, outdated = 200, ""
    if request.method == "POST":
        try:
            pairing.accept_proposal(stage, by=request.user, sha256=request.POST.get("sha256", ""))
        except Refused as refusal:
            status, outdated = refusal.status.value, str(refusal.sentence)
        else:
            messages.success(request, _("The pairings are saved."))
            return redirect("admin:stage-results", stage.pk)
    return render(
        request,
        "stages/desk/rounds_next.html",
        {**proposal_context(stage), "outdated": outdated},
        status=status,
    )


def proposal_context(stage: Stage) -> dict[str, Any]:
    values: dict[str, Any] = {"stage": stage}
    try:
        proposal = pairing.propose_rounds(stage, find_draft(stage))
    except Refused as refusal:
        return {**values, "refusal": str(refusal.sentence)}
    names = entrant_names(stage)
    drawn = [[[names[player] for player in pair] for pair in pairs] for pairs in proposal.rounds]
    again = [" – ".join(names[player] for player in pair) for pair in proposal.rematches]
    return {
        **values,
        "proposal": proposal,
        "drawn": list(enumerate(drawn, proposal.first_round)),
        "rematches": again,
    }


class PaperForm(UseCaseForm):
    text = forms.CharField(
        label=gettext_lazy("Rounds, one a line"),
        max_length=LONGEST_PAPER,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, players: list[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players

    def clean_text(self) -> tuple[tuple[rules_pairing.PaperGame, ...], ...]:
        read = rules_pairing.read_paper(self.cleaned_data["text"], self.players)
        if read.troubles:
            raise forms.ValidationError([describe_trouble(trouble) for trouble in read.troubles])
        return read.rounds


def describe_trouble(trouble: rules_pairing.PaperTrouble) -> str:
    sentences = {
        "not_a_game": _(
            "Line %(line)s: “%(text)s” is not a game. Write two start numbers and the result: "
            "0102X."
        ),
        "twice": _("Line %(line)s: player %(text)s stands there twice. Which is right?"),
        "no_such_number": _("Line %(line)s: nobody has the start number %(text)s."),
    }
    return sentences[trouble.code] % {"line": trouble.line, **trouble.values}


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def paper_rounds_page(request: UserRequest, number: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    entered = list_entries(stage)
    form = PaperForm(request.POST or None, players=[row.entry.player_id for row in entered])
    if form.carries_out(lambda text: pairing.add_typed_rounds(stage, text, by=request.user)):
        messages.success(request, _("The rounds are saved."))
        return redirect("admin:stage-results", stage.pk)
    return render(
        request, "stages/desk/rounds_paper.html", {"stage": stage, "form": form, "entries": entered}
    )


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def swap_page(request: UserRequest, number: int, round_: int) -> HttpResponse:
    stage = get_managed_stage(request, number)
    draft = find_draft(stage)
    seated = seated_players(draft, round_)
    if draft is None or not seated:
        raise Http404
    form = SwapForm(request.POST or None, seated=seated)
    by = request.user
    if form.carries_out(
        lambda first, second, reason: pairing.swap_players(
            draft, round_=round_, players=(first, second), by=by, reason=reason
        )
    ):
        messages.success(request, _("The pairing is changed. The draft before can be taken back."))
        return redirect("admin:stage-results", stage.pk)
    return render(
        request, "stages/desk/rounds_swap.html", {"stage": stage, "form": form, "round": round_}
    )


def seated_players(draft: Revision | None, round_: int) -> dict[int, str]:
    return player_names([r for r in (grid_rounds(draft) if draft else []) if r.number == round_])


@allow(Role.ORGANIZER, Role.STAFF)
@require_POST
def remove_round(request: UserRequest, number: int) -> HttpResponse:
    # The button names the round: pressed twice, it removes one.
    stage = get_managed_stage(request, number)
    draft = find_draft(stage)
    last = (
        draft.rounds.order_by("-number").values_list("number", flat=True).first() if draft else None
    )
    if draft is not None and last is not None and request.POST.get("round") == str(last):
        remove_last_round(draft, by=request.user)
        messages.success(
            request,
            _("Round %(round)s is removed. The draft before can be taken back.") % {"round": last},
        )
    return redirect("desk-rounds", stage.pk)
