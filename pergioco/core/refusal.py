"""Refusals: a use case says no, with a sentence for the user."""

import sys
from contextvars import ContextVar

from django.utils.functional import Promise

# The rules that refused in this request
refused_rules: ContextVar[list[str] | None] = ContextVar("refused_rules", default=None)


class Refused(Exception):
    """`field`: the form field concerned. `rule`: what is logged instead of the sentence, which
    may name people: module and function that refuse, unless another name is given."""

    def __init__(self, sentence: str | Promise, field: str = "", *, rule: str = "") -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.field = field
        caller = sys._getframe(1)  # noqa: SLF001 - documented; loggers find their caller in the same way
        module = caller.f_globals["__name__"].rpartition(".")[2]
        self.rule = rule or f"{module}.{caller.f_code.co_name}"
        names = refused_rules.get()
        if names is not None:  # None outside of requests
            names.append(self.rule)


class Outdated(Refused):
    """Another user changed the row meanwhile: nothing was written, both versions are shown
    (409)."""
