"""Small template tags: pieces, movements, numbers, languages."""

from decimal import ROUND_DOWN, Decimal

from django import template
from django.conf import settings
from django.template.context import Context
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override, pgettext

from pergioco.core import audit_labels
from pergioco.core.addresses import LANGUAGE_PREFIXES
from pergioco.core.formats import format_number, format_thousandths

register = template.Library()

# One shape for each ranking, 16 px: they tell the rankings apart in black print and without colour.
PIECES = {
    "red": '<circle cx="8" cy="8" r="7"/>',
    "blue": '<path d="M1.5 1.5h13v13h-13z"/>',
    "green": '<path d="M8 1 15.5 15H.5z"/>',
    "race": '<path d="M2 1h5l6.5 7L7 15H2l6-7z"/>',
    "big": '<path d="M4.2 1h7.6L15.8 8l-4 7H4.2l-4-7z"/>',
    "risiko": (
        '<path d="m8 .5 2.2 5 5.5.6-4.1 3.7 1.1 5.4L8 12.5l-4.7 2.7 1.1-5.4L.3 6.1l5.5-.6z"/>'
    ),
}

# The first that is found counts: most browsers also give themselves the names of older ones.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


@register.simple_tag
def piece(name: str) -> SafeString:
    name = name.partition("-")[0]
    return format_html(
        '<svg class="piece piece--{}" viewBox="0 0 16 16" width="16" height="16" '
        'aria-hidden="true">{}</svg>',
        name,
        mark_safe(PIECES[name]),  # noqa: S308 - our own drawing  # nosec B308, B703
    )


@register.simple_tag
def movement(places: int | None) -> SafeString:
    """Places gained since the last publication; None for a player who is new. Never red or
    green."""
    if places is None:
        return format_html(
            '<span class="move move--new">{}</span>', pgettext("player in a ranking", "new")
        )
    if places == 0:
        return _mark("same", "=", _("same place"))
    if places > 0:
        return _mark(
            "up",
            f"▲ {places}",
            ngettext("up %(n)s place", "up %(n)s places", places) % {"n": places},
        )
    return _mark(
        "down",
        f"▼ {-places}",
        ngettext("down %(n)s place", "down %(n)s places", -places) % {"n": -places},
    )


def _mark(kind: str, sign: str, words: str) -> SafeString:
    return format_html(
        '<span class="move move--{}"><span aria-hidden="true">{}</span><span '
        'class="visually-hidden">{}</span></span>',
        kind,
        sign,
        words,
    )


@register.filter
def signed(value: Decimal | int) -> str:
    sign = "−" if value < 0 else "+" if value > 0 else ""
    return sign + format_number(abs(Decimal(value)))


register.filter("thousandths", format_thousandths)
register.filter("action_words", audit_labels.action_label)
register.filter("role_words", audit_labels.role_label)
register.filter("changes_in_words", audit_labels.describe_changes)


@register.filter
def exact(value: Decimal) -> str:
    """With all its decimals, unrounded."""
    return format_number(value.normalize())


@register.filter
def euro(cents: int) -> str:
    """Whole cents as money."""
    return f"{format_number(Decimal(cents).scaleb(-2), 2, is_grouped=True)} €"


@register.filter
def cut(value: Decimal, places: int) -> str:
    """Decimals cut, never rounded, with “…” where more follow."""
    shown = value.quantize(Decimal(1).scaleb(-places), ROUND_DOWN)
    return number_format(shown, places, use_l10n=True).replace("-", "−") + (
        "" if shown == value else "…"
    )


@register.filter
def browser_words(user_agent: str) -> str:
    # Unknown browsers are shown by their user agent
    found = [
        next((word for mark, word in names.items() if mark in user_agent), "")
        for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or user_agent


@register.simple_tag(takes_context=True)
def in_language(context: Context, code: str, *, query: bool = True) -> str:
    """The same page in another language, or the home page if there is none."""
    request = context.get("request")
    if (
        request is None
        or request.resolver_match is None
        or request.path[:4] not in LANGUAGE_PREFIXES
    ):
        return home_in(code)
    # Addresses differ in their prefix only: reversing each would cost more than the page's head.
    here = request.get_full_path() if query else request.path
    return f"/{code}{here[3:]}"


@register.simple_tag
def home_in(code: str) -> str:
    with override(code):
        return reverse("home")


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    names = {"it": "Italiano", "en": "English", "es": "Español"}
    return [(code, names[code]) for code, _name in settings.LANGUAGES]
