"""Each trouble has its own page: what happened, what to do, a code, a way out; in the language of
the address."""

import re
from http import HTTPStatus

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation, TooManyFieldsSent
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from django.utils import translation
from django.views.decorators.http import require_POST

from pergioco import urls as portal
from pergioco.core import audit, errors


def raising(exception: Exception):
    def view(request: HttpRequest) -> HttpResponse:
        raise exception

    return view


urlpatterns = [
    path("en/x/400/", raising(SuspiciousOperation())),
    path("en/x/403/", raising(PermissionDenied())),
    path("en/x/404/", raising(Http404())),
    path("en/x/405/", require_POST(errors.conflict)),
    path("en/x/409/", errors.conflict),
    path("en/x/410/", lambda request: errors.render_error(request, HTTPStatus.GONE)),
    path("en/x/413/", raising(TooManyFieldsSent())),
    path("en/x/429/", errors.too_many_requests),
    path("en/x/500/", raising(ZeroDivisionError())),
    path("en/x/503/", raising(OperationalError())),
    path("en/x/ok/", lambda request: HttpResponse(str(len(request.POST)))),
    *portal.urlpatterns,
]
handler400, handler403, handler404, handler500 = (
    portal.handler400,
    portal.handler403,
    portal.handler404,
    portal.handler500,
)

HEADINGS = {
    HTTPStatus.BAD_REQUEST: "The portal did not understand",
    HTTPStatus.FORBIDDEN: "This page is not yours",
    HTTPStatus.NOT_FOUND: "There is no such page",
    HTTPStatus.GONE: "Removed player",
    HTTPStatus.METHOD_NOT_ALLOWED: "This page opens from its form only",
    HTTPStatus.CONFLICT: "Somebody else was faster",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "That is too much at once",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many tries",
    HTTPStatus.INTERNAL_SERVER_ERROR: "This is not your fault",
    HTTPStatus.SERVICE_UNAVAILABLE: "Back in a moment",
}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


@pytest.fixture
def visitor(settings) -> Client:
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


@pytest.mark.parametrize("status", HEADINGS)
def test_each_trouble_has_its_words_without_a_database(visitor: Client, status: HTTPStatus) -> None:
    answer = visitor.get(f"/en/x/{status}/")
    page = answer.content.decode()
    assert answer.status_code == status
    assert re.findall(r"<h1>(.*?)</h1>", page) == [HEADINGS[status]]
    assert '<html lang="en"' in page
    assert re.search(r'give this code: <strong class="num">[0-9A-F]{8}</strong>', page)
    assert 'class="button" href="/en/"' in page
    assert not re.search(r"\berror\b|\binvalid\b", re.sub(r"<[^>]*>", "", page), re.IGNORECASE)


@pytest.mark.parametrize(
    "status", [HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.INTERNAL_SERVER_ERROR]
)
def test_trouble_is_as_well_guarded_as_the_rest(visitor: Client, status: HTTPStatus) -> None:
    assert_guarded(visitor.get(f"/en/x/{status}/"))


def test_a_page_is_guarded(client: Client, db) -> None:
    assert_guarded(client.get("/en/about/"))


def assert_guarded(answer: HttpResponse) -> None:
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "camera=()" in answer.headers["Permissions-Policy"]
    policy = dict(
        part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_every_heading_is_its_own() -> None:
    with translation.override("en"):
        assert {
            status: str(words.title) for status, words in errors.ERROR_TEXTS.items()
        } == HEADINGS


@pytest.mark.parametrize(
    ("address", "language"), [("/it/x/", "it"), ("/es/x/", "es"), ("/en/x/", "en")]
)
def test_the_language_is_that_of_the_address(client: Client, address: str, language: str) -> None:
    answer = client.get(address)
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert f'<html lang="{language}"' in answer.content.decode()


@pytest.mark.parametrize(("wanted", "language"), [("es", "es"), ("de", "it"), ("en-GB,en", "en")])
def test_an_address_without_language_speaks_the_browsers(
    client: Client, wanted: str, language: str
) -> None:
    answer = client.get("/nowhere.html", headers={"Accept-Language": wanted})
    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert f'<html lang="{language}"' in answer.content.decode()


def test_a_request_that_is_too_large_is_413(visitor: Client, settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = visitor.post(
        "/en/x/ok/", {"text": "x" * 200}, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert HEADINGS[HTTPStatus.REQUEST_ENTITY_TOO_LARGE] in answer.content.decode()


def test_a_database_that_is_away_says_when_to_come_back(visitor: Client) -> None:
    assert visitor.get("/en/x/503/").headers["Retry-After"] == "5"


def test_a_database_that_goes_away_outside_of_a_view_is_503_too(
    client: Client, monkeypatch
) -> None:
    def away(*args: object) -> None:
        raise OperationalError

    monkeypatch.setattr(
        "django.contrib.sessions.middleware.SessionMiddleware.process_request", away
    )
    client.raise_request_exception = False
    assert client.get("/en/about/").status_code == HTTPStatus.SERVICE_UNAVAILABLE


def test_a_conflict_shows_both_versions_and_says_who(rf: RequestFactory) -> None:
    answer = errors.conflict(
        rf.get("/en/"),
        "Marta changed table 4 at 21:38.",
        [errors.Difference("Table 4", "1–0", "½–½")],
    )
    cells = re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", answer.content.decode())
    assert "Marta changed table 4 at 21:38." in answer.content.decode()
    assert cells == ["What", "Yours", "Stored now", "Table 4", "1–0", "½–½"]


def test_what_a_conflict_shows_is_text(rf: RequestFactory) -> None:
    answer = errors.conflict(rf.get("/en/"), "<b>", [errors.Difference("<i>", "<u>", "<s>")])
    assert not re.search(r"<[bius]>", answer.content.decode())


def test_a_form_that_is_too_old_says_that_nothing_is_lost(db) -> None:
    answer = Client(enforce_csrf_checks=True).post("/en/account/login/", {"login": "a"})
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "<h1>This form is too old</h1>" in answer.content.decode()


def test_the_code_is_the_one_of_the_audit_log(rf: RequestFactory) -> None:
    token = audit.request_id.set("7F3A7F3A")
    page = errors.not_found(rf.get("/en/")).content.decode()
    audit.request_id.reset(token)
    assert '<strong class="num">7F3A7F3A</strong>' in page


def test_the_colours_chosen_stay(rf: RequestFactory) -> None:
    request = rf.get("/en/")
    request.COOKIES["theme"] = "dark"
    assert 'data-theme="dark"' in errors.not_found(request).content.decode()


def test_the_code_of_a_fault_stands_in_the_log(rf: RequestFactory, caplog) -> None:
    token = audit.request_id.set("7F3A7F3A")
    errors.server_fault(rf.get("/en/x/"))
    errors.unavailable(rf.get("/en/y/"), OperationalError("gone"))
    audit.request_id.reset(token)
    assert [record.getMessage() for record in caplog.records] == [
        "server fault at /en/x/, code 7F3A7F3A",
        "database unavailable at /en/y/, code 7F3A7F3A: gone",
    ]


def test_an_address_that_only_takes_forms_still_says_which_way_is_open(visitor: Client) -> None:
    assert visitor.get("/en/x/405/").headers["Allow"] == "POST"
    assert visitor.delete("/en/x/405/").status_code == HTTPStatus.METHOD_NOT_ALLOWED
