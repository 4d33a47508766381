"""Finding players: by address, by name and country, by similar names, and by what staff know."""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache, partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.db import connection
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy, pgettext
from django.utils.translation import gettext_lazy as _
from django_countries import countries

from pergioco.core import errors
from pergioco.core.errors import ErrorText
from pergioco.players.models import Nickname, Player
from pergioco.players.models.people import PlayerQuerySet, naming_paths
from pergioco.players.naming import is_named, named_in_public
from pergioco.players.rules.people import PGM
from pergioco.rulekit.text import fold

# Walks the index from one country to the next and tests one player of each. DISTINCT would scan all
# rows.
COUNTRY_CODES = """
SELECT country FROM (
    WITH RECURSIVE code(country) AS (
        SELECT min(country) FROM players_person WHERE country > ''
        UNION ALL
        SELECT (SELECT min(country) FROM players_person WHERE country > code.country)
        FROM code WHERE country <> ''
    )
    SELECT country FROM code
) AS codes WHERE country <> '' AND ({first}) IS NOT NULL
"""
MOST_CANDIDATES = 1000
MOST_SHOWN = 5
MOST_SPELLINGS = 8
NEAR_ENOUGH = 0.7
SHORTEST = 3  # two letters are similar to everything
NOT_NAMED = ErrorText(
    _("Nothing is shown of this player"),
    _(
        "Whoever this is, is not named in public: not registered, or without consent to "
        "publication."
    ),
    _("Was it you? Whoever registers is ranked from then on, with the PGRs earned before."),
)


class PeopleForm(forms.Form):
    circuit = ""  # search among the players that its pages name

    q = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    country = forms.ChoiceField(label=gettext_lazy("Country"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["country"].choices = cache(partial(country_choices, self.circuit))  # type: ignore[attr-defined]

    @property
    def words(self) -> list[str]:
        self.is_valid()
        return fold(self.cleaned_data.get("q", "")).split()

    @property
    def players(self) -> PlayerQuerySet | None:
        """Players that match the search, among those with a public name. None without search
        terms."""
        words, country = self.words, self.cleaned_data.get("country")
        if not words and not country:
            return None
        found = players_with_words(words, self.circuit)
        return found.filter(person__country=country) if country else found


def players_with_words(words: list[str], circuit: str = "") -> PlayerQuerySet:
    """Players whose public name contains all these folded words."""
    return named_in_public(circuit).filter(
        *(Q(person__search_key__contains=word) for word in words)
    )


def country_choices(circuit: str) -> list[tuple[str, str]]:
    return [("", pgettext("countries", "all")), *countries_of_players(circuit)]


def countries_of_players(circuit: str) -> list[tuple[str, str]]:
    """Sorted by name in the current language."""
    with connection.cursor() as cursor:
        cursor.execute(*country_codes_query(circuit))
        codes = [code for (code,) in cursor.fetchall()]
    return sorted(((code, countries.name(code)) for code in codes), key=lambda pair: fold(pair[1]))


@cache
def country_codes_query(circuit: str) -> tuple[str, tuple[Any, ...]]:
    # The query is always the same, so it is compiled once.
    first_named = (
        named_in_public(circuit)
        .filter(person__country=RawSQL("codes.country", []))
        .order_by()
        .values("pk")[:1]
    )  # nosec B611
    first, params = first_named.query.sql_with_params()
    return COUNTRY_CODES.format(first=first), tuple(params)


def find_similar_names(words: list[str]) -> list[Player]:
    """Players whose name contains a similar spelling of each word."""
    long_words = [word for word in words if len(word) >= SHORTEST]
    if not long_words:
        return []
    looked_at = (
        named_in_public()
        .filter(half_word_filter(long_words))
        .with_names()
        .order_by("person__search_key", "pk")
    )
    candidates = {
        player: player.person.search_key.split() for player in looked_at[:MOST_CANDIDATES]
    }
    known = sorted({word for key in candidates.values() for word in key})
    near = [
        set(get_close_matches(word, known, n=MOST_SPELLINGS, cutoff=NEAR_ENOUGH))
        for word in long_words
    ]
    return [
        player for player, key in candidates.items() if all(one.intersection(key) for one in near)
    ][:MOST_SHOWN]


def half_word_filter(words: Iterable[str]) -> Q:
    # A typo leaves the other half of the word intact, at the start or at the end of a name.
    found = Q()
    for word in words:
        head, tail = word[: len(word) // 2], word[len(word) // 2 :]
        begins = Q(person__search_key__startswith=head) | Q(person__search_key__contains=f" {head}")
        ends = Q(person__search_key__endswith=tail) | Q(person__search_key__contains=f"{tail} ")
        found |= begins | ends
    return found


def player_search_filter(text: str) -> Q:
    """All words in the name, ignoring case and accents; or a nickname, or the public id."""
    words = fold(text).split()
    named = Q(*(Q(person__search_key__contains=word) for word in words))
    nicknames = Nickname.objects.filter(key__contains=" ".join(words))
    return named | Q(pk__in=nicknames.values("account__player")) | Q(public_id=text.strip().lower())


def staff_search_filter(text: str) -> Q:
    """`player_search_filter`, and the e-mail: only for staff who may read it."""
    found = player_search_filter(text)
    if "@" in text:
        address = text.strip()
        found |= Q(person__user__email__icontains=address) | Q(
            person__contact_email__icontains=address
        )
    return found


def get_player_by_key(key: str) -> Player:
    players = Player.objects.with_names().select_related(
        "merged_into", *naming_paths("merged_into")
    )
    # The key starts with the public id. The name after it is only for readers.
    return get_object_or_404(players, public_id=key.partition("-")[0])


def respond_instead(
    request: HttpRequest, player: Player, circuit: str = PGM
) -> HttpResponse | None:
    """A redirect for a merged player, an error page for one without a public page, else None."""
    if player.merged_into is not None:
        return redirect(player.merged_into, permanent=True)
    if player.erased_at is not None:
        return errors.render_error(request, HTTPStatus.GONE)
    if not is_named(player, circuit):
        return errors.render_error(request, HTTPStatus.NOT_FOUND, NOT_NAMED)
    return None
