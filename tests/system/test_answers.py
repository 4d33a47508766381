"""What every answer carries and no request can turn: headers, types, redirects, tokens, numbers."""

import html
import re

import pytest
from django.test import Client, override_settings

from pergioco.checks import list_views
from tests import factories
from tests.conftest import signed_in
from tests.system.test_security import policy_of

pytestmark = pytest.mark.django_db
STATIC, SITEMAP = "/static/js/grid.js", "/sitemap.xml"
EVIL = ("https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example/")
HUGE = "9" * 30
PASSWORD = factories.PASSWORD


@pytest.mark.parametrize("path", [STATIC, "/static/nothing.js", "/static/"])
def test_static_files_are_guarded_like_pages_and_no_folder_is_listed(path):
    answer = Client().get(path)
    answer.close()
    policy = policy_of(answer)
    assert answer.status_code == (200 if path == STATIC else 404)
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == ["'none'"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@override_settings(SECURE_SSL_REDIRECT=True)
def test_the_way_to_https_is_guarded_too():
    answer = Client().get("/en/")
    assert (answer.status_code, answer.url) == (301, "https://testserver/en/")
    assert policy_of(answer)["frame-ancestors"] == ["'none'"]


@pytest.mark.parametrize(
    "path",
    [
        "/en/",
        STATIC,
        SITEMAP,
        "/sitemap-pages.xml",
        "/robots.txt",
        "/healthz",
        "/en/nowhere/",
        "/en/feeds/results.atom",
        "/en/calendar/stages.ics",
    ],
)
def test_every_text_says_in_which_letters_it_is_written(path):
    answer = Client().get(path)
    answer.close()
    kind = answer.headers["Content-Type"]
    assert re.match(r"text/|application/(?:\w+\+)?xml", kind), kind
    assert re.search(r'charset="?utf-8', kind), kind


@pytest.mark.parametrize("path", ["/api/v1/seasons/", "/api/v1/nowhere/", "/readyz"])
def test_json_says_that_it_is_json(path):
    answer = Client().get(path)
    assert answer.headers["Content-Type"] == "application/json"
    answer.json()


def test_other_origins_read_the_api_and_static_files_and_no_page():
    user = factories.registered().person.user
    origin = {"origin": "https://evil.example"}
    paths = ("/en/", "/en/me/", "/en/account/login/", "/readyz", "/api/v1/seasons/", STATIC)
    answers = {path: signed_in(user).get(path, headers=origin) for path in paths}
    answers[STATIC].close()
    opened = {path: one.headers.get("Access-Control-Allow-Origin") for path, one in answers.items()}
    assert opened == dict.fromkeys(paths) | {"/api/v1/seasons/": "*", STATIC: "*"}
    assert str(user.email) not in answers["/api/v1/seasons/"].content.decode()


@pytest.mark.parametrize("evil", EVIL)
def test_no_form_leads_to_another_site(evil):
    user = factories.user()
    password = {"login": user.email, "password": PASSWORD}
    sent = [
        Client().post("/en/account/login/", password | {"next": evil}),
        Client().post("/theme/", {"theme": "dark", "next": evil}),
        signed_in(user).post("/en/account/logout/", {"next": evil}),
        signed_in(user).post("/en/account/reauthenticate/", {"password": PASSWORD, "next": evil}),
    ]
    assert [answer.status_code for answer in sent] == [302] * 4
    assert [answer.url for answer in sent if not re.match(r"/(?![/\\])", answer.url)] == []


def test_without_its_token_no_form_of_a_signed_in_person_is_taken():
    user = factories.registered().person.user
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    for path in ("/en/me/data/", "/en/me/delete/", "/en/account/email/", "/en/account/logout/"):
        assert client.post(path, {"email": user.email}).status_code == 403, path
    assert client.get("/en/me/").status_code == 200


def test_what_stands_in_the_address_is_no_part_of_a_form():
    user = factories.user()
    address = f"/en/account/login/?login={user.email}&password={PASSWORD}"
    client = Client()
    assert client.post(address, {}).status_code == 200
    assert client.get("/en/me/").status_code == 302


def test_of_a_field_that_is_sent_twice_one_value_counts_everywhere():
    """The last, as everywhere in Django: the limits and the password look at the same login."""
    user, other = factories.user(), factories.user()
    client = Client()
    client.post("/en/account/login/", {"login": [other.email, user.email], "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(user.pk)


def test_what_is_typed_is_decoded_once():
    page = Client().get("/en/players/?q=%253Cb%253E").content.decode()
    assert "%3Cb%3E" in page
    assert "&lt;b&gt;" not in page
    assert "&amp;lt;b" in Client().get("/en/players/?q=%26lt%3Bb").content.decode()


@pytest.mark.parametrize(
    "typed", ["%(name)s %s %n", "{0.__class__} {user.password}", "{{ 7*7 }} {% debug %}", "${7*7}"]
)
def test_signs_of_formats_and_templates_stay_what_they_are(typed):
    answers = [
        Client().get("/en/players/", {"q": typed}),
        Client().post("/en/contact/", {"name": typed, "text": typed}),
    ]
    for answer in answers:
        assert answer.status_code in {200, 422}
        assert html.escape(typed) in answer.content.decode()


def test_numbers_beyond_every_column_are_no_page():
    """30 digits in each place of an address that takes a number, for a stranger and a superuser."""
    visitors = [Client(), signed_in(factories.user_with_role("superuser"))]
    paths = [
        "/" + re.sub(r"<\w+:\w+>", "x", re.sub(r"<int:\w+>", HUGE, where))
        for where, _view in list_views()
        if "<int:" in where and "^" not in where
    ]
    statuses = {client.get(path).status_code for path in paths for client in visitors}
    assert len(paths) > 100
    assert statuses <= {200, 302, 403, 404, 405}
