"""Paragraphs of the regulations, the functions that put them into effect, and the pages that
explain them agree."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import big_league
import pergioco
import race
import rankings
import ratings
import risiko_master
from pergioco.rulekit.paragraph import IMPLEMENTED_BY, Paragraph

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.stem.upper(): page for page in (ROOT / "docs" / "regulations").glob("*.md")}
HEADING = re.compile(r"^### (\w[\w.-]*\w|\w)\b.*$", re.MULTILINE)
NOT_COMPUTED = "Not computed"
USE_CASES = {  # they need rows to put a paragraph into effect
    "pergioco.stages.services.scheduling",
    "pergioco.stages.services.entrants",
    "big_league.services.final_seats",
    "big_league.services.convocations",
    "big_league.services.online_prizes",
}


def marked() -> dict[Paragraph, list[str]]:
    for package in (pergioco, ratings, rankings, race, big_league, risiko_master):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".rules" in module.name or module.name in USE_CASES:
                importlib.import_module(module.name)
    return IMPLEMENTED_BY


def explained(code: str) -> dict[str, str]:
    """Paragraph number -> what its page says of it."""
    text = PAGES[code].read_text(encoding="utf-8")
    parts = HEADING.split(text)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("code", PAGES)
def test_every_computed_paragraph_is_marked_in_the_code(code):
    computed = {number for number, words in explained(code).items() if NOT_COMPUTED not in words}
    assert computed == {p.number for p in marked() if p.regulation == code}


@pytest.mark.parametrize("code", PAGES)
def test_the_page_names_the_function_of_every_computed_paragraph(code):
    words = explained(code)
    for paragraph, functions in marked().items():
        if paragraph.regulation == code:
            for function in functions:
                assert f"`{function}`" in words[paragraph.number], paragraph


def test_every_marked_paragraph_has_a_test_of_its_number():
    names = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)\(", path.read_text(encoding="utf-8"))
    }
    assert not [
        paragraph for paragraph in marked() if not any(map(names_it(paragraph).match, names))
    ]


def names_it(paragraph: Paragraph) -> re.Pattern[str]:
    """`test_pgm_39_40_…` is of both paragraphs; those of the others have names or points:
    `test_big_4_2_…`."""
    others = r"(\d+_)*" if paragraph.regulation == "PGM" else ""
    number = re.sub(r"\W", "_", paragraph.number)
    return re.compile(rf"test_{paragraph.regulation.lower()}_{others}{number}_")


def test_every_regulation_that_is_computed_has_its_page():
    assert {paragraph.regulation for paragraph in marked()} == set(PAGES)
