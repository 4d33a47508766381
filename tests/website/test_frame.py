"""The frame of every page: language, colours, ways around, and what it tells search engines."""

import re
from http import HTTPStatus

import pytest
from django.test import Client

from pergioco.core.models import User
from tests.conftest import signed_in

ALTERNATE = re.compile(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]+)">')
SWITCH = re.compile(r'<a href="([^"]+)" hreflang="(\w+)" lang="\w+" (aria-current="true")?>')

pytestmark = pytest.mark.django_db


def page(client: Client, address: str, **extra) -> str:
    return in_one_line(client.get(address, **extra).content)


def in_one_line(content: bytes) -> str:
    """How the template is broken into lines does not matter."""
    return " ".join(content.decode().split())


@pytest.mark.parametrize("code", ["it", "en", "es"])
def test_the_page_says_its_language(client: Client, code: str) -> None:
    assert f'<html lang="{code}"' in page(client, f"/{code}/about/")


def test_the_language_switch_goes_to_the_same_page_and_keeps_the_query(client: Client) -> None:
    assert SWITCH.findall(page(client, "/it/about/style/?a=1&b=2")) == [
        ("/it/about/style/?a=1&amp;b=2", "it", 'aria-current="true"'),
        ("/en/about/style/?a=1&amp;b=2", "en", ""),
        ("/es/about/style/?a=1&amp;b=2", "es", ""),
    ]


def test_the_language_switch_goes_to_the_page_of_a_form_that_came_back(client: Client) -> None:
    answer = in_one_line(client.post("/it/account/login/", {"login": "", "password": ""}).content)
    assert [address for address, _code, _here in SWITCH.findall(answer)] == [
        "/it/account/login/",
        "/en/account/login/",
        "/es/account/login/",
    ]


def test_the_language_switch_of_a_missing_page_goes_home(client: Client) -> None:
    assert [address for address, _code, _here in SWITCH.findall(page(client, "/it/nowhere/"))] == [
        "/it/",
        "/en/",
        "/es/",
    ]


def test_search_engines_learn_the_address_and_its_translations(client: Client) -> None:
    text = page(client, "/en/about/?from=mail")
    assert '<link rel="canonical" href="http://127.0.0.1:8000/en/about/">' in text
    assert ALTERNATE.findall(text) == [
        ("it", "http://127.0.0.1:8000/it/about/"),
        ("x-default", "http://127.0.0.1:8000/it/about/"),
        ("en", "http://127.0.0.1:8000/en/about/"),
        ("es", "http://127.0.0.1:8000/es/about/"),
    ]


def test_a_shared_link_shows_title_and_description(client: Client) -> None:
    text = page(client, "/en/about/privacy/")
    assert '<meta property="og:title" content="Privacy">' in text
    assert '<meta property="og:url" content="http://127.0.0.1:8000/en/about/privacy/">' in text
    description = "Which data the portal keeps, who sees them, and for how long."
    assert f'<meta property="og:description" content="{description}">' in text
    assert f'<meta name="description" content="{description}">' in text


def test_the_bar_offers_what_the_visitor_can_do(
    client: Client, player_user: User, staff: User
) -> None:
    def links(of: Client) -> list[str]:
        bar = re.search(r"<nav data-main.*?</nav>", page(of, "/en/about/"), re.DOTALL)
        return re.findall(r'(?:href|action)="([^"]+)"', bar[0])

    assert links(client) == [
        "/en/",
        "/en/calendar/",
        "/en/rankings/",
        "/en/players/",
        "/en/big/",
        "/en/risiko/",
        "/en/register/",
        "/en/account/login/",
    ]
    assert links(signed_in(player_user)) == [
        "/en/",
        "/en/calendar/",
        "/en/rankings/",
        "/en/players/",
        "/en/big/",
        "/en/risiko/",
        "/en/me/",
        "/en/account/logout/",
    ]
    assert links(signed_in(staff)) == [
        "/en/",
        "/en/calendar/",
        "/en/rankings/",
        "/en/players/",
        "/en/big/",
        "/en/risiko/",
        "/en/me/",
        "/en/staff/",
        "/en/account/logout/",
    ]


def test_the_footer_leads_to_the_papers(client: Client) -> None:
    footer = re.search(r"<footer.*?</footer>", page(client, "/en/about/"), re.DOTALL)[0]
    assert re.findall(r'href="([^"]+)"', footer) == [
        "/en/about/",
        "/en/rules/",
        "/en/archive/",
        "/en/newsletter/",
        "/en/errata/",
        "/en/complaints/",
        "/en/contact/",
        "/api/docs/",
        "/en/about/privacy/",
        "/en/about/accessibility/",
        "/en/about/style/",
    ]


def test_a_demo_says_so_on_every_page(client: Client, settings) -> None:
    settings.DEMO = True
    assert page(client, "/en/about/").count('class="strip"') == 1
    settings.DEMO = False
    assert page(client, "/en/about/").count('class="strip"') == 0


@pytest.mark.parametrize(
    ("address", "heading"),
    [
        ("/en/about/", "What this portal is"),
        ("/en/about/privacy/", "Privacy"),
        ("/en/about/accessibility/", "Accessibility"),
        ("/en/about/style/", "Style"),
    ],
)
def test_the_papers_answer_with_one_heading(client: Client, address: str, heading: str) -> None:
    answer = client.get(address)
    assert answer.status_code == HTTPStatus.OK
    assert re.findall(r"<h1>(.*?)</h1>", answer.content.decode()) == [heading]


def test_the_privacy_page_does_not_hide_that_files_of_platforms_outlive_a_deletion(
    client: Client,
) -> None:
    text = page(client, "/en/about/privacy/")
    row = re.search(
        r"<tr>\s*<th scope=\"row\">Files of platforms with results.*?</tr>", text, re.DOTALL
    )[0]
    assert re.findall(r">([^<]+)</t[hd]>", row) == [
        "Files of platforms with results, kept as read: they hold nicknames as played",
        "the federation&#x27;s staff",
        (
            "for ever, also after a deletion: results can be read again; seven days if nothing was "
            "taken from them"
        ),
    ]


def test_the_first_link_skips_to_the_content(client: Client) -> None:
    text = page(client, "/en/about/")
    assert re.search(r"<body>\s*<a class=\"skip\" href=\"#main\">Skip to the content</a>", text)
    assert text.count('<main id="main"') == 1
