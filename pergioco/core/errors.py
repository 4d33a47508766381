"""Error pages: what happened, what to do, and a code to find it in the log."""

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

from pergioco.core import audit, theme
from pergioco.core.policy import everyone

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5


@dataclass(frozen=True)
class ErrorText:
    title: str | Promise
    what_happened: str | Promise
    what_to_do: str | Promise


@dataclass(frozen=True)
class Difference:
    """A value that two people changed at the same time."""

    label: str
    yours: str
    theirs: str


ERROR_TEXTS = {
    HTTPStatus.BAD_REQUEST: ErrorText(
        _("The portal did not understand"),
        _("What your browser sent was incomplete or mixed up."),
        _("Go back, reload the page and try again."),
    ),
    HTTPStatus.FORBIDDEN: ErrorText(
        _("This page is not yours"),
        _("It belongs to somebody else, or it needs a role that you do not have."),
        _(
            "If you have another account, sign in with that one. If you should have the role, ask "
            "the staff."
        ),
    ),
    HTTPStatus.NOT_FOUND: ErrorText(
        _("There is no such page"),
        _("The address is mistyped, or the page was moved or removed."),
        _("Check the address, or begin from the home page."),
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: ErrorText(
        _("This page opens from its form only"),
        _("Its address alone shows nothing: it belongs to a button on another page."),
        _("Go back and press the button there, or begin from the home page."),
    ),
    HTTPStatus.CONFLICT: ErrorText(
        _("Somebody else was faster"),
        _("This was changed while you had it open. Nothing of yours was written over theirs."),
        _("Look at both versions, then open the page again and enter what should stand."),
    ),
    HTTPStatus.GONE: ErrorText(
        _("Removed player"),
        _(
            "The personal data of this player were deleted. The results stay, under a number and "
            "without a name."
        ),
        _("Nothing is left to be shown here. The rankings are still there."),
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ErrorText(
        _("That is too much at once"),
        _("What you sent is larger than the portal accepts."),
        _("Send less: a smaller file, or a part at a time."),
    ),
    HTTPStatus.TOO_MANY_REQUESTS: ErrorText(
        _("Too many tries"),
        _("This was tried very often in a short time, from here or for this address."),
        _("Wait a few minutes, then try again. Nothing is lost and nobody is locked out for good."),
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: ErrorText(
        _("This is not your fault"),
        _("Something in the portal broke. The people who run it can see it in their log."),
        _(
            "Go back and try again. If it happens again, write to the federation and give them the "
            "code below."
        ),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: ErrorText(
        _("Back in a moment"),
        _("The portal cannot reach its data just now. What was already saved is safe."),
        _("Wait a few seconds and reload the page."),
    ),
}
FORM_TOO_OLD = ErrorText(
    _("This form is too old"),
    _(
        "It was open for long, you signed in or out meanwhile, or your browser keeps no cookies. "
        "Nothing was saved."
    ),
    _("Go back: what you typed should still be there. Copy it, reload the page and send it again."),
)


def render_error(
    request: HttpRequest,
    status: HTTPStatus,
    words: ErrorText | None = None,
    differences: Iterable[Difference] = (),
) -> HttpResponse:
    # Uses no database and no session, because these may be what failed
    words = words or ERROR_TEXTS[status]
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": f"{words.what_happened} {words.what_to_do}"}, status=status)
    values = {
        "words": words,
        "status": status.value,
        "code": audit.request_id.get(),
        "theme": theme.theme_of(request),
        "differences": differences,
        "may_be_another_account": status == HTTPStatus.FORBIDDEN and words is ERROR_TEXTS[status],
    }
    with override(get_language_from_request(request, check_path=True)):
        return HttpResponse(render_to_string("error.html", values), status=status)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return too_large(request)
    return render_error(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render_error(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render_error(request, HTTPStatus.NOT_FOUND)


def method_not_allowed(request: HttpRequest, allow: str) -> HttpResponse:
    response = render_error(request, HTTPStatus.METHOD_NOT_ALLOWED)
    response.headers["Allow"] = allow
    return response


def conflict(
    request: HttpRequest, sentence: str = "", differences: Iterable[Difference] = ()
) -> HttpResponse:
    usual = ERROR_TEXTS[HTTPStatus.CONFLICT]
    return render_error(
        request,
        HTTPStatus.CONFLICT,
        replace(usual, what_happened=sentence or usual.what_happened),
        differences,
    )


def too_large(request: HttpRequest) -> HttpResponse:
    return render_error(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    return render_error(request, HTTPStatus.TOO_MANY_REQUESTS)


def server_fault(request: HttpRequest) -> HttpResponse:
    # Django calls this for uncaught exceptions; an unreachable database has its own page
    trouble = sys.exception()
    if isinstance(trouble, OperationalError):
        return unavailable(request, trouble)
    logger.error("server fault at %s, code %s", request.path, audit.request_id.get())
    return render_error(request, HTTPStatus.INTERNAL_SERVER_ERROR)


@everyone
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render_error(request, HTTPStatus.FORBIDDEN, FORM_TOO_OLD)


def unavailable(request: HttpRequest, trouble: Exception) -> HttpResponse:
    logger.error(
        "database unavailable at %s, code %s: %s", request.path, audit.request_id.get(), trouble
    )
    response = render_error(request, HTTPStatus.SERVICE_UNAVAILABLE)
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response
