"""How much of a module its tests notice: `python -m tests.proofs.mutants ratings.compute [--sample
15] [--seed 1]`.

Each mutant changes one thing inside a function: a comparison, a condition, a number, a statement.
pytest collects and makes its database once; each mutant then runs the tests in a fork of its own,
until the first one fails. What is outside of functions (constants, decorators, defaults) is not
mutated, and tests that start other processes see the module as it is."""

import argparse
import ast
import gc
import importlib
import os
import random
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

SAMPLE, SECONDS = 15, 300
TESTS = {
    "ratings.compute": "ratings/test_compute ratings/test_following ratings/test_purging",
    "ratings.following": "ratings/test_following ratings/test_purging",
    "rankings.compute": "rankings/test_compute",
    "race.compute": "race/test_compute",
    "big_league.compute": "big_league/test_compute",
    "big_league.following": "big_league/test_following",
    "risiko_master.compute": "risiko_master/test_compute",
    "pergioco.publishing.services.publish": "ledger/test_publishing ledger/test_withdrawing "
    "ledger/test_freezing",
    "pergioco.stages.services.closing": "stages/test_closing ledger/test_withdrawing "
    "stages/test_checking",
}
OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}


@dataclass
class Mutant:
    line: int
    what: str
    holder: Any  # a node or a list
    place: Any  # its attribute or index
    instead: Any

    @contextmanager
    def applied(self) -> Iterator[None]:
        original = self.swap(self.instead)
        try:
            yield
        finally:
            self.swap(original)

    def swap(self, value: Any) -> Any:
        if isinstance(self.holder, list):
            original, self.holder[self.place] = self.holder[self.place], value
        else:
            original = getattr(self.holder, self.place)
            setattr(self.holder, self.place, value)
        return original


def mutants_of(tree: ast.Module) -> Iterator[Mutant]:
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    for body in bodies:
        for function in body:
            if isinstance(function, ast.FunctionDef):
                for statement in function.body:
                    for node in ast.walk(statement):
                        yield from mutants_at(node)
                yield from dropped(function)


def mutants_at(node: ast.AST) -> Iterator[Mutant]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            yield Mutant(
                node.lineno, f"comparison {place + 1}", node.ops, place, OPPOSITE[type(operator)]()
            )
    elif isinstance(node, ast.BoolOp):
        yield Mutant(node.lineno, "and/or", node, "op", OPPOSITE[type(node.op)]())
    elif isinstance(node, ast.BinOp) and type(node.op) in OPPOSITE:
        yield Mutant(node.lineno, "plus/minus", node, "op", OPPOSITE[type(node.op)]())
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield Mutant(
            node.lineno, "condition negated", node, "test", ast.UnaryOp(ast.Not(), node.test)
        )
    elif isinstance(node, ast.comprehension) and node.ifs:
        test = node.ifs[0]
        yield Mutant(test.lineno, "filter negated", node.ifs, 0, ast.UnaryOp(ast.Not(), test))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
        other = not node.value if isinstance(node.value, bool) else node.value + 1
        yield Mutant(node.lineno, f"{node.value} becomes {other}", node, "value", other)


def dropped(function: ast.FunctionDef) -> Iterator[Mutant]:
    for node in ast.walk(function):
        for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            for place, one in enumerate(body if isinstance(body, list) else []):
                is_text = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
                if isinstance(one, ast.Expr | ast.AugAssign | ast.Raise) and not is_text:
                    yield Mutant(
                        one.lineno, "statement dropped", body, place, ast.Pass(lineno=one.lineno)
                    )


def code_of(tree: ast.Module, module: ModuleType) -> dict[tuple[str, int], CodeType]:
    """Every function of the source as it is now."""
    found: dict[tuple[str, int], CodeType] = {}
    waiting = [compile(ast.fix_missing_locations(tree), str(module.__file__), "exec")]
    while waiting:
        inner = [one for one in waiting.pop().co_consts if isinstance(one, CodeType)]
        found |= {(one.co_qualname, one.co_firstlineno): one for one in inner}
        waiting += inner
    return found


def put_in(codes: dict[tuple[str, int], CodeType], module: ModuleType) -> None:
    """In place, so that it counts also where the function was imported by name, decorated or
    registered."""
    gc.unfreeze()  # what was frozen for the pace of the tests would not be listed
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == module.__file__:
            code = codes.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
            if code is not None and code.co_freevars == one.__code__.co_freevars:
                one.__code__ = code


class Mutating:
    """Takes the place of pytest's own loop."""

    def __init__(self, name: str, sample: int, seed: int) -> None:
        self.name, self.sample, self.seed = name, sample, seed
        self.survivors: list[Mutant] = []
        self.tried = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        from django.db import connections

        first, *others = session.items
        # makes the database, which every fork then finds
        runtestprotocol(first, log=False, nextitem=others[0])
        self.module = importlib.import_module(self.name)
        source = Path(str(self.module.__file__)).read_text(encoding="utf-8")
        tree = ast.parse(source)
        connections.close_all()
        if self.is_noticed([*others, first], code_of(tree, self.module)):
            pytest.exit("The tests fail without any mutant.", returncode=2)
        every = sorted(mutants_of(tree), key=lambda one: one.line)
        chosen = sorted(
            random.Random(self.seed).sample(every, min(self.sample, len(every))),
            key=lambda one: one.line,
        )
        for one in chosen:
            with one.applied():
                codes = code_of(tree, self.module)
            self.tried += 1
            if not self.is_noticed([*others, first], codes):
                self.survivors.append(one)
                say(
                    f"{self.name}:{one.line}: survived: {one.what}: "
                    f"{source.splitlines()[one.line - 1].strip()}"
                )
        died = self.tried - len(self.survivors)
        say(f"{self.name}: {died} of {self.tried} died ({len(every)} possible)")
        return True

    def is_noticed(self, items: list[pytest.Item], codes: dict[tuple[str, int], CodeType]) -> bool:
        child = os.fork()
        if child:
            return os.waitpid(child, 0)[1] != 0
        signal.alarm(SECONDS)  # a mutant that never ends is noticed, too
        put_in(codes, self.module)
        for item, following in zip(items, [*items[1:], None], strict=True):
            reports = runtestprotocol(item, log=False, nextitem=following or items[0])
            if any(report.failed for report in reports):
                os._exit(1)
        os._exit(0)


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - the result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", choices=TESTS)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    plugin = Mutating(asked.module, asked.sample, asked.seed)
    files = [f"tests/{name}.py" for name in TESTS[asked.module].split()]
    code = pytest.main(
        ["-q", "-s", "--no-header", "-p", "no:cacheprovider", *files], plugins=[plugin]
    )
    return int(code == 2) or int(bool(plugin.survivors))


if __name__ == "__main__":
    sys.exit(main())
