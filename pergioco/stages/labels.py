"""Labels of results and of the state of a stage."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pergioco.stages.models import Stage

# What follows when the stage is closed; shown before
AFTER_CLOSING: Mapping[str, Promise] = {
    Stage.Circuit.PGM: _("Ratings and rankings follow when the stage is closed."),
    Stage.Circuit.BIG: _(
        "The final order, BIG points and Elo follow when the tournament is closed."
    ),
    Stage.Circuit.RKM: _("The final order follows when the Master is closed."),
}
AFTER_CLOSING_A_FINAL = _(
    "When the final is closed, its champion is known and the ranking of the game begins anew with "
    "it."
)
# How long closed results are valid where the end of a year does not matter (BIG 7, RKM
# final-ranking)
VALIDITY: Mapping[str, Promise] = {
    Stage.Circuit.BIG: _(
        "Its points count until the first national final of the game after it; no year ends them."
    ),
    Stage.Circuit.RKM: _("The order of a closed Master is final: it awaits no end of a year."),
}
VALIDITY_OF_A_FINAL = _(
    "It made the champion and began the ranking of the game anew, of which it is the first "
    "tournament."
)
RESULT_LABELS: Mapping[str, str | Promise] = {
    "1": "1–0",
    "X": "½–½",
    "2": "0–1",
    "+": _("1–0, second absent"),
    "-": _("0–1, first absent"),
    "0": _("0–0, both absent"),
    "B": _("bye, 1 point"),
    "H": _("bye, ½ point"),
    "Z": _("bye, no point"),
    "": pgettext_lazy("no result yet", "none"),
}
WINNING_SEAT = {"1": 0, "+": 0, "2": 1, "-": 1}


class StageState(StrEnum):
    ANNOUNCED = "announced"
    OPEN = "open"
    RUNNING = "running"
    WAITING = "waiting"
    CLOSED = "closed"
    PROVISIONAL = "provisional"
    CORRECTED = "corrected"
    FINAL = "final"
    CANCELLED = "cancelled"


STATE_LABELS: Mapping[StageState, str | Promise] = {
    StageState.ANNOUNCED: _("Announced"),
    StageState.OPEN: pgettext_lazy("stage", "Open"),
    StageState.RUNNING: _("Being played"),
    StageState.WAITING: _("Waiting for results"),
    StageState.CLOSED: pgettext_lazy("a stage", "Closed"),
    StageState.PROVISIONAL: _("Provisional"),
    StageState.CORRECTED: _("Corrected"),
    StageState.FINAL: pgettext_lazy("definitive", "Final"),
    StageState.CANCELLED: _("Cancelled"),
}
LIVE_STATES = frozenset({StageState.OPEN, StageState.RUNNING, StageState.WAITING})


def label_after_closing(stage: Stage) -> Promise:
    return AFTER_CLOSING_A_FINAL if is_national_final(stage) else AFTER_CLOSING[stage.circuit]


def label_validity(stage: Stage) -> str | Promise:
    # The rankings of PerGioco Masters become final with their year: nothing to say of a stage.
    return VALIDITY_OF_A_FINAL if is_national_final(stage) else VALIDITY.get(stage.circuit, "")


def is_national_final(stage: Stage) -> bool:
    return stage.final and stage.circuit == Stage.Circuit.BIG


def label_outcome(code: StageState) -> str | Promise:
    return _("Final order") if code == StageState.CLOSED else STATE_LABELS[code]


def stage_state(stage: Stage, *, today: date, is_final: bool) -> StageState:
    """Returns the state for readers.

    `is_final`: the year is final, which matters only for stages of PerGioco Masters (PGM 31). A
    correction remains visible after that."""
    if stage.is_cancelled:
        return StageState.CANCELLED
    if stage.is_closed:
        return closed_stage_state(stage, is_final=is_final)
    if stage.ends_on < today:
        return StageState.WAITING
    if stage.starts_on <= today:
        return StageState.RUNNING
    return StageState.OPEN if stage.status == Stage.Status.OPEN else StageState.ANNOUNCED


def closed_stage_state(stage: Stage, *, is_final: bool) -> StageState:
    if stage.status == Stage.Status.CORRECTED:
        return StageState.CORRECTED
    if stage.circuit != Stage.Circuit.PGM:
        return StageState.CLOSED
    return StageState.FINAL if is_final else StageState.PROVISIONAL
