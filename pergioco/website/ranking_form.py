"""What a reader asks of a ranking: which day, whose name, which country."""

from datetime import date
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.ledger import published
from pergioco.ledger.published import AsOf, Version, circuit_of
from pergioco.stages.models import Game, Season
from pergioco.website import limits
from pergioco.website.people.asking import PeopleForm
from pergioco.website.ranking_words import GREAT

PAST_DAYS_RATE = "20/m/ip"  # a version that was thinned out is computed anew for each who asks


class DayForm(forms.Form):
    """Asked in the address. What makes no sense is said, and the rest is answered all the same."""

    is_too_often = False

    at = forms.DateField(
        label=gettext_lazy("As it stood on"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"invalid": gettext_lazy("Pick a day, or write it as year-month-day: 2026-12-31.")},
    )

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.season = season

    def clean_at(self) -> date | None:
        day: date | None = self.cleaned_data["at"]
        first, last = date(self.season.year, 1, 1), timezone.localdate()
        if day is not None and not first <= day <= last:
            shown = {"first": date_format(first, "SHORT_DATE_FORMAT")}
            raise forms.ValidationError(_("Choose a day from %(first)s to today.") % shown)
        return day

    @property
    def day(self) -> date | None:
        self.is_valid()
        day: date | None = self.cleaned_data.get("at")
        return day


class AskedForm(PeopleForm, DayForm):
    """A day, and whose lines."""

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        self.circuit = circuit_of(kind)
        super().__init__(*args, **kwargs)

    @property
    def asks_for_a_day(self) -> bool:
        return bool(self.data.get("at"))

    @property
    def query(self) -> QueryDict:
        """Page and fields, without whatever else others hung onto the address."""
        found = QueryDict(mutable=True)
        found["page"] = self.data.get("page", "1")
        found.update({name: self.data[name] for name in self.fields if self.data.get(name)})
        return found


def season_asked(year: int) -> Season:
    """With what made it final."""
    return get_object_or_404(Season.objects.select_related("freeze").defer("freeze__document"), year=year)


def ranking_asked(year: int, kind: str, slug: str) -> tuple[Season, str, Game | None]:
    """By the address: of a season, the ranking of that kind, or of the game with that slug."""
    season = season_asked(year)
    if slug:
        return season, f"{kind or 'game'}:{slug}", get_object_or_404(Game, slug=slug)
    if kind not in GREAT:
        raise Http404
    return season, kind, None


def version_asked(request: HttpRequest, form: DayForm) -> Version | None:
    """Of the day that was asked for, else what is public now; the form says what was wrong with the day."""
    version = published.version(form.season, form.day)
    if isinstance(version, AsOf) and not limits.is_within(request, "past_day", PAST_DAYS_RATE):
        form.is_too_often = True
        form.add_error("at", _("You asked for many days in a short time. Wait a minute, then try again."))
        return published.version(form.season)
    return version
