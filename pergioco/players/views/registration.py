"""The registration form, “look at your mail” and “is this you?”."""

from contextlib import suppress
from http import HTTPStatus
from typing import cast
from uuid import uuid4

from allauth.account.adapter import get_adapter
from allauth.account.stages import EmailVerificationStage, LoginStageController
from allauth.account.utils import complete_signup, setup_user_email
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from pergioco.core.limits import consume
from pergioco.core.models import User
from pergioco.core.pages import page_or_form
from pergioco.core.policy import Anyone, Role, UserRequest, allow, everyone, signed_in_user
from pergioco.core.refusal import Refused
from pergioco.players.forms import RegistrationForm, SigningUpForm
from pergioco.players.models import Registration
from pergioco.players.services import claims, registering


@everyone
@never_cache
@sensitive_post_parameters("password1")
@page_or_form
def register_page(request: HttpRequest) -> HttpResponse:
    if is_registered(request.user):
        return redirect("me")
    if "other_language" in request.POST:
        return render_registration_form(request, form_in_other_language(request))
    form = build_registration_form(request)
    if form.is_valid():
        return accept_registration(request, form)
    return render_registration_form(request, form)


def form_in_other_language(request: HttpRequest) -> RegistrationForm:
    """After a change of language: keeps the typed values, and shows the errors in the new
    language."""
    form = build_registration_form(request)
    if request.POST["other_language"] == "sent":
        return form
    for name, field in form.fields.items():
        if field.disabled:
            continue  # browsers do not send it
        form.initial[name] = field.widget.value_from_datadict(
            form.data, form.files, form.add_prefix(name)
        )
    form.is_bound = False
    return form


def is_registered(user: Anyone) -> bool:
    return user.is_authenticated and Registration.objects.filter(player__person__user=user).exists()


def build_registration_form(request: HttpRequest) -> RegistrationForm:
    data = request.POST if request.method == "POST" else None
    initial = {"event_code": request.GET.get("event", "")}
    if request.user.is_authenticated:
        return RegistrationForm(data, initial=initial, user=request.user)
    return SigningUpForm(data, initial=initial)


def render_registration_form(
    request: HttpRequest, form: RegistrationForm, status: int = HTTPStatus.OK
) -> HttpResponse:
    return render(request, "players/register/form.html", {"form": form}, status=status)


def accept_registration(request: HttpRequest, form: RegistrationForm) -> HttpResponse:
    has_code = form.cleaned_data["event_code"] is not None
    if not has_code and not consume(
        request, "register", settings.REGISTRATION_RATE, more_in_halls=True
    ):
        form.add_error(
            None,
            _(
                "Many people have registered from this connection in the last hour. Try again in "
                "an hour; "
                "at an event, ask the organizer for the event code. What you typed is still here."
            ),
        )
        return render_registration_form(request, form, HTTPStatus.TOO_MANY_REQUESTS)
    try:
        return save_registration(request, form)
    except IntegrityError:  # sent twice at once: now the form sees the first one's rows
        form = build_registration_form(request)
        return (
            save_registration(request, form)
            if form.is_valid()
            else render_registration_form(request, form)
        )


def save_registration(request: HttpRequest, form: RegistrationForm) -> HttpResponse:
    try:
        return (
            sign_up_and_register(request, form)
            if isinstance(form, SigningUpForm)
            else register_signed_in(request, form)
        )
    except Refused as refusal:
        if is_registered(request.user):
            return redirect("me")
        form.add_error(
            refusal.field if refusal.field in form.fields else None, str(refusal.sentence)
        )
        return render_registration_form(request, form)


def sign_up_and_register(request: HttpRequest, form: SigningUpForm) -> HttpResponse:
    # The same work and the same answer for known and new addresses: the password is hashed, the
    # code loses a use.
    adapter = get_adapter(request)
    user = cast("User", adapter.save_user(request, adapter.new_user(request), form, commit=False))
    user.language = get_language() or settings.LANGUAGE_CODE
    code = form.cleaned_data["event_code"]
    with transaction.atomic():
        if form.account_already_exists:
            registering.use_event_code(code)
            spend_equal_time(request, user, form)
            # writes to the owner of the address
            return cast("HttpResponse", form.try_save(request)[1])
        user.save()
        registering.register_player(user, form.sent(), address_is_confirmed=False, code=code)
        setup_user_email(request, user, [])
        answer = complete_signup(request, user, None, success_url=reverse("is-this-you"))
        return cast("HttpResponse", answer)


def spend_equal_time(request: HttpRequest, user: User, form: RegistrationForm) -> None:
    # Does the work of a new address and rolls it back, so that timing does not reveal known
    # addresses.
    user.email = f"{uuid4()}@example.invalid"
    with suppress(Refused, IntegrityError), transaction.atomic():
        user.save()
        registering.register_player(user, form.sent(), address_is_confirmed=False, code=None)
        setup_user_email(request, user, [])
        transaction.set_rollback(True)


def register_signed_in(request: HttpRequest, form: RegistrationForm) -> HttpResponse:
    user, code = signed_in_user(request), form.cleaned_data["event_code"]
    # A signed-in user has a confirmed address.
    registering.register_player(user, form.sent(), address_is_confirmed=True, code=code)
    messages.success(request, _("You are registered in PerGioco Masters."))
    return redirect("is-this-you")


@everyone
@never_cache
@require_safe
def look_at_your_mail_page(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("me")
    return render(
        request,
        "players/register/look_at_your_mail.html",
        {"address": unconfirmed_address(request)},
    )


def unconfirmed_address(request: HttpRequest) -> str:
    stage = LoginStageController.enter(request, EmailVerificationStage.key)
    # A known address has no login in progress.
    if stage is None:
        return ""
    user = cast("User | None", stage.login.user)
    return user.email if user else stage.login.email or ""


@allow(Role.PLAYER)
@page_or_form
def is_this_you_page(request: UserRequest) -> HttpResponse:
    user = request.user
    registration = get_object_or_404(
        Registration.objects.select_related("player"), player__person__user=user
    )
    player = registration.player
    if request.method == "POST":
        target = get_object_or_404(
            claims.find_duplicates_for_player(player), public_id=request.POST.get("target", "")
        )
        if request.POST.get("answer") == "yes":
            claims.make_claim(player, target, by=user)
            messages.success(
                request, _("Thank you. The federation's staff look into it and write to you.")
            )
        elif request.POST.get("answer") == "no":
            claims.decline_claim(player, target, by=user)
        return redirect("is-this-you")
    questions = claims.build_claim_questions(player)
    return (
        render(request, "players/register/is_this_you.html", {"questions": questions})
        if questions
        else redirect("me")
    )
