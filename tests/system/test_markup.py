"""Whatever people and files put into words, no page makes markup of it: sixty tries in every text
column at once."""

import json
import logging
import re
from collections.abc import Iterable, Iterator
from unittest import mock

import pytest
from django.http import HttpResponse
from django.template import engines
from django.test import TestCase
from django.utils.html import escape
from django.utils.translation import override
from lxml import etree

from pergioco.core import share_image
from tests.emptying import unguarded
from tests.system import hostile
from tests.system.hostile import FROM_A_FILE, PAYLOADS, alive
from tests.system.test_canaries import crawl, starting_points
from tests.system.walking import light_requests
from tests.system.world import World

CONTEXTS = (
    "<p>{}</p>",
    '<input value="{}">',
    "<input value='{}'>",
    "<input value={}>",
    "<title>{}</title>",
    "<textarea>{}</textarea>",
    '<script type="application/json">"{}"</script>',
    "<style>{}</style>",
    "<!-- {} -->",
    '<a href="{}">x</a>',
)
QUOTED = [
    context for context in CONTEXTS if "{}>" not in context and not re.search("href|<s|<!", context)
]
SHOWN = "alert(1)"
TEXT = (
    "text/plain",
    "text/csv",
    "text/x-python",
    "text/javascript",
    "application/javascript",
    "application/schema+json",
    "application/vnd.",
    "application/zip",
    "application/octet-stream",
    "application/x-pem-file",
)
PICTURES = ("image/png", "image/svg+xml", "image/x-icon")
ATOM = "{http://www.w3.org/2005/Atom}"
A_FEW = ("/it/staff/", "/it/staff/cases/", "/it/staff/people/")
LINE_OF_CALENDAR = re.compile(r"[A-Z][A-Z0-9-]*[;:]")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_each_comes_alive_somewhere_and_nowhere_once_escaped(payload):
    """The control of the detector: raw it is seen; as templates write it, it is text."""
    assert [context for context in CONTEXTS if is_alive_in(context, payload)] != []
    assert [context for context in QUOTED if is_alive_in(context, escape(payload))] == []


def is_alive_in(context: str, text: str) -> bool:
    try:
        return alive(f"<!doctype html><html><body>{context.format(text)}</body></html>") != []
    except json.JSONDecodeError:  # what was data is broken up
        return True


def test_there_are_sixty_and_no_two_are_the_same():
    assert len(set(PAYLOADS)) == 60


@pytest.mark.same_anywhere
class Markup(TestCase):
    """The world of the matrix with hostile words in it. A column is as long as they are: SQLite
    minds no length."""

    @classmethod
    def setUpTestData(cls) -> None:
        with override("it"):
            cls.world = World()
        with unguarded():
            cls.cells = hostile.plant()

    @pytest.fixture(autouse=True)
    def _figure(self, figure):
        self.figure = figure

    def run(self, result=None):
        with override("it"):
            return super().run(result)

    def setUp(self) -> None:
        """Pictures hold no markup, and a name of thousands of letters is drawn slowly. Refusals
        fill the log."""
        logging.disable(logging.WARNING)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.enterContext(mock.patch.object(share_image, "draw_png", return_value=b""))
        self.enterContext(light_requests())

    def ask(self, role: str) -> Iterator[tuple[str, HttpResponse]]:
        for path in starting_points(self.world, role):
            yield path, self.world.client(role).get(path)

    def test_they_stand_in_every_column(self):
        assert [f"{model._meta.label}.{name}" for model, name in hostile.columns()] == [*self.cells]

    def test_nothing_that_was_typed_comes_alive_on_any_page(self):
        found, shown = looked_at(
            [*self.ask("anonymous"), *self.ask("player"), *self.ask("superuser")]
        )
        assert "\n".join(found) == ""
        assert shown > 100

    def test_control_with_escaping_off_it_is_found(self):
        assert self.found_with_escaping_off() > 20

    @pytest.mark.proof
    def test_nor_on_any_page_that_they_lead_to(self):
        found: list[str] = []
        shown = 0
        for role in ("anonymous", "player", "organizer", "staff", "superuser"):
            troubles, pages = looked_at(crawl(self.world, role))
            found, shown = [*found, *troubles], shown + pages
        cells = sum(self.cells.values())
        self.figure(
            "T14", "text cells with 60 payloads each", cells, target="> 200", met=cells > 200
        )
        self.figure("T14", "answers that show them", shown, target="> 500", met=shown > 500)
        self.figure(
            "T14",
            "elements, attributes, scripts made of them",
            len(found),
            target="0",
            met=not found,
        )
        assert "\n".join(found) == ""

    @pytest.mark.proof
    def test_control_a_few_pages_with_escaping_off(self):
        found = self.found_with_escaping_off()
        self.figure("T14", "elements, attributes, scripts made of them", found)
        assert found > 20

    def found_with_escaping_off(self) -> int:
        client = self.world.client("superuser")
        with mock.patch.object(engines["django"].engine, "autoescape", new=False):
            return len(looked_at((path, client.get(path)) for path in A_FEW)[0])


def looked_at(answers: Iterable[tuple[str, HttpResponse]]) -> tuple[list[str], int]:
    """What is wrong, and how many answers showed what was planted."""
    found, shown = [], 0
    for path, answer in answers:
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        shown += SHOWN.encode() in body
        found += [f"{path}: {trouble}" for trouble in sorted(set(troubles(answer, body)))]
    return found, shown


def troubles(answer: HttpResponse, body: bytes) -> Iterable[str]:
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    if (
        answer.status_code >= 500 and answer.wsgi_request.path != "/readyz"
    ):  # which may say that work waits
        return [f"answered {answer.status_code}"]
    if not body:
        return []
    if kind != "text/html" and FROM_A_FILE.encode() in body:
        return ["hands out a file as it came"]
    if kind.startswith("text/") and "charset=" not in answer.headers["Content-Type"]:
        return ["does not say in which letters it is written"]
    readers = {
        "text/html": in_page,
        "application/json": in_json,
        "application/atom+xml": in_feed,
        "application/xml": in_xml,
        "text/calendar": in_calendar,
        "application/pdf": in_pdf,
    }
    if kind in readers:
        return readers[kind](body)
    return [] if kind.startswith((*TEXT, *PICTURES)) else [f"is served as {kind}"]


def in_page(body: bytes) -> Iterable[str]:
    try:
        return alive(body.decode())
    except json.JSONDecodeError:
        return ["data for scripts that are none"]


def in_json(body: bytes) -> Iterable[str]:
    json.loads(body)
    return []


def in_xml(body: bytes) -> Iterable[str]:
    etree.fromstring(body, etree.XMLParser(resolve_entities=False))
    return []


def in_feed(body: bytes) -> Iterable[str]:
    """Well-formed, of Atom's own elements only; what a reader shows as HTML is looked at as
    such."""
    for element in etree.fromstring(body, etree.XMLParser(resolve_entities=False)).iter():
        if not str(element.tag).startswith(ATOM):
            yield f"holds {element.tag}"
        if element.get("type") == "html":
            yield from alive(f"<body>{element.text}</body>")
        if str(element.get("href", "")).lower().startswith("javascript"):
            yield "a link that is code"


def in_calendar(body: bytes) -> Iterable[str]:
    lines = body.decode().replace("\r\n ", "").split("\r\n")
    return [f"the line {line[:40]}" for line in lines if line and not LINE_OF_CALENDAR.match(line)]


def in_pdf(body: bytes) -> Iterable[str]:
    return [] if body.startswith(b"%PDF-") else ["no PDF"]
