"""My accounts on the platforms: declare, rename, remove, prove."""

from email.utils import parseaddr
from typing import Any, cast

from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pergioco.players import accounts, declaring, proofs
from pergioco.players.fetcher import FetchFailed
from pergioco.players.models import PlatformAccount, Player, User
from pergioco.players.models.accounts import Platform
from pergioco.players.policy import Role, allow
from pergioco.players.references import profile_link, read_reference
from pergioco.players.refusal import Refused
from pergioco.stages.models import Season

PAGE_OR_FORM = require_http_methods(["GET", "HEAD", "POST"])


class ReferenceForm(forms.Form):
    reference = forms.CharField(
        label=gettext_lazy("Nickname"),
        help_text=gettext_lazy("As it is on the platform. The link of your profile is even better: paste it."),
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def refuse(self, no: Refused) -> None:
        self.add_error("reference", str(no.sentence))


class AccountForm(ReferenceForm):
    platform = forms.ChoiceField(label=gettext_lazy("Platform"), choices=Platform.choices)
    field_order = ("platform", "reference")


def person_signed_in(request: HttpRequest) -> User:
    return cast("User", request.user)


def my_player(request: HttpRequest) -> Player | None:
    return Player.objects.with_names().filter(person__user=person_signed_in(request)).first()


def my_account(request: HttpRequest, number: int) -> PlatformAccount:
    mine = PlatformAccount.objects.filter(player__person__user=person_signed_in(request))
    return get_object_or_404(mine.select_related("player__registration").prefetch_related("nicknames"), pk=number)


def season_is_running() -> bool:
    return Season.objects.running_on(timezone.localdate()).exists()


def nickname_stays(account: PlatformAccount) -> str:
    """Why the nickname cannot change today, or nothing."""
    try:
        accounts.refuse_during_season(account.player, season_is_running=season_is_running())
    except Refused as no:
        return str(no.sentence)
    return ""


@allow(Role.PLAYER)
@PAGE_OR_FORM
def mine(request: HttpRequest) -> HttpResponse:
    player = my_player(request)
    if player is None:
        return render(request, "me/no_person.html")
    form = AccountForm(request.POST or None)
    answer = declared(form, player, request) if form.is_valid() else None
    if answer is not None:
        return answer
    listed = proofs.with_requests(player.accounts.all(), timezone.now())
    return render(request, "me/accounts.html", {"accounts": listed, "form": form})


def declared(form: AccountForm, player: Player, request: HttpRequest) -> HttpResponse | None:
    platform = form.cleaned_data["platform"]
    try:
        reference = read_reference(platform, form.cleaned_data["reference"])
        by = person_signed_in(request)
        is_mine = declaring.declare(player, platform, reference, by=by, on=timezone.localdate())
    except Refused as no:
        form.refuse(no)
        return None
    if is_mine:
        messages.success(request, _("The account is in your list."))
    return redirect("my-accounts" if is_mine else "is-this-you")


@allow(Role.PLAYER)
@PAGE_OR_FORM
def rename(request: HttpRequest, number: int) -> HttpResponse:
    account = my_account(request, number)
    form = ReferenceForm(request.POST or None)
    if form.is_valid() and renamed(form, account, person_signed_in(request)):
        messages.success(request, _("Saved."))
        return redirect("my-accounts")
    context = {"account": account, "form": form, "stays": nickname_stays(account), **where_to_write()}
    return render(request, "me/accounts_rename.html", context)


def renamed(form: ReferenceForm, account: PlatformAccount, by: User) -> bool:
    try:
        reference = read_reference(account.platform, form.cleaned_data["reference"])
        today = timezone.localdate()
        accounts.rename(account, reference, by=by, on=today, season_is_running=season_is_running())
    except Refused as no:
        form.refuse(no)
        return False
    return True


@allow(Role.PLAYER)
@PAGE_OR_FORM
def remove(request: HttpRequest, number: int) -> HttpResponse:
    account = my_account(request, number)
    refusal = ""
    if request.method == "POST":
        try:
            today = timezone.localdate()
            by = person_signed_in(request)
            accounts.remove(account, by=by, on=today, season_is_running=season_is_running())
        except Refused as no:
            refusal = str(no.sentence)
        else:
            messages.success(request, _("The account is no longer in your list."))
            return redirect("my-accounts")
    return render(request, "me/accounts_remove.html", {"account": account, "refusal": refusal, **where_to_write()})


@allow(Role.PLAYER)
@require_safe
def prove(request: HttpRequest, number: int) -> HttpResponse:
    return proof_page(request, my_account(request, number))


@allow(Role.PLAYER)
@require_POST
def make_code(request: HttpRequest, number: int) -> HttpResponse:
    account = my_account(request, number)
    for_person = request.POST.get("who") == "person"
    try:
        proofs.make_code(account, by=person_signed_in(request), now=timezone.now(), for_person=for_person)
    except Refused as no:
        return proof_page(request, account, str(no.sentence))
    return redirect("my-account-proof", number)


@allow(Role.PLAYER)
@require_POST
def check(request: HttpRequest, number: int) -> HttpResponse:
    account = my_account(request, number)
    if not ratelimit.consume(request, action="check_account"):
        sentence = _("You checked ten times within an hour. Wait an hour, or ask for a check by a person.")
        return proof_page(request, account, sentence, status=429)
    try:
        proofs.check(account, by=person_signed_in(request), now=timezone.now())
    except (Refused, FetchFailed) as no:
        return proof_page(request, account, str(no.sentence))
    messages.success(request, _("Proved. You can take the code out of your profile now."))
    return redirect("my-account-proof", number)


def proof_page(request: HttpRequest, account: PlatformAccount, trouble: str = "", status: int = 200) -> HttpResponse:
    now = timezone.now()
    context = {
        "account": account,
        "trouble": trouble,
        "asked_directly": proofs.can_be_asked(account.platform),
        "code": proofs.open_code(account, now, for_person=False),
        "request_code": proofs.open_code(account, now, for_person=True),
        "profile": profile_link(account.platform, account.platform_id) if account.id_is_known else "",
        "bga_account": settings.BGA_ACCOUNT,
    }
    return render(request, "me/accounts_proof.html", context, status=status)


def where_to_write() -> dict[str, Any]:
    return {"federation_address": parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}
