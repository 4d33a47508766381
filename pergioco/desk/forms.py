"""What the forms of the desk have in common."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from pergioco.players.refusal import Outdated, Refused

LONGEST_REASON = 2000


class UseCaseForm(forms.Form):
    """Hands what was typed to a use-case. A refusal becomes a sentence of the form: nothing that was typed is lost."""

    is_outdated = False

    def carries_out(self, act: Callable[..., object], **more: Any) -> bool:
        """True if the use-case was done. It is called with the fields by name."""
        if not self.is_valid():
            return False
        try:
            act(**self.cleaned_data, **more)
        except Refused as refusal:
            self.is_outdated = isinstance(refusal, Outdated)
            self.add_error(refusal.field if refusal.field in self.fields else None, str(refusal.sentence))
            return False
        return True


def version_in(request: HttpRequest) -> int:
    """0, which is no version, for whatever is no number."""
    text = request.POST.get("version", "")
    return int(text) if text.isascii() and text.isdigit() else 0


class ButtonForm(UseCaseForm):
    """Nothing to type: the button says it all."""


class ReasonField(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("Reason"))
        super().__init__(max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 3}), **kwargs)


class DayField(forms.DateField):
    """A day, typed or picked, in the one form that every browser sends."""

    default_error_messages: ClassVar = {"invalid": _("Pick a day, or write it as year-month-day: 2026-12-31.")}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}), **kwargs)


class SearchForm(forms.Form):
    q = forms.CharField(label=_("Name, nickname, public id or e-mail"), required=False, max_length=200)
