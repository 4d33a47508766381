"""Form fields and base forms."""

import unicodedata
from collections.abc import Callable, Sequence
from datetime import date
from http import HTTPStatus
from re import split
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django_countries import Countries

from pergioco.core.refusal import Outdated, Refused
from pergioco.rulekit.text import tidy

LONGEST_REASON = 2000


class UseCaseForm(forms.Form):
    """Passes its fields to a use case; a refusal becomes a form error."""

    result: Any = None  # of the use case
    refusal: Refused | None = None

    @property
    def is_outdated(self) -> bool:
        return isinstance(self.refusal, Outdated)

    @property
    def status(self) -> HTTPStatus:
        """Of a page that shows the form again."""
        unfit = HTTPStatus.UNPROCESSABLE_ENTITY if self.errors else HTTPStatus.OK
        return self.refusal.status if self.refusal else unfit

    def carries_out(self, act: Callable[..., object], **more: Any) -> bool:
        """True if the use case succeeded. It gets the fields by name."""
        if not self.is_valid():
            return False
        try:
            self.result = act(**self.cleaned_data, **more)
        except Refused as refusal:
            self.refusal = refusal
            self.add_error(
                refusal.field if refusal.field in self.fields else None, str(refusal.sentence)
            )
            return False
        return True


def carry_out(
    request: HttpRequest, act: Callable[[], object], *, level: int = messages.ERROR
) -> bool:
    """Runs a use case that has no form; a refusal becomes a message on the next page."""
    try:
        act()
    except Refused as refusal:
        messages.add_message(request, level, str(refusal.sentence))
        return False
    return True


def posted_number(request: HttpRequest, name: str) -> int:
    """0, which is no valid version or key, if it is no number."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else 0


def posted_version(request: HttpRequest) -> int:
    return posted_number(request, "version")


class ButtonForm(UseCaseForm):
    """Nothing to type: the button says it all."""


class ReasonField(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Reason"))
        super().__init__(
            max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 3}), **kwargs
        )


class DayPickerField(forms.DateField):
    default_error_messages: ClassVar = {
        "invalid": _("Pick a day, or write it as year-month-day: 2026-12-31.")
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}), **kwargs
        )


class SearchForm(forms.Form):
    q = forms.CharField(
        label=_("Name, nickname, public id or e-mail"), required=False, max_length=200
    )


INCOMPLETE = _("Write day, month and year, for example 17 5 1990.")
MOST_MARKS = (
    3  # on one letter: real writing needs no more, and a pile of them runs over the lines of a page
)


class TidyField(forms.CharField):
    """Trims and normalizes spaces. Text that is too long is an error, not cut by the browser."""

    default_error_messages = {
        "required": _("This is still empty: fill it in."),
        "max_length": _("At most %(limit_value)d characters, please: this has %(show_value)d."),
    }

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value) or "")

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {
            name: value
            for name, value in super().widget_attrs(widget).items()
            if name != "maxlength"
        }


class LettersField(TidyField):
    """Letters of any alphabet and a few signs."""

    signs = " '’ʼ‘`´.-‐‑·"
    sentence = _(
        "“%(sign)s” cannot stand here: use letters, spaces, apostrophes, hyphens and full stops."
    )

    def validate(self, value: str) -> None:
        super().validate(value)
        for sign in value:
            if not self.may_stand(sign):
                raise forms.ValidationError(self.sentence, params={"sign": sign})
        kinds = "".join(unicodedata.category(sign)[0] for sign in value)
        if value and "L" not in kinds:
            raise forms.ValidationError(_("Write at least one letter."))
        if "M" * (MOST_MARKS + 1) in kinds:
            raise forms.ValidationError(_("One letter has too many accents on it."))

    def may_stand(self, sign: str) -> bool:
        return unicodedata.category(sign)[0] in "LM" or sign in self.signs


class PlaceField(LettersField):
    signs = LettersField.signs + "(),/"
    sentence = _("“%(sign)s” cannot stand here: write the name of the place in letters and digits.")

    def may_stand(self, sign: str) -> bool:
        return sign.isdecimal() or super().may_stand(sign)


class PhoneField(TidyField):
    least, most = 6, 15  # digits, by the numbering plan of the telephone networks

    def validate(self, value: str) -> None:
        super().validate(value)
        digits = sum(sign.isdecimal() for sign in value)
        if value and (
            set(value) - set("+0123456789 ()-./") or not self.least <= digits <= self.most
        ):
            raise forms.ValidationError(
                _("Write the number in digits, with the country’s prefix: +39 333 1234567.")
            )


class FrequentCountries(Countries):
    first = ["IT", "ES", "FR", "DE", "GB", "US"]


def country_field(**kwargs: Any) -> forms.ChoiceField:
    # Sorted in the reader's language, frequent countries first
    def choices() -> list[tuple[str, str]]:
        return [("", _("Choose")), *((country.code, country.name) for country in COUNTRIES)]

    sentence = _("Choose a country from the list.")
    return forms.ChoiceField(
        choices=choices, error_messages={"required": sentence, "invalid_choice": sentence}, **kwargs
    )


COUNTRIES = FrequentCountries()


class DayInput(forms.MultiWidget):
    # Three text boxes: for a birth date decades ago quicker than a calendar
    template_name = "components/day_input.html"
    use_fieldset = True

    def __init__(self, autocomplete: str = "") -> None:
        parts = ("day", "month", "year")
        labels = (_("Day"), _("Month"), _("Year"))
        super().__init__([forms.TextInput(self.attrs_of(part, autocomplete)) for part in parts])
        self.labels = labels

    @staticmethod
    def attrs_of(part: str, autocomplete: str) -> dict[str, str]:
        attrs = {"inputmode": "numeric", "size": "4" if part == "year" else "2"}
        return attrs | ({"autocomplete": f"{autocomplete}-{part}"} if autocomplete else {})

    def decompress(self, value: Any) -> list[str]:
        return (
            [str(value.day), str(value.month), str(value.year)]
            if isinstance(value, date)
            else ["", "", ""]
        )

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        for part, label in zip(context["widget"]["subwidgets"], self.labels, strict=True):
            part["label"] = label
        return context


class DayField(forms.Field):
    """A day in three boxes; the first one also accepts a whole date."""

    default_error_messages = {"required": INCOMPLETE}

    def __init__(self, *, autocomplete: str = "", **kwargs: Any) -> None:
        super().__init__(widget=DayInput(autocomplete), **kwargs)

    def to_python(self, value: Any) -> date | None:
        if value is None or isinstance(value, date):
            return value
        parts = [tidy(part or "") for part in value]
        if parts[0] and not any(parts[1:]):
            parts = split_day(parts[0])
        return parse_day(parts) if any(parts) else None


def split_day(text: str) -> list[str]:
    """17/05/1990, 17.5.1990, 17 5 1990, or 1990-05-17."""
    found = split(r"[\s./-]+", text)
    return found[::-1] if len(found[0]) == len("1990") else found


def parse_day(parts: Sequence[str]) -> date:
    if len(parts) != len(("day", "month", "year")) or not all(parts):
        raise forms.ValidationError(INCOMPLETE)
    if not all(part.isdecimal() for part in parts):
        raise forms.ValidationError(_("Write the date in digits, for example 17 5 1990."))
    if len(parts[2]) != len("1990"):
        raise forms.ValidationError(_("Write the year in four digits, for example 1990."))
    try:
        return date(*(int(part) for part in reversed(parts)))
    except ValueError as impossible:
        raise forms.ValidationError(
            _("The calendar has no day %(day)s. Check day and month.") % {"day": "/".join(parts)}
        ) from impossible


class MomentField(forms.DateTimeField):
    """Date and time in Rome."""

    default_error_messages: ClassVar = {"invalid": _("Pick a day and a time: 2026-12-31 18:30.")}

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
        super().__init__(widget=widget, **kwargs)
