"""How a stage stands, for its readers."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pergioco.stages.models import Stage


class Code(StrEnum):
    ANNOUNCED = "announced"
    OPEN = "open"
    RUNNING = "running"
    WAITING = "waiting"
    CLOSED = "closed"
    PROVISIONAL = "provisional"
    CORRECTED = "corrected"
    FINAL = "final"
    CANCELLED = "cancelled"


WORDS: Mapping[Code, str | Promise] = {
    Code.ANNOUNCED: _("Announced"),
    Code.OPEN: pgettext_lazy("stage", "Open"),
    Code.RUNNING: _("Being played"),
    Code.WAITING: _("Waiting for results"),
    Code.CLOSED: pgettext_lazy("a stage", "Closed"),
    Code.PROVISIONAL: _("Provisional"),
    Code.CORRECTED: _("Corrected"),
    Code.FINAL: pgettext_lazy("definitive", "Final"),
    Code.CANCELLED: _("Cancelled"),
}
LIVE = frozenset({Code.OPEN, Code.RUNNING, Code.WAITING})

# What the closing of a stage brings, of which its page says nothing before
FOLLOWS: Mapping[str, Promise] = {
    Stage.Circuit.PGM: _("Ratings and rankings follow when the stage is closed."),
    Stage.Circuit.BIG: _("The final order, BIG points and Elo follow when the tournament is closed."),
    Stage.Circuit.RKM: _("The final order follows when the Master is closed."),
}
AFTER_A_FINAL = _("When the final is closed, its champion is known and the ranking of the game begins anew with it.")
# How long what was closed holds, where that has nothing to do with the end of a year (BIG 7, RKM final-ranking)
HOLDS: Mapping[str, Promise] = {
    Stage.Circuit.BIG: _("Its points count until the first national final of the game after it; no year ends them."),
    Stage.Circuit.RKM: _("The order of a closed Master is final: it awaits no end of a year."),
}
FINAL_HOLDS = _("It made the champion and began the ranking of the game anew, of which it is the first tournament.")


def follows(stage: Stage) -> Promise:
    return AFTER_A_FINAL if is_national_final(stage) else FOLLOWS[stage.circuit]


def holds(stage: Stage) -> str | Promise:
    """Nothing of a stage of PerGioco Masters: its rankings become final with their year."""
    return FINAL_HOLDS if is_national_final(stage) else HOLDS.get(stage.circuit, "")


def is_national_final(stage: Stage) -> bool:
    return stage.final and stage.circuit == Stage.Circuit.BIG


def outcome(code: Code) -> str | Promise:
    """In a word, where the order of the stage stands beside it."""
    return _("Final order") if code == Code.CLOSED else WORDS[code]


def code_of(stage: Stage, *, today: date, is_final: bool) -> Code:
    """`is_final` says whether its year is, which only a stage of PerGioco Masters awaits (PGM 31). A correction stays
    in sight, also then."""
    if stage.is_cancelled:
        return Code.CANCELLED
    if stage.is_closed:
        return code_of_closed(stage, is_final=is_final)
    if stage.ends_on < today:
        return Code.WAITING
    if stage.starts_on <= today:
        return Code.RUNNING
    return Code.OPEN if stage.status == Stage.Status.OPEN else Code.ANNOUNCED


def code_of_closed(stage: Stage, *, is_final: bool) -> Code:
    if stage.status == Stage.Status.CORRECTED:
        return Code.CORRECTED
    if stage.circuit != Stage.Circuit.PGM:
        return Code.CLOSED
    return Code.FINAL if is_final else Code.PROVISIONAL
