"""Refusals: a use case says no, with a sentence for the user."""

from contextvars import ContextVar
from http import HTTPStatus
from inspect import currentframe

from django.utils.functional import Promise

# The rules that refused in this request
refused_rules: ContextVar[list[str] | None] = ContextVar("refused_rules", default=None)


class Refused(Exception):
    """`field`: the form field concerned. `rule`: what is logged instead of the sentence, which
    may name people; by itself module and function that refuse."""

    def __init__(self, sentence: str | Promise, field: str = "", *, rule: str = "") -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.field = field
        self.rule = rule or refusing_function()
        names = refused_rules.get()
        if names is not None:  # None outside of requests
            names.append(self.rule)


def refusing_function() -> str:
    """Like “sign_ups.lock_open_event”."""
    frame = currentframe()
    while frame is not None and frame.f_code.co_name in {"refusing_function", "__init__"}:
        frame = frame.f_back
    if frame is None:  # an interpreter without frames
        return Refused.__name__
    return f"{frame.f_globals['__name__'].rpartition('.')[2]}.{frame.f_code.co_name}"


class Outdated(Refused):
    """Another user changed the row meanwhile: nothing was written, both versions are shown
    (409)."""


def refusal_status(refusal: Refused | None) -> HTTPStatus:
    """Of the page that shows it."""
    if refusal is None:
        return HTTPStatus.OK
    return HTTPStatus.CONFLICT if isinstance(refusal, Outdated) else HTTPStatus.UNPROCESSABLE_ENTITY
