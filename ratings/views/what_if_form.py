"""The what-if form: imagined games, opponents by name or PGR."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, cast

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from pergioco.players.models import Player
from pergioco.players.naming import is_named, named_in_public
from pergioco.players.rules.people import PGM
from pergioco.publishing import published
from pergioco.publishing.models import Line
from pergioco.rulekit.numbers import PER_POINT, to_thousandths
from pergioco.rulekit.text import fold
from pergioco.stages.models import Game
from ratings.compute import ImaginedGame

GAMES = 7
MOST_OFFERED = 500  # names in the list; the others can be typed all the same
LEAST, MOST = 100, 4000
# Thousands may be parted by a sign, and up to three decimals follow another one: 1050, 1.050,5,
# 976.25
PGR = re.compile(r"(\d[.,  ]?\d{3}|\d{1,4})(?:[.,](\d{1,3}))?")
RESULTS = (
    ("", "–"),
    ("2", pgettext_lazy("result of a game", "wins")),
    ("1", pgettext_lazy("result of a game", "draw")),
    ("0", pgettext_lazy("result of a game", "loses")),
)


def typed_pgr(text: str) -> int | None:
    """In thousandths; `None` if the text cannot be a PGR."""
    found = PGR.fullmatch(text.strip())
    if found is None:
        return None
    whole = re.sub(r"\D", "", found[1])
    value = to_thousandths(Decimal(f"{whole}.{found[2] or 0}"))
    return value if LEAST * PER_POINT <= value <= MOST * PER_POINT else None


def player_label(player: Player) -> str:
    # With the city, which tells namesakes apart.
    return f"{player.person}, {player.person.city}"


@dataclass(frozen=True)
class Opponents:
    """The named players of one game; those not offered in the list can be typed."""

    lines: QuerySet[Line]

    @cached_property
    def offered(self) -> list[str]:
        return [player_label(line.player) for line in named_lines(self.lines[:MOST_OFFERED])]

    def called(self, texts: Iterable[str]) -> Mapping[str, list[int]]:
        """Folded name, with or without city -> PGRs (thousandths). One query for all."""
        names = {fold(name) for text in texts for name in possible_names(text)}
        people = named_in_public().filter(person__search_key__in=names)
        found = defaultdict(list)
        for line in named_lines(self.lines.filter(player__in=people)):
            for text in (player_label(line.player), str(line.player.person)):
                found[fold(text)].append(to_thousandths(line.value))
        return found


def named_lines(lines: QuerySet[Line]) -> list[Line]:
    return [line for line in published.lines_with_names(lines) if is_named(line.player, PGM)]


def possible_names(text: str) -> list[str]:
    """Text before any comma may be the name; a name may contain commas."""
    parts = text.split(",")
    return [",".join(parts[:number]) for number in range(1, len(parts) + 1)]


def opponent_pgr(text: str, known: Mapping[str, list[int]]) -> int:
    """Raises a ValidationError unless exactly one player has the name."""
    found = known.get(fold(text), [])
    if len(found) == 1:
        return found[0]
    if found:
        sentence = _(
            "Several players are called “%(name)s”. Choose one from the list, or write a PGR."
        )
    else:
        sentence = _(
            "“%(name)s” is nobody in the ranking of this game. Choose from the list, or write a "
            "PGR: 1050."
        )
    raise forms.ValidationError(sentence % {"name": text})


class WhatIfForm(forms.Form):
    is_too_often = False

    game = forms.ChoiceField(
        label=gettext_lazy("Game"),
        error_messages={"invalid_choice": gettext_lazy("This game is not played here.")},
    )

    def __init__(
        self,
        data: Any,
        *,
        games: Sequence[Game],
        rivals: Sequence[tuple[str, str]],
        opponents: Opponents,
    ):
        super().__init__(data, initial={"game": games[0].slug if games else ""})
        self.games = {game.slug: game for game in games}
        self.opponents = opponents
        by_name = sorted(games, key=lambda game: game.name.casefold())
        chosen = cast("forms.ChoiceField", self.fields["game"])
        chosen.choices = [(game.slug, game.name) for game in by_name]
        for number in range(1, GAMES + 1):
            self.fields[f"opponent_{number}"] = opponent_field(number)
            self.fields[f"result_{number}"] = result_field(number)
        if rivals:
            self.fields["rival"] = rival_field(rivals)

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [
            (self[f"opponent_{number}"], self[f"result_{number}"]) for number in range(1, GAMES + 1)
        ]

    @property
    def rival(self) -> forms.BoundField | None:
        return self["rival"] if "rival" in self.fields else None

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["games"] = list(self.imagined())
        return self.cleaned_data

    def imagined(self) -> Iterator[ImaginedGame]:
        # Errors are added to the field they belong to.
        known = self.opponents.called(self.names)
        for number in range(1, GAMES + 1):
            opponent, result = (
                self.cleaned_data.get(f"opponent_{number}"),
                self.cleaned_data.get(f"result_{number}"),
            )
            if opponent and not result:
                self.add_error(f"result_{number}", _("How does this game end?"))
            elif result and not opponent:
                self.add_error(
                    f"opponent_{number}",
                    _("Against whom? Choose a player, or write a PGR such as 1050."),
                )
            elif opponent and result:
                try:
                    yield ImaginedGame(
                        typed_pgr(opponent) or opponent_pgr(opponent, known), int(result)
                    )
                except forms.ValidationError as unknown:
                    self.add_error(f"opponent_{number}", unknown)

    @property
    def names(self) -> list[str]:
        typed = (self.cleaned_data.get(f"opponent_{number}") for number in range(1, GAMES + 1))
        return [text for text in typed if text and typed_pgr(text) is None]


def opponent_field(number: int) -> forms.CharField:
    box = forms.TextInput(attrs={"list": "opponents", "autocomplete": "off"})
    return forms.CharField(
        label=_("Game %(number)s: opponent") % {"number": number},
        required=False,
        max_length=250,
        widget=box,
    )


def result_field(number: int) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Game %(number)s: result") % {"number": number},
        required=False,
        choices=RESULTS,
        error_messages={"invalid_choice": gettext_lazy("A game is won, drawn or lost.")},
    )


def rival_field(rivals: Sequence[tuple[str, str]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Whom to pass?"),
        required=False,
        choices=[("", "–"), *rivals],
        error_messages={"invalid_choice": gettext_lazy("This player has no points in the Race.")},
    )
