"""A use-case says no, in a sentence for the person who asked."""

from django.utils.functional import Promise


class Refused(Exception):
    """`field` names the form field that the sentence is about, if there is one."""

    def __init__(self, sentence: str | Promise, field: str = "") -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.field = field


class Outdated(Refused):
    """Somebody else changed the row in the meantime: nothing was written, both versions are shown (409)."""
