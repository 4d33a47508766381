"""What search engines find, and where the printed addresses lead."""

import re

import pytest

from pergioco.website.urls import PRINTED_ADDRESSES
from tests import factories
from tests.website import league as leagues

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
HOST = "http://127.0.0.1:8000"


def locations(client, address: str) -> list[str]:
    answer = client.get(address)
    assert answer.status_code == 200
    return re.findall(r"<loc>(.*?)</loc>", answer.content.decode())


def test_robots_are_led_to_the_sitemap_and_away_from_forms(client):
    page = client.get("/robots.txt").content.decode()

    assert "Disallow: /it/me/\n" in page
    assert f"Sitemap: {HOST}/sitemap.xml\n" in page


def test_whoever_finds_a_hole_learns_whom_to_tell(client, settings):
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    answer = client.get("/.well-known/security.txt")

    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode().splitlines() == [
        "Contact: mailto:security@example.org",
        "Expires: 2026-06-10T00:00:00Z",  # ninety days after 12 March
        "Preferred-Languages: it, en, es",
        f"Canonical: {HOST}/.well-known/security.txt",
    ]


def test_a_browser_that_asks_for_an_icon_by_itself_gets_ours(client):
    assert client.get("/favicon.ico")["Location"] == "/static/icons/portal.svg"


def test_the_sitemap_lists_its_sections(client):
    assert [where.rpartition("/")[2] for where in locations(client, "/sitemap.xml")] == [
        "sitemap-pages.xml",
        "sitemap-rankings.xml",
        "sitemap-stages.xml",
        "sitemap-players.xml",
        "sitemap-big.xml",
    ]


def test_public_pages_stand_in_it_in_three_languages_and_answer(client):
    leagues.published()

    for section in ("pages", "rankings", "stages", "players"):
        found = locations(client, f"/sitemap-{section}.xml")
        assert {where.removeprefix(HOST)[:4] for where in found} == {"/it/", "/en/", "/es/"}
        assert {client.get(where.removeprefix(HOST)).status_code for where in found} == {200}


def test_people_who_are_not_named_do_not_stand_in_it(client):
    league = leagues.published()

    found = " ".join(locations(client, "/sitemap-players.xml"))

    assert league.anna.public_id in found
    assert league.carla.public_id not in found
    assert league.dora.public_id not in found


def test_an_unknown_section_does_not_exist(client):
    assert client.get("/sitemap-zzz.xml").status_code == 404


@pytest.mark.parametrize("address", PRINTED_ADDRESSES)
def test_printed_addresses_lead_to_a_page_in_the_reader_s_language(client, address):
    factories.season(2026)

    answer = client.get(f"/{address}", headers={"Accept-Language": "es"})

    assert answer.status_code == 301
    assert answer["Location"].startswith("/es/")
    assert "Accept-Language" in answer["Vary"]
    assert client.get(answer["Location"]).status_code == 200
    assert client.get(f"/{address}", headers={"Accept-Language": "de"})["Location"].startswith(
        "/it/"
    )
