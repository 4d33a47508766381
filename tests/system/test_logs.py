"""What logs say, and what they leave out: one-time keys stand in addresses, addresses in logs."""

import logging
import re

import pytest
from django.conf import settings
from django.test import Client
from django.utils.module_loading import import_string

from pergioco.core import errors
from pergioco.core.fetcher import FetchFailed
from pergioco.core.signed_links import HideKeysFilter, hide_keys
from tests import factories
from tests.conftest import signed_in
from tests.players import stand_in

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


FORGED = "2026-03-12T12:00:00+0100 INFO pergioco.sign_in login 1 signed in"


def written(record: logging.LogRecord) -> list[str]:
    line = dict(settings.LOGGING["formatters"]["line"])
    return (
        import_string(line.pop("()"))(line["format"], line["datefmt"], line["style"])
        .format(record)
        .split("\n")
    )


@pytest.mark.parametrize("sign", ["\n", "\r\n", "\x1b[2K", "\x0b", "\x85", "\u2028"])
def test_nothing_in_an_address_begins_a_line_of_its_own(rf, caplog, sign):
    request = rf.get("/en/x/")
    request.path = f"/en/x {sign}{FORGED}"
    errors.server_fault(request)
    (line,) = written(caplog.records[-1])
    assert FORGED in line
    assert not line.startswith(FORGED)
    assert line.isprintable()


def test_the_lines_of_a_traceback_are_set_in(caplog):
    trouble = ValueError(f"it ends\n{FORGED}")
    logging.getLogger("pergioco").error("broken", exc_info=trouble)
    first, *others = written(caplog.records[-1])
    assert first.endswith("broken")
    assert any(FORGED in line for line in others)
    assert [line for line in others if not line.startswith("    ")] == []


def post_many_fields():
    of_a_form = {"content_type": "application/x-www-form-urlencoded"}
    return Client().post("/en/contact/", "&".join(["a=1"] * 1001), **of_a_form)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: signed_in(factories.user()).get("/en/staff/roles/"), "Forbidden"),
        (lambda: Client(enforce_csrf_checks=True).post("/en/contact/"), "CSRF"),
        (lambda: Client().get("/en/cases/forged.token/"), "Not Found"),
        (post_many_fields, "exceeded"),
        (lambda: Client().post("/en/", {}), "Method Not Allowed"),
        (lambda: [ask_for_a_password() for _ in range(21)][-1], "Too Many Requests"),
    ],
)
def test_each_attempt_that_is_turned_away_is_written_down(caplog, ask, said):
    answer = ask()
    assert answer.status_code >= 400
    assert [record for record in caplog.records if said in record.getMessage()] != []


def ask_for_a_password():
    return Client().post("/en/account/password/reset/", {"email": "marta@example.org"})


def test_a_platform_without_a_good_certificate_is_written_down(caplog):
    with stand_in.platform() as platform, pytest.raises(FetchFailed):
        platform.fetcher().get("other.example.org", "/x")
    assert "request to other.example.org failed: SSLCertVerificationError" in caplog.text
