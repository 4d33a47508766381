"""The players of a stage: found, pasted, withdrawn, taken out."""

from dataclasses import dataclass
from typing import cast

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from pergioco.desk.forms import ButtonForm, SearchForm, UseCaseForm
from pergioco.desk.grid import called
from pergioco.desk.search import known_by
from pergioco.desk.stages import own_stage
from pergioco.players.models import Player, User
from pergioco.players.policy import Role, allow
from pergioco.stages import entrants
from pergioco.stages.models import Entry, Stage

MOST_FOUND = 20
LONGEST_LIST = 5000
MOST_ROUNDS = 99


class StrangersField(forms.BooleanField):
    def __init__(self) -> None:
        words = gettext_lazy("Enter also who may not play for the Race: the games count, the Race leaves them out.")
        super().__init__(label=words, required=False)


class FindForm(SearchForm):
    q = forms.CharField(label=gettext_lazy("Name, nickname or public id"), required=False, max_length=200)


class AddForm(UseCaseForm):
    players = forms.ModelMultipleChoiceField(
        queryset=Player.objects.current(), to_field_name="public_id", widget=forms.MultipleHiddenInput
    )
    with_strangers = StrangersField()


class PasteForm(UseCaseForm):
    nicknames = forms.CharField(
        label=gettext_lazy("Nicknames, one a line"),
        help_text=gettext_lazy("As on the platform of the stage. Whom nobody knows is entered as not registered."),
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )
    with_strangers = StrangersField()

    def clean_nicknames(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["nicknames"].splitlines() if line.strip()]


class WithdrawalForm(UseCaseForm):
    after_round = forms.IntegerField(
        label=gettext_lazy("Last round played"),
        help_text=gettext_lazy("0 if the player never came. Empty if the player is still there."),
        required=False,
        min_value=0,
        max_value=MOST_ROUNDS,
    )


@dataclass(frozen=True)
class Listed:
    """An entry with its start number, which is its place in the order of entry."""

    number: int
    entry: Entry
    name: str
    nickname: str
    why_not: str


def entries_of(stage: Stage) -> list[Listed]:
    rows = stage.entries.order_by("id").select_related("player__person", "player__registration", "player__merged_into")
    rows = rows.select_related("player__merged_into__person", "player__merged_into__registration")
    rows = rows.prefetch_related("player__accounts__nicknames", "player__merged_into__accounts__nicknames")
    return [listed(stage, number, entry) for number, entry in enumerate(rows, 1)]


def listed(stage: Stage, number: int, entry: Entry) -> Listed:
    player = entry.player.merged_into or entry.player
    nicknames = [account.nickname for account in player.accounts.all() if account.platform == stage.platform]
    return Listed(number, entry, called(player), ", ".join(nicknames), entrants.why_not(stage, player))


def found(stage: Stage, question: str) -> list[tuple[Player, str, str]]:
    """Who is meant by it and is not in yet: the player, the name, and why not for the Race."""
    if not question:
        return []
    players = Player.objects.current().filter(known_by(question)).exclude(Q(entries__stage=stage)).distinct()
    named = players.with_names().prefetch_related("accounts__nicknames").order_by("person__last_name", "pk")
    return [(player, called(player), entrants.why_not(stage, player)) for player in named[:MOST_FOUND]]


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def entries(request: HttpRequest, number: int) -> HttpResponse:
    stage = own_stage(request, number)
    step = request.POST.get("step")
    add = AddForm(request.POST if step == "add" else None)
    paste = PasteForm(request.POST if step == "paste" else None, auto_id="paste_%s")
    by = cast("User", request.user)
    if add.carries_out(lambda **typed: tell(request, entrants.add(stage, **typed, by=by))):
        return redirect("desk-entries", stage.pk)
    if paste.carries_out(
        lambda **typed: tell(request, entrants.add_nicknames(stage, **typed, by=by, on=timezone.localdate()))
    ):
        return redirect("desk-entries", stage.pk)
    find = FindForm(request.GET)
    question = find.cleaned_data["q"] if find.is_valid() else ""
    values = {"stage": stage, "entries": entries_of(stage), "find": find, "found": found(stage, question)}
    values |= {"question": question, "add": add, "paste": paste}
    return render(request, "desk/entries.html", values)


def tell(request: HttpRequest, done: entrants.Entered) -> None:
    count = len(done.made)
    messages.success(request, ngettext("%(n)s player entered.", "%(n)s players entered.", count) % {"n": count})
    for player, reason in done.kept_out:
        values = {"name": called(player), "reason": reason}
        messages.warning(request, _("%(name)s was kept out of this Race stage: %(reason)s.") % values)


@allow(Role.ORGANIZER, Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, number: int, entry: int) -> HttpResponse:
    stage = own_stage(request, number)
    row = get_object_or_404(stage.entries.select_related("player__person", "stage"), pk=entry)
    step = request.POST.get("step")
    form = WithdrawalForm(
        request.POST if step == "withdraw" else None, initial={"after_round": row.withdrew_after_round}
    )
    removal = ButtonForm(request.POST if step == "remove" else None)
    by = cast("User", request.user)
    if form.carries_out(lambda after_round: entrants.withdraw(row, by=by, after_round=after_round)):
        messages.success(request, _("Saved."))
        return redirect("desk-entries", stage.pk)
    if removal.carries_out(lambda: entrants.take_out(row, by=by)):
        messages.success(request, _("The player is no longer entered."))
        return redirect("desk-entries", stage.pk)
    values = {"stage": stage, "entry": row, "name": called(row.player), "form": form, "removal": removal}
    return render(request, "desk/entry.html", values)
