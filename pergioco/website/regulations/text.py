"""The regulations as text files, one of each for every language: `it/pgm.md`, `it/readings.md`, …

Headings, lists and paragraphs are Markdown; the words inside them are plain text. A heading ends in
its anchor on the page and its attributes: `{#p22 seen=rankings}`, `{#PG-4 paragraphs=5,21 asked}`.
`{k}` is a number in force (`rendering.text_numbers`), a line `{example: rating}` a computed table.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language
from markdown_it import MarkdownIt

Text = str | Promise
FOLDER = Path(__file__).parent
MARKDOWN = MarkdownIt("commonmark")
HEADING = re.compile(r"(?P<title>.+) \{#(?P<anchor>[\w-]+)(?P<attributes>[^{}]*)\}")
EXAMPLE = re.compile(r"\{example: (\w+)\}")


@dataclass
class Paragraph:
    anchor: str
    title: str
    # Where its outcome can be seen: "" nothing is computed, "entry" it is checked when data is
    # entered, else the kind of a ranking.
    seen: str
    says: list[str] = field(default_factory=list)
    example: str = ""

    @property
    def number(self) -> int:
        return int(self.anchor.removeprefix("p"))


@dataclass
class Chapter:
    title: str
    paragraphs: list[Paragraph] = field(default_factory=list)


@dataclass
class Regulation:
    summary: list[str] = field(default_factory=list)
    chapters: list[Chapter] = field(default_factory=list)

    @property
    def paragraphs(self) -> dict[int, Paragraph]:
        return {one.number: one for chapter in self.chapters for one in chapter.paragraphs}


@dataclass
class Reading:
    """A point that the regulation leaves open, and how this portal reads it.

    If a season may decide otherwise, the options are the choices of that setting.
    """

    code: str
    question: str
    paragraphs: tuple[int, ...]
    is_asked: bool
    options: dict[str, str] = field(default_factory=dict)
    why: str = ""

    @property
    def default(self) -> str:
        # The first option is ours
        return next(iter(self.options))


@dataclass(frozen=True)
class Example:
    """A small table of text; the first cell of a row is its heading."""

    caption: Text
    headings: tuple[Text, ...]
    rows: Sequence[tuple[Text, ...]]


def get_pgm() -> Regulation:
    return load_pgm(get_language() or settings.LANGUAGE_CODE)


def get_readings() -> list[Reading]:
    return load_readings(get_language() or settings.LANGUAGE_CODE)


@cache
def load_pgm(language: str) -> Regulation:
    regulation = Regulation()
    for tag, text in read_blocks(language, "pgm"):
        if tag == "li":
            regulation.summary.append(text)
        elif tag == "h2":
            regulation.chapters.append(Chapter(text))
        elif tag == "h3":
            title, anchor, attributes = read_heading(text)
            paragraph = Paragraph(anchor, title, attributes.get("seen", ""))
            regulation.chapters[-1].paragraphs.append(paragraph)
        elif tag == "p":
            add_block(regulation.chapters[-1].paragraphs[-1], text)
    return regulation


def add_block(paragraph: Paragraph, text: str) -> None:
    if marker := EXAMPLE.fullmatch(text):
        paragraph.example = marker[1]
    else:
        paragraph.says.append(text)


@cache
def load_readings(language: str) -> list[Reading]:
    readings: list[Reading] = []
    for tag, text in read_blocks(language, "readings"):
        if tag == "h2":
            question, code, attributes = read_heading(text)
            paragraphs = tuple(map(int, attributes["paragraphs"].split(",")))
            readings.append(Reading(code, question, paragraphs, "asked" in attributes))
        elif tag == "li":
            key, _, words = text.partition(": ")
            readings[-1].options[key] = words
        elif tag == "p":
            readings[-1].why = text
    return readings


def read_blocks(language: str, name: str) -> Iterator[tuple[str, str]]:
    """The tag and the text of every heading, list item and paragraph, in order."""
    content = (FOLDER / language / f"{name}.md").read_text(encoding="utf-8")
    for opening, token in pairwise(MARKDOWN.parse(content)):
        if token.type == "inline":
            yield "li" if opening.level else opening.tag, token.content.replace("\n", " ")


def read_heading(text: str) -> tuple[str, str, Mapping[str, str]]:
    found = HEADING.fullmatch(text)
    if not found:
        raise ValueError(f"A heading without an anchor: {text}")
    attributes = (part.partition("=") for part in found["attributes"].split())
    return found["title"], found["anchor"], {key: value for key, _, value in attributes}
