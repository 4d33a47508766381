"""The forms of an import: paste, file, link, and the questions of a preview."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pergioco.core.refusal import Refused
from pergioco.imports import labels
from pergioco.imports.canonical import Unreadable
from pergioco.imports.lineup import BY_SCORE, ONE_GAME, Choices, Idle, Placed
from pergioco.imports.matching import Decision
from pergioco.imports.people import NEW, Who, map_players
from pergioco.imports.preview import Preview
from pergioco.imports.readers import raw_files
from pergioco.imports.services import fetching
from pergioco.imports.services.applying import Confirmed, first_answers
from pergioco.imports.services.source_files import Content, choose_reader
from pergioco.imports.sources import SOURCES
from pergioco.stages.models import Stage

RECOGNISE = ("", _("what it looks like"))


class ReaderField(forms.ChoiceField):
    """Lets the user override what the content looks like."""

    def __init__(self, *, pasted: bool) -> None:
        options = [
            (name, source.label) for name, source in SOURCES.items() if source.is_text or not pasted
        ]
        super().__init__(label=_("Read it as"), choices=[RECOGNISE, *options], required=False)


class ContentForm(forms.Form):
    """`content` and `found_reader` are what was sent, once the form is valid."""

    content: Content
    found_reader: str
    sent: str  # the field with the content

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stage = stage

    def clean(self) -> dict[str, Any]:
        given = dict(super().clean() or {})
        if given.get(self.sent):
            try:
                raw, name = self.read(given[self.sent])
                self.content = Content(raw, name, given.get("reader") or "")
                self.found_reader = choose_reader(self.stage, self.content)
            except Unreadable as refused:
                self.add_error(self.sent, labels.note_sentence(refused.note))
        return given

    def read(self, sent: Any) -> tuple[bytes, str]:
        """The bytes, and their name."""
        raise NotImplementedError


class PasteForm(ContentForm):
    sent = "text"
    text = forms.CharField(
        label=_("Results"),
        help_text=_(
            "One game a line (Anna 1-0 Bruno), under Round 1, Round 2…; or the copied page of the "
            "platform, "
            "a TRF file or a table."
        ),
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "false", "autofocus": True}),
        strip=False,
        error_messages={"required": _("Paste the results here.")},
    )
    reader = ReaderField(pasted=True)

    def read(self, sent: str) -> tuple[bytes, str]:
        now = date_format(timezone.localtime(), "SHORT_DATETIME_FORMAT")
        return sent.encode(), gettext("Pasted on %(time)s") % {"time": now}


class FileForm(ContentForm):
    sent = "file"
    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "TRF, CSV, XLSX, the saved page of Board Game Arena, or the JSON of PlayStrategy or "
            "Abstract Play. "
            "At most 2 MB."
        ),
        allow_empty_file=True,
        error_messages={
            "required": _("Choose a file."),
            "missing": _("Choose a file."),
        },
    )
    reader = ReaderField(pasted=False)

    def read(self, sent: Any) -> tuple[bytes, str]:
        raw = sent.read(raw_files.MOST_BYTES + 1)  # one too many is enough to know
        raw_files.check_name(sent.name or "", raw)
        return raw, sent.name or gettext("File")


class LinkForm(forms.Form):
    link = forms.CharField(
        label=_("Link or id of the tournament"),
        max_length=300,
        widget=forms.TextInput(attrs={"autofocus": True, "spellcheck": "false"}),
        error_messages={"required": _("Paste the link of the tournament.")},
    )

    def __init__(self, platform: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.platform = platform
        self.fields["link"].help_text = fetching.example_link(platform)

    def clean(self) -> dict[str, Any]:
        given = dict(super().clean() or {})
        if given.get("link"):
            try:
                given["wanted"] = fetching.read_link(self.platform, given["link"])
            except Refused as refusal:
                self.add_error("link", str(refusal.sentence))
        return given


class ReadAgainForm(forms.Form):
    reader = forms.ChoiceField(
        label=_("Read it as"),
        choices=[(name, source.label) for name, source in SOURCES.items()],
    )


ABSENT, PLAYED = "absent", "played"
LONGEST_REASON = 2000


class DecisionsForm(forms.Form):
    """The questions depend on the preview; a refused form keeps every answer."""

    made_against = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, preview: Preview, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=first_answers(preview))
        self.preview = preview
        self.ask_for_people()
        self.ask_for_divisions()
        self.ask_for_absences()
        self.ask_for_byes()
        self.ask_for_matches()
        self.ask_to_look()

    def ask_for_people(self) -> None:
        for who in self.preview.people:
            if who.settled is None:
                missing = gettext("Say who “%(nickname)s” is.") % {"nickname": who.nickname}
                self.fields[who.field] = radio_field(
                    question_about(who), answers_about(who), missing
                )

    def ask_for_divisions(self) -> None:
        divisions = division_choices(self.preview)
        if len(divisions) > 1:
            label = gettext("Which divisions belong to this stage?")
            self.fields["divisions"] = checkbox_field(label, divisions, required=True)

    def ask_for_absences(self) -> None:
        lineup = self.preview.lineup
        if lineup.shown:
            as_shown = forms.BooleanField(
                label=gettext("All of them as the source says"), required=False
            )
            self.fields["as_shown"] = as_shown
        for place in (*lineup.shown, *lineup.arbitrated):
            options = [(ABSENT, absent_words(place)), (PLAYED, played_words(place))]
            field = radio_field(
                game_words(place), options, gettext("Say whether this game was played.")
            )
            field.required = not (place in lineup.shown and self.data.get("as_shown"))
            self.fields[f"shown_{place.key}"] = field
        if lineup.suspects:
            label = gettext("Tick who did not come; without a tick the game was played and lost")
            self.fields["absent"] = checkbox_field(
                label, [(place.key, lost_words(place)) for place in lineup.suspects]
            )

    def ask_for_byes(self) -> None:
        if self.preview.lineup.idle:
            label = gettext(
                "Tick who had a bye; without a tick the player was away, and loses nothing by it"
            )
            options = [(idle.key, idle_words(idle)) for idle in self.preview.lineup.idle]
            self.fields["byes"] = checkbox_field(label, options)

    def ask_for_matches(self) -> None:
        unknown = self.preview.lineup.matches_in_question
        if unknown:
            options = [(ONE_GAME, gettext("one game: the result of the match"))]
            if any(p.game.match and p.game.match.a_points is not None for p in unknown):
                options.append(
                    (BY_SCORE, gettext("as many games as the score says: a win for each point"))
                )
            label = gettext("Matches of several games are given by their score only. What counts?")
            self.fields["matches"] = radio_field(
                label, options, gettext("Say what counts of a match.")
            )

    def ask_to_look(self) -> None:
        if self.preview.lineup.rounds_proposed:
            self.fields["rounds_ok"] = tick_field(
                gettext("The proposed rounds are right"), gettext("Look at the rounds, then tick.")
            )
        if self.preview.odd_points:
            self.fields["points_ok"] = tick_field(
                gettext("I looked at the points that differ"), gettext("Look at them, then tick.")
            )
        if self.preview.current.is_closed:
            label = gettext("Why do the closed results change? Everybody concerned reads it.")
            self.fields["reason"] = forms.CharField(
                label=label, max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 3})
            )

    def clean(self) -> None:
        # One nickname for each person
        super().clean()
        first: dict[int, str] = {}
        for who in self.preview.people:
            player = self.players.get(who.nickname, who.placeholder)
            if player in first and who.field in self.fields:
                names = {"a": first[player], "b": who.nickname}
                self.add_error(
                    who.field, gettext("“%(a)s” and “%(b)s” cannot both be this person.") % names
                )
            first.setdefault(player, who.nickname)

    @property
    def players(self) -> dict[str, int]:
        return map_players(self.preview.people, self.answers)

    @property
    def answers(self) -> dict[str, Any]:
        """Before the form was sent: what it proposes."""
        return dict(getattr(self, "cleaned_data", None) or self.initial)

    @property
    def choices(self) -> Choices:
        given, lineup = self.answers, self.preview.lineup
        stated = {p.key for p in lineup.shown if given.get("as_shown")}
        stated |= {
            p.key
            for p in (*lineup.shown, *lineup.arbitrated)
            if given.get(f"shown_{p.key}") == ABSENT
        }
        return Choices(
            absent=frozenset(stated | set(given.get("absent") or ())),
            byes=frozenset(given.get("byes") or ()),
            matches=given.get("matches") or ONE_GAME,
            players=self.players,
        )

    @property
    def confirmed(self) -> Confirmed:
        given = self.cleaned_data
        return Confirmed(self.choices, given["made_against"], given.get("reason", ""))

    def part(self, *beginnings: str) -> list[BoundField]:
        return [self[name] for name in self.fields if name.startswith(beginnings)]

    def people_part(self) -> list[BoundField]:
        return self.part("who_")

    def absences_part(self) -> list[BoundField]:
        return self.part("as_shown", "shown_", "absent")

    def byes_part(self) -> list[BoundField]:
        return self.part("byes")

    def other_part(self) -> list[BoundField]:
        return self.part("divisions", "matches", "rounds_ok", "points_ok", "reason")


def radio_field(label: str, options: list[tuple[str, str]], missing: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=options, widget=forms.RadioSelect, error_messages={"required": missing}
    )


def checkbox_field(
    label: str, options: list[tuple[str, str]], *, required: bool = False
) -> forms.MultipleChoiceField:
    missing = {"required": _("Tick at least one.")}
    return forms.MultipleChoiceField(
        label=label,
        choices=options,
        required=required,
        widget=forms.CheckboxSelectMultiple,
        error_messages=missing,
    )


def tick_field(label: str, missing: str) -> forms.BooleanField:
    return forms.BooleanField(label=label, error_messages={"required": missing})


def division_choices(preview: Preview) -> list[tuple[str, str]]:
    words = gettext("division %(number)s: %(players)s")
    return [
        (str(number), words % {"number": number, "players": ", ".join(players)})
        for number, players in preview.result.divisions.items()
    ]


def question_about(who: Who) -> str:
    values = {"nickname": who.nickname}
    if who.decision == Decision.CONFIRM:
        return gettext("Is “%(nickname)s” this person?") % values
    if who.decision == Decision.AMBIGUOUS:
        return gettext("“%(nickname)s” may be one of these. Who is it?") % values
    if who.candidates:
        return (
            gettext("I do not know “%(nickname)s”. One of these, or someone not registered?")
            % values
        )
    return gettext("I do not know “%(nickname)s”.") % values


def answers_about(who: Who) -> list[tuple[str, str]]:
    found = [(f"p{candidate.player}", candidate.label) for candidate in who.candidates]
    return [*found, (NEW, gettext("someone not registered"))]


def game_words(place: Placed) -> str:
    values = {"round": place.round, "a": place.game.a, "b": place.game.b}
    return gettext("Round %(round)s: %(a)s – %(b)s") % values


def absent_words(place: Placed) -> str:
    if place.loser:
        return gettext("%(player)s did not come") % {"player": place.loser}
    return gettext("neither came")


def played_words(place: Placed) -> str:
    if place.loser:
        return gettext("the game was played, %(player)s lost") % {"player": place.loser}
    return gettext("leave this game out")


def lost_words(place: Placed) -> str:
    winner = place.game.a if place.loser == place.game.b else place.game.b
    values = {"round": place.round, "player": place.loser, "winner": winner}
    return gettext("round %(round)s: %(player)s did not come against %(winner)s") % values


def idle_words(idle: Idle) -> str:
    words = (
        gettext("round %(round)s: %(player)s, half a point")
        if idle.is_half
        else gettext("round %(round)s: %(player)s")
    )
    return words % {"round": idle.round, "player": idle.player}
