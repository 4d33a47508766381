"""What is asked of the printing room."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from pergioco.brochures import choices, saving
from pergioco.brochures.making import Wanted
from pergioco.brochures.models import Brochure
from pergioco.ledger.published import published_seasons
from pergioco.stages.models import Season


class LanguageField(forms.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=gettext_lazy("Language"), choices=settings.LANGUAGES, initial=get_language, **kwargs)


class BrochureForm(forms.Form):
    """The sections are those of a whole season; one ranking has no sections."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What to print"), choices=Brochure.Kind.choices, widget=forms.RadioSelect, initial="season"
    )
    season = forms.ModelChoiceField(label=gettext_lazy("Year"), queryset=Season.objects.none(), empty_label=None)
    language = LanguageField()
    sections = forms.MultipleChoiceField(
        label=gettext_lazy("Sections of the whole season"), required=False, widget=forms.CheckboxSelectMultiple
    )
    about = forms.ChoiceField(label=gettext_lazy("Which ranking, if it is one alone"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named: Any = self.fields
        sections = choices.sections()
        named["season"].queryset = published_seasons()
        named["sections"].choices = sections
        named["sections"].initial = [key for key, _name in sections]
        named["about"].choices = [("", "–"), *choices.rankings()]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("kind") == Brochure.Kind.RANKING and not cleaned.get("about"):
            self.add_error("about", _("Choose the ranking that is to be printed."))
        if cleaned.get("kind") == Brochure.Kind.SEASON and not cleaned.get("sections"):
            self.add_error("sections", _("Choose one section at least."))
        return cleaned

    @property
    def wanted(self) -> Wanted:
        values = self.cleaned_data
        if values["kind"] == Brochure.Kind.RANKING:
            return Wanted(values["season"], values["language"], values["kind"], values["about"])
        return Wanted(values["season"], values["language"], sections=tuple(values["sections"]))


class ExportForm(forms.Form):
    what = forms.ChoiceField(
        label=gettext_lazy("What to take away"),
        choices=[(key, one.name) for key, one in saving.KINDS.items()],
        widget=forms.RadioSelect,
        initial="rankings",
    )
    season = forms.ModelChoiceField(label=gettext_lazy("Year, where it is of a year"), queryset=Season.objects.none())
    language = LanguageField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named: Any = self.fields
        named["season"].queryset = Season.objects.all()
        named["season"].empty_label = None
