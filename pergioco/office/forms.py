"""Forms of letters to the office, notices, newsletters, brochures and exports."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.core import signing
from django.core.validators import EmailValidator
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from pergioco.core.forms import LettersField, TidyField, UseCaseForm
from pergioco.office.brochures import registry
from pergioco.office.models import Brochure, Campaign, Case, Subscription
from pergioco.office.newsletter.drafts import FIELDS, LANGUAGES
from pergioco.office.newsletter.rendering import NAMES, USUAL
from pergioco.office.notices.subscriptions import NEVER
from pergioco.office.rules import COMPLAINT_LANGUAGES
from pergioco.office.services import exports
from pergioco.office.services.brochures import Wanted
from pergioco.office.services.cases import LONGEST, Subject, find_page, find_subject
from pergioco.players.models import Player
from pergioco.publishing.published import published_seasons
from pergioco.stages.models import Game, Season

LONGEST_TEXT = 4000
LEAST_TIME = timedelta(seconds=3)  # only a program fills in the form faster
SALT = "pergioco.website.office.opened"


def opened_now() -> str:
    return signing.dumps(timezone.now().timestamp(), salt=SALT)


def is_too_quick(opened: str) -> bool:
    # Also true without a valid signed time: the form is shown again with one.
    try:
        at = float(signing.loads(opened, salt=SALT))
    except signing.BadSignature:
        return True
    return timezone.now().timestamp() - at < LEAST_TIME.total_seconds()


class LetterForm(UseCaseForm):
    name = LettersField(
        label=gettext_lazy("Your name"),
        max_length=100,
        widget=forms.TextInput({"autocomplete": "name"}),
    )
    email = forms.CharField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        validators=[
            EmailValidator(
                gettext_lazy("This is not an e-mail address. It looks like name@example.org.")
            )
        ],
        help_text=gettext_lazy("We write there: first a receipt with a number and a link."),
        widget=forms.TextInput({"autocomplete": "email", "type": "email"}),
    )
    text = forms.CharField(
        label=gettext_lazy("What you want to tell us"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"rows": 8}),
    )
    homepage = TidyField(
        label=gettext_lazy("Leave this empty"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.TextInput({"autocomplete": "off", "tabindex": "-1"}),
    )
    opened = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)
    submission = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        kwargs["initial"] = {"submission": uuid4(), "opened": opened_now()} | kwargs.get(
            "initial", {}
        )
        super().__init__(data, **kwargs)

    def clean(self) -> dict[str, Any]:
        # Only programs fail these checks; a person presses the button again and loses nothing.
        values = super().clean() or self.cleaned_data
        if values.get("homepage"):
            self.add_error(
                "homepage", _("This field is a trap for programs: empty it, then send again.")
            )
        if is_too_quick(values.get("opened", "")):
            self.open_again()
            self.add_error(
                None,
                _("That was quicker than anybody types. Look at it once more, then send it again."),
            )
        return values

    def open_again(self) -> None:
        # A forged or lost time is replaced; a valid one is kept.
        try:
            signing.loads(self.data.get("opened", ""), salt=SALT)
        except signing.BadSignature:
            self.data = {name: self.data[name] for name in self.data} | {"opened": opened_now()}

    def sent(self) -> Case:
        values = {name: self.cleaned_data[name] for name in ("name", "email", "text")}
        return Case(**values, submission=self.cleaned_data["submission"] or uuid4(), **self.to())

    def to(self) -> dict[str, str]:
        raise NotImplementedError


class ComplaintForm(LetterForm):
    about = TidyField(
        label=gettext_lazy("The number that you dispute"),
        required=False,
        max_length=500,
        help_text=gettext_lazy(
            "The address of its page: of a ranking, of a stage, or of “Why” beside a number. "
            "Leave it empty if it is about something else."
        ),
        widget=forms.TextInput({"autocomplete": "off", "inputmode": "url"}),
    )
    language = forms.ChoiceField(
        label=gettext_lazy("The language in which you write"),
        choices=[(code, name) for code, name in settings.LANGUAGES if code in COMPLAINT_LANGUAGES],
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Complaints are written in Italian or in English (PGM 16), and answered in the same."
        ),
        error_messages={"required": gettext_lazy("Choose Italian or English.")},
    )
    field_order = ("about", "language", "text", "name", "email")

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        kwargs["initial"] = {"language": get_language()} | kwargs.get("initial", {})
        super().__init__(data, **kwargs)

    def clean_about(self) -> str:
        typed: str = self.cleaned_data["about"]
        page = find_page(typed) if typed else ""
        if typed and not page:
            raise forms.ValidationError(
                _(
                    "No published number stands at this address. Copy it from the browser, or "
                    "leave the field empty."
                )
            )
        return page

    @property
    def subject(self) -> Subject | None:
        """The page from which the form was opened."""
        return find_subject(find_page(str(self["about"].value() or ""))[:LONGEST])

    def to(self) -> dict[str, str]:
        page: str = self.cleaned_data["about"]
        subject = find_subject(page) if page else None
        return {
            "kind": Case.Kind.COMPLAINT,
            "office": subject.office if subject else Case.Office.PGM,
            "page": page,
            "language": self.cleaned_data["language"],
        }


class ContactForm(LetterForm):
    office = forms.ChoiceField(
        label=gettext_lazy("Who should read it"),
        choices=Case.Office.choices,
        widget=forms.RadioSelect,
    )
    field_order = ("office", "text", "name", "email")

    def to(self) -> dict[str, str]:
        language = get_language() or settings.LANGUAGE_CODE
        office: str = self.cleaned_data["office"]
        return {"kind": Case.Kind.QUESTION, "office": office, "page": "", "language": language}


Kind, Pace = Subscription.Kind, Subscription.Pace
PACES = [(NEVER, gettext_lazy("never")), *Pace.choices]


class KindsForm(forms.Form):
    """One choice for each kind, for all games."""

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Subscription.objects.filter(player=player, game=None, followed=None)
        chosen = dict(own.values_list("kind", "pace"))
        for kind in Subscription.CHOSEN:
            self.fields[kind.value] = forms.ChoiceField(
                label=kind.label, choices=PACES, initial=chosen.get(kind.value, NEVER)
            )


class OneGameForm(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("About"),
        choices=[(kind.value, kind.label) for kind in Subscription.OF_GAMES],
    )
    game = forms.ModelChoiceField(
        Game.objects.none(), label=gettext_lazy("Game"), empty_label=gettext_lazy("Choose")
    )
    pace = forms.ChoiceField(
        label=gettext_lazy("How often"), choices=Pace.choices, initial=Pace.AT_ONCE
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].queryset = Game.objects.all()  # type: ignore[attr-defined]


class PaceForm(UseCaseForm):
    pace = forms.ChoiceField(
        label=gettext_lazy("How often"), choices=PACES, widget=forms.RadioSelect
    )


LINES = (3, 5, USUAL, 20, 50)


class Tab(NamedTuple):
    code: str
    name: str | Promise
    fields: list[forms.BoundField]
    is_open: bool


class DraftField(forms.CharField):
    """Required in the end, but may be empty in a draft."""

    def validate(self, value: Any) -> None:
        """Accepts any value."""


class SubjectField(DraftField):
    """Keeps line breaks: the service refuses them, nothing is removed silently."""

    def to_python(self, value: Any) -> str:
        return "" if value in self.empty_values else str(value)


TOO_LONG: dict[str, Any] = {"max_length": TidyField.default_error_messages["max_length"]}


class CampaignForm(UseCaseForm):
    version = forms.IntegerField(widget=forms.HiddenInput)
    tab = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    block = forms.ChoiceField(
        label=gettext_lazy("Block"), choices=list(NAMES.items()), initial="red"
    )
    rows = forms.TypedChoiceField(
        label=gettext_lazy("Lines"), choices=[(n, n) for n in LINES], initial=USUAL, coerce=int
    )

    def __init__(self, *args: Any, campaign: Campaign, tab: str = "", **kwargs: Any) -> None:
        kwargs["initial"] = {name: getattr(campaign, name) for name in (*FIELDS, "version")}
        super().__init__(*args, **kwargs)
        for code in LANGUAGES:
            self.fields[f"subject_{code}"] = SubjectField(
                label=gettext_lazy("Subject"),
                max_length=Campaign.LONGEST_SUBJECT,
                error_messages=TOO_LONG,
                widget=forms.TextInput({"autocomplete": "off", "lang": code}),
            )
            self.fields[f"text_{code}"] = DraftField(
                label=gettext_lazy("Text, in Markdown"),
                max_length=Campaign.LONGEST_TEXT,
                error_messages=TOO_LONG,
                widget=forms.Textarea({"rows": 16, "lang": code}),
            )
        self.asked_for = tab

    @property
    def open_tab(self) -> str:
        """The first one with an error, else the one that was open."""
        wrong = [
            code for code in LANGUAGES if {f"subject_{code}", f"text_{code}"} & self.errors.keys()
        ]
        asked = self.data.get("tab") or self.asked_for
        return wrong[0] if wrong else asked if asked in LANGUAGES else LANGUAGES[0]

    def tabs(self) -> Iterator[Tab]:
        for code, name in settings.LANGUAGES:
            fields = [self[f"subject_{code}"], self[f"text_{code}"]]
            yield Tab(code, name, fields, code == self.open_tab)

    @property
    def texts(self) -> dict[str, str]:
        return {name: self.cleaned_data[name].replace("\r\n", "\n") for name in FIELDS}


class BounceForm(UseCaseForm):
    addresses = forms.CharField(
        label=gettext_lazy("Addresses from which mail came back"),
        help_text=gettext_lazy("One a line, as the mail that came back names it."),
        max_length=10_000,
        widget=forms.Textarea({"rows": 4, "autocomplete": "off"}),
        error_messages={"required": TidyField.default_error_messages["required"]},
    )
    is_hard = forms.BooleanField(
        label=gettext_lazy("For good: there is no such address (any more)"),
        required=False,
        initial=True,
    )


def new_submission(typed: str = "") -> UUID:
    """The key of a sent form, else a new one."""
    try:
        return UUID(typed)
    except ValueError:
        return uuid4()


class LanguageField(forms.ChoiceField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("Language"),
            choices=settings.LANGUAGES,
            initial=get_language,
            **kwargs,
        )


class BrochureForm(forms.Form):
    """Sections belong to a whole season; a single ranking has none."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What to print"),
        choices=Brochure.Kind.choices,
        widget=forms.RadioSelect,
        initial="season",
    )
    season = forms.ModelChoiceField(
        label=gettext_lazy("Year"), queryset=Season.objects.none(), empty_label=None
    )
    language = LanguageField()
    sections = forms.MultipleChoiceField(
        label=gettext_lazy("Sections of the whole season"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    about = forms.ChoiceField(
        label=gettext_lazy("Which ranking, if it is one alone"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named: Any = self.fields
        sections = registry.list_sections()
        named["season"].queryset = published_seasons()
        named["sections"].choices = sections
        named["sections"].initial = [key for key, _name in sections]
        named["about"].choices = [("", "–"), *registry.list_rankings()]

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
        choices=[(key, one.name) for key, one in exports.KINDS.items()],
        widget=forms.RadioSelect,
        initial="rankings",
    )
    season = forms.ModelChoiceField(
        label=gettext_lazy("Year, where it is of a year"), queryset=Season.objects.none()
    )
    language = LanguageField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named: Any = self.fields
        named["season"].queryset = Season.objects.all()
        named["season"].empty_label = None
