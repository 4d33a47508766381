"""One-time keys stand in addresses, and addresses stand in logs: the keys are left out."""

import logging
import re

import pytest

from pergioco.core.signed_links import HideKeysFilter, hide_keys

KEY = "Mg:1vLkq3:VbT0d7Vg0bQ6hQxw"


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        (f"/it/account/confirm-email/{KEY}/", "/it/account/confirm-email/…/"),
        (
            "/it/account/password/reset/key/3-cx1a2b-0123456789abcdef0123456789abcdef/",
            "/it/account/password/reset/key/…/",
        ),
        ("/it/players/abcd234efg/", "/it/players/abcd234efg/"),
        ("/it/stages/2026/catan/", "/it/stages/2026/catan/"),
    ],
)
def test_a_key_in_a_path_is_left_out(path, logged):
    assert hide_keys(path) == logged


def test_the_log_of_every_process_goes_through_it(settings):
    handlers = settings.LOGGING["handlers"]
    assert {name: handler["filters"] for name, handler in handlers.items()} == {
        "console": ["without_keys"]
    }
    assert settings.LOGGING["root"]["handlers"] == ["console"]


def test_django_names_the_page_that_failed_without_its_key():
    record = logging.LogRecord(
        "django.request", 30, __file__, 1, "%s: %s", ("Not Found", f"/it/x/{KEY}/"), None
    )
    HideKeysFilter().filter(record)
    assert record.getMessage() == "Not Found: /it/x/…/"


def test_a_line_says_when_with_its_offset(settings):
    how = settings.LOGGING["formatters"]["line"]
    line = logging.Formatter(how["format"], how["datefmt"], how["style"])
    said = line.format(logging.LogRecord("pergioco", 20, __file__, 1, "here", None, None))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} INFO pergioco here", said)


def test_what_is_not_a_text_stays_what_it_is():
    record = logging.LogRecord("pergioco", 20, __file__, 1, "step %s of %s", (7, "mail.send"), None)
    assert HideKeysFilter().filter(record) is True
    assert record.args == (7, "mail.send")
