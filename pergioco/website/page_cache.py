"""Public pages kept as they were made, for as long as they are true.

A page is kept under its address, language, colours and day. While the marks of `ledger/marks.py` stand, it is true:
whatever changes something public moves one of them in the same transaction. If one moved, the questions that were asked
to make the page, and that the change may concern, are asked again: the page is true if all are answered as before, and
made anew if not. So no kept page is ever stale, and only what changed is made anew. Each process keeps its own, in
memory, within bounds. Whoever has a session never gets a kept page.

What is dear to make and the same on pages of many addresses (`kept`) is kept by itself too, in the same way.
"""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from sys import getsizeof
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag

from pergioco.ledger import marks
from pergioco.ledger.marks import Marks
from pergioco.website import theme
from pergioco.website.questions import Notes, Question

MOST_BYTES = 32 * 1024 * 1024  # of pages, and twice as much of parts
TIDIED_EACH_SECONDS = 60
PACKING = 6  # of 9: more takes twice the time for hardly less
OF_SOMEBODY = (settings.SESSION_COOKIE_NAME, settings.MESSAGE_COOKIE_NAME)
Answer = Callable[[HttpRequest], HttpResponse]
View = TypeVar("View", bound=Callable[..., HttpResponse])
Part = Sequence[tuple[str, str]]
Key = tuple[str, ...]
T = TypeVar("T")


class Page(NamedTuple):
    """Packed: it takes a tenth of the room, and goes out like that. No secret is in it that a length could tell."""

    headers: dict[str, str]
    etag: str
    packed: bytes


@dataclass
class Kept(Generic[T]):
    thing: T
    read: Marks  # as they stood before it was made, or when it was last found true
    asked: Sequence[Question]
    weight: int

    def is_true(self, read: Marks) -> bool:
        """The questions that a change since may concern are asked again."""
        moved = self.read.moved(read)
        if moved and not all(question.is_answered_as_before(moved) for question in self.asked):
            return False
        self.read = read
        return True


class Shelf(Generic[T]):
    """The things used last, as many as there is room for."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes, self.bytes = most_bytes, 0
        self.things: OrderedDict[Key, Kept[T]] = OrderedDict()
        self.lock = Lock()

    def get(self, key: Key, read: Marks) -> Kept[T] | None:
        """Only what is true."""
        with self.lock:
            found = self.things.get(key)
            if found is not None:
                self.things.move_to_end(key)
        if found is None or found.is_true(read):
            return found
        self.take_down(key, found)
        return None

    def put(self, key: Key, thing: Kept[T]) -> None:
        with self.lock:
            self.remove(key)
            self.things[key] = thing
            self.bytes += thing.weight
            while self.bytes > self.most_bytes:
                self.remove(next(iter(self.things)))

    def take_down(self, key: Key, thing: Kept[T]) -> None:
        """Unless another one took its place meanwhile."""
        with self.lock:
            if self.things.get(key) is thing:
                self.remove(key)

    def forget_older(self, read: Marks) -> None:
        with self.lock:
            for key in [key for key, thing in self.things.items() if thing.read != read]:
                self.remove(key)

    def remove(self, key: Key) -> None:
        old = self.things.pop(key, None)
        self.bytes -= old.weight if old else 0


@dataclass
class Making:
    """A page that is being made: the marks that were read before, what it asked, and the parts made for it."""

    read: Marks
    asked: Notes = field(default_factory=Notes)
    parts: list[tuple[Key, Kept[Part]]] = field(default_factory=list)


pages: Shelf[Page] = Shelf(MOST_BYTES)
parts: Shelf[Part] = Shelf(2 * MOST_BYTES)
tidied = {"at": monotonic()}
making: ContextVar[Making | None] = ContextVar("the page that is being made", default=None)


def kept(*what: object, make: Callable[[], Part]) -> Part:
    """A part of a page, told apart by `what`. No more may go into it than the language, the day and what is public.
    It is kept if the page may be for which it was made; a page of somebody's own gets its own."""
    page = making.get()
    if page is None:
        return make()
    key = (*map(str, what), str(timezone.localdate()), translation.get_language() or "")
    before = len(page.asked)
    found = parts.get(key, page.read)
    if found is not None:
        page.asked[before:] = found.asked  # in place of those of them that were asked again just now
        return found.thing
    del page.asked[before:]
    part = make()
    asked = page.asked[before:]
    page.parts.append((key, Kept(part, page.read, asked, weight(asked, *(text for pair in part for text in pair)))))
    return part


def weight(asked: Sequence[Question], *said: str | bytes) -> int:
    return sum(map(getsizeof, said)) + sum(question.weight for question in asked)


def versioned(view: View) -> View:
    """Shows only what is public, the same to everybody: its pages may be kept."""
    view.versioned = True  # type: ignore[attr-defined]
    return view


def keep_pages(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        read = marks.current() if is_for_anybody(request) else marks.NOWHERE
        if read == marks.NOWHERE:
            return answer(request)
        tidy(read)
        key = key_of(request)
        found = pages.get(key, read)
        if found is not None:
            return conditional(request, found.thing)
        made = Making(read)
        response = answered(made, answer, request)
        if not may_be_kept(request, response):
            return response
        page = page_of(response)
        pages.put(key, Kept(page, read, made.asked, weight(made.asked, page.packed)))
        for part_key, part in made.parts:
            parts.put(part_key, part)
        return conditional(request, page)

    return middleware


def tidy(read: Marks) -> None:
    """What nobody asked for since something changed may name who was erased since: it goes within a minute."""
    now = monotonic()
    if now >= tidied["at"] + TIDIED_EACH_SECONDS:
        tidied["at"] = now
        forget_older(read)


def forget_older(read: Marks) -> None:
    pages.forget_older(read)
    parts.forget_older(read)


def answered(made: Making, answer: Answer, request: HttpRequest) -> HttpResponse:
    """The marks were read before: what is made may be newer than they say, never older."""
    token = making.set(made)
    try:
        with connection.execute_wrapper(made.asked):
            return answer(request)
    finally:
        making.reset(token)


def is_for_anybody(request: HttpRequest) -> bool:
    """No session, no message that waits; and a view that says so: whatever else is asked costs no query here."""
    has_session = any(name in request.COOKIES for name in OF_SOMEBODY)
    return request.method in {"GET", "HEAD"} and not has_session and is_versioned(request.path_info)


@lru_cache(maxsize=10_000)
def is_versioned(path: str) -> bool:
    language = path[1:3]
    if path[:4] not in PREFIXES:
        return False
    with translation.override(language), suppress(Resolver404):
        return getattr(resolve(path).func, "versioned", False)
    return False


PREFIXES = frozenset(f"/{code}/" for code, _name in settings.LANGUAGES)


def key_of(request: HttpRequest) -> Key:
    where = (request.scheme or "", request.META.get("HTTP_HOST", ""), request.get_full_path())
    return (*where, theme.of(request), timezone.localdate().isoformat())


def may_be_kept(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        request.method == "GET"
        and response.status_code == 200  # noqa: PLR2004 - the one good answer
        and not response.streaming
        and "Cache-Control" not in response  # the view knows better
        and not response.cookies  # among them the one of a form that changes something
        and not hasattr(request, "_csp_nonce")  # a nonce is good for one answer only
    )


def page_of(response: HttpResponse) -> Page:
    patch_vary_headers(response, ["Accept-Encoding"])
    response.headers["Cache-Control"] = "no-cache"
    etag = hashlib.sha256(response.content).hexdigest()[:32]
    return Page(dict(response.headers), etag, gzip.compress(response.content, PACKING, mtime=0))


def conditional(request: HttpRequest, page: Page) -> HttpResponse:
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    etag = quote_etag(f"{page.etag}-gzip" if packed else page.etag)
    body = page.packed if packed else gzip.decompress(page.packed)
    response = HttpResponse(body, headers={**page.headers, "ETag": etag, "Content-Length": str(len(body))})
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return get_conditional_response(request, etag=etag, response=response)  # type: ignore[return-value] # or itself
