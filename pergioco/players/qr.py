"""Codes to be framed with a phone."""

from allauth.mfa.adapter import get_adapter
from django.utils.safestring import SafeString, mark_safe


def qr_of(link: str) -> SafeString:
    """Drawn by what draws the code of the second factor; without the declaration that only a file needs."""
    drawing = get_adapter().build_totp_svg(link)
    return mark_safe(drawing[drawing.index("<svg") :])  # noqa: S308 - a drawing of a link of our own  # nosec B308, B703
