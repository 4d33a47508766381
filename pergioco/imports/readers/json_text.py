"""Parses JSON and NDJSON of other servers, or refuses them with the line."""

import json
from collections.abc import Callable
from decimal import Decimal
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from pergioco.imports.canonical import Unreadable
from pergioco.imports.readers.raw_files import decode, exact_decimal

P = ParamSpec("P")
R = TypeVar("R")
WRONG_SHAPE = (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError)


def refusing_other_shapes(reader: Callable[P, R]) -> Callable[P, R]:
    """A document that parses but has another shape raises `Unreadable`, never anything else."""

    @wraps(reader)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return reader(*args, **kwargs)
        except WRONG_SHAPE as trouble:
            raise Unreadable(
                "unexpected_shape", detail=f"{type(trouble).__name__}: {trouble}"[:200]
            ) from trouble

    return guarded


def parse_json(raw: bytes) -> Any:
    """Numbers with a point become Decimal."""
    return load_json(decode(raw)[0], None)


def load_json(text: str, line: int | None) -> Any:
    try:
        return json.loads(text, parse_float=parse_json_number, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as trouble:
        raise Unreadable("not_json", line=line) from trouble


def parse_json_number(text: str) -> Decimal:
    value = exact_decimal(text)
    if value is None:
        raise ValueError(text)
    return value


def refuse_constant(name: str) -> Any:
    raise ValueError(name)


def dump_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def parse_json_lines(raw: bytes) -> list[Any]:
    """One value a line. A cut last line has its own code: the download was broken off."""
    text = decode(raw)[0]
    lines = text.split("\n")
    values = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                values.append(load_json(line, number))
            except Unreadable:
                is_cut = number == len(lines)
                raise Unreadable(
                    "cut_lines" if is_cut else "not_json", line=number, usable=len(values)
                ) from None
    return values
