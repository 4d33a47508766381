"""JSON and NDJSON from other people's servers: parsed, or refused with the line."""

import json
from collections.abc import Callable
from decimal import Decimal
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from pergioco.imports.canonical import Unreadable
from pergioco.imports.readers.numbers import exact
from pergioco.imports.readers.text import decode

P = ParamSpec("P")
R = TypeVar("R")
WRONG_SHAPE = (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError)


def refusing_other_shapes(reader: Callable[P, R]) -> Callable[P, R]:
    """A document that parses but is built differently is refused, never an exception of another kind."""

    @wraps(reader)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return reader(*args, **kwargs)
        except WRONG_SHAPE as trouble:
            raise Unreadable("unexpected_shape", detail=f"{type(trouble).__name__}: {trouble}"[:200]) from trouble

    return guarded


def parse(raw: bytes) -> Any:
    """Numbers with a point become Decimal: points are exact."""
    return loads(decode(raw)[0], None)


def loads(text: str, line: int | None) -> Any:
    try:
        return json.loads(text, parse_float=number, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as trouble:
        raise Unreadable("not_json", line=line) from trouble


def number(text: str) -> Decimal:
    value = exact(text)
    if value is None:
        raise ValueError(text)
    return value


def refuse_constant(name: str) -> Any:
    raise ValueError(name)


def dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def parse_lines(raw: bytes) -> list[Any]:
    """One value a line. A cut last line is told apart from a wrong one: the download was broken off."""
    text = decode(raw)[0]
    lines = text.split("\n")
    values = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                values.append(loads(line, number))
            except Unreadable:
                is_cut = number == len(lines)
                raise Unreadable("cut_lines" if is_cut else "not_json", line=number, usable=len(values)) from None
    return values
