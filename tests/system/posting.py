"""The forms that stand on rendered pages, and what a program might send them: their own values, and
nonsense."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode, urljoin

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from lxml import html

from tests.system.hostile import PAYLOADS

URLENCODED = "application/x-www-form-urlencoded"
NONSENSE = (
    *(
        "",
        " ",
        "\x00",
        "\u202e\u200b",
        "0",
        "-1",
        "1.5",
        "007",
        "٣",
        "1e999",
        "NaN",
        "2147483648",
        "9" * 20,
    ),
    *(
        "2026-02-30",
        "0000-00-00",
        "9999-12-31",
        "2026-03-29T02:30",
        "25:61",
        "31",
        "true",
        "null",
        "[]",
        "{}",
        "[[1]]",
    ),
    *(
        "9" * 5000,
        "x" * 300,
        "é" * 5000,
        "🎲",
        "Žižek",
        "a\r\nb: c",
        "../../etc/passwd",
        "%s %n {0} {x.y}",
        "';--",
    ),
    *(
        "00000000-0000-0000-0000-000000000000",
        "nobody@example.org",
        "@",
        "http://[",
        "//evil.example",
        PAYLOADS[0],
    ),
)
BROKEN = (b"\xff=\xfe", b"a=%ed%a0%80&b=%", b"%00=%00", b"{", b"&&==&", b"a=" + b"x" * 100_000)
FILES = (
    b"",
    b"PK\x03\x04",
    b"\x00" * 100,
    b"Anna 1-0 Bruno",
    b"012 Open\n001    1",
    b'{"a": NaN}',
    b"<html>",
    b"\xff\xfe",
)


@dataclass(frozen=True)
class Form:
    page: str
    action: str
    values: dict[str, list[str]] = field(hash=False)
    choices: dict[str, list[str]] = field(hash=False)
    files: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[object, ...]:
        """Of two forms with one shape, as in a list of rows, one is enough."""
        return (self.page, *sorted(self.values), *self.files, *self.values.get("step", []))


def forms_on(page: str, body: str) -> Iterator[Form]:
    for found in html.document_fromstring(body).forms:
        if found.method.upper() == "POST":
            fields = [
                one
                for one in found.iter("input", "select", "textarea", "button")
                if one.get("name")
            ]
            yield Form(
                page,
                urljoin(page, (found.get("action") or page).partition("#")[0]),
                {one.get("name"): list(value_of(one)) for one in fields},
                {
                    one.get("name"): [option.get("value") or "" for option in one.iter("option")]
                    for one in fields
                },
                tuple(one.get("name") for one in fields if one.get("type") == "file"),
            )


def value_of(element: html.HtmlElement) -> Iterable[str]:
    if element.tag == "select":
        return [
            option.get("value") or ""
            for option in element.iter("option")
            if option.get("selected") is not None
        ]
    return [element.get("value") or element.text or ""]


def typed(form: Form, chance: random.Random) -> dict[str, list[str]]:
    """Mostly what the page itself would send, so that the nonsense comes as far as the rules."""
    return {
        name: value for name in form.values if (value := one_value(form, name, chance)) is not None
    }


def one_value(form: Form, name: str, chance: random.Random) -> list[str] | None:
    which = chance.random()
    if which < 0.55:
        return form.values[name]
    if which < 0.7 and form.choices[name]:
        return [chance.choice(form.choices[name])]
    if which < 0.92:
        return [chance.choice(NONSENSE)]
    return [chance.choice(NONSENSE), *form.values[name]] if which < 0.96 else None


def send(client: Client, form: Form, chance: random.Random) -> tuple[HttpResponse, object]:
    """Whatever it changes is taken back. The answer, and what was sent."""
    sent = typed(form, chance)
    with transaction.atomic():
        if chance.random() < 0.03:
            sent = chance.choice(BROKEN)
            answer = client.post(form.action, sent, content_type=URLENCODED)
        elif form.files:
            files = {name: SimpleUploadedFile("a.csv", chance.choice(FILES)) for name in form.files}
            answer = client.post(form.action, {**sent, **files})
        else:
            answer = client.post(form.action, urlencode(sent, doseq=True), content_type=URLENCODED)
        transaction.set_rollback(True)
    return answer, sent
