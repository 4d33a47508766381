"""Which stages a reader asks for; the same questions in the address of the page and in that of its file."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Game, Stage

NO_SUCH_CHOICE = {"invalid_choice": gettext_lazy("There is no such thing to choose: take one from the list.")}
LOOKUPS = {"game": "game__slug", "platform": "platform", "circuit": "circuit", "city": "city", "race": "race"}


class CalendarForm(forms.Form):
    """What makes no sense is said, and the rest is answered all the same."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False, error_messages=NO_SUCH_CHOICE)
    platform = forms.ChoiceField(label=gettext_lazy("Platform"), required=False, error_messages=NO_SUCH_CHOICE)
    circuit = forms.ChoiceField(label=gettext_lazy("Circuit"), required=False, error_messages=NO_SUCH_CHOICE)
    city = forms.ChoiceField(label=gettext_lazy("City"), required=False, error_messages=NO_SUCH_CHOICE)
    race = forms.BooleanField(label=gettext_lazy("Race stages only"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = sorted(Game.objects.all(), key=lambda game: game.name.casefold())
        choices = {
            "game": [(game.slug, game.name) for game in games],
            "platform": Platform.choices,
            "circuit": Stage.Circuit.choices,
            "city": [(city, city) for city in cities()],
        }
        for name, known in choices.items():
            self.fields[name].choices = [("", _("all")), *known]  # type: ignore[attr-defined]

    @property
    def asked(self) -> dict[str, str | bool]:
        """What was asked for and makes sense: it goes into the address of the file."""
        self.is_valid()
        return {name: self.cleaned_data[name] for name in LOOKUPS if self.cleaned_data.get(name)}

    def stages(self) -> QuerySet[Stage]:
        return Stage.objects.filter(**{LOOKUPS[name]: value for name, value in self.asked.items()})


def cities() -> list[str]:
    """Where people meet; what is played online has none."""
    return list(Stage.objects.exclude(city="").order_by("city").values_list("city", flat=True).distinct())
