"""A clock that the test sets."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
import time_machine

from tests.conftest import NOON_IN_MARCH


@pytest.fixture
def time_machine_at() -> Callable[[int], AbstractContextManager[object]]:
    """So many seconds after noon."""
    return lambda seconds: time_machine.travel(
        NOON_IN_MARCH + timedelta(seconds=seconds), tick=False
    )
