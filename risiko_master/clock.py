"""Who pressed what on the clock of a game. Nothing is edited: what it shows follows from all that was pressed."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages.drafting import lock
from pergioco.stages.models import Round, Stage
from risiko_master.drawing import guard
from risiko_master.models import ClockPress
from risiko_master.rules import clock


@dataclass(frozen=True)
class Pressed:
    """`seen` is the state that the page showed: pressed twice, or by two people at once, it counts once."""

    game: int
    what: str
    seen: str
    reason: str = ""


def read(stage: Stage, game: int) -> clock.Clock:
    rows = ClockPress.objects.filter(stage=stage, game=game).order_by("id").values_list("what", "at")
    return clock.read([clock.Press(*row) for row in rows], timezone.now())


@transaction.atomic
def press(stage: Stage, pressed: Pressed, *, by: User) -> ClockPress:
    stage = lock(stage)
    guard(stage, by)
    shown = read(stage, pressed.game)
    if pressed.what not in shown.possible:
        if pressed.seen != shown.state:
            raise Outdated(_("Somebody else was faster: this is what the clock shows now."))
        raise Refused(_("This cannot be done with the clock as it stands."))
    if not Round.objects.filter(revision__stage=stage, revision__state="draft", number=pressed.game).exists():
        raise Refused(_("Draw the tables first: the time starts when everybody sits."))
    reason = pressed.reason.strip()
    if pressed.what == clock.PAUSE and not reason:
        raise Refused(_("Say why the time stops: it is logged."), "reason")
    made = ClockPress.objects.create(stage=stage, game=pressed.game, what=pressed.what, reason=reason, by=by)
    changes = {"game": [str(pressed.game), str(pressed.game)], "clock": [shown.state, pressed.what]}
    audit.record("risiko.clock", made, by=by, changes=changes, reason=reason)
    return made


def has_started(stage: Stage, game: int) -> bool:
    return ClockPress.objects.filter(stage=stage, game=game).exists()
