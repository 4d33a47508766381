"""Public pages kept as they were made, for as long as they are true.

A page is kept under its address, language, colours, day, and the mark of `ledger/marks.py`: whatever changes something
public changes the mark in the same transaction, so a kept page is never stale and nothing ever has to be thrown away
by hand. Each process keeps its own, in memory, within bounds. Whoever has a session never gets a kept page. If nothing
about the play of stages was asked for to make it, a page stays while results are typed.

What is dear to make and the same on pages of many addresses (`kept`) is kept by itself too, in the same way. What
says nothing but what its key tells, and people's names (`lasting`), is kept for as long as no name changes.
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
from typing import Any, Generic, NamedTuple, TypeVar

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

MOST_BYTES = 32 * 1024 * 1024  # of pages, and twice as much of parts
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

    def keep_only(self, read: Marks) -> None:
        """The last word of each key is the mark under which the thing is true."""
        with self.lock:
            for key in [key for key in self.things if key[-1] not in read]:
                self.bytes -= self.weight(self.things.pop(key))


@dataclass
class Making:
    """A page that is being made: the marks that were read before, what it was asked for, and the parts made for it."""

    read: Marks
    is_live: bool = False  # a result that is typed now may change it
    parts: list[tuple[Key, Part]] = field(default_factory=list)
    lasting: list[tuple[Key, Part]] = field(default_factory=list)

    @property
    def mark(self) -> str:
        return self.read.all if self.is_live else self.read.settled

    def part(self, key: Key) -> Part | None:
        found = parts.get((*key, self.read.settled))
        if found is None and (found := parts.get((*key, self.read.all))):
            self.is_live = True
        return found

    def watch(self, execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        """Stands between the page and the database."""
        self.is_live = self.is_live or any(table in sql for table in marks.PLAY)
        return execute(sql, *more)


pages: Shelf[Page] = Shelf(MOST_BYTES, weight=lambda page: len(page.packed))
parts: Shelf[Part] = Shelf(2 * MOST_BYTES, weight=lambda part: sum(getsizeof(text) for pair in part for text in pair))
seen: dict[str, Marks] = {}  # the marks that were read last, in this process
making: ContextVar[Making | None] = ContextVar("the page that is being made", default=None)


def kept(*what: object, make: Callable[[], Part]) -> Part:
    """A part of a page, told apart by `what`. No more may go into it than the language, the day and what is public.
    It is kept if the page may be for which it was made; a page of somebody's own gets its own."""
    page = making.get()
    if page is None:
        return make()
    key = words(*what, timezone.localdate())
    return page.part(key) or put_by(page.parts, key, make)


def lasting(*what: object, make: Callable[[], Part]) -> Part:
    """Likewise; but `what` names all that it is made of, except people: not even the day may show in it."""
    page = making.get()
    if page is None:
        return make()
    key = words(*what)
    return parts.get((*key, page.read.people)) or put_by(page.lasting, key, make)


def words(*what: object) -> Key:
    return (*map(str, what), translation.get_language() or "")


def put_by(made: list[tuple[Key, Part]], key: Key, make: Callable[[], Part]) -> Part:
    part = make()
    made.append((key, part))
    return part


def versioned(view: View) -> View:
    """Shows only what is public, the same to everybody: its pages may be kept."""
    view.versioned = True  # type: ignore[attr-defined]
    return view


def keep_pages(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        read = marks.current() if is_for_anybody(request) else marks.NOWHERE
        if read == marks.NOWHERE:
            return answer(request)
        forget_older(read)
        key = key_of(request)
        page = pages.get((*key, read.settled)) or pages.get((*key, read.all))
        if page is None:
            made = Making(read)
            response = answered(made, answer, request)
            if not may_be_kept(request, response):
                return response
            page = page_of(response)
            keep(key, page, made)
        return conditional(request, page)

    return middleware


def keep(key: Key, page: Page, made: Making) -> None:
    pages.put((*key, made.mark), page)
    for part_key, part in made.parts:
        parts.put((*part_key, made.mark), part)
    for part_key, part in made.lasting:
        parts.put((*part_key, made.read.people), part)


def forget_older(read: Marks) -> None:
    """A mark never comes back: what stands under another one is shown to nobody, and may name who was erased since."""
    if seen.get("marks", read) != read:
        pages.keep_only(read)
        parts.keep_only(read)
    seen["marks"] = read


def answered(made: Making, answer: Answer, request: HttpRequest) -> HttpResponse:
    """The marks were read before: what is made may be newer than they say, never older."""
    token = making.set(made)
    try:
        with connection.execute_wrapper(made.watch):
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
