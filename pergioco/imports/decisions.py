"""The questions of a preview as ordinary form fields, and the answers as choices."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.imports.answers import first_answers
from pergioco.imports.lineup import Idle, Placed
from pergioco.imports.matching import Decision
from pergioco.imports.people import NEW, Who, players_of
from pergioco.imports.planning import BY_SCORE, ONE_GAME, Choices
from pergioco.imports.preview import Preview

ABSENT, PLAYED = "absent", "played"
LONGEST_REASON = 2000


class DecisionsForm(forms.Form):
    """Which questions there are depends on the preview; a refused form keeps every answer."""

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
                missing = _("Say who “%(nickname)s” is.") % {"nickname": who.nickname}
                self.fields[who.field] = one_of(question_about(who), answers_about(who), missing)

    def ask_for_divisions(self) -> None:
        divisions = all_divisions(self.preview)
        if len(divisions) > 1:
            label = _("Which divisions belong to this stage?")
            self.fields["divisions"] = some_of(label, divisions, required=True)

    def ask_for_absences(self) -> None:
        lineup = self.preview.lineup
        if lineup.shown:
            as_shown = forms.BooleanField(label=_("All of them as the source says"), required=False)
            self.fields["as_shown"] = as_shown
        for place in (*lineup.shown, *lineup.arbitrated):
            options = [(ABSENT, came_not(place)), (PLAYED, played_instead(place))]
            field = one_of(game_words(place), options, _("Say whether this game was played."))
            field.required = not (place in lineup.shown and self.data.get("as_shown"))
            self.fields[f"shown_{place.key}"] = field
        if lineup.suspects:
            label = _("Tick who did not come; without a tick the game was played and lost")
            self.fields["absent"] = some_of(label, [(place.key, lost_words(place)) for place in lineup.suspects])

    def ask_for_byes(self) -> None:
        if self.preview.lineup.idle:
            label = _("Tick who had a bye; without a tick the player was away, and loses nothing by it")
            options = [(idle.key, idle_words(idle)) for idle in self.preview.lineup.idle]
            self.fields["byes"] = some_of(label, options)

    def ask_for_matches(self) -> None:
        unknown = self.preview.lineup.matches_in_question
        if unknown:
            options = [(ONE_GAME, _("one game: the result of the match"))]
            if any(p.game.match and p.game.match.a_points is not None for p in unknown):
                options.append((BY_SCORE, _("as many games as the score says: a win for each point")))
            label = _("Matches of several games are given by their score only. What counts?")
            self.fields["matches"] = one_of(label, options, _("Say what counts of a match."))

    def ask_to_look(self) -> None:
        if self.preview.lineup.rounds_proposed:
            self.fields["rounds_ok"] = tick(_("The proposed rounds are right"), _("Look at the rounds, then tick."))
        if self.preview.odd_points:
            self.fields["points_ok"] = tick(_("I looked at the points that differ"), _("Look at them, then tick."))
        if self.preview.stands.is_closed:
            label = _("Why do the closed results change? Everybody concerned reads it.")
            self.fields["reason"] = forms.CharField(
                label=label, max_length=LONGEST_REASON, widget=forms.Textarea(attrs={"rows": 3})
            )

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = dict(super().clean() or {})
        self.one_nickname_for_each_person()
        return given

    def one_nickname_for_each_person(self) -> None:
        first: dict[int, str] = {}
        for who in self.preview.people:
            player = self.players.get(who.nickname, who.placeholder)
            if player in first and who.field in self.fields:
                names = {"a": first[player], "b": who.nickname}
                self.add_error(who.field, _("“%(a)s” and “%(b)s” cannot both be this person.") % names)
            first.setdefault(player, who.nickname)

    @property
    def players(self) -> dict[str, int]:
        return players_of(self.preview.people, self.answers)

    @property
    def answers(self) -> dict[str, Any]:
        """As far as they go: before the form was sent, what it proposes."""
        return dict(getattr(self, "cleaned_data", None) or self.initial)

    @property
    def choices(self) -> Choices:
        given, lineup = self.answers, self.preview.lineup
        stated = {p.key for p in lineup.shown if given.get("as_shown")}
        stated |= {p.key for p in (*lineup.shown, *lineup.arbitrated) if given.get(f"shown_{p.key}") == ABSENT}
        return Choices(
            absent=frozenset(stated | set(given.get("absent") or ())),
            byes=frozenset(given.get("byes") or ()),
            matches=given.get("matches") or ONE_GAME,
            players=self.players,
        )

    def part(self, *beginnings: str) -> Iterator[BoundField]:
        return (self[name] for name in self.fields if name.startswith(beginnings))

    def people_part(self) -> list[BoundField]:
        return list(self.part("who_"))

    def absences_part(self) -> list[BoundField]:
        return list(self.part("as_shown", "shown_", "absent"))

    def byes_part(self) -> list[BoundField]:
        return list(self.part("byes"))

    def other_part(self) -> list[BoundField]:
        return list(self.part("divisions", "matches", "rounds_ok", "points_ok", "reason"))


def one_of(label: str, options: list[tuple[str, str]], missing: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, choices=options, widget=forms.RadioSelect, error_messages={"required": missing}
    )


def some_of(label: str, options: list[tuple[str, str]], *, required: bool = False) -> forms.MultipleChoiceField:
    missing = {"required": gettext_lazy("Tick at least one.")}
    return forms.MultipleChoiceField(
        label=label, choices=options, required=required, widget=forms.CheckboxSelectMultiple, error_messages=missing
    )


def tick(label: str, missing: str) -> forms.BooleanField:
    return forms.BooleanField(label=label, error_messages={"required": missing})


def all_divisions(preview: Preview) -> list[tuple[str, str]]:
    names = preview.result.divisions.items()
    return [
        (str(number), _("division %(number)s: %(players)s") % {"number": number, "players": ", ".join(players)})
        for number, players in names
    ]


def question_about(who: Who) -> str:
    values = {"nickname": who.nickname}
    if who.decision == Decision.CONFIRM:
        return _("Is “%(nickname)s” this person?") % values
    if who.decision == Decision.AMBIGUOUS:
        return _("“%(nickname)s” may be one of these. Who is it?") % values
    if who.candidates:
        return _("I do not know “%(nickname)s”. One of these, or someone not registered?") % values
    return _("I do not know “%(nickname)s”.") % values


def answers_about(who: Who) -> list[tuple[str, str]]:
    found = [(f"p{candidate.player}", candidate.label) for candidate in who.candidates]
    return [*found, (NEW, _("someone not registered"))]


def game_words(place: Placed) -> str:
    return _("Round %(round)s: %(a)s – %(b)s") % {"round": place.round, "a": place.game.a, "b": place.game.b}


def came_not(place: Placed) -> str:
    return _("%(player)s did not come") % {"player": place.loser} if place.loser else _("neither came")


def played_instead(place: Placed) -> str:
    if place.loser:
        return _("the game was played, %(player)s lost") % {"player": place.loser}
    return _("leave this game out")


def lost_words(place: Placed) -> str:
    winner = place.game.a if place.loser == place.game.b else place.game.b
    values = {"round": place.round, "player": place.loser, "winner": winner}
    return _("round %(round)s: %(player)s did not come against %(winner)s") % values


def idle_words(idle: Idle) -> str:
    words = _("round %(round)s: %(player)s, half a point") if idle.is_half else _("round %(round)s: %(player)s")
    return words % {"round": idle.round, "player": idle.player}
