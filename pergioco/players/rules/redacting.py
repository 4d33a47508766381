"""Names in running text: found however they are written, and taken out of it."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from pergioco.rulekit.folding import fold

Span = tuple[int, int]
BETWEEN = r"[\s,]+"  # “Marta Rossi”, “Rossi, Marta”, over two lines


def folded(text: str) -> tuple[str, list[int]]:
    """Each letter as names are compared, and where in the text it stands."""
    letters = [(sign, place) for place, one in enumerate(text) for sign in letter(one)]
    return "".join(sign for sign, _place in letters), [place for _sign, place in letters]


@cache
def letter(sign: str) -> str:
    return " " if sign.isspace() else fold(sign)


@cache
def pattern(phrases: frozenset[str]) -> re.Pattern[str]:
    words = (BETWEEN.join(map(re.escape, phrase.split())) for phrase in sorted(phrases, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)")


def spans(text: str, phrases: Iterable[str]) -> Iterator[Span]:
    """Where any of these folded phrases stands in the text as words of its own."""
    wanted = frozenset(phrases)
    if not wanted or not text:
        return
    bare, places = folded(text)
    for found in pattern(wanted).finditer(bare):
        end = found.end()
        yield places[found.start()], places[end] if end < len(places) else len(text)


def without(text: str, phrases: Iterable[str], instead: str) -> str:
    for start, end in reversed(list(spans(text, phrases))):
        text = text[:start] + instead + text[end:]
    return text


def mapped(value: object, change: Callable[[str], str]) -> object:
    """A text, or all texts inside of what JSON holds."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: mapped(one, change) for name, one in value.items()}
    return [mapped(one, change) for one in value] if isinstance(value, list) else value


def texts_in(value: object) -> list[str]:
    found: list[str] = []
    mapped(value, lambda text: found.append(text) or text)  # type: ignore[func-returns-value]
    return found


def excerpt(text: str, span: Span, around: int = 40) -> tuple[str, str, str]:
    """What stands before it, the words themselves, what stands after."""
    start, end = span
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return ("…" * (start > around) + before, text[start:end], after + "…" * (end + around < len(text)))
