"""What the admin's forms of the calendar say in words, and all at once."""

from copy import copy
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pergioco.stages import scheduling, season_settings
from pergioco.stages.models import Season, Stage

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm


class SeasonForm(ModelForm):
    class Meta:
        model = Season
        fields = ("year", "starts_on", "ends_on", "settings")
        help_texts = {
            "starts_on": _("PerGioco Masters runs from 2 January to 31 December."),
            "settings": _("Only what differs from the defaults, such as {}. A setting with no value has its default."),
        }

    def clean_settings(self) -> object:
        """An empty box holds no settings."""
        found = self.cleaned_data.get("settings") or {}
        for sentence in season_settings.problems(found):
            self.add_error("settings", sentence)
        return found

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        first, last, year = values.get("starts_on"), values.get("ends_on"), values.get("year")
        if first and last and last <= first:
            self.add_error("ends_on", _("The last day comes before the first one."))
        elif first and last and year and {first.year, last.year} != {year}:
            self.add_error("starts_on", _("A season lies within its year."))
        return values


class StageForm(ModelForm):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        required=False,
        help_text=_("When dates move, and when a closed stage changes. The calendar shows why a date moved."),
    )

    class Meta:
        model = Stage
        fields = ()  # the admin names them by role
        help_texts = {"capacity": _("64 at most in a Race stage (PGM 40). Empty: as many as come.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.before = copy(self.instance) if self.instance.pk else None

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors:
            proposed = copy(self.instance)
            for name in values.keys() - {"reason", "organizers"}:
                setattr(proposed, name, values[name])
            for refused in scheduling.refusals(proposed, self.before, reason=values.get("reason", "")):
                self.add_error(refused.field if refused.field in self.fields else None, str(refused.sentence))
            self.check_organizers(proposed.circuit)
        return values

    def check_organizers(self, circuit: str) -> None:
        for user in scheduling.wrong_organizers(circuit, self.cleaned_data.get("organizers", ())):
            sentence = _("%(user)s is no organizer of this circuit. Staff give that role on the page of roles.")
            self.add_error("organizers", sentence % {"user": user})
