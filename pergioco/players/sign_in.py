"""Sign-in: allauth's adapters, encrypted second factors, passkey forms, session renewal and the
log."""

import logging
from base64 import urlsafe_b64encode
from functools import partial
from typing import Any, cast
from urllib.parse import urlencode

from allauth.account import signals as account
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.account.signals import authentication_step_completed
from allauth.mfa import signals as factors
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as allauth_forms
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django import forms
from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from fido2.webauthn import AuthenticationResponse, RegistrationResponse

from pergioco.core import known_devices
from pergioco.core.mail import may_write_for_stranger
from pergioco.core.models import User
from pergioco.core.policy import DESK, has_role
from pergioco.players import sign_in_limits
from pergioco.players.services import registering

# To an address that a form was given, by anybody
NEW_PASSWORD = {"account/email/password_reset_key", "account/email/unknown_account"}
LETTERS_OF_STRANGERS = NEW_PASSWORD | {
    "account/email/account_already_exists",
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
}
CIPHER_PREFIX = "fernet:"  # older rows have no prefix and are plain text
# of the app, of the recovery codes; a passkey has nothing to hide
ENCRYPTED_FIELDS = (
    "secret",
    "seed",
)
log = logging.getLogger("pergioco.sign_in")
LOGGED_SIGNALS: dict[str, Signal] = {
    "signed up": account.user_signed_up,
    "signed out": user_logged_out,
    "changed the password": account.password_changed,
    "got a new password by mail": account.password_reset,
    "changed the address": account.email_changed,
    "added a second factor": factors.authenticator_added,
    "took a second factor away": factors.authenticator_removed,
    "made new recovery codes": factors.authenticator_reset,
}


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": _(
            "Too many wrong tries. Wait five minutes, or choose a new password by mail: with that "
            "you get in at once."
        )
    }

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        # Instead of allauth's own limits, by which a stranger keeps the owner out
        counted = sign_in_limits.count_try(request, credentials["email"])
        if counted is None:
            log_tried_login(credentials["email"], "too often")
            raise self.validation_error("too_many_login_attempts")
        self._login_failed_rl_usage = counted  # type: ignore[assignment] # is rolled back

    def post_login(
        self, request: HttpRequest, user: AbstractBaseUser, **login: Any
    ) -> HttpResponse:
        response = super().post_login(request, user, **login)
        known_devices.remember_device(request, response, cast("User", user))
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        # What is not sent today can be had tomorrow, by the same form
        if template_prefix not in LETTERS_OF_STRANGERS or may_write_for_stranger(
            email, new_password=template_prefix in NEW_PASSWORD
        ):
            super().send_mail(template_prefix, email, context)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        with transaction.atomic():
            confirmed = bool(super().confirm_email(request, email_address))
            if confirmed:
                registering.confirm_registration(email_address.user)
        return confirmed

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        # Only confirmed addresses get here. Some were confirmed in another way, such as a password
        # reset by mail.
        registering.confirm_registration(cast("User", user))
        super().login(request, user)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        # Users with a role start at the desk, which lists what waits for them.
        return (
            reverse("desk")
            if has_role(request.user, *DESK)
            else str(super().get_login_redirect_url(request))
        )

    def respond_email_verification_sent(
        self, request: HttpRequest, user: AbstractBaseUser | None
    ) -> HttpResponse:
        return redirect("look-at-your-mail")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        if self.request.user.is_authenticated:
            return str(super().get_email_verification_redirect_url(email_address))
        # On another device the user signs in first, then continues.
        return (
            f"{reverse('account_login')}?{urlencode({REDIRECT_FIELD_NAME: reverse('is-this-you')})}"
        )


class MfaAdapter(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return CIPHER_PREFIX + factor_cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        if not encrypted_text.startswith(CIPHER_PREFIX):
            return encrypted_text
        try:
            return factor_cipher().decrypt(encrypted_text.removeprefix(CIPHER_PREFIX)).decode()
        except InvalidToken as trouble:
            raise ImproperlyConfigured(
                "A second factor was encrypted with another PORTAL_SECRET_KEY. Write that one into "
                "PORTAL_FORMER_SECRET_KEY and run: python manage.py renew_second_factors"
            ) from trouble


def factor_cipher() -> MultiFernet:
    # The first key encrypts, all decrypt.
    former = filter(None, (*settings.SECRET_KEY_FALLBACKS, settings.FORMER_SECRET_KEY))
    secrets = (settings.SECRET_KEY, *former)
    return MultiFernet([Fernet(factor_key(secret)) for secret in secrets])


def factor_key(secret: str) -> bytes:
    return urlsafe_b64encode(
        salted_hmac("pergioco.second_factors", "", secret=secret, algorithm="sha256").digest()
    )


@transaction.atomic
def reencrypt_factors() -> int:
    """With the current key. Returns the number of rows."""
    adapter = MfaAdapter()
    rows = [
        row
        for row in Authenticator.objects.select_for_update()
        if row.data.keys() & set(ENCRYPTED_FIELDS)
    ]
    for row in rows:
        row.data |= {
            name: adapter.encrypt(adapter.decrypt(row.data[name]))
            for name in ENCRYPTED_FIELDS
            if name in row.data
        }
        row.save(update_fields=["data"])
    return len(rows)


class CredentialField(forms.JSONField):
    """Parses the whole credential first: neither Django nor allauth handles all that JSON can
    contain."""

    widget = forms.HiddenInput

    def __init__(self, kind: type[AuthenticationResponse] | type[RegistrationResponse]) -> None:
        super().__init__()
        self.kind = kind

    def to_python(self, value: Any) -> Any:
        try:
            credential = super().to_python(value)
            self.kind.from_dict(credential)
        except (
            forms.ValidationError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ) as trouble:
            raise get_adapter().validation_error("incorrect_code") from trouble
        return credential

    def bound_data(self, data: Any, initial: Any) -> Any:
        # A credential is valid once: it is not rendered again.
        return initial


class AddPasskeyForm(allauth_forms.AddWebAuthnForm):
    credential = CredentialField(RegistrationResponse)


class SecondFactorForm(allauth_forms.AuthenticateWebAuthnForm):
    credential = CredentialField(AuthenticationResponse)


class PasskeySignInForm(allauth_forms.LoginWebAuthnForm):
    credential = CredentialField(AuthenticationResponse)


class ReauthenticateForm(allauth_forms.ReauthenticateWebAuthnForm):
    credential = CredentialField(AuthenticationResponse)


def connect_session_renewal() -> None:
    authentication_step_completed.connect(renew_session_key, dispatch_uid="renew")


def renew_session_key(*, request: HttpRequest, reauthenticated: bool = False, **_: Any) -> None:
    # After the password was entered again, a session id that leaked before is useless. Django does
    # it at sign-in.
    if reauthenticated:
        request.session.cycle_key()


def connect_new_password() -> None:
    account.password_reset.connect(forget_wrong_tries, dispatch_uid="forget wrong tries")


def forget_wrong_tries(*, request: HttpRequest, user: AbstractBaseUser, **_: Any) -> None:
    sign_in_limits.forget_wrong_tries(request, cast("User", user))


def connect_sign_in_log() -> None:
    account.user_logged_in.connect(log_sign_in, dispatch_uid="signed in")
    for what, signal in LOGGED_SIGNALS.items():
        signal.connect(partial(log_sign_in_event, what), weak=False, dispatch_uid=what)
    factors.authentication_failed.connect(
        partial(log_wrong_factor, "gave a wrong second factor"), weak=False, dispatch_uid="wrong"
    )
    user_login_failed.connect(log_failed_sign_in, dispatch_uid="failed")


def log_sign_in(*, request: HttpRequest, user: AbstractBaseUser, **_: Any) -> None:
    # A sign-in right after a confirmed registration has no record: the link was enough.
    records = get_authentication_records(request, user)
    ways = [record.get("type") or record["method"] for record in records]
    log.info("login %s signed in by %s", user.pk, " and ".join(ways) or "link")


def log_sign_in_event(what: str, *, user: AbstractBaseUser | None, **_: Any) -> None:
    log.info("login %s %s", user.pk if user else "unknown", what)


def log_wrong_factor(what: str, *, user: AbstractBaseUser, **_: Any) -> None:
    log.warning("login %s %s", user.pk, what)


def log_failed_sign_in(*, credentials: dict[str, Any], **_: Any) -> None:
    log_tried_login(credentials.get("email") or "", "with a wrong password")


def log_tried_login(email: str, how: str) -> None:
    # The query runs for unknown addresses too: the same time for both.
    known = User.objects.filter(email__iexact=email).values_list("pk", flat=True).first()
    log.warning("login %s was tried %s", known or "unknown", how)
