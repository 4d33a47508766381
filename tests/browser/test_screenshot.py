"""The picture in the README is the page as it is."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("demo_portal")]
PICTURE = Path(__file__).parents[2] / "docs" / "screenshots" / "home.png"
MOST_BYTES = 200 * 1024


def test_the_home_page_can_be_shown_to_strangers(visit, clock, tmp_path):
    """`PORTAL_SCREENSHOTS=1` writes it into the README's folder; otherwise the work tree stays as
    it is."""
    clock.move_to(datetime(2026, 3, 12, 11, 0, tzinfo=UTC))
    picture = PICTURE if os.environ.get("PORTAL_SCREENSHOTS") else tmp_path / "home.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    visitor = visit(width=1280)

    visitor.open("home")
    visitor.do(lambda page: page.evaluate("document.fonts.ready.then(() => true)"))
    visitor.do(lambda page: page.screenshot(path=picture))

    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size < MOST_BYTES
