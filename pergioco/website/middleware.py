"""What every answer passes through."""

import logging
import secrets
from collections.abc import Callable

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from pergioco.players import audit, refusal
from pergioco.website import errors

refusals = logging.getLogger("pergioco.refused")
Answer = Callable[[HttpRequest], HttpResponse]
METHODS = ("GET", "HEAD", "POST")
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self)"


def request_id(answer: Answer) -> Answer:
    """A short code for this request: in the audit log, and on the page when something goes wrong."""

    def middleware(request: HttpRequest) -> HttpResponse:
        token = audit.request_id.set(secrets.token_hex(4).upper())
        try:
            return answer(request)
        finally:
            audit.request_id.reset(token)

    return middleware


def tell_of_refusals(answer: Answer) -> Answer:
    """One line for each no of a rule: somebody may be trying what is not allowed. The login by its number, the page by
    its name; what was typed, and the sentence that they read, are not written down."""

    def middleware(request: HttpRequest) -> HttpResponse:
        names: list[str] = []
        token = refusal.noted.set(names)
        try:
            return answer(request)
        finally:
            refusal.noted.reset(token)
            for name in names:
                refusals.info("%s refused login %s at %s", name, *who_and_where(request))

    return middleware


def who_and_where(request: HttpRequest) -> tuple[object, str]:
    page = request.resolver_match.view_name if request.resolver_match else "no page"
    return getattr(getattr(request, "user", None), "pk", None) or "none", page


def database_down(answer: Answer) -> Answer:
    """The database is restarting or unreachable: say so, and when to try again."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return answer(request)

    # Outside of views (a session that cannot be saved) `errors.server_fault` sees to it.
    middleware.process_exception = away  # type: ignore[attr-defined]
    return middleware


def away(request: HttpRequest, trouble: Exception) -> HttpResponse | None:
    return errors.unavailable(request, trouble) if isinstance(trouble, OperationalError) else None


def extra_headers(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        user = getattr(request, "user", None)
        if user is not None and user.is_authenticated:
            response.headers["Cache-Control"] = "no-store, private"
        return response

    return middleware


def known_methods(answer: Answer) -> Answer:
    """Pages are read and forms are sent; whatever else is asked comes from no browser."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = answer(request) if request.method in METHODS else HttpResponseNotAllowed(METHODS)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET":
            return errors.opens_from_a_form(request, response.headers["Allow"])
        return response

    return middleware
