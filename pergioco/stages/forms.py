"""Forms for pairings and for the scores of a table."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pergioco.core.forms import ReasonField, UseCaseForm
from pergioco.stages.services.drafting import new_submission
from pergioco.stages.services.reporting import Result

DIGITS, DECIMALS = 7, 2
PLACE_LABELS = [
    ("1", pgettext_lazy("place", "first")),
    ("2", pgettext_lazy("place", "second")),
    ("3", pgettext_lazy("place", "third")),
    ("4", pgettext_lazy("place", "fourth")),
    ("5", pgettext_lazy("place", "fifth")),
    ("6", pgettext_lazy("place", "sixth")),
    ("7", pgettext_lazy("place", "seventh")),
]


class CloseForm(UseCaseForm):
    """Holds what the person saw: any other content is not closed."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    sha256 = forms.CharField(widget=forms.HiddenInput)


class SwapForm(UseCaseForm):
    first = forms.TypedChoiceField(label=_("This player"), coerce=int)
    second = forms.TypedChoiceField(label=_("changes places with"), coerce=int)
    reason = ReasonField(help_text=_("The results of both tables are empty again."))

    def __init__(self, *args: Any, seated: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_name = [
            (player, seated[player]) for player in sorted(seated, key=lambda player: seated[player])
        ]
        for name in ("first", "second"):
            cast("forms.TypedChoiceField", self.fields[name]).choices = by_name


class PointsField(forms.DecimalField):
    """Accepts a comma or a point in every language: a phone keyboard offers only one of them."""

    default_error_messages: ClassVar = {"invalid": _("Write the points as a number: 82 or 82.5.")}

    def __init__(self, *, label: Any, decimals: int = DECIMALS, **kwargs: Any) -> None:
        attrs = {
            "inputmode": "decimal",
            "autocomplete": "off",
            "aria-label": label,
            "class": "points",
        }
        if not decimals:
            attrs["inputmode"] = "numeric"
        widget = forms.TextInput(attrs=attrs | kwargs.pop("attrs", {}))
        kwargs = {"required": False, "max_digits": DIGITS, "decimal_places": decimals} | kwargs
        super().__init__(label=label, widget=widget, **kwargs)

    def to_python(self, value: Any) -> Any:
        return super().to_python(
            str(value).replace(",", ".").replace("−", "-") if value is not None else None
        )


class PlaceField(forms.TypedChoiceField):
    """A place: first, second, …"""

    def __init__(self, *, label: str, choices: list[tuple[str, Any]]) -> None:
        select = forms.Select(attrs={"aria-label": label})
        super().__init__(
            label=label,
            choices=choices,
            coerce=int,
            empty_value=None,
            required=False,
            widget=select,
        )


if TYPE_CHECKING:
    from pergioco.stages.table_pages import Sitter, TablePage


@dataclass(frozen=True)
class Placing:
    """What a score amounts to: the place, how many players share it, and the points it earns."""

    player: int
    name: str
    net: Decimal | None
    place: int | None
    sharing: int
    points: Decimal | int | None


@dataclass(frozen=True)
class ScoreLine:
    """The fields of one player and the result computed from them so far."""

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
        super().__init__(
            data, initial={"version": page.table.version, "submission": new_submission()}
        )
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
        raise NotImplementedError

    @classmethod
    def placings(cls, page: "TablePage", results: list[Result]) -> list[Placing]:
        raise NotImplementedError

    def ties(self) -> list[list[int]]:
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        for sitter in self.page.sitters:
            if self.needs_score(sitter.player) and f"score-{sitter.player}" not in self.errors:
                self.add_error(
                    f"score-{sitter.player}",
                    _("The score of %(name)s is missing.") % {"name": sitter.name},
                )
        if not self.errors:
            self.tied = self.ties()
        return self.cleaned_data

    def needs_score(self, player: int) -> bool:
        return self.value("score", player) is None

    @property
    def question(self) -> str:
        return " ".join(",".join(map(str, group)) for group in self.tied)

    @property
    def is_to_ask(self) -> bool:
        return bool(self.tied) and self.cleaned_data["asked"] != self.question

    @property
    def lines(self) -> Iterator[ScoreLine]:
        placings = {}
        if self.is_bound and self.is_valid():
            placings = {one.player: one for one in self.placings(self.page, self.results())}
        tied = {player for group in self.tied for player in group}
        for sitter in self.page.sitters:
            fields = {name: self[f"{name}-{sitter.player}"] for name in self.per_player}
            yield ScoreLine(sitter, fields, placings.get(sitter.player), sitter.player in tied)


def trim_zeros(value: Decimal | None) -> Decimal | None:
    return None if value is None else Decimal(f"{value.normalize():f}")


class SubmissionForm(forms.Form):
    """A button at a table; `act` gets the table and the fields by name."""

    submission = forms.UUIDField()
    act: ClassVar[Callable[..., object]]

    def carry_out(self, page: "TablePage") -> None:
        type(self).act(page.table, **self.cleaned_data)
