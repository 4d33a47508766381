"""The scores of a table as a form: what both circuits have in common."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pergioco.stages.drafting import new_submission
from pergioco.stages.reporting import Result

if TYPE_CHECKING:
    from pergioco.website.tables.seen import Sitter, TablePage

PLACES = [
    ("1", pgettext_lazy("place", "first")),
    ("2", pgettext_lazy("place", "second")),
    ("3", pgettext_lazy("place", "third")),
    ("4", pgettext_lazy("place", "fourth")),
    ("5", pgettext_lazy("place", "fifth")),
    ("6", pgettext_lazy("place", "sixth")),
    ("7", pgettext_lazy("place", "seventh")),
]


@dataclass(frozen=True)
class Placing:
    """What a player's score comes to: the place, how many share it, and the points that it gives."""

    player: int
    name: str
    net: Decimal | None
    place: int | None
    sharing: int
    points: Decimal | int | None


@dataclass(frozen=True)
class Line:
    """One player's boxes, and what they come to so far."""

    sitter: "Sitter"
    fields: Mapping[str, BoundField]
    placing: Placing | None
    is_tied: bool

    @property
    def errors(self) -> list[str]:
        return [str(error) for field in self.fields.values() for error in field.errors]


class ScoreForm(forms.Form):
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    submission = forms.UUIDField(widget=forms.HiddenInput)
    asked = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)

    per_player: tuple[str, ...] = ()

    def __init__(self, data: Any = None, *, page: "TablePage") -> None:
        self.page = page
        self.tied: list[list[int]] = []
        super().__init__(data, initial={"version": page.table.version, "submission": new_submission()})
        before = {one.player: one for one in page.standing}
        for sitter in page.sitters:
            for name, field in self.fields_of(sitter, before.get(sitter.player)).items():
                self.fields[f"{name}-{sitter.player}"] = field
        if page.waits_for_scores and data is None:
            self.fields[f"score-{page.sitters[0].player}"].widget.attrs["autofocus"] = True

    def fields_of(self, sitter: "Sitter", before: Result | None) -> dict[str, forms.Field]:
        raise NotImplementedError

    def value(self, name: str, player: int) -> Any:
        return self.cleaned_data.get(f"{name}-{player}")

    def results(self) -> list[Result]:
        """What was typed, with what the answers about ties decide."""
        raise NotImplementedError

    @classmethod
    def placings(cls, page: "TablePage", results: list[Result]) -> list[Placing]:
        raise NotImplementedError

    def ties(self) -> list[list[int]]:
        """Those whose order the scores alone do not tell."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        for sitter in self.page.sitters:
            if self.needs_score(sitter.player) and f"score-{sitter.player}" not in self.errors:
                self.add_error(f"score-{sitter.player}", _("The score of %(name)s is missing.") % {"name": sitter.name})
        if not self.errors:
            self.tied = self.ties()
        return self.cleaned_data

    def needs_score(self, player: int) -> bool:
        return self.value("score", player) is None

    @property
    def question(self) -> str:
        """Which ties are asked about, as it goes back with the answer."""
        return " ".join(",".join(map(str, group)) for group in self.tied)

    @property
    def is_to_ask(self) -> bool:
        """Ties that nobody was asked about yet."""
        return bool(self.tied) and self.cleaned_data["asked"] != self.question

    @property
    def lines(self) -> Iterator[Line]:
        placings = {}
        if self.is_bound and self.is_valid():
            placings = {one.player: one for one in self.placings(self.page, self.results())}
        tied = {player for group in self.tied for player in group}
        for sitter in self.page.sitters:
            fields = {name: self[f"{name}-{sitter.player}"] for name in self.per_player}
            yield Line(sitter, fields, placings.get(sitter.player), sitter.player in tied)


def neat(value: Decimal | None) -> Decimal | None:
    """Without noughts at its end, as it is shown and typed."""
    return None if value is None else Decimal(f"{value.normalize():f}")
