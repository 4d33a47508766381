"""The account page and what hangs on it, with and without JavaScript, and without a mouse."""

import json
from zipfile import ZipFile

import pytest

from pergioco.players.models import Consent, Person
from pergioco.players.services.consents import has_given_consent

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("demo_portal")]
WITH_AND_WITHOUT = pytest.mark.parametrize(
    "javascript", [True, False], ids=["javascript", "no javascript"]
)
MARTA = "player@example.org"


def marta() -> Person:
    return Person.objects.get(user__email=MARTA)


@WITH_AND_WITHOUT
def test_data_are_changed_from_the_account_page(visit, javascript):
    visitor = visit(width=360, as_user=MARTA, javascript=javascript)
    visitor.open("me")
    assert "Torino, Italy" in visitor.text()

    visitor.press("main a[href$='/me/data/']")
    visitor.do(lambda page: page.fill("[name=city]", "Český Krumlov"))
    visitor.do(lambda page: page.select_option("[name=country]", "CZ"))
    visitor.press("main .form .button")

    assert (marta().city, marta().country) == ("Český Krumlov", "CZ")
    visitor.open("me")
    assert "Český Krumlov, Czechia" in visitor.text()


@WITH_AND_WITHOUT
def test_the_newsletter_is_taken_back_and_asked_for_again(visit, javascript):
    visitor = visit(as_user=MARTA, javascript=javascript)
    button = "form[action$='/consents/newsletter/'] button"
    visitor.open("my-consents")

    visitor.press(button)
    assert has_given_consent(marta().player, Consent.Kind.NEWSLETTER) is False

    visitor.press(button)
    assert has_given_consent(marta().player, Consent.Kind.NEWSLETTER) is True


@WITH_AND_WITHOUT
def test_all_data_come_in_one_file_that_can_be_read(visit, javascript, tmp_path):
    visitor = visit(as_user=MARTA, javascript=javascript)
    visitor.open("my-export")

    def download(page) -> None:
        with page.expect_download() as coming:
            page.click("main form .button")
        coming.value.save_as(tmp_path / "mine.zip")

    visitor.do(download)

    with ZipFile(tmp_path / "mine.zip") as archive:
        everything = " ".join(
            archive.read(name).decode() for name in archive.namelist() if name.endswith(".json")
        )
        assert any(name.endswith(".csv") for name in archive.namelist())
    assert "Rossi" in everything
    assert MARTA in json.dumps(everything)


def test_deletion_shows_what_goes_and_what_stays_before_anything_happens(visit):
    visitor = visit(as_user=MARTA)
    visitor.open("my-deletion")

    assert visitor.do(lambda page: page.locator("#goes ~ ul li").count()) >= 3
    assert marta().player.public_id in visitor.text()
    assert Person.objects.filter(user__email=MARTA).exists()


def reach(page, selector: str) -> None:
    """By Tab alone."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    message = f"Tab never reaches {selector}"
    raise AssertionError(message)


def test_without_a_mouse_from_the_home_page_to_a_changed_city(visit):
    visitor = visit(as_user=MARTA)
    visitor.open("home")

    def act(page) -> None:
        for link in (".site-bar a[href='/en/me/']", "main a[href$='/me/data/']"):
            reach(page, link)
            with page.expect_navigation():
                page.keyboard.press("Enter")
        reach(page, "[name=city]")
        page.keyboard.press("Control+A")
        page.keyboard.type("Cuneo")
        with page.expect_navigation():
            page.keyboard.press("Enter")

    visitor.do(act)

    assert marta().city == "Cuneo"
