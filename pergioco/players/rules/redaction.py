"""Finds names in running text, in any spelling, and replaces them."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from pergioco.rulekit.text import fold

Span = tuple[int, int]
BETWEEN = r"[\s,]+"  # “Marta Rossi”, “Rossi, Marta”, over two lines


def fold_with_places(text: str) -> tuple[str, list[int]]:
    """The folded letters, and for each its position in the text."""
    letters = [(sign, place) for place, one in enumerate(text) for sign in fold_character(one)]
    return "".join(sign for sign, _place in letters), [place for _sign, place in letters]


@cache
def fold_character(sign: str) -> str:
    return " " if sign.isspace() else fold(sign)


@cache
def phrase_pattern(phrases: frozenset[str]) -> re.Pattern[str]:
    words = (
        BETWEEN.join(map(re.escape, phrase.split()))
        for phrase in sorted(phrases, key=len, reverse=True)
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)")


def find_spans(text: str, phrases: Iterable[str]) -> Iterator[Span]:
    """Where any of these folded phrases occurs as whole words."""
    wanted = frozenset(phrases)
    if not wanted or not text:
        return
    bare, places = fold_with_places(text)
    for found in phrase_pattern(wanted).finditer(bare):
        end = found.end()
        yield places[found.start()], places[end] if end < len(places) else len(text)


def replace_phrases(text: str, phrases: Iterable[str], instead: str) -> str:
    for start, end in reversed(list(find_spans(text, phrases))):
        text = text[:start] + instead + text[end:]
    return text


def map_texts(value: object, change: Callable[[str], str]) -> object:
    """`value` is a text, or JSON data that contains texts."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: map_texts(one, change) for name, one in value.items()}
    return [map_texts(one, change) for one in value] if isinstance(value, list) else value


def list_texts(value: object) -> list[str]:
    found: list[str] = []
    map_texts(value, lambda text: found.append(text) or text)  # type: ignore[func-returns-value]
    return found


def cut_excerpt(text: str, span: Span, around: int = 40) -> tuple[str, str, str]:
    """(before, match, after)."""
    start, end = span
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return (
        "…" * (start > around) + before,
        text[start:end],
        after + "…" * (end + around < len(text)),
    )
