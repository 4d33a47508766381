"""What a reader asks of people: part of a name, and a country."""

from functools import cache, partial
from typing import Any

from django import forms
from django.db import connection
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext_lazy, pgettext
from django_countries import countries

from pergioco.players.models.people import PlayerQuerySet
from pergioco.players.naming import named_in_public
from pergioco.rulekit.folding import fold

# From one country to the next on the index, and one of its people: not through everybody, as DISTINCT goes.
CODES = """
SELECT country FROM (
    WITH RECURSIVE code(country) AS (
        SELECT min(country) FROM players_person WHERE country > ''
        UNION ALL
        SELECT (SELECT min(country) FROM players_person WHERE country > code.country) FROM code WHERE country <> ''
    )
    SELECT country FROM code
) AS codes WHERE country <> '' AND ({first}) IS NOT NULL
"""


class PeopleForm(forms.Form):
    circuit = ""  # among the people whom its pages name

    q = forms.CharField(
        label=gettext_lazy("Name"), required=False, max_length=100, widget=forms.TextInput(attrs={"type": "search"})
    )
    country = forms.ChoiceField(label=gettext_lazy("Country"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["country"].choices = cache(partial(choices, self.circuit))  # type: ignore[attr-defined]

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


def choices(circuit: str) -> list[tuple[str, str]]:
    return [("", pgettext("countries", "all")), *countries_of_players(circuit)]


def countries_of_players(circuit: str) -> list[tuple[str, str]]:
    """By their names in the reader's language."""
    anybody = named_in_public(circuit).filter(person__country=RawSQL("codes.country", [])).order_by().values("pk")[:1]  # nosec B611
    first, params = anybody.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(CODES.format(first=first), params)
        codes = [code for (code,) in cursor.fetchall()]
    return sorted(((code, countries.name(code)) for code in codes), key=lambda pair: fold(pair[1]))
