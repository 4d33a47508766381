"""My account: tasks, news, membership, calendar address and second factors."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from pergioco.core.addresses import absolute_url
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.core.pages import page_or_form
from pergioco.core.policy import (
    TWO_FACTOR_ROLES,
    Role,
    UserRequest,
    allow,
    has_two_factors,
    label_roles,
    needs_two_factors,
    roles_of,
)
from pergioco.players.models import Claim, Player, Registration
from pergioco.players.services import calendar_links, claims
from pergioco.players.services.letters import set_letter_language
from pergioco.players.services.memberships import join_big
from pergioco.players.services.reviewing import CORRECTABLE, correction_label
from pergioco.players.views.account_platforms import my_player

State = Registration.State
RETURN_KEY = "after_two_factors"  # in the session: allauth's pages come in between
SETUP_PAGES = {"app": "mfa_activate_totp", "passkey": "mfa_add_webauthn"}


def load_my_player(user: User) -> Player | None:
    players = Player.objects.select_related(
        "person__user", "registration", "membership", "calendar_link"
    )
    related = ("accounts__nicknames", "claims", "disqualifications", "sanctions")
    return players.prefetch_related(*related).filter(person__user=user).first()


@allow(Role.PLAYER)
@require_safe
def my_account_page(request: UserRequest) -> HttpResponse:
    user = request.user
    player = load_my_player(user)
    context = {
        "player": player,
        "calendar": calendar_link_url(player) if player else None,
        "tasks": list_tasks(user, player),
        "news": list_news(player, timezone.localdate()) if player else [],
        "roles": label_roles(roles_of(user)),
        "has_two_factors": has_two_factors(user),
        "sessions": UserSession.objects.filter(user=user).count(),
    }
    return render(request, "players/account/overview.html", context)


@allow(Role.PLAYER)
@require_POST
def join_big_from_account(request: UserRequest) -> HttpResponse:
    join_big(my_player_or_404(request), by=request.user)
    messages.success(request, _("You are a member of Board Italian Gamers."))
    return redirect("me")


@allow(Role.PLAYER)
@require_POST
def set_my_language(request: UserRequest) -> HttpResponse:
    set_letter_language(get_language() or "", request.user)
    messages.success(request, _("From now on we write to you in this language."))
    return redirect("me")


@dataclass(frozen=True)
class Task:
    sentence: str
    button: str
    url: str
    is_urgent: bool = False


@dataclass(frozen=True)
class News:
    """Information that requires no action."""

    head: str
    sentence: str
    is_trouble: bool = False


def list_tasks(user: User, player: Player | None) -> list[Task]:
    found = [*login_tasks(user)]
    if player is not None:
        found += [*registration_tasks(player), *account_and_claim_tasks(player)]
    return found


def login_tasks(user: User) -> Iterator[Task]:
    if not EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists():
        sentence = _(
            "Your e-mail address is not confirmed yet. Open the link that we sent you, or ask for "
            "a new one."
        )
        yield Task(sentence, _("Confirm the address"), reverse("account_email"), is_urgent=True)
    if needs_two_factors(user) and not has_two_factors(user):
        sentence = _(
            "Your role needs a second factor, because it opens other people's data and results."
        )
        yield Task(sentence, _("Set it up"), reverse("two-factors-needed"), is_urgent=True)


def registration_tasks(player: Player) -> Iterator[Task]:
    registration: Registration | None = getattr(player, "registration", None)
    if registration is None:
        yield Task(
            _("You are not registered in PerGioco Masters."), _("Register"), reverse("register")
        )
        return
    if registration.state == State.NEEDS_CORRECTION:
        yield from correction_tasks(registration)
    if not registration.rules_accepted:
        sentence = _("You took back your consent to the rules: your registration does not count.")
        yield Task(sentence, _("Look at my consents"), reverse("my-consents"), is_urgent=True)
    elif not registration.publication_allowed:
        sentence = _(
            "You took back your consent to publication: your name is not shown, nor ranked."
        )
        yield Task(sentence, _("Look at my consents"), reverse("my-consents"))
    if not player.accounts.all():
        sentence = _("You have no account on any platform: the stages are played there (PGM 3).")
        yield Task(sentence, _("Add an account"), reverse("my-accounts"))


def correction_tasks(registration: Registration) -> Iterator[Task]:
    for _name, label, message in list_corrections(registration):
        yield Task(f"{label}: {message}", _("Correct it"), reverse("my-data"), is_urgent=True)


def list_corrections(registration: Registration) -> list[tuple[str, str, str]]:
    """(name, label, message), in the order of the form."""
    wanted = [name for name in CORRECTABLE if name in registration.messages]
    return [
        (name, capfirst(str(correction_label(name))), registration.messages[name])
        for name in wanted
    ]


def account_and_claim_tasks(player: Player) -> Iterator[Task]:
    for account in player.accounts.all():
        if not account.is_proved:
            sentence = _("Nobody knows yet that %(account)s is yours.") % {"account": account}
            yield Task(sentence, _("Prove it"), reverse("my-account-proof", args=[account.pk]))
    if claims.find_unanswered_duplicates(player).exists():
        sentence = _("Somebody played here before under a name like yours, or with your account.")
        yield Task(sentence, _("Say whether it was you"), reverse("is-this-you"))


def list_news(player: Player, today: date) -> list[News]:
    return [*discipline_news(player, today), *review_news(player), *claim_news(player)]


def discipline_news(player: Player, today: date) -> Iterator[News]:
    for row in player.disqualifications.all():
        if row.confirmed_at is not None and row.withdrawn_at is None:
            sentence = _("From %(day)s: %(kind)s. The reason: %(reason)s")
            values = {
                "day": date_format(row.effective_on),
                "kind": row.get_kind_display(),
                "reason": row.reason,
            }
            yield News(_("You are disqualified."), sentence % values, is_trouble=True)
    for ban in player.sanctions.all():
        if ban.ends_on >= today:
            sentence = _("From %(start)s to %(end)s. The reason: %(reason)s")
            values = {
                "start": date_format(ban.starts_on),
                "end": date_format(ban.ends_on),
                "reason": ban.reason,
            }
            yield News(
                _("You may not play in RisiKo! Masters."), sentence % values, is_trouble=True
            )


def review_news(player: Player) -> Iterator[News]:
    registration: Registration | None = getattr(player, "registration", None)
    if registration is not None and registration.state == State.REFUSED:
        decision = AuditEntry.objects.about(player).filter(action="registration.refused").first()
        yield News(
            _("Your registration was refused."),
            decision.reason if decision else "",
            is_trouble=True,
        )


def claim_news(player: Player) -> Iterator[News]:
    heads = {
        Claim.State.OPEN: _("The staff look into the past that you said was yours."),
        Claim.State.APPROVED: _("The past that you claimed is yours now."),
        Claim.State.REFUSED: _(
            "The past that you claimed is not yours, as far as the staff can see."
        ),
    }
    for claim in player.claims.all():
        if claim.state in heads:
            yield News(heads[Claim.State(claim.state)], claim.answer)


def calendar_link_url(player: Player) -> str | None:
    link = getattr(player, "calendar_link", None)
    if link is None:
        return None
    path = reverse("calendar-mine", args=[calendar_links.sign_calendar_link(link)])
    return absolute_url(path)


def my_player_or_404(request: UserRequest) -> Player:
    player = my_player(request)
    if player is None:
        raise Http404
    return player


@allow(Role.PLAYER)
@require_POST
def make_my_calendar_link(request: UserRequest) -> HttpResponse:
    calendar_links.make_calendar_link(my_player_or_404(request), by=request.user)
    messages.success(request, _("Your calendar has a new address. Add it to your calendar app."))
    return redirect(reverse("me") + "#calendar")


@allow(Role.PLAYER)
@require_POST
def delete_my_calendar_link(request: UserRequest) -> HttpResponse:
    calendar_links.delete_calendar_link(my_player_or_404(request), by=request.user)
    messages.success(request, _("The address of your calendar leads nowhere from now on."))
    return redirect(reverse("me") + "#calendar")


@allow(Role.PLAYER)
@page_or_form
def two_factors_needed_page(request: UserRequest) -> HttpResponse:
    user = request.user
    if has_two_factors(user):
        address = return_address(request)
        request.session.pop(RETURN_KEY, None)  # used once, like a message
        return redirect(address or "mfa_index")
    if request.POST.get("way") in SETUP_PAGES:
        request.session[RETURN_KEY] = return_address(request)
        return redirect(SETUP_PAGES[request.POST["way"]])
    roles = label_roles(roles_of(user) & TWO_FACTOR_ROLES)
    return render(
        request,
        "players/account/two_factors_needed.html",
        {"roles": roles, "back_to": return_address(request)},
    )


def return_address(request: HttpRequest) -> str:
    asked = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME)
    address = str(asked or request.session.get(RETURN_KEY, ""))
    # Only addresses of this site: no open redirect.
    is_ours = url_has_allowed_host_and_scheme(
        address, {request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else ""
