"""Which SQL the portal runs in which test: a plugin of pytest, for `tests.on_postgresql --choose`.

A statement is known by its shape: no values, one of each thing that is repeated. One that the
database refuses is another statement than the same one that passes."""

import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db import Error, connection

FOLDER = "PORTAL_STATEMENTS"  # in the environment: where each process writes what it recorded
ROOT = Path(__file__).parents[1]
OURS = tuple(
    f"{ROOT / package}{os.sep}"
    for package in ("pergioco", "ratings", "rankings", "race", "big_league", "risiko_master")
)
FOLDED = [
    (re.compile(r"\s+"), " "),
    (re.compile(r"'(?:[^']|'')*'"), "%s"),
    (re.compile(r'(SAVEPOINT) "?\w+"?'), r"\1 s"),
    (re.compile(r"\b\d+(?:\.\d+)?\b"), "%s"),
    (re.compile(r"%s(?:, %s)+"), "%s"),
    (re.compile(r"\(CAST\((?:NULL|%s) AS \w+\)\)|(?<=THEN )NULL"), "%s"),  # bulk_update
    (re.compile(r"(\((?:[^()]|\([^()]*\))*\))(?:, \1)+"), r"\1"),  # rows that are inserted
    (re.compile(r"((?:WHEN|OR|AND|UNION ALL|UNION) .{1,400}?) (?:\1 ?)+"), r"\1 "),
]


class Function(NamedTuple):
    """A test whatever its parameters are."""

    module: str
    name: str


class Recorded(NamedTuple):
    seconds: float
    shapes: frozenset[str]


def function_of(nodeid: str) -> Function:
    module, _, rest = nodeid.partition("::")
    return Function(module, rest.partition("[")[0])


@cache
def shape(sql: str) -> str:
    for pattern, instead in FOLDED:
        sql = pattern.sub(instead, sql)
    return sql.strip()


def is_ours() -> bool:
    """Asked for by the portal's code, and not by the test itself."""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith(OURS):
            return True
        frame = frame.f_back
    return False


class Recorder:
    """In one thread: tests with more of them commit, and always run on PostgreSQL."""

    def __init__(self) -> None:
        self.tables_are_made = False
        self.running: set[str] = set()
        self.shapes: dict[Function, set[str]] = {}
        self.seconds: dict[Function, float] = {}

    def note(self, execute: Callable[..., Any], sql: Any, *others: Any) -> Any:
        wanted = self.tables_are_made and is_ours()
        try:
            answer = execute(sql, *others)
        except Error:
            if wanted:
                self.running.add(f"refused: {shape(str(sql))}")
            raise
        if wanted:
            self.running.add(shape(str(sql)))
        return answer

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        made = yield
        if fixturedef.argname == "django_db_setup":
            self.tables_are_made = True  # the migrations, until here, run on every database
        return made

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        function = function_of(item.nodeid)
        self.running = self.shapes.setdefault(function, set())
        begun = time.monotonic()
        with connection.execute_wrapper(self.note):
            answer = yield
        taken = time.monotonic() - begun
        self.seconds[function] = self.seconds.get(function, 0) + taken
        return answer

    def pytest_sessionfinish(self) -> None:
        found = [
            [*function, round(self.seconds[function], 3), sorted(shapes)]
            for function, shapes in self.shapes.items()
        ]
        path = Path(os.environ[FOLDER]) / f"{os.getpid()}.json"
        path.write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    hands_out_the_work = bool(config.getoption("numprocesses", None))
    if hasattr(config, "workerinput") or not hands_out_the_work:
        config.pluginmanager.register(Recorder(), "statements")


def read(folder: Path) -> dict[Function, Recorded]:
    return {
        Function(module, name): Recorded(seconds, frozenset(shapes))
        for path in folder.rglob("*.json")
        for module, name, seconds, shapes in json.loads(path.read_text(encoding="utf-8"))
    }


def cheapest_cover(
    recorded: dict[Function, Recorded], covered: frozenset[str] = frozenset()
) -> set[Function]:
    """Tests that together run every statement that is not covered yet. Next comes always the one
    with the most new statements for its time."""
    chosen: list[Function] = []
    missing = set().union(*(one.shapes for one in recorded.values())) - covered
    while missing:
        best = max(
            recorded,
            key=lambda function: (
                len(missing & recorded[function].shapes) / (recorded[function].seconds + 0.01),
                function,
            ),
        )
        chosen.append(best)
        missing -= recorded[best].shapes
    return without_the_needless(chosen, recorded, covered)


def without_the_needless(
    chosen: list[Function], recorded: dict[Function, Recorded], covered: frozenset[str]
) -> set[Function]:
    """The dearest first: what they run, those that were chosen after them may run, too."""
    runs = Counter(shape for function in chosen for shape in recorded[function].shapes)
    runs.update(covered)
    needed = set(chosen)
    for function in sorted(chosen, key=lambda function: -recorded[function].seconds):
        shapes = recorded[function].shapes
        if all(runs[shape] > 1 for shape in shapes):
            runs.subtract(shapes)
            needed.remove(function)
    return needed
