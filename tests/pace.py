"""What Python does for itself beside the work of a test, made seldom. Long walks through pages cost a quarter less."""

import gc
from collections.abc import Callable
from typing import TypeVar

import pytest
from _pytest import runner

T = TypeVar("T")
OFTEN_ENOUGH = (50_000, 20, 100)
DEEP = 66_000  # words: half a megabyte, so that Python takes a whole one, and as much is left for all that is called


def with_room(call: Callable[..., T], *args: object) -> T:
    """Python lays its calls into pieces of 16 KiB: where a loop deep in a template steps over the end of one, each step
    asks the system for memory and gives it back. A call that says it wants much gets a piece that ends nowhere near."""
    return call(*args)


with_room.__code__ = with_room.__code__.replace(co_stacksize=DEEP)


def pytest_collection_finish() -> None:
    """What was imported stays until the end: nobody looks through it for garbage again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OFTEN_ENOUGH)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    return with_room(runner.pytest_runtest_protocol, item, nextitem)
