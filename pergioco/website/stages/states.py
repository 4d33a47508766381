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
    PROVISIONAL = "provisional"
    CORRECTED = "corrected"
    FINAL = "final"
    CANCELLED = "cancelled"


WORDS: Mapping[Code, str | Promise] = {
    Code.ANNOUNCED: _("Announced"),
    Code.OPEN: pgettext_lazy("stage", "Open"),
    Code.RUNNING: _("Being played"),
    Code.WAITING: _("Waiting for results"),
    Code.PROVISIONAL: _("Provisional"),
    Code.CORRECTED: _("Corrected"),
    Code.FINAL: pgettext_lazy("definitive", "Final"),
    Code.CANCELLED: _("Cancelled"),
}
LIVE = frozenset({Code.OPEN, Code.RUNNING, Code.WAITING})


def outcome(stage: Stage, code: Code) -> str | Promise:
    """In a word, away from the page. No year makes the order of a Master or of a tournament of BIG final: it is."""
    is_year_awaited = stage.circuit == Stage.Circuit.PGM or code not in {Code.PROVISIONAL, Code.FINAL}
    return WORDS[code] if is_year_awaited else _("Final order")


def code_of(stage: Stage, *, today: date, is_final: bool) -> Code:
    """A correction stays in sight, also when its year is final."""
    if stage.is_cancelled:
        return Code.CANCELLED
    if stage.is_closed:
        corrected = stage.status == Stage.Status.CORRECTED
        return Code.CORRECTED if corrected else Code.FINAL if is_final else Code.PROVISIONAL
    if stage.ends_on < today:
        return Code.WAITING
    if stage.starts_on <= today:
        return Code.RUNNING
    return Code.OPEN if stage.status == Stage.Status.OPEN else Code.ANNOUNCED
