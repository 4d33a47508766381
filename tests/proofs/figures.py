"""What a proof measured, told by the test itself: a fixture, and one JSON line for each figure.

A figure that misses its target stays in the table; it fails no test. What must hold, the test
asserts besides."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FILE = "PORTAL_FIGURES"  # where the lines go; without it nobody wants them
Figure = Callable[..., None]


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Figure:
    """`figure("T1", "entries lost", 0, target="0", met=True)`; of a control, what the same run
    shows without guard."""

    def tell(proof: str, what: str, value: object, *, target: str = "", met: bool = True) -> None:
        row = {
            "proof": proof,
            "figure": f"{what}{where(request)}",
            "value": value,
            "target": target,
            "met": met,
            "control": "control" in request.node.name,
        }
        write(row)

    return tell


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Of what hypothesis makes up, how many were held against the oracle."""
    settings = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
    if settings and call.when == "call" and call.excinfo is None and "oracle" in item.nodeid:
        row = {
            "proof": "T6",
            "figure": "federations made up, in which every number was the oracle's",
        }
        write(
            {**row, "value": settings.max_examples, "target": "all", "met": True, "control": False}
        )


def where(request: pytest.FixtureRequest) -> str:
    """The database, where the same proof runs on two."""
    names = {"embedded": " (SQLite)", "on_server": " (PostgreSQL)"}
    parts = request.node.name.rpartition("[")[2].rstrip("]").split("-")
    return next((names[part] for part in parts if part in names), "")


def write(row: dict[str, Any]) -> None:
    if path := os.environ.get(FILE):
        with Path(path).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")
