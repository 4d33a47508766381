"""The three languages of a newsletter in one form: switching between them loses nothing that was typed."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pergioco.contact.newsletter.blocks import NAMES, USUAL
from pergioco.contact.newsletter.models import Campaign
from pergioco.contact.newsletter.writing import FIELDS, LANGUAGES
from pergioco.players.form_fields import TidyField

LINES = (3, 5, USUAL, 20, 50)


class Tab(NamedTuple):
    code: str
    name: str | Promise
    fields: list[forms.BoundField]
    is_open: bool


class DraftField(forms.CharField):
    """Has to be filled in the end; may be empty as long as the newsletter is a draft."""

    def validate(self, value: Any) -> None:
        """Whatever was typed, or nothing."""


class SubjectField(DraftField):
    """A line break is refused by the use-case, in words: nothing of a subject is taken away silently."""

    def to_python(self, value: Any) -> str:
        return "" if value in self.empty_values else str(value)


TOO_LONG: dict[str, Any] = {"max_length": TidyField.default_error_messages["max_length"]}


class CampaignForm(forms.Form):
    version = forms.IntegerField(widget=forms.HiddenInput)
    tab = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    block = forms.ChoiceField(label=_("Block"), choices=list(NAMES.items()), initial="red")
    rows = forms.TypedChoiceField(label=_("Lines"), choices=[(n, n) for n in LINES], initial=USUAL, coerce=int)

    def __init__(self, *args: Any, campaign: Campaign, tab: str = "", **kwargs: Any) -> None:
        kwargs["initial"] = {name: getattr(campaign, name) for name in (*FIELDS, "version")}
        super().__init__(*args, **kwargs)
        for code in LANGUAGES:
            self.fields[f"subject_{code}"] = SubjectField(
                label=_("Subject"),
                max_length=Campaign.LONGEST_SUBJECT,
                error_messages=TOO_LONG,
                widget=forms.TextInput({"autocomplete": "off", "lang": code}),
            )
            self.fields[f"text_{code}"] = DraftField(
                label=_("Text, in Markdown"),
                max_length=Campaign.LONGEST_TEXT,
                error_messages=TOO_LONG,
                widget=forms.Textarea({"rows": 16, "lang": code}),
            )
        self.asked_for = tab

    @property
    def open_tab(self) -> str:
        """The one with something wrong in it; else the one that was open."""
        wrong = [code for code in LANGUAGES if {f"subject_{code}", f"text_{code}"} & self.errors.keys()]
        asked = self.data.get("tab") or self.asked_for
        return wrong[0] if wrong else asked if asked in LANGUAGES else LANGUAGES[0]

    def tabs(self) -> Iterator[Tab]:
        for code, name in settings.LANGUAGES:
            fields = [self[f"subject_{code}"], self[f"text_{code}"]]
            yield Tab(code, name, fields, code == self.open_tab)

    @property
    def texts(self) -> dict[str, str]:
        return {name: self.cleaned_data[name].replace("\r\n", "\n") for name in FIELDS}


class BounceForm(forms.Form):
    addresses = forms.CharField(
        label=_("Addresses from which mail came back"),
        help_text=_("One a line, as the mail that came back names it."),
        max_length=10_000,
        widget=forms.Textarea({"rows": 4, "autocomplete": "off"}),
        error_messages={"required": TidyField.default_error_messages["required"]},
    )
    is_hard = forms.BooleanField(label=_("For good: there is no such address (any more)"), required=False, initial=True)


def new_submission(typed: str = "") -> UUID:
    """The key of a form that was sent; a new one for whatever is none."""
    try:
        return UUID(typed)
    except ValueError:
        return uuid4()
