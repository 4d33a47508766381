"""Registering, from the empty form to the account page, as people do it."""

import pytest

from pergioco.core.models import User
from pergioco.players.models import Consent, Person, Registration
from tests.browser import forms
from tests.browser.axe import problems

pytestmark = pytest.mark.browser
WORDS = {
    "it": ("/it/register/look-at-your-mail/", "/it/me/"),
    "en": ("/en/register/look-at-your-mail/", "/en/me/"),
    "es": ("/es/register/look-at-your-mail/", "/es/me/"),
}


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no javascript"])
@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_from_the_empty_form_to_the_account(visit, settings, language, javascript):
    look_at_your_mail, account = WORDS[language]
    visitor = visit(width=360, language=language, javascript=javascript)
    visitor.open("register")

    visitor.do(forms.fill)
    visitor.do(forms.agree)
    visitor.do(forms.send)
    assert visitor.path == look_at_your_mail
    assert forms.ADDRESS in visitor.text()
    if javascript:
        assert problems(visitor) == []

    visitor.go(forms.link_in_mail(settings.MAIL_FOLDER))
    assert not User.objects.get().emailaddress_set.get().verified, (
        "looking at the link confirms nothing"
    )
    visitor.press("main form .button")
    assert visitor.path == account
    assert "Žofie Łukášová-Ñandú" in visitor.text("main")

    person = Person.objects.get()
    assert (person.city, person.country, person.user.language) == ("Český Krumlov", "CZ", language)
    assert person.player.registration.state == Registration.State.NEW
    assert set(Consent.objects.values_list("kind", "given", "language")) == {
        (Consent.Kind.RULES, True, language),
        (Consent.Kind.PUBLICATION, True, language),
    }


@pytest.mark.parametrize("javascript", [True, False], ids=["javascript", "no javascript"])
def test_the_language_is_changed_half_way_and_enter_still_registers(visit, javascript):
    visitor = visit(width=360, language="it", javascript=javascript)
    visitor.open("register")
    visitor.do(forms.fill)
    visitor.press(".languages [lang=es]")
    assert visitor.path == "/es/register/"
    assert visitor.do(lambda page: page.input_value("[name=last_name]")) == forms.TYPED["last_name"]

    visitor.do(forms.agree)
    visitor.do(lambda page: page.fill("[name=password1]", forms.PASSWORD))
    visitor.do(lambda page: press_enter(page, "[name=city]"))
    assert visitor.path == "/es/register/look-at-your-mail/"


def press_enter(page, selector: str) -> None:
    with page.expect_navigation():
        page.press(selector, "Enter")


def press_through(page) -> None:
    """No mouse: Tab from the top of the page to the button, typing where there is something to
    type."""
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.name || ''")
        if name in forms.TYPED:
            page.keyboard.type(forms.TYPED[name])
        elif name == "country":
            page.keyboard.type("Cze")
        elif name in forms.BOXES:
            page.keyboard.press("Space")
        elif page.evaluate("document.activeElement.matches('main .actions button')"):
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return


def test_without_a_mouse(visit, portal):
    visitor = visit()
    visitor.open("register")

    visitor.do(press_through)

    assert visitor.path == "/en/register/look-at-your-mail/"
    assert Person.objects.get().country == "CZ"


def test_what_needs_another_look_is_listed_linked_and_in_focus_and_nothing_typed_is_lost(
    visit, portal
):
    visitor = visit(width=360)
    visitor.open("register")
    visitor.do(lambda page: forms.fill(page, birth_date_2="2015", city="<script>alert(1)</script>"))

    visitor.do(forms.send)

    assert visitor.do(lambda page: page.evaluate("document.activeElement.id")) == "error-summary"
    links = visitor.do(
        lambda page: page.locator(".error-summary a").evaluate_all("all => all.map(a => a.hash)")
    )
    assert links == ["#id_birth_date_0", "#id_city", "#id_agrees_rules", "#id_agrees_publication"]
    kept = visitor.do(
        lambda page: {name: page.input_value(f"[name={name}]") for name in forms.TYPED}
    )
    assert kept == {
        **forms.TYPED,
        "birth_date_2": "2015",
        "city": "<script>alert(1)</script>",
        "password1": "",  # browsers ask us not to send a password back
    }
    assert problems(visitor) == []

    visitor.do(lambda page: page.click(".error-summary a >> nth=1"))
    assert visitor.do(lambda page: page.evaluate("document.activeElement.name")) == "city"
    assert Person.objects.count() == 0


def test_registering_twice_with_one_address_looks_the_same_and_makes_nobody(visit, portal):
    for _ in range(2):
        visitor = visit(javascript=False)
        visitor.open("register")
        visitor.do(forms.fill)
        visitor.do(forms.agree)
        visitor.do(forms.send)
        assert visitor.path == "/en/register/look-at-your-mail/"

    assert Person.objects.count() == 1
