"""Every page, for all who may see it: no barrier that axe-core knows, no sideways scroll, nothing
from elsewhere, nothing that jumps while the page comes; in three languages, each with its pictures.
"""

import pytest

from tests.browser.addresses import names_of_all_addresses
from tests.browser.axe import problems
from tests.browser.pages import NOT_A_PAGE, ON_THE_WAY, PAGES, STAFF
from tests.browser.visitor import FONTS, SHIFTS, Visitor

MOST_SHIFTED = 0.02


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


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("who", PAGES, ids=lambda who: who.partition("@")[0] or "anybody")
def test_no_barriers_no_sideways_scroll_nothing_from_elsewhere(visit, demo_portal, who, language):
    visitor: Visitor = visit(as_user=who, language=language)
    visitor.do(lambda page: page.add_init_script(SHIFTS))
    found = []
    for page in PAGES[who]:
        address = visitor.address(page.name, *page.arguments()) + page.query
        found += [f"{address} {problem}" for problem in problems_at(visitor, address)]

    assert found == [], "\n".join(found)


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_is_not_there_has_no_barriers_either(visit, demo_portal, language):
    visitor: Visitor = visit(language=language)

    assert visitor.open("player", "nobody") == 404
    assert problems(visitor) == []
    assert [trouble for trouble in visitor.troubles if "404" not in trouble] == []
    visitor.troubles.clear()


def problems_at(visitor: Visitor, address: str) -> list[str]:
    status = visitor.go(address)
    if status != 200:
        return [f"answered {status}"]
    shifted = visitor.do(lambda page: page.evaluate(f"{FONTS}.then(() => window.shifted || 0)"))
    moving = [f"moves while it comes: {shifted}"] if shifted > MOST_SHIFTED else []
    return moving + problems(visitor)


@pytest.mark.browser
@pytest.mark.parametrize(
    "model", ["office_case", "audit_log_auditentry", "players_proofcode", "publishing_line"]
)
def test_lists_of_the_admin_fit_a_telephone(visit, demo_portal, model):
    visitor: Visitor = visit(as_user=STAFF, width=360)
    visitor.open(f"admin:{model}_changelist")

    assert visitor.do(lambda page: page.evaluate("document.documentElement.scrollWidth")) <= 360
