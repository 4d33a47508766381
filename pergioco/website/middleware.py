"""Middleware for all requests."""

import logging
import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from pergioco.core import audit, errors, policy, refusal

refusal_log = logging.getLogger("pergioco.refused")
Answer = Callable[[HttpRequest], HttpResponse]
METHODS = ("GET", "HEAD", "POST")
PERMISSIONS_POLICY = (
    "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-get=(self)"
)


def set_request_id(answer: Answer) -> Answer:
    # A short code, kept in the audit log and shown on error pages
    def middleware(request: HttpRequest) -> HttpResponse:
        token = audit.request_id.set(secrets.token_hex(4).upper())
        try:
            return answer(request)
        finally:
            audit.request_id.reset(token)

    return middleware


def log_refusals(answer: Answer) -> Answer:
    # Refusals may show an attack. Logs the user's id and the page's name, never the input or
    # the sentence
    def middleware(request: HttpRequest) -> HttpResponse:
        names: list[str] = []
        token = refusal.refused_rules.set(names)
        try:
            return answer(request)
        finally:
            refusal.refused_rules.reset(token)
            for name in names:
                refusal_log.info("%s refused login %s at %s", name, *login_and_page(request))

    return middleware


def login_and_page(request: HttpRequest) -> tuple[object, str]:
    page = request.resolver_match.view_name if request.resolver_match else "no page"
    return getattr(getattr(request, "user", None), "pk", None) or "none", page


def database_down(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        return answer(request)

    # Outside of views (a session that cannot be saved) `errors.server_fault` sees to it.
    middleware.process_exception = answer_database_error  # type: ignore[attr-defined]
    return middleware


def answer_database_error(request: HttpRequest, trouble: Exception) -> HttpResponse | None:
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


def limit_methods(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        # The API answers for itself: it knows which methods each address has.
        is_known = request.method in METHODS or request.path.startswith("/api/")
        response = answer(request) if is_known else HttpResponseNotAllowed(METHODS)
        if isinstance(response, HttpResponseNotAllowed) and request.method == "GET":
            return errors.method_not_allowed(request, response.headers["Allow"])
        return response

    return middleware


def limit_body(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponse:
        return answer(request)

    # Before the view, and before the check of the form's token, which reads the body
    middleware.process_view = refuse_body  # type: ignore[attr-defined]
    return middleware


def refuse_body(request: HttpRequest, view: Any, *_: object) -> HttpResponse | None:
    if "HTTP_TRANSFER_ENCODING" in request.META:  # in pieces: how long it is nobody can say
        words = errors.ERROR_TEXTS[HTTPStatus.BAD_REQUEST]
        return errors.render_error(request, HTTPStatus.LENGTH_REQUIRED, words)
    largest = getattr(view, "largest_body", policy.FORM_BYTES)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length) > largest:
        return errors.too_large(request)
    return None
