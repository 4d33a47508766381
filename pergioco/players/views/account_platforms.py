"""My platform accounts: declare, rename, remove, prove."""

from email.utils import parseaddr
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from pergioco.core.fetcher import FetchFailed
from pergioco.core.forms import UseCaseForm
from pergioco.core.limits import consume
from pergioco.core.models import User
from pergioco.core.pages import page_or_form
from pergioco.core.policy import Role, UserRequest, allow
from pergioco.core.refusal import Refused
from pergioco.players.forms import AS_TYPED
from pergioco.players.models import PlatformAccount, Player
from pergioco.players.models.accounts import Platform
from pergioco.players.references import profile_link, read_reference
from pergioco.players.services import accounts, proofs, registering
from pergioco.stages.models import Season

CHECKS = "10/h/user"  # each check asks a platform


class ReferenceForm(UseCaseForm):
    reference = forms.CharField(
        label=gettext_lazy("Nickname"),
        help_text=gettext_lazy(
            "As it is on the platform. The link of your profile is even better: paste it."
        ),
        max_length=300,
        widget=forms.TextInput(AS_TYPED),
    )

    def add_error(self, field: str | None, error: Any) -> None:
        super().add_error(field or "reference", error)


class AccountForm(ReferenceForm):
    platform = forms.ChoiceField(label=gettext_lazy("Platform"), choices=Platform.choices)
    field_order = ("platform", "reference")


def my_player(request: UserRequest) -> Player | None:
    return Player.objects.with_names().filter(person__user=request.user).first()


def my_account(request: UserRequest, number: int) -> PlatformAccount:
    mine = PlatformAccount.objects.filter(player__person__user=request.user)
    return get_object_or_404(
        mine.select_related("player__registration").prefetch_related("nicknames"), pk=number
    )


def season_is_running() -> bool:
    return Season.objects.running_on(timezone.localdate()).exists()


def explain_fixed_nickname(account: PlatformAccount) -> str:
    """Why the nickname cannot change today, else an empty text."""
    try:
        accounts.refuse_rename_during_season(account.player, season_is_running=season_is_running())
    except Refused as no:
        return str(no.sentence)
    return ""


@allow(Role.PLAYER)
@page_or_form
def my_accounts_page(request: UserRequest) -> HttpResponse:
    player = my_player(request)
    if player is None:
        return render(request, "players/account/no_person.html")
    form = AccountForm(request.POST or None)
    if form.carries_out(partial(declare_account, player), by=request.user):
        if not form.result:
            return redirect("is-this-you")
        messages.success(request, _("The account is in your list."))
        return redirect("my-accounts")
    listed = proofs.prefetch_check_requests(player.accounts.all(), timezone.now())
    return render(request, "players/account/accounts.html", {"accounts": listed, "form": form})


def declare_account(player: Player, *, platform: str, reference: str, by: User) -> bool:
    return registering.declare_account(
        player, platform, read_reference(platform, reference), by=by, on=timezone.localdate()
    )


@allow(Role.PLAYER)
@page_or_form
def rename_my_account(request: UserRequest, number: int) -> HttpResponse:
    account = my_account(request, number)
    form = ReferenceForm(request.POST or None)
    if form.carries_out(partial(rename_account, account), by=request.user):
        messages.success(request, _("Saved."))
        return redirect("my-accounts")
    context = {
        "account": account,
        "form": form,
        "stays": explain_fixed_nickname(account),
        **federation_address_values(),
    }
    return render(request, "players/account/accounts_rename.html", context)


def rename_account(account: PlatformAccount, *, reference: str, by: User) -> None:
    accounts.rename_account(
        account,
        read_reference(account.platform, reference),
        by=by,
        on=timezone.localdate(),
        season_is_running=season_is_running(),
    )


@allow(Role.PLAYER)
@page_or_form
def remove_my_account(request: UserRequest, number: int) -> HttpResponse:
    account = my_account(request, number)
    refusal = ""
    if request.method == "POST":
        try:
            today = timezone.localdate()
            by = request.user
            accounts.remove_account(account, by=by, on=today, season_is_running=season_is_running())
        except Refused as no:
            refusal = str(no.sentence)
        else:
            messages.success(request, _("The account is no longer in your list."))
            return redirect("my-accounts")
    return render(
        request,
        "players/account/accounts_remove.html",
        {"account": account, "refusal": refusal, **federation_address_values()},
    )


@allow(Role.PLAYER)
@require_safe
def prove_my_account(request: UserRequest, number: int) -> HttpResponse:
    return render_proof_page(request, my_account(request, number))


@allow(Role.PLAYER)
@require_POST
def make_my_account_code(request: UserRequest, number: int) -> HttpResponse:
    account = my_account(request, number)
    for_person = request.POST.get("who") == "person"
    try:
        proofs.make_proof_code(account, by=request.user, now=timezone.now(), for_person=for_person)
    except Refused as no:
        return render_proof_page(request, account, str(no.sentence))
    return redirect("my-account-proof", number)


@allow(Role.PLAYER)
@require_POST
def check_my_account(request: UserRequest, number: int) -> HttpResponse:
    account = my_account(request, number)
    if not consume(request, "check_account", CHECKS):
        sentence = _(
            "You checked ten times within an hour. Wait an hour, or ask for a check by a person."
        )
        return render_proof_page(request, account, sentence, status=429)
    try:
        proofs.check_proof(account, by=request.user, now=timezone.now())
    except (Refused, FetchFailed) as no:
        return render_proof_page(request, account, str(no.sentence))
    messages.success(request, _("Proved. You can take the code out of your profile now."))
    return redirect("my-account-proof", number)


def render_proof_page(
    request: HttpRequest, account: PlatformAccount, trouble: str = "", status: int = 200
) -> HttpResponse:
    now = timezone.now()
    context = {
        "account": account,
        "trouble": trouble,
        "asked_directly": proofs.has_automatic_check(account.platform),
        "code": proofs.find_open_code(account, now, for_person=False),
        "request_code": proofs.find_open_code(account, now, for_person=True),
        "profile": profile_link(account.platform, account.platform_id)
        if account.id_is_known
        else "",
        "bga_account": settings.BGA_ACCOUNT,
    }
    return render(request, "players/account/accounts_proof.html", context, status=status)


def federation_address_values() -> dict[str, Any]:
    return {"federation_address": parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}
