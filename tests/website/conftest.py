"""What a page costs is counted as a visitor from outside costs it."""

import pytest

from pergioco.ledger import marks
from pergioco.ledger.marks import Marks
from pergioco.website import page_cache


@pytest.fixture
def mark(monkeypatch) -> None:
    """The mark of what is kept is asked for, as it is outside of a test's transaction. Each visit is the first one: no
    page and no part of one is kept for the next."""

    def current() -> Marks:
        page_cache.forget_older(marks.NOWHERE)
        return marks.asked()

    monkeypatch.setattr(marks, "current", current)
