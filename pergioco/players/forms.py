"""Forms for a person's own data, at registration and later."""

from typing import Any

from allauth.account.forms import SignupForm
from django import forms
from django.core.validators import EmailValidator, MaxLengthValidator
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from pergioco.core.forms import (
    DayField,
    LettersField,
    PhoneField,
    PlaceField,
    TidyField,
    UseCaseForm,
    country_field,
)
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Club, Consent, Person
from pergioco.players.models.accounts import Platform
from pergioco.players.services import accounts, registering
from pergioco.players.services.consents import consent_text_in_force
from pergioco.players.services.editing import FIELDS, ON_THE_DOCUMENT
from pergioco.players.services.registering import refuse_unfit_birth_date

LONGEST = 100
AS_TYPED = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
CONSENTS = {kind.value: f"agrees_{kind.value}" for kind in Consent.Kind}
WITHOUT_RULES = gettext_lazy("Without this box nobody can be registered (PGM 4).")
WITHOUT_PUBLICATION = gettext_lazy(
    "Without this box nobody can be registered: rankings show names (PGM 12)."
)


def autocomplete_input(autocomplete: str) -> forms.TextInput:
    return forms.TextInput({"autocomplete": autocomplete})


class PersonFields(forms.Form):
    first_name = LettersField(
        label=gettext_lazy("First name"),
        max_length=LONGEST,
        widget=autocomplete_input("given-name"),
    )
    last_name = LettersField(
        label=gettext_lazy("Surname"), max_length=LONGEST, widget=autocomplete_input("family-name")
    )
    birth_date = DayField(
        label=gettext_lazy("Birth date"),
        help_text=gettext_lazy("Only the federation's staff see this."),
        autocomplete="bday",
    )
    city = PlaceField(
        label=gettext_lazy("City"), max_length=LONGEST, widget=autocomplete_input("address-level2")
    )
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
        try:
            return use_case(*args)
        # A refusal becomes an error of the field.
        except Refused as refusal:
            raise forms.ValidationError(str(refusal.sentence)) from refusal


class ClubsForm(UseCaseForm):
    clubs = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Clubs and groups"),
        queryset=Club.objects.all(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


def make_account_field(platform: Platform, **words: Any) -> TidyField:
    return TidyField(
        label=platform.label,
        required=False,
        max_length=300,
        widget=forms.TextInput(AS_TYPED),
        **words,
    )


class RegistrationForm(PersonFields):
    """Everything but e-mail and password. Account fields have the name of their platform."""

    bga = make_account_field(
        Platform.BGA,
        help_text=gettext_lazy(
            "Your nickname, or the link of your profile: boardgamearena.com/player?id=…"
        ),
    )
    playstrategy = make_account_field(
        Platform.PLAYSTRATEGY,
        help_text=gettext_lazy("Your nickname, or the link of your profile: playstrategy.org/@/…"),
    )
    abstractplay = make_account_field(
        Platform.ABSTRACT_PLAY,
        help_text=gettext_lazy(
            "Your nickname, or the link of your profile: play.abstractplay.com/player/…"
        ),
    )
    agrees_rules = forms.BooleanField(error_messages={"required": WITHOUT_RULES})
    agrees_publication = forms.BooleanField(error_messages={"required": WITHOUT_PUBLICATION})
    agrees_newsletter = forms.BooleanField(required=False)
    event_code = TidyField(
        label=gettext_lazy("Event code"),
        required=False,
        max_length=32,
        help_text=gettext_lazy("Only if the organizer of an event gave you one."),
        widget=forms.TextInput(AS_TYPED),
    )

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        self.user = user
        self.person = (
            Person.objects.filter(user=user).select_related("player").first() if user else None
        )
        self.player = self.person.player if self.person else None
        self.held = list(self.player.accounts.prefetch_related("nicknames")) if self.player else []
        on_file = {name: getattr(self.person, name) for name in FIELDS} if self.person else {}
        kwargs["initial"] = on_file | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        for kind, name in CONSENTS.items():
            self.fields[name].label = consent_text_in_force(kind).in_language(get_language() or "")
        self.leave_what_is_settled()

    def leave_what_is_settled(self) -> None:
        # Staff checked these on a document. Accounts on file are not asked for again either.
        for name in ON_THE_DOCUMENT if self.person and self.person.identity_checked_on else ():
            self.fields[name].disabled = True
        for account in self.held:
            del self.fields[account.platform]

    def clean_bga(self) -> accounts.Reference | None:
        return self.clean_account(Platform.BGA)

    def clean_playstrategy(self) -> accounts.Reference | None:
        return self.clean_account(Platform.PLAYSTRATEGY)

    def clean_abstractplay(self) -> accounts.Reference | None:
        return self.clean_account(Platform.ABSTRACT_PLAY)

    def clean_account(self, platform: Platform) -> accounts.Reference | None:
        text = self.cleaned_data[platform]
        if not text:
            return None
        reference: accounts.Reference = self.ask(accounts.read_reference, platform, text)
        self.ask(registering.refuse_account_of_another, self.player, platform, reference)
        return reference

    def clean_event_code(self) -> Any:
        text = self.cleaned_data["event_code"]
        return self.ask(registering.find_open_event_code, text, timezone.now()) if text else None

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        tried = any(values.get(platform) or platform in self.errors for platform in Platform.values)
        if not tried and not self.held:
            self.add_error(
                Platform.BGA, _("Give at least one account: the stages are played there (PGM 3).")
            )
        return values

    def sent(self) -> registering.RegistrationData:
        data = self.cleaned_data
        return registering.RegistrationData(
            person={name: data[name] for name in FIELDS},
            accounts={
                platform: data[platform] for platform in Platform.values if data.get(platform)
            },
            newsletter=data["agrees_newsletter"],
            language=get_language() or "",
            on=timezone.localdate(),
        )


class SigningUpForm(RegistrationForm, SignupForm):
    """Adds e-mail and password. If the address is already in use, only its owner learns it, by
    mail."""

    field_order = [
        *("first_name", "last_name", "birth_date", "city", "country"),
        *("email", "password1", "phone"),
        *Platform.values,
        *CONSENTS.values(),
        "event_code",
    ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email, password = self.fields["email"], self.fields["password1"]
        email.label, email.help_text = (
            _("E-mail"),
            _("To sign in. We write to it once, to be sure that it is yours."),
        )
        email.error_messages["required"] = _(
            "Write your e-mail address: nobody can sign in without it."
        )
        email.validators[0] = EmailValidator(
            _("This is not an e-mail address. It looks like name@example.org.")
        )
        email.validators.append(
            MaxLengthValidator(254, _("An e-mail address has at most 254 characters."))
        )
        email.widget.attrs = {"type": "email", "autocomplete": "email"}
        password.error_messages["required"] = _("Choose a password.")
        password.help_text = _("At least 10 characters, and not one that many people use.")
