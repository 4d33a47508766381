"""What a newcomer types into the registration page, and the mail that comes back."""

import email
import re
from email import policy
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

ADDRESS, PASSWORD = "zofie.lukasova@example.org", "una frase lunga e segreta"
TYPED = {
    "first_name": "Žofie",
    "last_name": "Łukášová-Ñandú",
    "birth_date_0": "17",
    "birth_date_1": "5",
    "birth_date_2": "1990",
    "city": "Český Krumlov",
    "email": ADDRESS,
    "password1": PASSWORD,
    "playstrategy": "zofie_plays",
}
BOXES = ("agrees_rules", "agrees_publication")


def fill(page: Page, **instead: str) -> None:
    for name, text in {**TYPED, **instead}.items():
        page.fill(f"[name={name}]", text)
    page.select_option("[name=country]", "CZ")


def agree(page: Page) -> None:
    for name in BOXES:
        page.check(f"[name={name}]")


def send(page: Page) -> None:
    with page.expect_navigation():
        page.click("main .form .actions .button")


def link_in_mail(folder: Path) -> str:
    """The path of the link that confirms the address, in the only mail that left."""
    (sent,) = folder.glob("*")
    message = email.message_from_bytes(sent.read_bytes(), policy=policy.default)
    assert message["To"] == ADDRESS
    found = re.search(r"https?://\S+/confirm-email/\S+", message.get_content())
    assert found is not None, message.get_content()
    return urlsplit(found[0]).path
