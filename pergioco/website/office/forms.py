"""The two forms by which people write to the office. What keeps programs out of them asks no other site."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.core import signing
from django.core.validators import EmailValidator
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from pergioco.office.cases.asking import Sent
from pergioco.office.cases.subjects import LONGEST, Subject, page_of, subject_of
from pergioco.office.models import Case
from pergioco.office.rules.complaints import LANGUAGES
from pergioco.players.form_fields import LettersField, TidyField

LONGEST_TEXT = 4000
LEAST_TIME = timedelta(seconds=3)  # nobody reads the form and writes in less; a program does
SALT = "pergioco.website.office.opened"


def opened_now() -> str:
    return signing.dumps(timezone.now().timestamp(), salt=SALT)


def is_too_quick(opened: str) -> bool:
    """Also true without a moment that we signed: the form that comes back has one, and is sent again."""
    try:
        at = float(signing.loads(opened, salt=SALT))
    except signing.BadSignature:
        return True
    return timezone.now().timestamp() - at < LEAST_TIME.total_seconds()


class LetterForm(forms.Form):
    name = LettersField(
        label=gettext_lazy("Your name"), max_length=100, widget=forms.TextInput({"autocomplete": "name"})
    )
    email = forms.CharField(
        label=gettext_lazy("E-mail"),
        max_length=254,
        validators=[EmailValidator(gettext_lazy("This is not an e-mail address. It looks like name@example.org."))],
        help_text=gettext_lazy("We write there: first a receipt with a number and a link."),
        widget=forms.TextInput({"autocomplete": "email", "type": "email"}),
    )
    text = forms.CharField(
        label=gettext_lazy("What you want to tell us"), max_length=LONGEST_TEXT, widget=forms.Textarea({"rows": 8})
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
        kwargs["initial"] = {"submission": uuid4(), "opened": opened_now()} | kwargs.get("initial", {})
        super().__init__(data, **kwargs)

    def clean(self) -> dict[str, Any]:
        """What a program gets wrong; a person presses the button once more, and nothing typed is lost."""
        values = super().clean() or self.cleaned_data
        if values.get("homepage"):
            self.add_error("homepage", _("This field is a trap for programs: empty it, then send again."))
        if is_too_quick(values.get("opened", "")):
            self.open_again()
            self.add_error(None, _("That was quicker than anybody types. Look at it once more, then send it again."))
        return values

    def open_again(self) -> None:
        """One that was forged or lost gets a new moment; a good one goes on from where it began."""
        try:
            signing.loads(self.data.get("opened", ""), salt=SALT)
        except signing.BadSignature:
            self.data = {name: self.data[name] for name in self.data} | {"opened": opened_now()}

    def sent(self) -> Sent:
        values = self.cleaned_data
        submission: UUID = values["submission"] or uuid4()
        return Sent(name=values["name"], email=values["email"], text=values["text"], submission=submission, **self.to())

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
        choices=[(code, name) for code, name in settings.LANGUAGES if code in LANGUAGES],
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Complaints are written in Italian or in English (PGM 16), and answered in the same."),
        error_messages={"required": gettext_lazy("Choose Italian or English.")},
    )
    field_order = ("about", "language", "text", "name", "email")

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        kwargs["initial"] = {"language": get_language()} | kwargs.get("initial", {})
        super().__init__(data, **kwargs)

    def clean_about(self) -> str:
        """What leads to no number of ours is said, not thrown away."""
        typed: str = self.cleaned_data["about"]
        page = page_of(typed) if typed else ""
        if typed and not page:
            raise forms.ValidationError(
                _("No published number stands at this address. Copy it from the browser, or leave the field empty.")
            )
        return page

    @property
    def subject(self) -> Subject | None:
        """The page that the form was opened from, in words."""
        return subject_of(page_of(str(self["about"].value() or ""))[:LONGEST])

    def to(self) -> dict[str, str]:
        page: str = self.cleaned_data["about"]
        subject = subject_of(page) if page else None
        return {
            "kind": Case.Kind.COMPLAINT,
            "office": subject.office if subject else Case.Office.PGM,
            "page": page,
            "language": self.cleaned_data["language"],
        }


class ContactForm(LetterForm):
    office = forms.ChoiceField(
        label=gettext_lazy("Who should read it"), choices=Case.Office.choices, widget=forms.RadioSelect
    )
    field_order = ("office", "text", "name", "email")

    def to(self) -> dict[str, str]:
        language = get_language() or settings.LANGUAGE_CODE
        office: str = self.cleaned_data["office"]
        return {"kind": Case.Kind.QUESTION, "office": office, "page": "", "language": language}
