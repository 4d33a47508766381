"""What a page costs: few queries, the one for the versions of the cache among them. Every page is
made anew here."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pergioco.core import cache_versions
from tests.browser.pages import ANYBODY, PAGES
from tests.demo.conftest import demo, demo_site  # noqa: F401 - fixtures
from tests.demo.written import federation  # noqa: F401 - a fixture
from tests.office.desk.counting import queries_of

pytestmark = pytest.mark.usefixtures("uncached")
MOST_QUERIES = 12


def test_every_page_for_anybody_asks_few(demo):  # noqa: F811 - the fixture
    asked = {}
    for page in PAGES[ANYBODY]:
        address = reverse(page.name, args=page.arguments()) + page.query
        asked[address] = queries_of(Client(), address)

    assert {address: times for address, times in asked.items() if times > MOST_QUERIES} == {}


def test_the_versions_are_read_at_every_visit(demo):  # noqa: F811 - the fixture
    for _visit in range(2):
        with CaptureQueriesContext(connection) as asked:
            Client().get("/it/")
        assert asked[0]["sql"] == cache_versions.CURRENT
        assert len(asked) > 1
