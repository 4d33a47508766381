"""Light or dark by a form: no JavaScript needed, and no way to send people elsewhere."""

from http import HTTPStatus

import pytest
from django.test import Client


def page(client: Client) -> str:
    return " ".join(client.get("/en/about/").content.decode().split())


def test_a_chosen_theme_is_remembered_and_leads_back(client: Client, db) -> None:
    answer = client.post("/theme/", {"theme": "dark", "next": "/en/about/?a=1"})
    assert (answer.status_code, answer["Location"]) == (HTTPStatus.FOUND, "/en/about/?a=1")
    cookie = answer.cookies["theme"]
    assert (cookie.value, cookie["samesite"], cookie["max-age"]) == ("dark", "Lax", 365 * 24 * 3600)
    assert cookie["httponly"] is True
    assert '<html lang="en" data-theme="dark"' in page(client)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_switch_shows_what_is_chosen(client: Client, db, theme: str) -> None:
    client.cookies["theme"] = theme
    text = page(client)
    assert f'<button name="theme" value="{theme}" aria-pressed="true">' in text
    assert text.count('aria-pressed="true"') == 1


def test_as_the_device_leaves_the_choice_to_the_style_sheet(client: Client, db) -> None:
    client.post("/theme/", {"theme": "auto", "next": "/en/"})
    assert "data-theme" not in page(client)


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", ""]
)
def test_it_leads_nowhere_else(client: Client, elsewhere: str) -> None:
    assert client.post("/theme/", {"theme": "dark", "next": elsewhere})["Location"] == "/"


def test_a_theme_that_does_not_exist_changes_nothing(client: Client) -> None:
    assert "theme" not in client.post("/theme/", {"theme": "pink", "next": "/"}).cookies


def test_a_theme_from_a_forged_cookie_is_not_written_into_the_page(client: Client, db) -> None:
    client.cookies["theme"] = "x onload"
    assert "onload" not in page(client)


def test_looking_changes_nothing(client: Client) -> None:
    assert client.get("/theme/?theme=dark").status_code == HTTPStatus.METHOD_NOT_ALLOWED
