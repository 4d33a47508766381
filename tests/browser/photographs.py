"""What every page looks like, to be looked at by people: kept under `reports/`, which CI hands
out."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

from django.urls import resolve
from django.utils.translation import override

from tests.browser.visitor import Visitor

FOLDER = Path(__file__).parents[2] / "reports" / "photographs"
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")  # each counts for itself
taken: Counter[str] = Counter()


def photograph(visitor: Visitor, look: str) -> None:
    """The whole page as it stands. The same address in another state is another picture."""
    language = visitor.path[1:3]
    with override(language):
        name = f"{resolve(visitor.path).url_name}-{language}-{look}"
    taken[name] += 1
    path = FOLDER / f"{name}-{WORKER}{taken[name]}.jpg"

    def take(page: Any) -> None:
        page.screenshot(path=path, type="jpeg", quality=50, full_page=True)

    FOLDER.mkdir(parents=True, exist_ok=True)
    visitor.do(take)
