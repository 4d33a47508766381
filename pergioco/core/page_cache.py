"""Public pages in Django's cache, for as long as they are true.

The key of a page is its address, language (part of the address), colours, day, release, and the
versions of `core/cache_versions.py` that its view hangs on. Whatever changes something public
moves one of these in the same transaction, so that an old page is never found again. Visitors
with a session never get a cached page.
"""

import gzip
import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from django.apps import apps
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from redis.exceptions import RedisError

from pergioco.core import theme
from pergioco.core.addresses import LANGUAGE_PREFIXES
from pergioco.core.cache_versions import GROUPS, Versions, read_versions

MOST_BYTES = 64 * 1024  # of one page, compressed; the settings say how many pages there may be
COMPRESSION = 6  # of 9: more takes twice the time for hardly less
COOKIES_OF_VISITORS = (settings.SESSION_COOKIE_NAME, settings.MESSAGE_COOKIE_NAME)
Answer = Callable[[HttpRequest], HttpResponse]
View = TypeVar("View", bound=Callable[..., HttpResponse])

last_versions = {"people": -1}


class CachedPage(NamedTuple):
    # Compressed as it is sent; pages contain no secrets that a length could reveal
    headers: dict[str, str]
    etag: str
    packed: bytes


class PageSerializer:
    """For Redis, in place of Django's pickle: no value there can become code here."""

    def dumps(self, page: CachedPage) -> bytes:
        return json.dumps([page.headers, page.etag]).encode() + b"\n" + page.packed

    def loads(self, kept: bytes) -> CachedPage | None:
        head, _line_break, packed = kept.partition(b"\n")
        try:
            headers, etag = json.loads(head)
            return CachedPage(dict(headers), str(etag), packed)
        except (ValueError, TypeError):
            return None  # not ours: the page is made anew


def versioned(view: View) -> View:
    """For views that show only public data, the same to everyone: their pages may be cached."""
    return versioned_by(*GROUPS)(view)


def versioned_by(*counters: str) -> Callable[[View], View]:
    """The same, for views that depend on these groups of tables only."""

    def decorate(view: View) -> View:
        view.version_counters = counters  # type: ignore[attr-defined]
        return view

    return decorate


def cache_pages(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        counters = request_counters(request)
        # Read before the page is made: the page may be newer than its key says, never older.
        versions = read_versions() if counters else None
        if versions is None:
            return answer(request)
        forget_names(versions)
        key = cache_key(request, [getattr(versions, counter) for counter in counters])
        page = read_page(key)
        if page is None:
            response = answer(request)
            if not may_be_cached(request, response):
                return response
            page = make_cached_page(response)
            write_page(key, page)
        return conditional_response(request, page)

    return middleware


def request_counters(request: HttpRequest) -> tuple[str, ...]:
    # Empty for visitors with a session or a pending message: their pages are not cached
    has_session = any(name in request.COOKIES for name in COOKIES_OF_VISITORS)
    if request.method not in {"GET", "HEAD"} or has_session:
        return ()
    return path_counters(request.path_info)


@lru_cache(maxsize=10_000)
def path_counters(path: str) -> tuple[str, ...]:
    if path[:4] not in LANGUAGE_PREFIXES:
        return ()
    with translation.override(path[1:3]), suppress(Resolver404):
        return getattr(resolve(path).func, "version_counters", ())
    return ()


def forget_names(versions: Versions) -> None:
    # Redis expires keys itself; local memory would keep old names. Every page depends on
    # `people` anyway
    is_local = isinstance(caches["pages"], LocMemCache)
    if is_local and versions.people != last_versions["people"]:
        caches["pages"].clear()
        last_versions["people"] = versions.people


def cache_key(request: HttpRequest, versions: list[int]) -> str:
    where = (request.scheme, request.META.get("HTTP_HOST", ""), request.get_full_path())
    parts = (
        *where,
        theme.theme_of(request),
        timezone.localdate().isoformat(),
        release_time(),
        *versions,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@cache
def release_time() -> int:
    # Part of the key, so that a new release never shows pages of an old one
    own = (Path(app.path) for app in apps.get_app_configs() if "site-packages" not in app.path)
    folders = (*own, *(settings.BASE_DIR / name for name in ("templates", "static", "locale")))
    files = (file for folder in folders for file in folder.rglob("*") if file.suffix != ".pyc")
    return max(file.stat().st_mtime_ns for file in files if file.is_file())


def read_page(key: str) -> CachedPage | None:
    with suppress(RedisError):
        found: CachedPage | None = caches["pages"].get(key)
        return found
    return None


def write_page(key: str, page: CachedPage) -> None:
    if len(page.packed) <= MOST_BYTES:
        with suppress(RedisError):
            caches["pages"].set(key, page)


def may_be_cached(request: HttpRequest, response: HttpResponse) -> bool:
    return (
        request.method == "GET"
        and response.status_code == 200  # noqa: PLR2004 - the one good answer
        and not response.streaming
        and "Cache-Control" not in response  # the view knows better
        and not response.cookies  # among them the one of a form that changes something
        and not hasattr(request, "_csp_nonce")  # a nonce is good for one answer only
    )


def make_cached_page(response: HttpResponse) -> CachedPage:
    patch_vary_headers(response, ["Accept-Encoding"])
    response.headers["Cache-Control"] = "no-cache"
    etag = hashlib.sha256(response.content).hexdigest()[:32]
    packed = gzip.compress(response.content, COMPRESSION, mtime=0)
    return CachedPage(dict(response.headers), etag, packed)


def conditional_response(request: HttpRequest, page: CachedPage) -> HttpResponse:
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    etag = quote_etag(f"{page.etag}-gzip" if packed else page.etag)
    body = page.packed if packed else gzip.decompress(page.packed)
    headers = {**page.headers, "ETag": etag, "Content-Length": str(len(body))}
    response = HttpResponse(body, headers=headers)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return get_conditional_response(  # type: ignore[return-value] # the response given, or a 304
        request, etag=etag, response=response
    )
