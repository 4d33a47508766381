"""How large a body each address takes, looked at before anything of it is read."""

from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from lxml import html

from pergioco import checks
from pergioco.core.policy import FORM_BYTES, IMPORT_BYTES
from pergioco.website import middleware
from tests import factories
from tests.conftest import signed_in

TITLES = {"That is too much at once", "È troppo in una volta sola"}
URLENCODED = "application/x-www-form-urlencoded"


class Sealed(BytesIO):
    """A body of which nobody may read a byte."""

    def read(self, *_) -> bytes:
        raise AssertionError("it was read")

    readline = read


def post(client: Client, path: str, length: object, body: BytesIO | None = None, **more: object):
    sent = {"CONTENT_TYPE": URLENCODED, "CONTENT_LENGTH": str(length)}
    return client.generic("POST", path, **sent, **{"wsgi.input": body or Sealed()}, **more)


def test_only_imports_take_more_than_a_form():
    larger = {
        where.rpartition("import/")[2]: view.largest_body
        for where, view in checks.list_views()
        if hasattr(view, "largest_body")
    }
    assert larger == {
        "paste/": IMPORT_BYTES,
        "file/": IMPORT_BYTES,
        "<int:number>/": IMPORT_BYTES,
    }
    assert (FORM_BYTES, IMPORT_BYTES) == (65_536, 2_250_000)


def test_no_file_of_a_visitor_reaches_the_disk():
    assert [name.rpartition(".")[2] for name in settings.FILE_UPLOAD_HANDLERS] == [
        "MemoryFileUploadHandler"
    ]
    assert settings.FILE_UPLOAD_MAX_MEMORY_SIZE == IMPORT_BYTES


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/en/contact/", "/en/account/login/", "/en/admin/", "/theme/"])
def test_a_form_that_is_too_large_is_413_and_nothing_of_it_is_read(path):
    answer = post(Client(), path, FORM_BYTES + 1)
    assert answer.status_code == 413
    assert TITLES & {line.strip() for line in html.fromstring(answer.content).xpath("//h1/text()")}


@pytest.mark.django_db
def test_control_without_the_limit_it_is_read(monkeypatch):
    monkeypatch.setattr(middleware.policy, "FORM_BYTES", 10 * IMPORT_BYTES)
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    with pytest.raises(AssertionError, match="it was read"):
        post(client, "/en/contact/", FORM_BYTES + 1)


@pytest.mark.django_db
def test_an_import_takes_a_file_of_two_megabytes_and_no_more():
    stage = factories.stage()
    organizer = factories.user_with_role("organizer")
    stage.organizers.add(organizer)
    client, path = signed_in(organizer), f"/en/staff/stages/{stage.pk}/import/file/"
    body = b"text=" + b"x" * 2 * 1024 * 1024
    assert post(client, path, len(body), BytesIO(body)).status_code == 200
    assert post(client, path, IMPORT_BYTES + 1).status_code == 413


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("length", "more", "status"),
    [("", {"HTTP_TRANSFER_ENCODING": "chunked"}, 411), ("-1", {}, 413), ("²", {}, 413)],
)
def test_a_body_whose_length_is_not_told_is_refused_in_words(length, more, status):
    answer = post(Client(), "/en/contact/", length, **more)
    assert (answer.status_code, "<h1" in answer.content.decode()) == (status, True)


@pytest.mark.django_db
def test_programs_are_told_as_json():
    answer = post(Client(), "/api/v1/seasons/", FORM_BYTES + 1)
    assert (answer.status_code, answer["Content-Type"]) == (413, "application/json")
