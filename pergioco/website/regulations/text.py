"""What a regulation is explained with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

Text = str | Promise


@dataclass(frozen=True)
class Paragraph:
    """One paragraph of the federation, by its number. `seen` says where what it decides can be seen; empty: nothing is
    computed. "entry" = it is checked when somebody enters something; else the name of a kind of ranking."""

    number: int
    title: Text
    says: tuple[Text, ...]
    seen: str = ""

    @property
    def anchor(self) -> str:
        return f"p{self.number}"


@dataclass(frozen=True)
class Chapter:
    title: Text
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Reading:
    """A place that the regulation leaves open: how it could be read, and how this portal reads it.

    Where a season may decide otherwise, the options are the choices of that setting.
    """

    code: str
    paragraphs: tuple[int, ...]
    question: Text
    options: Mapping[str, Text]
    why: Text
    is_asked: bool = False

    @property
    def default(self) -> str:
        """The first option is ours."""
        return next(iter(self.options))


@dataclass(frozen=True)
class Example:
    """A small table; each cell is text, the first one of a row is its head."""

    caption: Text
    headings: tuple[Text, ...]
    rows: Sequence[tuple[Text, ...]]
