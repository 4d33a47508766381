"""Public pages kept as they were made, for as long as they are true.

A page is kept under its address, language, colours, day, and the mark of `ledger/marks.py`: whatever changes something
public changes the mark in the same transaction, so a kept page is never stale and nothing ever has to be thrown away
by hand. Each process keeps its own, in memory, within bounds. Whoever has a session never gets a kept page.

What is dear to make and the same on pages of many addresses (`kept`) is kept by itself too, in the same way. What
says nothing but what its key tells, and people's names (`lasting`), is kept for as long as no name changes.
"""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from functools import lru_cache
from sys import getsizeof
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag

from pergioco.ledger import marks
from pergioco.website import theme

MOST_BYTES = 32 * 1024 * 1024  # of pages, and as much of parts
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


class Shelf(Generic[T]):
    """The things used last, as many as there is room for."""

    def __init__(self, most_bytes: int, weight: Callable[[T], int]) -> None:
        self.most_bytes, self.bytes, self.weight = most_bytes, 0, weight
        self.things: OrderedDict[Key, T] = OrderedDict()
        self.lock = Lock()

    def get(self, key: Key) -> T | None:
        with self.lock:
            thing = self.things.get(key)
            if thing is not None:
                self.things.move_to_end(key)
            return thing

    def put(self, key: Key, thing: T) -> None:
        with self.lock:
            if key not in self.things:
                self.things[key] = thing
                self.bytes += self.weight(thing)
            while self.bytes > self.most_bytes:
                _key, oldest = self.things.popitem(last=False)
                self.bytes -= self.weight(oldest)

    def clear(self) -> None:
        with self.lock:
            self.things.clear()
            self.bytes = 0


class Making(NamedTuple):
    """A page that is being made: under which mark, and the parts that were made for it."""

    mark: marks.Marks
    parts: list[tuple["Shelf[Part]", Key, Part]]


pages: Shelf[Page] = Shelf(MOST_BYTES, weight=lambda page: len(page.packed))
parts: Shelf[Part] = Shelf(MOST_BYTES, weight=lambda part: sum(getsizeof(text) for pair in part for text in pair))
lasting_parts: Shelf[Part] = Shelf(MOST_BYTES, weight=parts.weight)
seen: dict[str, marks.Marks] = {}  # the marks that were read last, in this process
making: ContextVar[Making | None] = ContextVar("the page that is being made", default=None)


def kept(*what: object, make: Callable[[], Part]) -> Part:
    """A part of a page, told apart by `what`. No more may go into it than the language, the day and what is public.
    It is kept if the page may be for which it was made; a page of somebody's own gets its own."""
    page = making.get()
    return put_by(page, parts, (*what, timezone.localdate(), page.mark.all), make) if page else make()


def lasting(*what: object, make: Callable[[], Part]) -> Part:
    """Likewise; but `what` names all that it is made of, except people: not even the day may show in it."""
    page = making.get()
    return put_by(page, lasting_parts, (*what, page.mark.people), make) if page else make()


def put_by(page: Making, shelf: Shelf[Part], what: tuple[object, ...], make: Callable[[], Part]) -> Part:
    key = (*map(str, what), translation.get_language() or "")
    part = shelf.get(key)
    if part is None:
        part = make()
        page.parts.append((shelf, key, part))
    return part


def versioned(view: View) -> View:
    """Shows only what is public, the same to everybody: its pages may be kept."""
    view.versioned = True  # type: ignore[attr-defined]
    return view


def keep_pages(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        mark = marks.current() if is_for_anybody(request) else marks.NOWHERE
        if mark == marks.NOWHERE:
            return answer(request)
        forget_older(mark)
        key = (*key_of(request), mark.all)
        page = pages.get(key)
        if page is None:
            made = Making(mark, [])
            response = answered(made, answer, request)
            if not may_be_kept(request, response):
                return response
            page = page_of(response)
            pages.put(key, page)
            for shelf, part_key, part in made.parts:
                shelf.put(part_key, part)
        return conditional(request, page)

    return middleware


def forget_older(mark: marks.Marks) -> None:
    """A mark never comes back: what stands under another one is shown to nobody, and may name who was erased since."""
    before = seen.pop("marks", mark)
    if before.all != mark.all:
        pages.clear()
        parts.clear()
    if before.people != mark.people:
        lasting_parts.clear()
    seen["marks"] = mark


def answered(made: Making, answer: Answer, request: HttpRequest) -> HttpResponse:
    """The mark was read before: what is made may be newer than its mark says, never older."""
    token = making.set(made)
    try:
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
