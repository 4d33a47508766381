"""What people write about themselves: the same fields when they register and when they mend them."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from pergioco.players.form_fields import DayField, LettersField, PhoneField, PlaceField, country_field
from pergioco.players.refusal import Refused
from pergioco.players.registering import refuse_unfit_birth_date

LONGEST = 100


def named(autocomplete: str) -> forms.TextInput:
    return forms.TextInput({"autocomplete": autocomplete})


class PersonFields(forms.Form):
    first_name = LettersField(label=gettext_lazy("First name"), max_length=LONGEST, widget=named("given-name"))
    last_name = LettersField(label=gettext_lazy("Surname"), max_length=LONGEST, widget=named("family-name"))
    birth_date = DayField(
        label=gettext_lazy("Birth date"),
        help_text=gettext_lazy("Only the federation's staff see this."),
        autocomplete="bday",
    )
    city = PlaceField(label=gettext_lazy("City"), max_length=LONGEST, widget=named("address-level2"))
    country = country_field(
        label=gettext_lazy("Country of residence"), widget=forms.Select({"autocomplete": "country"})
    )
    phone = PhoneField(
        label=gettext_lazy("Phone"),
        required=False,
        max_length=30,
        widget=forms.TextInput({"autocomplete": "tel", "type": "tel"}),
    )

    def clean_birth_date(self) -> Any:
        value = self.cleaned_data["birth_date"]
        self.ask(refuse_unfit_birth_date, value, timezone.localdate())
        return value

    @staticmethod
    def ask(use_case: Any, *args: Any) -> Any:
        """A refusal becomes a sentence at the field."""
        try:
            return use_case(*args)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal.sentence)) from refusal
