"""Staff check accounts where automatic requests are forbidden, and rename or remove them."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from pergioco.core.forms import UseCaseForm
from pergioco.core.models import User
from pergioco.core.pages import page_or_form, paginate, render_forms
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.core.refusal import Refused
from pergioco.players.models import PlatformAccount
from pergioco.players.references import (
    Reference,
    find_account_on_file,
    nickname_key,
    profile_link,
    read_checked_account,
    read_reference,
)
from pergioco.players.services import accounts, proofs
from pergioco.rulekit.text import fold


class ConfirmForm(UseCaseForm):
    reference = forms.CharField(
        label=gettext_lazy("Id on the platform, or link of the profile"),
        help_text=gettext_lazy("Copy it from the profile that you looked at, not from here."),
        max_length=300,
    )
    nickname = forms.CharField(label=gettext_lazy("Nickname on the platform"), max_length=300)
    differs = forms.BooleanField(
        label=gettext_lazy(
            "It differs from what the player declared, and I am sure it is the same account"
        ),
        required=False,
        widget=forms.HiddenInput,
    )

    def __init__(self, account: PlatformAccount, data: Any = None) -> None:
        super().__init__(data)
        self.account = account

    def differences(self, found: Reference) -> list[tuple[str, str, str]]:
        """(label, declared, found)."""
        pairs = [(_("Nickname"), accounts.current_nickname(self.account), found.nickname)]
        if self.account.id_is_known:
            pairs.append(
                (_("Id on the platform"), self.account.platform_id, found.platform_id or "")
            )
        return [(what, before, seen) for what, before, seen in pairs if before and before != seen]

    def confirm(self, *, reference: str, nickname: str, differs: bool, by: User) -> None:
        found = read_checked_account(self.account.platform, reference, nickname)
        self.found_differences = self.differences(found)
        self.other_holder = find_account_on_file(self.account.platform, found)
        if self.found_differences and not differs:
            self.fields["differs"].widget = forms.CheckboxInput()
            self.fields["differs"].required = True
            raise Refused(
                _("This is not what the player declared. If it is the same account, tick the box."),
                "differs",
                rule="desk_platforms.confirm",
            )
        proofs.confirm_account(self.account, found, by=by, now=timezone.now())


class RemoveForm(UseCaseForm):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("The player reads it too."),
        max_length=500,
    )


class RenameForm(RemoveForm):
    reference = forms.CharField(
        label=gettext_lazy("New nickname, or link of the profile"), max_length=300
    )
    field_order = ("reference", "reason")


def rename_account(account: PlatformAccount, *, reference: str, reason: str, by: User) -> None:
    named = read_reference(account.platform, reference)
    accounts.rename_account_by_staff(account, named, by=by, on=timezone.localdate(), reason=reason)


def load_account_players(found: QuerySet[PlatformAccount]) -> QuerySet[PlatformAccount]:
    people = found.select_related("player__person", "player__registration", "proved_by__person")
    return proofs.prefetch_check_requests(people, timezone.now()).prefetch_related(
        "player__accounts__nicknames"
    )


def find_accounts(query: str) -> QuerySet[PlatformAccount]:
    """By a present or former nickname, the player's name, or the id."""
    names = Q(nicknames__key__contains=nickname_key(query)) | Q(
        player__person__search_key__contains=fold(query)
    )
    return PlatformAccount.objects.filter(names | Q(platform_id=query)).distinct()


def get_account_or_404(number: int) -> PlatformAccount:
    return get_object_or_404(load_account_players(PlatformAccount.objects.all()), pk=number)


@allow(Role.STAFF)
@require_safe
def list_desk_accounts(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    found = find_accounts(query) if query else proofs.accounts_awaiting_check(timezone.now())
    page = paginate(request, load_account_players(found))
    return render(request, "players/desk/accounts.html", {"page": page, "query": query})


@allow(Role.STAFF)
@page_or_form
def desk_account_page(request: UserRequest, number: int) -> HttpResponse:
    account = get_account_or_404(number)
    form = ConfirmForm(account, request.POST or None)
    if form.carries_out(form.confirm, by=request.user):
        messages.success(request, _("Confirmed. The account counts as checked by a person."))
        return redirect("desk-accounts")
    if form.is_outdated:
        account = get_account_or_404(number)
    values = {
        "account": account,
        "form": form,
        "code": proofs.find_open_code(account, timezone.now(), for_person=True),
        "profile": profile_link(account.platform, account.platform_id)
        if account.id_is_known
        else "",
    }
    return render_forms(request, "players/desk/accounts_one.html", values, form)


@allow(Role.STAFF)
@page_or_form
def rename_account_page(request: UserRequest, number: int) -> HttpResponse:
    account = get_account_or_404(number)
    form = RenameForm(request.POST or None)
    if form.carries_out(partial(rename_account, account), by=request.user):
        messages.success(request, _("Saved, with the reason."))
        return redirect("desk-account", number)
    return render(request, "players/desk/accounts_rename.html", {"account": account, "form": form})


@allow(Role.STAFF)
@page_or_form
def remove_account_page(request: UserRequest, number: int) -> HttpResponse:
    account = get_account_or_404(number)
    form = RemoveForm(request.POST or None)
    if form.carries_out(partial(accounts.remove_account_by_staff, account), by=request.user):
        messages.success(request, _("The account was removed, with the reason."))
        return redirect("desk-accounts")
    return render(request, "players/desk/accounts_remove.html", {"account": account, "form": form})
