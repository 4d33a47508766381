"""The second factor of the demo's own logins, which nobody has on a phone."""

import time

from allauth.mfa import app_settings
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.conf import settings

from pergioco.demo.logins import KEYS


def code_for(email: str) -> str:
    """The code that is good now, only in the demo and only for its invented logins; else nothing."""
    key = KEYS.get(email, "")
    if not settings.DEMO or not key:
        return ""
    return format_hotp_value(hotp_value(key, int(time.time()) // app_settings.TOTP_PERIOD))
