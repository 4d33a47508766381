"""What a walk of thousands of requests can do without, as it never looks at it."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache
from types import SimpleNamespace
from unittest import mock

from django.contrib import auth
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.base import Template
from django.test import override_settings
from django.test.utils import _TestState
from django.urls import ResolverMatch, URLResolver
from django.utils.translation import get_language

from pergioco.core.models import User


@contextmanager
def light_requests() -> Iterator[None]:
    """Django's test runner copies each template's context for `response.context`; allauth writes
    down each visit of a session, although the world has a row of it; and the same addresses are
    looked up for role after role."""

    resolve = URLResolver.resolve

    @cache
    def resolve_in(resolver: URLResolver, path: str, _language: str | None) -> ResolverMatch:
        return resolve(resolver, path)

    with (
        mock.patch.object(Template, "_render", _TestState.saved_data.template_render),
        mock.patch.object(
            URLResolver, "resolve", lambda self, path: resolve_in(self, path, get_language())
        ),
        override_settings(USERSESSIONS_TRACK_ACTIVITY=False),
    ):
        yield


@contextmanager
def remembered_logins() -> Iterator[None]:
    """Only where whatever a request writes is taken back: each session is of the same user all the
    time, in the same groups."""
    found: dict[str, User] = {}

    def get_user(request: HttpRequest) -> User | AnonymousUser:
        key = request.session.session_key
        if key not in found:
            user = auth.get_user(request)
            if not isinstance(user, User):
                return user
            _ = user.group_names  # cached: the copies need not ask again
            found[key] = user
        return copy(found[key])

    with mock.patch("django.contrib.auth.middleware.auth", SimpleNamespace(get_user=get_user)):
        yield


@contextmanager
def bare_error_pages() -> Iterator[None]:
    """Only where their status alone matters: `test_canaries.py` reads their text for each role."""
    with mock.patch("pergioco.core.errors.render_to_string", return_value=""):
        yield
