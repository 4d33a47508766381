from collections.abc import Iterator

import pytest

from pergioco.core import jobs
from tests.core import steps


@pytest.fixture(autouse=True)
def _jobs_for_tests(settings) -> Iterator[None]:
    settings.BROKER_URL = ""
    steps.calls.clear()
    with pytest.MonkeyPatch.context() as patch:  # of its own: a test may undo its patches
        for name, kind in steps.KINDS.items():
            patch.setitem(jobs.kinds, name, kind)
        yield
