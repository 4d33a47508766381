"""Guesses of passwords end, and do not keep the owner out."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from pergioco.core import known_devices
from pergioco.core.models import KnownDevice, User
from pergioco.players import sign_in_limits
from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
OWNER, NOBODY = "marta@example.org", "nadia@example.org"
HOME, HALL, STRANGER = "192.0.2.1", "192.0.2.2", "198.51.100.7"
LOGIN = "/en/account/login/"
TOO_MANY = "Too many wrong tries"
A_DAY = 8  # wrong ones for one login, here; fifty as it is used


@pytest.fixture(autouse=True)
def _few_a_day(monkeypatch) -> None:
    action, rate = sign_in_limits.WRONG_FOR_LOGIN
    assert rate == "50/d/key"
    monkeypatch.setattr(sign_in_limits, "WRONG_FOR_LOGIN", (action, f"{A_DAY}/d/key"))


@pytest.fixture
def owner() -> User:
    return factories.user(OWNER)


def sign_in(address: str, client: Client | None = None, password: str = factories.PASSWORD, **who):
    typed = {"login": who.get("login", OWNER), "password": password}
    return (client or Client()).post(LOGIN, typed, REMOTE_ADDR=address)


def gets_in(*given, **typed) -> bool:
    return sign_in(*given, **typed).status_code == 302


def guess(times: int, address: Callable[[int], str] | str = STRANGER, **who) -> int:
    """How many of the guesses were looked at."""
    pages = (
        sign_in(address if isinstance(address, str) else address(n), password=f"no {n}", **who)
        for n in range(times)
    )
    return sum(TOO_MANY not in page.content.decode() for page in pages)


def botnet(number: int) -> str:
    """Five tries of each of many addresses."""
    return f"203.0.113.{number // 5}"


def known_browser() -> Client:
    browser = Client()
    assert gets_in(HOME, browser)
    browser.post("/en/account/logout/")
    return browser


# Five wrong ones of a stranger


def test_after_five_wrong_ones_of_a_stranger_the_owner_gets_in_from_elsewhere(owner):
    assert guess(7) == 5
    assert not gets_in(STRANGER)
    assert gets_in(HOME)


def test_control_counted_for_the_login_alone_the_owner_is_kept_out(owner, monkeypatch):
    monkeypatch.setattr(sign_in_limits, "WRONG_FOR_LOGIN", ("wrong-password", "5/5m/key"))
    assert guess(7) == 5
    assert not gets_in(HOME)


def test_after_five_minutes_one_may_try_again(owner, clock):
    assert guess(6) == 5
    clock.shift(301)
    assert gets_in(STRANGER)


def test_right_passwords_count_for_nothing_but_the_machine(owner):
    assert [gets_in(HOME) for _ in range(31)] == [True] * 30 + [False]
    assert guess(4) == 4
    assert gets_in(STRANGER)
    assert guess(2) == 1


def test_one_connection_tries_ten_wrong_passwords_a_minute_whatever_the_logins(owner):
    assert [guess(1, login=f"someone{n}@example.org") for n in range(12)] == [1] * 10 + [0] * 2


# Known browsers


def test_a_known_browser_gets_in_from_where_the_stranger_guesses(owner):
    browser = known_browser()
    assert guess(7) == 5
    assert guess(7, login=NOBODY) == 5
    assert not gets_in(STRANGER)
    assert gets_in(STRANGER, browser)


def test_while_many_addresses_guess_a_known_browser_gets_in_and_others_do_not(owner):
    browser = known_browser()
    assert guess(10, botnet) == A_DAY
    assert not gets_in(HOME)
    assert gets_in(HOME, browser)


def test_control_without_its_cookie_that_browser_is_kept_out(owner):
    browser = known_browser()
    assert guess(10, botnet) == A_DAY
    del browser.cookies["device"]
    assert not gets_in(HOME, browser)


def test_a_known_browser_may_guess_five_times(owner):
    browser = known_browser()
    tries = [sign_in(HOME, browser, password=f"no {n}").content.decode() for n in range(7)]
    assert [TOO_MANY in page for page in tries] == [False] * 5 + [True] * 2
    assert gets_in(HOME)  # what is counted there does not count elsewhere


def test_a_known_browser_may_guess_so_many_times_a_day_too(owner, clock):
    browser = known_browser()
    looked_at = 0
    for number in range(12):
        clock.shift(301)
        page = sign_in(HOME, browser, password=f"no {number}").content.decode()
        looked_at += TOO_MANY not in page
    assert looked_at == A_DAY


def test_a_browser_is_known_for_its_own_login_only(owner):
    factories.user(NOBODY)
    browser = Client()
    assert gets_in(STRANGER, browser, login=NOBODY)
    browser.post("/en/account/logout/")
    assert guess(8, botnet) == A_DAY
    assert not gets_in(STRANGER, browser)


def test_a_cookie_that_was_made_up_is_worth_nothing(owner):
    known_browser()
    assert guess(8, botnet) == A_DAY
    kept = KnownDevice.objects.get()
    for made_up in ("x" * 43, kept.key, kept.key[:43], "", "é"):
        browser = Client()
        browser.cookies["device"] = made_up
        assert not gets_in(HOME, browser)


@pytest.mark.parametrize("way", ["changed", "by the staff"])
def test_a_new_password_ends_what_was_known(owner, way):
    browser = known_browser()
    owner.set_password(factories.PASSWORD if way == "changed" else "another good one 17")
    owner.save()
    assert known_devices.list_devices(owner).count() == 0
    assert guess(8, botnet) == A_DAY
    assert not gets_in(HOME, browser)


def test_after_half_a_year_a_browser_is_forgotten(owner, clock):
    browser = known_browser()
    clock.shift(timedelta(days=179))
    known_devices.forget_unused()
    assert known_devices.list_devices(owner).count() == 1
    clock.shift(timedelta(days=1))
    assert guess(8, botnet) == A_DAY
    assert not gets_in(HOME, browser)
    known_devices.forget_unused()
    assert KnownDevice.objects.count() == 1
    clock.shift(1)
    known_devices.forget_unused()
    assert KnownDevice.objects.count() == 0


def test_of_many_browsers_the_latest_are_kept(owner, monkeypatch, clock):
    monkeypatch.setattr(known_devices, "MOST", 2)
    for number in range(3):
        clock.shift(60)
        client = Client(headers={"user-agent": f"Browser {number}"})
        assert gets_in(HOME, client)
    assert [device.browser for device in known_devices.list_devices(owner)] == [
        "Browser 2",
        "Browser 1",
    ]


def test_two_logins_in_one_browser_are_both_known(owner):
    other = factories.user(NOBODY)
    browser = Client()
    for login in (OWNER, NOBODY):
        assert gets_in(HOME, browser, login=login)
        browser.post("/en/account/logout/")
    assert [known_devices.list_devices(user).count() for user in (owner, other)] == [1, 1]
    assert KnownDevice.objects.values("key").distinct().count() == 1


def test_the_cookie_is_closed_to_scripts_and_lasts_half_a_year(owner):
    cookie = sign_in(HOME).cookies["device"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["max-age"]) == (
        True,
        "Lax",
        "/",
        180 * 24 * 3600,
    )
    assert cookie.value not in str(KnownDevice.objects.values())


def test_a_browser_that_gave_no_second_factor_is_not_known():
    staff = factories.user_with_role("staff")
    browser = Client()
    page = browser.post(LOGIN, {"login": staff.email, "password": factories.PASSWORD})
    assert page.url.startswith("/en/account/2fa/")
    assert "device" not in browser.cookies
    assert KnownDevice.objects.count() == 0


# The bound for a login, from anywhere


def test_so_many_a_day_are_looked_at_from_wherever_they_come(owner, clock):
    assert guess(10, botnet) == A_DAY
    clock.shift(timedelta(hours=23))
    assert guess(10, botnet) == 0
    clock.shift(timedelta(hours=1))
    assert guess(10, botnet) == A_DAY


def test_then_the_owner_gets_in_by_a_new_password(owner):
    assert guess(8, botnet) == A_DAY
    browser = Client(REMOTE_ADDR=HOME)
    browser.post("/en/account/password/reset/", {"email": OWNER})
    link = next(word for word in mail.outbox[0].body.split() if "/password/reset/key/" in word)
    form = browser.get(link, follow=True).redirect_chain[-1][0]
    new = "a new one of mine 17"
    assert browser.post(form, {"password1": new, "password2": new}).status_code == 302
    assert gets_in(HOME, password=new)


def test_a_login_that_does_not_exist_counts_and_answers_like_one_that_does(owner):
    assert [guess(60, botnet, login=login) for login in (OWNER, NOBODY)] == [A_DAY, A_DAY]
    pages = [
        sign_in(HOME, login=login).content.decode().replace(login, "") for login in (OWNER, NOBODY)
    ]
    assert pages[0].count(TOO_MANY) == pages[1].count(TOO_MANY) == 1


def test_the_password_asked_for_again_is_not_kept_back_by_guesses_from_elsewhere(owner):
    browser = signed_in(owner)
    assert guess(8, botnet) == A_DAY
    again = {"password": factories.PASSWORD}
    assert browser.post("/en/account/reauthenticate/", again).status_code == 302
    wrong = [
        browser.post("/en/account/reauthenticate/", {"password": f"no {n}"}).content.decode()
        for n in range(6)
    ]
    assert [TOO_MANY in page for page in wrong] == [False] * 5 + [True]


def test_seen_at_follows_the_last_sign_in(owner, clock):
    browser = known_browser()
    clock.shift(timedelta(days=100))
    assert gets_in(HOME, browser)
    assert KnownDevice.objects.get().seen_at == timezone.now()


# Listed and removable


def test_known_browsers_are_listed_and_removed(owner):
    browser = known_browser()
    other = Client(headers={"user-agent": "Mozilla/5.0 Firefox/140.0"})
    assert gets_in(HOME, other)
    assert gets_in(HOME, browser)
    page = browser.get("/en/me/devices/").content.decode()
    assert page.count('name="device"') == 2
    assert page.count("this one") == 1
    last = KnownDevice.objects.get(browser__contains="Firefox")
    answer = browser.post("/en/me/devices/", {"device": last.pk}, follow=True)
    assert "This browser is forgotten." in answer.content.decode()
    assert last not in KnownDevice.objects.all()
    assert browser.get("/en/me/").content.decode().count("/en/me/devices/") == 1


@pytest.mark.parametrize("number", ["theirs", "0", "x", ""])
def test_those_of_others_stay(owner, number):
    known_browser()
    device = KnownDevice.objects.get()
    browser = signed_in(factories.user(NOBODY))
    typed = {"device": device.pk if number == "theirs" else number}
    assert browser.post("/en/me/devices/", typed).status_code == 302
    assert KnownDevice.objects.count() == 1
