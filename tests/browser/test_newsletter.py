"""A newsletter of the demo from its first word until it is stopped: with scripts, and without on a
phone."""

import pytest

from pergioco.office.models import Campaign
from tests.browser.axe import problems
from tests.browser.pages import STAFF
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("demo_portal")]
NAMES = {"it": "Novità", "en": "News", "es": "Novedades"}


def begin(visitor: Visitor) -> Campaign:
    visitor.open("desk-newsletters")
    visitor.press("main >> text=Write a newsletter")
    return Campaign.objects.latest("pk")


def write(visitor: Visitor) -> None:
    """One tab after the other, without saving in between: nothing that was typed is lost."""
    for code, word in NAMES.items():
        visitor.do(lambda page, code=code: page.check(f"#tab-{code}"))
        visitor.do(lambda page, code=code, word=word: page.fill(f"[name=subject_{code}]", word))
        visitor.do(lambda page, code=code, word=word: page.fill(f"[name=text_{code}]", f"{word}!"))


def let_go_and_stop(visitor: Visitor) -> None:
    visitor.press("main >> text=Save, and send in half an hour")
    assert "Leaves at" in visitor.text()
    visitor.press("main button:text-is('Stop')")
    assert "Nobody has got it." in visitor.text()


def test_from_the_first_word_until_it_is_stopped(visit):
    visitor: Visitor = visit(as_user=STAFF)
    campaign = begin(visitor)
    write(visitor)
    shown = [
        code
        for code in NAMES
        if visitor.do(lambda page, code=code: page.is_visible(f"[name=text_{code}]"))
    ]
    assert shown == ["es"]
    visitor.do(lambda page: page.select_option("[name=block]", "race"))
    # at the cursor, on the same page
    visitor.do(lambda page: page.click("main >> text=Insert the block"))
    assert visitor.do(lambda page: page.input_value("[name=text_es]")).startswith(
        "Novedades!\n\n[[race 10]]"
    )
    visitor.press("main button:text-is('Save')")
    campaign.refresh_from_db()
    assert [getattr(campaign, f"subject_{code}") for code in NAMES] == list(NAMES.values())
    assert "Race" in visitor.text(".letter")
    assert problems(visitor) == []
    let_go_and_stop(visitor)
    assert problems(visitor) == []


def test_on_a_phone_without_a_script(visit):
    visitor: Visitor = visit(width=360, javascript=False, as_user=STAFF)
    campaign = begin(visitor)
    write(visitor)
    visitor.do(lambda page: page.check("#tab-it"))
    visitor.press("main >> text=Insert the block")
    campaign.refresh_from_db()
    assert campaign.text_it == "Novità!\n\n[[red 10]]\n"
    assert visitor.do(lambda page: page.evaluate("document.documentElement.scrollWidth")) <= 360
    let_go_and_stop(visitor)
