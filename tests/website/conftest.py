"""What a page costs is counted as a visitor from outside costs it."""

from itertools import count

import pytest

from pergioco.ledger import marks
from pergioco.ledger.marks import Marks


@pytest.fixture
def mark(monkeypatch) -> None:
    """The mark of what is kept is asked for, as it is outside of a test's transaction. Each visit finds another one:
    no page and no part of one is kept for the next."""
    visits = count(1)

    def current() -> Marks:
        visit = next(visits)
        return Marks(*(one + visit for one in marks.asked()))

    monkeypatch.setattr(marks, "current", current)
