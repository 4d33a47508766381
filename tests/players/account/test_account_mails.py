"""Every mail of the login machinery: short, plain text, in our words, with what to do if it was
somebody else."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

TEMPLATES = Path(settings.BASE_DIR) / "templates"
MAILS = sorted(
    str(path.relative_to(TEMPLATES)).removesuffix("_subject.txt")
    for path in TEMPLATES.rglob("email/*_subject.txt")
)
VALUES = {
    "activate_url": "https://portal.example.org/a?x=1&y=2",
    "password_reset_url": "https://portal.example.org/a?x=1&y=2",
    "signup_url": "https://portal.example.org/a?x=1&y=2",
    "email": "o'neill@example.org",
    "from_email": "o'neill@example.org",
    "to_email": "new@example.org",
    "deleted_email": "o'neill@example.org",
    "timestamp": datetime(2026, 3, 12, 11, 0, tzinfo=UTC),
    "ip": "192.0.2.7",
    "user_agent": "Browser & Sons",
}


def body(mail: str, rf: RequestFactory) -> str:
    with translation.override("en"):
        return render_to_string(f"{mail}_message.txt", VALUES, rf.get("/en/")).strip()


def test_all_mails_are_here() -> None:
    assert len(MAILS) == 15


@pytest.mark.parametrize("mail", MAILS)
def test_a_mail_greets_says_its_thing_and_signs(mail: str, rf: RequestFactory) -> None:
    text = body(mail, rf)
    assert text.startswith("Good day,\n\n")
    assert text.endswith("PerGioco Masters\nhttp://127.0.0.1:8000")
    assert "&amp;" not in text
    assert "&#x27;" not in text
    assert "\n\n\n" not in text


@pytest.mark.parametrize("mail", MAILS)
def test_a_subject_is_one_short_line(mail: str) -> None:
    with translation.override("en"):
        subject = render_to_string(f"{mail}_subject.txt", VALUES).strip()
    assert 0 < len(subject) <= 60
    assert "\n" not in subject


CHANGES = [
    mail
    for mail in MAILS
    if "notification" in (TEMPLATES / f"{mail}_message.txt").read_text(encoding="utf-8")
]


@pytest.mark.parametrize("mail", CHANGES)
def test_a_change_is_told_with_its_origin_and_what_to_do_if_it_was_somebody_else(
    mail: str, rf: RequestFactory
) -> None:
    text = body(mail, rf)
    assert "If not, change your password at once and write to the federation." in text
    assert "Where from: 192.0.2.7\nBrowser: Browser & Sons" in text


def test_eleven_changes_are_told() -> None:
    assert len(CHANGES) == 11
