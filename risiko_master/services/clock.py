"""Pressing the clock of a game. Presses are never edited."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages.models import Round, Stage
from risiko_master.models import ClockPress
from risiko_master.rules import clock
from risiko_master.services.drawing import guard_director


@dataclass(frozen=True)
class Pressed:
    """`seen` is the state that the page showed: a double press, or one by two people, counts
    once."""

    game: int
    what: str
    seen: str
    reason: str = ""


def current_clock(stage: Stage, game: int) -> clock.Clock:
    rows = (
        ClockPress.objects.filter(stage=stage, game=game).order_by("id").values_list("what", "at")
    )
    return clock.read_clock([clock.Press(*row) for row in rows], timezone.now())


@transaction.atomic
def press_clock(stage: Stage, pressed: Pressed, *, by: User) -> ClockPress:
    stage = lock_row(stage)
    guard_director(stage, by)
    shown = current_clock(stage, pressed.game)
    if pressed.what not in shown.possible:
        if pressed.seen != shown.state:
            raise Outdated(
                _("Somebody else was faster: this is what the clock shows now."),
                rule="clock.press_clock",
            )
        raise Refused(
            _("This cannot be done with the clock as it stands."), rule="clock.press_clock"
        )
    if not Round.objects.filter(
        revision__stage=stage, revision__state="draft", number=pressed.game
    ).exists():
        raise Refused(
            _("Draw the tables first: the time starts when everybody sits."),
            rule="clock.press_clock",
        )
    reason = pressed.reason.strip()
    if pressed.what == clock.PAUSE and not reason:
        raise Refused(
            _("Say why the time stops: it is logged."), "reason", rule="clock.press_clock"
        )
    made = ClockPress.objects.create(
        stage=stage, game=pressed.game, what=pressed.what, reason=reason, by=by
    )
    changes = {"game": [str(pressed.game), str(pressed.game)], "clock": [shown.state, pressed.what]}
    audit.record("risiko.clock", made, by=by, changes=changes, reason=reason)
    return made


def has_clock_started(stage: Stage, game: int) -> bool:
    return ClockPress.objects.filter(stage=stage, game=game).exists()
