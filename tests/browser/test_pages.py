"""Every page, for all who may see it: no barrier that axe-core knows, no sideways scroll, nothing
from elsewhere, nothing that jumps while the page comes; in three languages, each with its pictures.
"""

import pytest

from tests.browser.addresses import names_of_all_addresses
from tests.browser.axe import DARK, LIGHT, SAME_IN_OTHER_WORDS, Seen, problems
from tests.browser.pages import NOT_A_PAGE, ON_THE_WAY, PAGES, STAFF
from tests.browser.visitor import FONTS, SHIFTS, Visitor

MOST_SHIFTED = 0.02
MOST_ATTEMPTS = 20
FONTS_CAME_LATE = """() => {
  const drawn = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  const fonts = performance.getEntriesByType("resource").filter(one => one.name.includes(".woff2"));
  return fonts.some(one => one.responseEnd > drawn);
}"""


def test_every_address_of_the_portal_is_in_the_list():
    listed = (
        {page.name for pages in PAGES.values() for page in pages}
        | set(ON_THE_WAY)
        | set(NOT_A_PAGE)
    )

    assert names_of_all_addresses() - listed == set(), "add these to tests/browser/pages.py"
    assert listed - names_of_all_addresses() == set(), (
        "these are gone: take them out of tests/browser/pages.py"
    )


LANGUAGES = ["en", "it", "es"]
AT_ONCE = 24  # pages in one test, so that several processes share the work
PARTS = [
    pytest.param(who, first, id=f"{who.partition('@')[0] or 'anybody'}-{first}")
    for who, pages in PAGES.items()
    for first in range(0, len(pages), AT_ONCE)
]


@pytest.mark.browser
@pytest.mark.parametrize(("who", "first"), PARTS)
def test_no_barriers_no_sideways_scroll_nothing_from_elsewhere(visit, demo_portal, who, first):
    visitors: list[Visitor] = [visit(as_user=who, language=language) for language in LANGUAGES]
    for visitor in visitors:
        visitor.do(lambda page: page.add_init_script(SHIFTS))
    found = []
    for page in PAGES[who][first : first + AT_ONCE]:
        arguments, seen = page.arguments(), Seen()
        for visitor in visitors:
            address = visitor.address(page.name, *arguments) + page.query
            found += [f"{address} {problem}" for problem in problems_at(visitor, address, seen)]

    assert found == [], "\n".join(found)


@pytest.mark.browser
def test_control_only_a_page_that_differs_in_nothing_but_words_is_not_looked_at_in_full(
    visit, portal
):
    seen, (first, second) = Seen(), (visit(language=language) for language in LANGUAGES[:2])
    first.open("about")
    second.open("about")
    assert seen.looks(first) == [*LIGHT, *DARK]
    assert seen.looks(second) == SAME_IN_OTHER_WORDS

    second.do(lambda page: page.evaluate("document.querySelector('main h1').textContent = ''"))
    assert seen.looks(second) == [*LIGHT, *DARK]


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_is_not_there_has_no_barriers_either(visit, demo_portal, language):
    visitor: Visitor = visit(language=language)

    assert visitor.open("player", "nobody") == 404
    assert problems(visitor) == []
    assert [trouble for trouble in visitor.troubles if "404" not in trouble] == []
    visitor.troubles.clear()


def problems_at(visitor: Visitor, address: str, seen: Seen) -> list[str]:
    status, shifted = arrive(visitor, address)
    if status != 200:
        return [f"answered {status}"]
    moving = [f"moves while it comes: {shifted}"] if shifted > MOST_SHIFTED else []
    return moving + problems(visitor, seen)


def arrive(visitor: Visitor, address: str) -> tuple[int, float]:
    """The status, and how far the page moved with its fonts there when it was first drawn. On a
    busy machine they come later, which `test_frame.py` looks at: then once more, with the fonts
    that the browser now keeps."""
    for _attempt in range(MOST_ATTEMPTS):
        status = visitor.go(address)
        shifted = visitor.do(lambda page: page.evaluate(f"{FONTS}.then(() => window.shifted || 0)"))
        if shifted <= MOST_SHIFTED or not visitor.do(lambda page: page.evaluate(FONTS_CAME_LATE)):
            break
    return status, shifted


@pytest.mark.browser
@pytest.mark.parametrize(
    "model", ["office_case", "audit_log_auditentry", "players_proofcode", "publishing_line"]
)
def test_lists_of_the_admin_fit_a_telephone(visit, demo_portal, model):
    visitor: Visitor = visit(as_user=STAFF, width=360)
    visitor.open(f"admin:{model}_changelist")

    assert visitor.do(lambda page: page.evaluate("document.documentElement.scrollWidth")) <= 360
