"""The forms of a national final."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy

from big_league.finals.models import Answer, Final
from big_league.rules.calling import RESERVES, SEATS
from pergioco.desk.forms import DayField, ReasonField, UseCaseForm
from pergioco.desk.search import known_by
from pergioco.players.form_fields import MomentField
from pergioco.players.models import Player
from pergioco.rulekit.folding import fold
from pergioco.stages.models import Game

MOST_SEATS, MOST_TEXT = 500, 2000


def long_text(label: Any, **kwargs: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 3})
    return forms.CharField(label=label, max_length=MOST_TEXT, required=False, widget=widget, **kwargs)


class FinalForm(forms.Form):
    """Fields are named for those of the final."""

    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120)
    address = forms.CharField(label=gettext_lazy("Address"), max_length=200)
    city = forms.CharField(label=gettext_lazy("City"), max_length=100)
    starts_at = MomentField(label=gettext_lazy("Day and time of the start"))
    answers_until = DayField(label=gettext_lazy("Last day to answer"))
    seats = forms.IntegerField(label=gettext_lazy("Seats"), min_value=2, max_value=MOST_SEATS)
    reserves = forms.IntegerField(label=gettext_lazy("Reserves"), min_value=0, max_value=MOST_SEATS)
    heads = forms.IntegerField(
        label=gettext_lazy("Heads of series"),
        help_text=gettext_lazy("Empty: as many as there are tables in the first round."),
        required=False,
        min_value=1,
        max_value=MOST_SEATS,
    )
    early_order = forms.ChoiceField(
        label=gettext_lazy("Order of reserves who said yes early"), choices=Final.EarlyOrder.choices
    )
    asks_box = forms.BooleanField(label=gettext_lazy("Players are asked to bring the game"), required=False)
    how = long_text(gettext_lazy("Formula"), help_text=gettext_lazy("It stands in the mail and on the public page."))
    letter_it = long_text(gettext_lazy("More for the mail, Italian"))
    letter_en = long_text(gettext_lazy("More for the mail, English"))
    letter_es = long_text(gettext_lazy("More for the mail, Spanish"))
    contact = forms.EmailField(label=gettext_lazy("Address for questions"))
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)


class AnnounceForm(FinalForm):
    game = forms.ModelChoiceField(Game.objects.filter(big__isnull=False), label=gettext_lazy("Game"))
    submission = forms.UUIDField(widget=forms.HiddenInput)
    field_order = ("game",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"submission": uuid4(), "seats": SEATS, "reserves": RESERVES} | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)


class PlayerField(forms.CharField):
    """By the public id, or by a name that only one player has."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Player"), help_text=gettext_lazy("Name and surname, or the public id."), max_length=200
        )

    def clean(self, value: Any) -> Player:
        text = super().clean(value)
        found = list(Player.objects.current().filter(known_by(text), erased_at=None).with_names()[:20])
        exact = [p for p in found if p.public_id == text.strip() or fold(str(getattr(p, "person", ""))) == fold(text)]
        if len(exact or found) != 1:
            raise forms.ValidationError(
                gettext_lazy(
                    "Nobody, or more than one, is called like that. Take the public id from the page of people."
                )
            )
        return (exact or found)[0]


class AnswerForm(UseCaseForm):
    """What somebody said on the phone or in a mail."""

    player = PlayerField()
    said = forms.ChoiceField(
        label=gettext_lazy("Answer"), choices=[(one.value, one.label) for one in (Answer.Said.YES, Answer.Said.NO)]
    )
    brings_box = forms.NullBooleanField(label=gettext_lazy("Brings the game"), required=False)
    reason = ReasonField(label=gettext_lazy("How we know"))


class GrantForm(UseCaseForm):
    player = PlayerField()
    reason = ReasonField()
