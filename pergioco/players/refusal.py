"""A use-case says no, in a sentence for the person who asked."""

import inspect
from contextvars import ContextVar
from types import FrameType

from django.utils.functional import Promise

noted: ContextVar[list[str] | None] = ContextVar("noted", default=None)  # who said no in this request, for the log


class Refused(Exception):
    """`field` names the form field that the sentence is about, if there is one."""

    def __init__(self, sentence: str | Promise, field: str = "") -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.field = field
        note(inspect.currentframe())


class Outdated(Refused):
    """Somebody else changed the row in the meantime: nothing was written, both versions are shown (409)."""


def note(refusal: FrameType | None) -> None:
    """Which function said no, never the sentence: that may name people. Outside of a request nobody wants to know."""
    names, said_by = noted.get(), refusal and refusal.f_back
    if names is not None and said_by:
        names.append(f"{said_by.f_globals['__name__']}.{said_by.f_code.co_name}")
