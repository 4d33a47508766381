"""The pages of registering: the form, “look at your mail”, “is this you?”"""

from contextlib import suppress
from http import HTTPStatus
from typing import cast
from uuid import uuid4

from allauth.account.adapter import get_adapter
from allauth.account.internal import flows
from allauth.account.internal.stagekit import get_pending_stage
from allauth.account.utils import setup_user_email
from allauth.core.internal import ratelimit
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
from django.views.decorators.http import require_http_methods, require_safe

from pergioco.account.forms import RegistrationForm, SigningUpForm
from pergioco.players import claims, duplicates, registering
from pergioco.players.models import Registration, User
from pergioco.players.policy import Anyone, Role, allow, everyone
from pergioco.players.refusal import Refused


@everyone
@never_cache
@sensitive_post_parameters("password1")
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    if is_registered(request.user):
        return redirect("me")
    if "other_language" in request.POST:
        return page(request, in_this_language(request))
    form = form_for(request)
    if form.is_valid():
        return accept(request, form)
    return page(request, form)


def in_this_language(request: HttpRequest) -> RegistrationForm:
    """The language was changed half-way: what was typed stays, and what was wrong with it is said in this language."""
    form = form_for(request)
    if request.POST["other_language"] == "sent":
        return form
    for name, field in form.fields.items():
        if field.disabled:
            continue  # browsers do not send it
        form.initial[name] = field.widget.value_from_datadict(form.data, form.files, form.add_prefix(name))
    form.is_bound = False
    return form


def is_registered(user: Anyone) -> bool:
    return user.is_authenticated and Registration.objects.filter(player__person__user=user).exists()


def form_for(request: HttpRequest) -> RegistrationForm:
    data = request.POST if request.method == "POST" else None
    initial = {"event_code": request.GET.get("event", "")}
    if request.user.is_authenticated:
        return RegistrationForm(data, initial=initial, user=request.user)
    return SigningUpForm(data, initial=initial)


def page(request: HttpRequest, form: RegistrationForm, status: int = HTTPStatus.OK) -> HttpResponse:
    return render(request, "register/form.html", {"form": form}, status=status)


def accept(request: HttpRequest, form: RegistrationForm) -> HttpResponse:
    if form.cleaned_data["event_code"] is None and not is_within_limit(request):
        form.add_error(
            None,
            _(
                "Many people have registered from this connection in the last hour. Try again in an hour; "
                "at an event, ask the organizer for the event code. What you typed is still here."
            ),
        )
        return page(request, form, HTTPStatus.TOO_MANY_REQUESTS)
    try:
        return write(request, form)
    except IntegrityError:  # sent twice at once: now the form finds what the first one wrote
        form = form_for(request)
        return write(request, form) if form.is_valid() else page(request, form)


def is_within_limit(request: HttpRequest) -> bool:
    rate = {"register": settings.REGISTRATION_RATE}
    return ratelimit.consume(request, app="pergioco", action="register", config=rate) is not None


def write(request: HttpRequest, form: RegistrationForm) -> HttpResponse:
    try:
        return sign_up(request, form) if isinstance(form, SigningUpForm) else enrol(request, form)
    except Refused as refusal:
        if is_registered(request.user):
            return redirect("me")
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal.sentence))
        return page(request, form)


def sign_up(request: HttpRequest, form: SigningUpForm) -> HttpResponse:
    """Whether the address is known or not: the password is hashed, the code loses a use, the answer is the same."""
    adapter = get_adapter(request)
    user = cast("User", adapter.save_user(request, adapter.new_user(request), form, commit=False))
    user.language = get_language() or settings.LANGUAGE_CODE
    code = form.cleaned_data["event_code"]
    with transaction.atomic():
        if form.account_already_exists:
            registering.use(code)
            take_as_long(request, user, form)
            return flows.signup.prevent_enumeration(request, email=form.cleaned_data["email"])
        user.save()
        registering.register(user, form.sent(), address_is_confirmed=False, code=code)
        setup_user_email(request, user, [])
        return flows.signup.complete_signup(request, user=user, redirect_url=reverse("is-this-you"))


def take_as_long(request: HttpRequest, user: User, form: RegistrationForm) -> None:
    """What is written for an address that is new, and taken back: nobody reads off a clock whom we know."""
    user.email = f"{uuid4()}@example.invalid"
    with suppress(Refused, IntegrityError), transaction.atomic():
        user.save()
        registering.register(user, form.sent(), address_is_confirmed=False, code=None)
        setup_user_email(request, user, [])
        transaction.set_rollback(True)


def enrol(request: HttpRequest, form: RegistrationForm) -> HttpResponse:
    """Nobody signs in with an unconfirmed address."""
    user, code = cast("User", request.user), form.cleaned_data["event_code"]
    registering.register(user, form.sent(), address_is_confirmed=True, code=code)
    messages.success(request, _("You are registered in PerGioco Masters."))
    return redirect("is-this-you")


@everyone
@never_cache
@require_safe
def look_at_your_mail(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("me")
    return render(request, "register/look_at_your_mail.html", {"address": address_written_to(request)})


def address_written_to(request: HttpRequest) -> str:
    """A known address has no login under way, only its own text."""
    stage = get_pending_stage(request)
    if stage is None:
        return ""
    user = cast("User | None", stage.login.user)
    return user.email if user else stage.login.email or ""


@allow(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def is_this_you(request: HttpRequest) -> HttpResponse:
    user = cast("User", request.user)
    registration = get_object_or_404(Registration.objects.select_related("player"), player__person__user=user)
    player = registration.player
    if request.method == "POST":
        target = get_object_or_404(duplicates.shown_to(player), public_id=request.POST.get("target", ""))
        if request.POST.get("answer") == "yes":
            claims.make(player, target, by=user)
            messages.success(request, _("Thank you. The federation's staff look into it and write to you."))
        elif request.POST.get("answer") == "no":
            claims.decline(player, target, by=user)
        return redirect("is-this-you")
    questions = duplicates.questions_for(player)
    return render(request, "register/is_this_you.html", {"questions": questions}) if questions else redirect("me")
