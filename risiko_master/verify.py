"""Repeats a published draw. Part of the standalone script: imports nothing but Python and the
rules."""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from risiko_master.rules import checker, replay

USAGE = "python3 draw.py draw.json: the file is the one that the page of the draw hands out"


def draw_findings(published: Mapping[str, Any]) -> Iterator[str]:
    """Codes of differences; empty if all is as published."""
    inputs, seed, result = published["inputs"], published["seed"], published["result"]
    if replay.sha256_of(seed) != published["seed_sha256"]:
        yield "seed"
    if replay.sha256_of(replay.canonical_json(inputs)) != published["inputs_sha256"]:
        yield "inputs"
    if replay.canonical_json(
        replay.draw_result(replay.run_draw(inputs, seed))
    ) != replay.canonical_json(result):
        yield "tables"
    for found in checker.check_draw(inputs, seed, result):
        yield found.code


def report_lines(published: Mapping[str, Any]) -> Iterator[str]:
    result = published["result"]
    for number, table in enumerate(result["tables"], 1):
        yield f"{number}: {' '.join(table)}"
    for measure in result["measures"]:
        yield f"{measure['code']}: {measure['cost']}, at least {measure['bound']}"
    differing = list(draw_findings(published))
    yield (
        "DIFFERENT: " + ", ".join(differing)
        if differing
        else "the same tables, and nothing found by the checker"
    )


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    with open(arguments[0], encoding="utf-8") as file:  # noqa: PTH123 - one import less for who reads it
        lines = list(report_lines(json.load(file)))
    sys.stdout.write("\n".join(lines) + "\n")
    return int(lines[-1].startswith("DIFFERENT"))
