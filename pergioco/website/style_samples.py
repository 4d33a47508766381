"""Sample values for the style page."""

from dataclasses import dataclass
from decimal import Decimal

from django import forms
from django.utils.translation import gettext_lazy as _

from pergioco.core.exports.download import ExportLinks


@dataclass(frozen=True)
class SampleRow:
    place: int
    moved: int | None
    name: str
    city: str
    country: str
    active: int
    games: int
    average: Decimal
    own: bool = False


TOKENS = {
    _("Paper, ink and lines"): (
        "paper",
        "surface",
        "sunk",
        "ink",
        "ink2",
        "line",
        "line2",
        "focus",
    ),
    _("Words of warning"): ("error", "warn", "ok"),
    _("Rankings and their washes"): (
        *("red", "red-wash", "blue", "blue-wash", "green", "green-wash"),
        *("race", "race-solid", "race-wash", "big", "big-wash", "risiko", "risiko-wash"),
    ),
    _("Medals"): ("gold", "silver", "bronze"),
}
ENOUGH = (
    SampleRow(1, 2, "Žofie Łukasiewicz-Brandt", "Brno", "CZ", 14, 96, Decimal("1187.412")),
    SampleRow(2, 0, "Marta Rossi", "Torino", "IT", 13, 88, Decimal("1174.009")),
    SampleRow(3, -2, "Iñaki Etxeberría", "Bilbao", "ES", 12, 71, Decimal("1171.730"), own=True),
    SampleRow(4, None, "Giulia D'Angelo", "Reggio Calabria", "IT", 10, 64, Decimal("1102.250")),
)
TOO_FEW = (
    SampleRow(5, 1, "Søren Ødegård", "Aarhus", "DK", 9, 40, Decimal("1193.004")),
    SampleRow(6, -1, "Anna Bianchi", "Milano", "IT", 4, 18, Decimal("1051.500")),
)


class SampleForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        help_text=_("As on your identity document."),
        error_messages={"required": _("Write your name.")},
    )
    city = forms.CharField(label=_("City"))
    phone = forms.CharField(label=_("Phone"), required=False)
    day = forms.DateField(
        label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}), required=False
    )
    pace = forms.ChoiceField(
        label=_("Pace"),
        choices=[("live", _("in real time")), ("turns", _("by turns"))],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one of the two.")},
    )
    rules = forms.BooleanField(
        label=_("I have read and accept the rules."),
        error_messages={"required": _("Without the rules one cannot play.")},
    )


SAMPLE_EXPORTS = ExportLinks(
    rules="#ranking",
    files=[("CSV", "#ranking"), ("XLSX", "#ranking"), ("JSON", "#ranking")],
    screen="#ranking",
    text="1. Žofie Łukasiewicz-Brandt 1187\n2. Marta Rossi 1174\n3. Iñaki Etxeberría 1171",
    frame='<iframe src="https://example.org/embed/" title="…"></iframe>',
    feed="#ranking",
    api="#ranking",
)


def style_page_values() -> dict[str, object]:
    return {
        "tokens": TOKENS.items(),
        "bands": ((_("With at least 10 active PGRs"), ENOUGH), (_("With fewer than 10"), TOO_FEW)),
        "exports": SAMPLE_EXPORTS,
        "change_up": Decimal("9.412"),
        "change_down": Decimal("-0.318"),
        "empty_form": SampleForm(prefix="empty", initial={"city": "Torino", "pace": "live"}),
        "wrong_form": SampleForm({"wrong-city": "Torino"}, prefix="wrong"),
        "pieces": (
            ("red", _("Red")),
            ("blue", _("Blue")),
            ("green", _("Green")),
            ("race", _("Race")),
            ("big", "BIG"),
            ("risiko", "RisiKo!"),
        ),
    }
