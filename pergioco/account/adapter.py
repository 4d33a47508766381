"""How allauth's flows are bent to the portal's."""

from typing import cast
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from pergioco.players import registering
from pergioco.players.models import User
from pergioco.players.policy import DESK, has_role


class Adapter(DefaultAccountAdapter):
    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        with transaction.atomic():
            confirmed = bool(super().confirm_email(request, email_address))
            if confirmed:
                registering.confirm(email_address.user)
        return confirmed

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Only confirmed addresses get here, some of them confirmed on another way, such as a new password by mail."""
        registering.confirm(cast("User", user))
        super().login(request, user)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Who has a role begins at the desk: there it says what waits."""
        return reverse("desk") if has_role(request.user, *DESK) else str(super().get_login_redirect_url(request))

    def respond_email_verification_sent(self, request: HttpRequest, user: AbstractBaseUser | None) -> HttpResponse:
        return redirect("look-at-your-mail")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Who opens the link on another device signs in there, and then goes on."""
        if self.request.user.is_authenticated:
            return str(super().get_email_verification_redirect_url(email_address))
        return f"{reverse('account_login')}?{urlencode({REDIRECT_FIELD_NAME: reverse('is-this-you')})}"
