"""The public forms: a sign-up with the data of BIG 2.1, and a request for a tournament."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.core.validators import EmailValidator
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from big_league.models import Event, SignUp
from big_league.services import event_requests
from big_league.services.sign_ups import SignUpData
from pergioco.core.forms import (
    DayField,
    LettersField,
    MomentField,
    PhoneField,
    PlaceField,
    TidyField,
    UseCaseForm,
)
from pergioco.stages.models import Game


def text_input(autocomplete: str, **attrs: str) -> forms.TextInput:
    return forms.TextInput({"autocomplete": autocomplete, **attrs})


def email_field(**kwargs: Any) -> forms.CharField:
    sentence = gettext_lazy("This is not an e-mail address. It looks like name@example.org.")
    return forms.CharField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        validators=[EmailValidator(sentence)],
        widget=text_input("email", type="email"),
        **kwargs,
    )


class BoxForm(UseCaseForm):
    """The sign-up of a player who is signed in; the account has all other data."""

    brings_box = forms.BooleanField(label=gettext_lazy("I bring a box of the game"), required=False)
    submission = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"submission": uuid4()} | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)

    def wanted(self) -> SignUpData:
        person = {name: self.cleaned_data[name] for name in SignUp.PERSONAL if name in self.fields}
        submission: UUID = self.cleaned_data["submission"] or uuid4()
        return SignUpData(
            person, self.cleaned_data["brings_box"], submission, get_language() or "it"
        )


class GuestForm(BoxForm):
    """Field names match the model `SignUp`."""

    first_name = LettersField(
        label=gettext_lazy("First name"), max_length=100, widget=text_input("given-name")
    )
    last_name = LettersField(
        label=gettext_lazy("Surname"), max_length=100, widget=text_input("family-name")
    )
    email = email_field(error_messages={"required": TidyField.default_error_messages["required"]})
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
        widget=text_input("tel", type="tel"),
    )
    nickname = TidyField(
        label=gettext_lazy("Nickname on Board Game Arena"),
        required=False,
        max_length=60,
        widget=text_input("off"),
    )
    agrees = forms.BooleanField(
        label=gettext_lazy(
            "I become a member of Board Italian Gamers: it is free and never expires."
        ),
        error_messages={
            "required": gettext_lazy("Without membership nobody can play a BIG tournament (BIG 2).")
        },
    )
    field_order = (*SignUp.PERSONAL, "brings_box", "agrees")


MOST_ROUNDS, MOST_PEOPLE = 20, 500
NO_SUCH_GAME = gettext_lazy("There is no such game on the list.")
NO_NUMBER = gettext_lazy("Write a whole number.")


def long_text_field(label: Any, most: int, help_text: Any = "") -> forms.CharField:
    area = forms.Textarea({"rows": 3})
    return forms.CharField(
        label=label, max_length=most, required=False, help_text=help_text, widget=area
    )


def number_field(label: Any, least: int, most: int, help_text: Any = "") -> forms.IntegerField:
    widget = forms.TextInput({"inputmode": "numeric", "size": "4"})
    errors = {"invalid": NO_NUMBER}
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        required=False,
        help_text=help_text,
        widget=widget,
        error_messages=errors,
    )


class RequestForm(UseCaseForm):
    """Field names match the model `Event`."""

    games = forms.MultipleChoiceField(
        label=pgettext_lazy("titles", "Games"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("One, or all of them if several are played."),
        error_messages={"invalid_choice": NO_SUCH_GAME},
    )
    other_games = TidyField(
        label=gettext_lazy("A game that is not on the list"),
        required=False,
        max_length=200,
        widget=text_input("off"),
    )
    place = TidyField(
        label=pgettext_lazy("where", "Place"),
        max_length=120,
        help_text=gettext_lazy(
            "A public place: a club, a library, a bar. Everybody must be able to come in."
        ),
        widget=text_input("off"),
    )
    address = TidyField(
        label=gettext_lazy("Address"), max_length=200, widget=text_input("street-address")
    )
    city = PlaceField(
        label=gettext_lazy("City"), max_length=100, widget=text_input("address-level2")
    )
    starts_at = MomentField(
        label=gettext_lazy("Day and time of the start"),
        help_text=gettext_lazy(
            "The time of Rome. With seven days' notice or more BIG can announce the tournament."
        ),
        error_messages={"required": gettext_lazy("Pick a day and a time: 2026-12-31 18:30.")},
    )
    organizer_name = LettersField(
        label=gettext_lazy("Organizer's name"), max_length=100, widget=text_input("name")
    )
    organizer_phone = PhoneField(
        label=gettext_lazy("Phone"), max_length=30, widget=text_input("tel", type="tel")
    )
    organizer_email = email_field(
        help_text=gettext_lazy("We write there: first a link by which you follow this request.")
    )
    prizes = long_text_field(gettext_lazy("Prizes"), 1000)
    rounds = number_field(gettext_lazy("Rounds"), 1, MOST_ROUNDS)
    expected = number_field(
        gettext_lazy("Players expected"),
        2,
        MOST_PEOPLE,
        gettext_lazy("Below six the tournament counts, for half the points."),
    )
    capacity = number_field(
        gettext_lazy("Seats, if they are limited"),
        2,
        MOST_PEOPLE,
        gettext_lazy("Tournaments are open to all: leave this empty if you can."),
    )
    criterion = TidyField(
        label=gettext_lazy("Why so many, and who gets them"),
        required=False,
        max_length=200,
        help_text=gettext_lazy(
            "Players who bring their own box come first, then who signed up earlier."
        ),
        widget=text_input("off"),
    )
    bring_box = forms.BooleanField(
        label=gettext_lazy("Players are asked to bring their own box of the game"), required=False
    )
    how = long_text_field(gettext_lazy("How it is played"), 2000)
    notes = long_text_field(
        gettext_lazy("Notes for BIG"), 2000, gettext_lazy("Nobody else reads them.")
    )
    agrees = forms.BooleanField(
        label=gettext_lazy(
            "My name, phone and e-mail may stand on the public page of the tournament."
        ),
        error_messages={
            "required": gettext_lazy(
                "Without this box BIG cannot announce the tournament: players must reach you."
            )
        },
    )
    submission = forms.UUIDField(widget=forms.HiddenInput, required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"submission": uuid4()} | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        self.known = {str(game.pk): game for game in games_with_sheet()}
        choices = [(key, game.name) for key, game in self.known.items()]
        self.fields["games"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not (
            values.get("games")
            or values.get("other_games")
            or {"games", "other_games"} & self.errors.keys()
        ):
            self.add_error("games", _("Choose the game, or write its title below."))
        if (
            values.get("capacity")
            and not values.get("criterion")
            and "criterion" not in self.errors
        ):
            self.add_error("criterion", _("Seats are limited: say why, and who gets them."))
        return values

    @property
    def chosen(self) -> list[Game]:
        return [self.known[key] for key in self.cleaned_data["games"]]

    def sent(self) -> event_requests.SentRequest:
        values = {name: self.cleaned_data[name] for name in event_requests.REQUEST_FIELDS}
        submission: UUID = self.cleaned_data["submission"] or uuid4()
        return event_requests.SentRequest(values, self.chosen, submission, get_language() or "")


def games_with_sheet() -> list[Game]:
    return sorted(
        Game.objects.filter(big__isnull=False).select_related("big"),
        key=lambda game: game.name.casefold(),
    )


def request_initial(event: Event) -> dict[str, Any]:
    games = [str(pk) for pk in event.games.values_list("pk", flat=True)]
    return {
        "games": games,
        **{name: getattr(event, name) for name in event_requests.REQUEST_FIELDS},
    }


def copy_last_request(event: Event) -> Mapping[str, Any]:
    return {
        name: value
        for name, value in request_initial(event).items()
        if name not in {"starts_at", "notes"}
    }
