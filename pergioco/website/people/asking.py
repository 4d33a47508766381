"""What a reader asks of people: part of a name, and a country."""

from functools import partial
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy, pgettext
from django_countries import countries

from pergioco.players.models.people import PlayerQuerySet
from pergioco.players.naming import named_in_public
from pergioco.rulekit.folding import fold
from pergioco.website.page_cache import Part, lasting


class PeopleForm(forms.Form):
    circuit = ""  # among the people whom its pages name

    q = forms.CharField(
        label=gettext_lazy("Name"), required=False, max_length=100, widget=forms.TextInput(attrs={"type": "search"})
    )
    country = forms.ChoiceField(label=gettext_lazy("Country"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["country"].choices = [("", pgettext("countries", "all")), *countries_of_players(self.circuit)]  # type: ignore[attr-defined]

    @property
    def words(self) -> list[str]:
        self.is_valid()
        return fold(self.cleaned_data.get("q", "")).split()

    @property
    def players(self) -> PlayerQuerySet | None:
        """Those who are asked for, among the people whose names are public; `None` for everybody."""
        words, country = self.words, self.cleaned_data.get("country")
        if not words and not country:
            return None
        found = called(words, self.circuit)
        return found.filter(person__country=country) if country else found


def called(words: list[str], circuit: str = "") -> PlayerQuerySet:
    """Whose public name has all these folded words in it."""
    return named_in_public(circuit).filter(*(Q(person__search_key__contains=word) for word in words))


def countries_of_players(circuit: str) -> Part:
    """By their names in the reader's language. Whoever is named in public has to be gone through for them."""
    return lasting("countries of players", circuit, make=partial(countries_by_name, circuit))


def countries_by_name(circuit: str) -> list[tuple[str, str]]:
    named = named_in_public(circuit).exclude(person__country="")
    codes = named.order_by().values_list("person__country", flat=True).distinct()
    return sorted(((str(code), countries.name(code)) for code in codes), key=lambda pair: fold(pair[1]))
