"""Runs a published draw again. Needs nothing but Python: the portal hands this out with the modules that it names."""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from risiko_master.rules import checker, replay

USAGE = "python3 draw.py draw.json: the file is the one that the page of the draw hands out"


def findings(published: Mapping[str, Any]) -> Iterator[str]:
    """What differs, in codes; nothing if all is as it was published."""
    inputs, seed, result = published["inputs"], published["seed"], published["result"]
    if replay.sha256(seed) != published["seed_sha256"]:
        yield "seed"
    if replay.sha256(replay.canonical(inputs)) != published["inputs_sha256"]:
        yield "inputs"
    if replay.canonical(replay.result_of(replay.run(inputs, seed))) != replay.canonical(result):
        yield "tables"
    for found in checker.check(inputs, seed, result):
        yield found.code


def lines(published: Mapping[str, Any]) -> Iterator[str]:
    result = published["result"]
    for number, table in enumerate(result["tables"], 1):
        yield f"{number}: {' '.join(table)}"
    for measure in result["measures"]:
        yield f"{measure['code']}: {measure['cost']}, at least {measure['bound']}"
    differing = list(findings(published))
    yield "DIFFERENT: " + ", ".join(differing) if differing else "the same tables, and nothing found by the checker"


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    with open(arguments[0], encoding="utf-8") as file:  # noqa: PTH123 - one import less for who reads it
        told = list(lines(json.load(file)))
    sys.stdout.write("\n".join(told) + "\n")
    return int(told[-1].startswith("DIFFERENT"))
