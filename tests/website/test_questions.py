"""What a page costs: few questions to the database. What is kept in memory is made anew here, and the mark that says
whether it still holds is not asked for inside of a transaction."""

from django.test import Client
from django.urls import reverse

from tests.browser.pages import ANYBODY, PAGES
from tests.demo.conftest import demo, demo_site  # noqa: F401 - fixtures
from tests.demo.written import federation  # noqa: F401 - a fixture
from tests.desk.counting import queries_of

MOST_QUERIES = 12


def test_every_page_for_anybody_asks_few(demo):  # noqa: F811 - the fixture
    asked = {}
    for page in PAGES[ANYBODY]:
        address = reverse(page.name, args=page.arguments()) + page.query
        asked[address] = queries_of(Client(), address)

    assert {address: times for address, times in asked.items() if times > MOST_QUERIES} == {}
