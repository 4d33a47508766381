"""What guards every answer; and `docs/security.md` is whole, and names tests that exist."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.hashers import identify_hasher
from django.core import signing
from django.test import Client, override_settings

from big_league import links
from tests import factories
from tests.conftest import signed_in
from tests.servers import manage
from tests.system.test_health import all_ran
from tests.system.test_settings import COMPLETE

ROOT = Path(__file__).parents[2]
SHEET = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in SHEET.splitlines() if re.match(r"\| \d", line)]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
# Section -> how many items levels 1 and 2 have there; items of level 3 come after them but where it
# is said.
ITEMS = """
1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3
4.2:1 4.3:2 4.4:4
5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5
7.5:2 7.6:2 8.1:2
8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2
10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5
13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1
17.2:4 17.3:2
"""
GUARDS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
ANSWERS = {
    "/en/": 200,
    "/en/there-is-no-such-page/": 404,
    "/en/me/": 302,
    "/healthz": 200,
    "/readyz": 200,
    "/metrics": 404,
    "/.well-known/security.txt": 200,
    "/robots.txt": 200,
    "/api/v1/seasons/": 200,
    "/api/docs/": 200,
}


def policy_of(answer) -> dict[str, list[str]]:
    parts = [part.split() for part in answer["Content-Security-Policy"].split(";") if part.strip()]
    return {name: values for name, *values in parts}


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "status"), ANSWERS.items())
def test_every_answer_is_guarded(address, status):
    all_ran()
    answer = Client().get(address)
    assert answer.status_code == status
    guarded(answer)


def guarded(answer) -> None:
    policy = policy_of(answer)
    assert {name: answer.headers.get(name) for name in GUARDS} == GUARDS
    assert (policy["object-src"], policy["base-uri"], policy["frame-ancestors"]) == (
        ["'none'"],
        ["'none'"],
        ["'none'"],
    )
    assert (policy["default-src"], policy["form-action"]) == (["'self'"], ["'self'"])
    assert [
        value for values in policy.values() for value in values if "unsafe" in value or value == "*"
    ] == []


@pytest.mark.django_db
def test_a_refusal_and_a_fault_are_as_well_guarded(monkeypatch):
    refused = signed_in(factories.registered().person.user).get("/en/staff/roles/")
    assert refused.status_code == 403
    guarded(refused)

    def breaks(*_):
        raise RuntimeError("SELECT secret")

    monkeypatch.setattr("pergioco.website.views.machines.absolute_url", breaks)
    broken = Client(raise_request_exception=False).get("/robots.txt")
    assert broken.status_code == 500
    assert not re.search("SELECT|secret|Traceback|RuntimeError", broken.content.decode())
    guarded(broken)


@pytest.mark.django_db
def test_no_page_of_ours_has_code_or_styles_of_its_own():
    """So no nonce is ever spent; whoever needs one gets another each time, from django-csp."""
    inline = re.compile(
        r"<script(?![^>]*\bsrc=)(?![^>]*application/(?:ld\+)?json)|<style(?![^>]*nonce=)|\sstyle=|\son(?:click|change|load|submit|input|error)="
    )
    found = [
        f"{path}: {hit}"
        for path in (ROOT / "templates").rglob("*.html")
        for hit in inline.findall(path.read_text())
    ]
    assert found == []


@pytest.mark.django_db
def test_no_answer_opens_itself_to_other_origins():
    answers = [
        Client().get(path, headers={"origin": "https://evil.example"})
        for path in ("/en/", "/api/v1/seasons/")
    ]
    assert [answer.headers.get("Access-Control-Allow-Credentials") for answer in answers] == [
        None,
        None,
    ]


@pytest.mark.django_db
def test_what_is_shown_to_somebody_signed_in_is_kept_nowhere():
    answer = signed_in(factories.registered().person.user).get("/en/me/")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store, private")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/en/", "/en/nowhere/", "/healthz", "/api/v1/seasons/"])
def test_trace_is_no_method(path):
    answer = Client().generic("TRACE", path, headers={"x-secret": "told"})
    assert answer.status_code == 405
    assert "told" not in answer.content.decode()


COOKIES_OF_PRODUCTION = """
from unittest import mock
from django.conf import settings as s
from django.contrib.messages.storage import default_storage
from django.test import Client, RequestFactory
from pergioco.core import known_devices
host = {"host": "portal.example.org"}
answer = Client().post("/theme/", {"theme": "dark"}, secure=True, headers=host)
request = RequestFactory().get("/")
request.session = {}
waiting = default_storage(request)
waiting.add(20, "It is done.")
waiting.update(answer)
known_devices.KnownDevice.objects = mock.MagicMock()
user = mock.Mock(get_session_auth_hash=str)
known_devices.remember_device(request, answer, user)
for cookie in answer.cookies.values():
    flags = (cookie[flag] for flag in ("secure", "httponly", "samesite", "path", "domain"))
    print(cookie.key, *flags)
for kind in ("SESSION", "CSRF", "LANGUAGE"):
    flags = ("NAME", "SECURE", "HTTPONLY", "SAMESITE", "PATH", "DOMAIN")
    print(*(getattr(s, f"{kind}_COOKIE_{flag}") or "" for flag in flags))
"""
BOUND = """
__Host-theme True True Lax /
__Host-messages True True Lax /
__Host-device True True Lax /
__Host-session True True Lax /
__Host-csrf True True Lax /
__Host-language True True Lax /
"""


def test_cookies_of_production_are_bound_to_the_host(tmp_path):
    """Those of the colours and of messages as they are set; the others, which need a database, as
    they are named."""
    environment = {**COMPLETE, "PORTAL_DATA_DIR": str(tmp_path)}
    said = manage(
        "shell", "--no-imports", "--command", COOKIES_OF_PRODUCTION, env=environment
    ).stdout
    assert said.split() == BOUND.split()


def test_passwords_are_kept_by_argon2(db):
    assert identify_hasher(factories.user().password).algorithm == "argon2"


@pytest.mark.django_db
def test_a_wrong_password_is_refused_after_a_few_tries_from_wherever_it_says_it_comes():
    user = factories.user("marta@example.org")
    sent = {"login": user.email, "password": "not this one at all"}
    right_at_first = Client().post("/en/account/login/", sent | {"password": factories.PASSWORD})
    answers = [
        Client()
        .post("/en/account/login/", sent, headers={"x-forwarded-for": f"192.0.2.{number}"})
        .status_code
        for number in range(12)
    ]
    right = Client().post("/en/account/login/", sent | {"password": factories.PASSWORD})
    assert (right_at_first.status_code, answers.count(302)) == (302, 0)
    assert right.status_code != 302


@pytest.mark.django_db
def test_an_unknown_address_is_answered_like_a_known_one():
    factories.user("known@example.org")
    told = []
    for who in ("known@example.org", "unknown@example.org"):
        wrong = Client().post(
            "/en/account/login/", {"login": who, "password": "not this one at all"}
        )
        reset = Client().post("/en/account/password/reset/", {"email": who})
        body = re.sub(rf"{who}|value=\"[^\"]*\"|nonce=\"[^\"]*\"", "", wrong.content.decode())
        told.append((wrong.status_code, body, reset.status_code, reset.headers.get("Location")))
    assert told[0] == told[1]


@pytest.mark.django_db
def test_a_token_of_another_purpose_or_with_another_key_opens_nothing():
    event = factories.big_event()
    good = links.request_token(event)
    strange = signing.dumps(event.pk, salt="another purpose")
    with override_settings(
        SECRET_KEY="another key that is long enough to be one of the portal " * 2
    ):
        forged = links.request_token(event)
    forged_ones = {good[:-1] + ("A" if good[-1] != "A" else "B"), strange, forged, good + "x"}
    found = [
        Client().get(f"/en/big/requests/{token}/").status_code for token in sorted(forged_ones)
    ]
    assert set(found) == {404}


# The sheet


def numbers() -> list[str]:
    return [number.strip() for items, *_rest in ROWS for number in items.split(",")]


def test_every_item_of_levels_one_and_two_is_answered_once():
    counted = [pair.split(":") for pair in ITEMS.split()]
    expected = [f"{section}.{n}" for section, count in counted for n in range(1, int(count) + 1)]
    assert sorted(numbers()) == sorted(expected)
    assert len(expected) == 253


def test_each_answer_is_one_of_four():
    assert {answer for _items, answer, *_why in ROWS} <= {
        "held",
        "operator",
        "not applicable",
        "open",
    }


def names_in(file: str) -> set[str]:
    path = ROOT / file
    return (
        set(re.findall(r"def (test_\w+)\(", path.read_text("utf-8"))) if path.is_file() else set()
    )


def find_untested(rows: list[list[str]]) -> list[str]:
    """The items that are held and name no test, and every test that is named and does not exist."""
    named = {items: NAMED.findall(why) for items, _answer, why, *_ in rows}
    wrong = [
        f"{items} names no test"
        for items, answer, *_ in rows
        if answer == "held" and not named[items]
    ]
    wrong += [
        f"{items}: there is no {file}::{test}"
        for items, tests in named.items()
        for file, test in tests
        if test not in names_in(file)
    ]
    return wrong


def test_what_is_held_names_a_test_and_every_test_that_is_named_exists():
    assert find_untested(ROWS) == []
    assert len({test for row in ROWS for test in NAMED.findall(" ".join(row))}) > 150


@pytest.mark.parametrize(
    "why", ["the code", "`tests/system/test_security.py`", "`tests/system/test_x.py::test_y`"]
)
def test_control_a_row_without_a_test_is_found(why):
    assert find_untested([["1.1.1", "held", why]]) != []
    assert find_untested([["1.1.1", "operator", "the manual"]]) == []


def test_every_file_that_is_named_exists():
    files = set(re.findall(r"`((?:tests|docs|pergioco)/[\w/.]+)", SHEET))
    assert [file for file in sorted(files) if not (ROOT / file).exists()] == []


def test_the_manual_says_what_to_do_for_every_item_of_the_operator():
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    items_there = re.findall(r"^\| (\d+\.\d+\.\d+(?:, [\d.]+)*) \| \w", manual, re.MULTILINE)
    assert items_there == [items for items, answer, *_ in ROWS if answer == "operator"]
    assert len(items_there) > 5


def test_what_is_not_held_says_why():
    assert [items for items, _answer, why, *_ in ROWS if len(why) < 10] == []
    assert [items for items, *rest in ROWS if len(rest) != 2] == []
