"""What somebody tells before playing (BIG 2.1), at home or at the entrance."""

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.core.validators import EmailValidator
from django.utils.translation import get_language, gettext_lazy

from big_league.events.models import SignUp
from big_league.events.signing_up import Wanted
from pergioco.players.form_fields import DayField, LettersField, PhoneField, TidyField


def typed(autocomplete: str, **attrs: str) -> forms.TextInput:
    return forms.TextInput({"autocomplete": autocomplete, **attrs})


class BoxForm(forms.Form):
    """A player who is signed in has told everything else before."""

    brings_box = forms.BooleanField(label=gettext_lazy("I bring a box of the game"), required=False)
    submission = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"submission": uuid4()} | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)

    def wanted(self) -> Wanted:
        person = {name: self.cleaned_data[name] for name in SignUp.PERSONAL if name in self.fields}
        submission: UUID = self.cleaned_data["submission"] or uuid4()
        return Wanted(person, self.cleaned_data["brings_box"], submission, get_language() or "it")


class GuestForm(BoxForm):
    """Fields are named for those of the sign-up."""

    first_name = LettersField(label=gettext_lazy("First name"), max_length=100, widget=typed("given-name"))
    last_name = LettersField(label=gettext_lazy("Surname"), max_length=100, widget=typed("family-name"))
    email = forms.CharField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        validators=[EmailValidator(gettext_lazy("This is not an e-mail address. It looks like name@example.org."))],
        error_messages={"required": TidyField.default_error_messages["required"]},
        widget=typed("email", type="email"),
    )
    birth_date = DayField(
        label=gettext_lazy("Birth date"),
        autocomplete="bday",
        help_text=gettext_lazy("It tells namesakes apart, and is never shown."),
    )
    phone = PhoneField(
        label=gettext_lazy("Phone"),
        required=False,
        max_length=30,
        help_text=gettext_lazy("Used for national finals, and if you are expected and not there."),
        widget=typed("tel", type="tel"),
    )
    nickname = TidyField(
        label=gettext_lazy("Nickname on Board Game Arena"), required=False, max_length=60, widget=typed("off")
    )
    agrees = forms.BooleanField(
        label=gettext_lazy("I become a member of Board Italian Gamers: it is free and never expires."),
        error_messages={"required": gettext_lazy("Without membership nobody can play a BIG tournament (BIG 2).")},
    )
    field_order = (*SignUp.PERSONAL, "brings_box", "agrees")
