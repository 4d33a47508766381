"""The three ways in. What cannot be read is refused here, in words, and nothing of it is kept."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.imports import limits, links, words
from pergioco.imports.canonical import Unreadable
from pergioco.imports.keeping import Content, readable
from pergioco.imports.sources import SOURCES
from pergioco.players.refusal import Refused
from pergioco.stages.models import Stage

RECOGNISE = ("", gettext_lazy("what it looks like"))


class ReaderField(forms.ChoiceField):
    """What it is, for a person who knows better than its looks."""

    def __init__(self, *, pasted: bool) -> None:
        options = [(name, source.label) for name, source in SOURCES.items() if source.is_text or not pasted]
        super().__init__(label=gettext_lazy("Read it as"), choices=[RECOGNISE, *options], required=False)


class ContentForm(forms.Form):
    """`content` and `reader` stand for what was sent, once the form is valid."""

    content: Content

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stage = stage
        self.found_reader = ""

    def take(self, field: str, content: Content) -> None:
        self.content = content
        try:
            self.found_reader = readable(self.stage, content)
        except Unreadable as refused:
            self.add_error(field, words.say(refused.note))


class PasteForm(ContentForm):
    text = forms.CharField(
        label=gettext_lazy("Results"),
        help_text=gettext_lazy(
            "One game a line (Anna 1-0 Bruno), under Round 1, Round 2…; or the copied page of the platform, "
            "a TRF file or a table."
        ),
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "autofocus": True}),
        strip=False,
        error_messages={"required": gettext_lazy("Paste the results here.")},
    )
    reader = ReaderField(pasted=True)

    def clean(self) -> dict[str, Any]:
        given = dict(super().clean() or {})
        if given.get("text"):
            name = _("Pasted on %(time)s") % {"time": now_in_words()}
            self.take("text", Content(given["text"].encode(), name, given.get("reader") or ""))
        return given


class FileForm(ContentForm):
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "TRF, CSV, XLSX, the saved page of Board Game Arena, or the JSON of PlayStrategy or Abstract Play. "
            "At most 2 MB."
        ),
        allow_empty_file=True,
        error_messages={"required": gettext_lazy("Choose a file."), "missing": gettext_lazy("Choose a file.")},
    )
    reader = ReaderField(pasted=False)

    def clean(self) -> dict[str, Any]:
        given = dict(super().clean() or {})
        file = given.get("file")
        if isinstance(file, UploadedFile):
            raw = file.read(limits.MOST_BYTES + 1)  # one too many is enough to know
            self.take("file", Content(raw, file.name or _("File"), given.get("reader") or ""))
        return given


class LinkForm(forms.Form):
    link = forms.CharField(
        label=gettext_lazy("Link or id of the tournament"),
        max_length=300,
        widget=forms.TextInput(attrs={"autofocus": True, "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Paste the link of the tournament.")},
    )

    def __init__(self, platform: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.platform = platform
        self.fields["link"].help_text = links.example(platform)

    def clean(self) -> dict[str, Any]:
        given = dict(super().clean() or {})
        if given.get("link"):
            try:
                given["wanted"] = links.read_link(self.platform, given["link"])
            except Refused as refusal:
                self.add_error("link", str(refusal.sentence))
        return given


class ReadAgainForm(forms.Form):
    reader = forms.ChoiceField(
        label=gettext_lazy("Read it as"), choices=[(name, source.label) for name, source in SOURCES.items()]
    )


def now_in_words() -> str:
    return date_format(timezone.localtime(), "SHORT_DATETIME_FORMAT")
