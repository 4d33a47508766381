"""The forms that a browser fills with what a passkey signed. Anything else is refused like a wrong code."""

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn import forms as allauth_forms
from django import forms
from fido2.webauthn import AuthenticationResponse, RegistrationResponse


class Credential(forms.JSONField):
    """Read to its end before anybody works with it: neither Django nor allauth expects all that JSON can be."""

    widget = forms.HiddenInput

    def __init__(self, kind: type[AuthenticationResponse] | type[RegistrationResponse]) -> None:
        super().__init__()
        self.kind = kind

    def to_python(self, value: Any) -> Any:
        try:
            credential = super().to_python(value)
            self.kind.from_dict(credential)
        except (forms.ValidationError, LookupError, RecursionError, TypeError, ValueError) as trouble:
            raise get_adapter().validation_error("incorrect_code") from trouble
        return credential

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Good once: it is not shown again."""
        return initial


class Adding(allauth_forms.AddWebAuthnForm):
    credential = Credential(RegistrationResponse)


class SecondFactor(allauth_forms.AuthenticateWebAuthnForm):
    credential = Credential(AuthenticationResponse)


class SigningIn(allauth_forms.LoginWebAuthnForm):
    credential = Credential(AuthenticationResponse)


class StillYou(allauth_forms.ReauthenticateWebAuthnForm):
    credential = Credential(AuthenticationResponse)
