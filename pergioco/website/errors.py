"""The pages for what went wrong: what happened, what to do, and a code by which a person can find it."""

import logging
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.policy import everyone
from pergioco.website import theme

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5


@dataclass(frozen=True)
class Words:
    title: str | Promise
    what_happened: str | Promise
    what_to_do: str | Promise


@dataclass(frozen=True)
class Difference:
    """One value that two people changed at the same time."""

    label: str
    yours: str
    theirs: str


WORDS = {
    HTTPStatus.BAD_REQUEST: Words(
        _("The portal did not understand"),
        _("What your browser sent was incomplete or mixed up."),
        _("Go back, reload the page and try again."),
    ),
    HTTPStatus.FORBIDDEN: Words(
        _("This page is not yours"),
        _("It belongs to somebody else, or it needs a role that you do not have."),
        _("If you have another account, sign in with that one. If you should have the role, ask the staff."),
    ),
    HTTPStatus.NOT_FOUND: Words(
        _("There is no such page"),
        _("The address is mistyped, or the page was moved or removed."),
        _("Check the address, or begin from the home page."),
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: Words(
        _("This page opens from its form only"),
        _("Its address alone shows nothing: it belongs to a button on another page."),
        _("Go back and press the button there, or begin from the home page."),
    ),
    HTTPStatus.CONFLICT: Words(
        _("Somebody else was faster"),
        _("This was changed while you had it open. Nothing of yours was written over theirs."),
        _("Look at both versions, then open the page again and enter what should stand."),
    ),
    HTTPStatus.GONE: Words(
        _("Removed player"),
        _("The personal data of this player were deleted. The results stay, under a number and without a name."),
        _("Nothing is left to be shown here. The rankings are still there."),
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: Words(
        _("That is too much at once"),
        _("What you sent is larger than the portal accepts."),
        _("Send less: a smaller file, or a part at a time."),
    ),
    HTTPStatus.TOO_MANY_REQUESTS: Words(
        _("Too many tries"),
        _("This was tried very often in a short time, from here or for this address."),
        _("Wait a few minutes, then try again. Nothing is lost and nobody is locked out for good."),
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: Words(
        _("This is not your fault"),
        _("Something in the portal broke. The people who run it can see it in their log."),
        _("Go back and try again. If it happens again, write to the federation and give them the code below."),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: Words(
        _("Back in a moment"),
        _("The portal cannot reach its data just now. What was already saved is safe."),
        _("Wait a few seconds and reload the page."),
    ),
}
FORM_TOO_OLD = Words(
    _("This form is too old"),
    _("It was open for long, you signed in or out meanwhile, or your browser keeps no cookies. Nothing was saved."),
    _("Go back: what you typed should still be there. Copy it, reload the page and send it again."),
)


def page(
    request: HttpRequest, status: HTTPStatus, words: Words | None = None, differences: Iterable[Difference] = ()
) -> HttpResponse:
    """Needs no database and no session: it must work when they do not. A program gets what a person would read."""
    words = words or WORDS[status]
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": f"{words.what_happened} {words.what_to_do}"}, status=status)
    values = {
        "words": words,
        "status": status.value,
        "code": audit.request_id.get(),
        "theme": theme.of(request),
        "differences": differences,
        "may_be_another_account": status == HTTPStatus.FORBIDDEN and words is WORDS[status],
    }
    with override(get_language_from_request(request, check_path=True)):
        return HttpResponse(render_to_string("error.html", values), status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return too_large(request)
    return page(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return page(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return page(request, HTTPStatus.NOT_FOUND)


def opens_from_a_form(request: HttpRequest, allow: str) -> HttpResponse:
    response = page(request, HTTPStatus.METHOD_NOT_ALLOWED)
    response.headers["Allow"] = allow
    return response


def conflict(request: HttpRequest, sentence: str = "", differences: Iterable[Difference] = ()) -> HttpResponse:
    """`sentence` says who changed what and when, if that is known."""
    usual = WORDS[HTTPStatus.CONFLICT]
    return page(
        request, HTTPStatus.CONFLICT, replace(usual, what_happened=sentence or usual.what_happened), differences
    )


def too_large(request: HttpRequest) -> HttpResponse:
    return page(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def too_many(request: HttpRequest) -> HttpResponse:
    return page(request, HTTPStatus.TOO_MANY_REQUESTS)


def server_fault(request: HttpRequest) -> HttpResponse:
    """Django calls this for whatever no view caught; a database that is away has its own page."""
    trouble = sys.exception()
    if isinstance(trouble, OperationalError):
        return unavailable(request, trouble)
    logger.error("server fault at %s, code %s", request.path, audit.request_id.get())
    return page(request, HTTPStatus.INTERNAL_SERVER_ERROR)


@everyone
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return page(request, HTTPStatus.FORBIDDEN, FORM_TOO_OLD)


def unavailable(request: HttpRequest, trouble: Exception) -> HttpResponse:
    logger.error("database unavailable at %s, code %s: %s", request.path, audit.request_id.get(), trouble)
    response = page(request, HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response
