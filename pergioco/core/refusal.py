"""Refusals: a use case says no, with a sentence for the user."""

from contextvars import ContextVar
from http import HTTPStatus

from django.utils.functional import Promise

# The rules that refused in this request
refused_rules: ContextVar[list[str] | None] = ContextVar("refused_rules", default=None)


class Refused(Exception):
    """`field`: the form field concerned. `rule`: what is logged instead of the sentence, which
    may name people."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, sentence: str | Promise, field: str = "", *, rule: str = "") -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.field = field
        self.rule = rule or type(self).__name__
        names = refused_rules.get()
        if names is not None:  # None outside of requests
            names.append(self.rule)


class Outdated(Refused):
    """Another user changed the row meanwhile: nothing was written, both versions are shown."""

    status = HTTPStatus.CONFLICT
