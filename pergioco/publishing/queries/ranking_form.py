"""The request for a ranking: season, kind, day, name and country."""

from datetime import date
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.core import limits
from pergioco.core.forms import DayPickerField
from pergioco.players.queries.search import PeopleForm
from pergioco.publishing import published
from pergioco.publishing.published import AsOf, Version, circuit_of_kind
from pergioco.publishing.queries.ranking_labels import GREAT
from pergioco.stages.models import Game, Season

PAST_DAYS_RATE = "20/m/ip"  # a version deleted by retention is computed for each request


class DayForm(forms.Form):
    """Reports an invalid day, and shows the rest."""

    is_too_often = False

    at = DayPickerField(label=gettext_lazy("As it stood on"), required=False)

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


class RankingForm(PeopleForm, DayForm):
    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        self.circuit = circuit_of_kind(kind)
        super().__init__(*args, **kwargs)

    @property
    def query(self) -> QueryDict:
        # Only known fields: drops anything else in the address.
        found = QueryDict(mutable=True)
        found["page"] = self.data.get("page", "1")
        if "all" in self.data:
            found["all"] = "1"
        found.update({name: self.data[name] for name in self.fields if self.data.get(name)})
        return found


def resolve_season(year: int) -> Season:
    return get_object_or_404(
        Season.objects.select_related("freeze").defer("freeze__document"), year=year
    )


def resolve_ranking(year: int, kind: str, slug: str) -> tuple[Season, str, Game | None]:
    season = resolve_season(year)
    if slug:
        return season, f"{kind or 'game'}:{slug}", get_object_or_404(Game, slug=slug)
    if kind not in GREAT:
        raise Http404
    return season, kind, None


def resolve_version(request: HttpRequest, form: DayForm) -> Version | None:
    """The version of the requested day, else the public one; the form reports an invalid day."""
    version = published.find_version(form.season, form.day)
    if isinstance(version, AsOf) and not limits.consume(request, "past_day", PAST_DAYS_RATE):
        form.is_too_often = True
        form.add_error(
            "at", _("You asked for many days in a short time. Wait a minute, then try again.")
        )
        return published.find_version(form.season)
    return version
