"""A real browser reads the pages with hostile words in them: it runs none, and has nothing to
forbid."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import override
from playwright.sync_api import Dialog, Page, Route

from tests.browser.visitor import Visitor, Window
from tests.system import hostile
from tests.system.hostile import PAYLOADS, alive
from tests.system.matrix import MATRIX
from tests.system.test_permissions import Question
from tests.system.world import World

pytestmark = pytest.mark.browser
PAGES = {
    "anonymous": (
        "/",
        "/rankings/<int:year>/<slug:kind>/",
        "/stages/<int:year>/<slug:slug>/",
        "/players/<slug:key>/",
        "/cases/<str:token>/",
        "/newsletter/<int:number>/",
    ),
    "staff": (
        "/staff/cases/<int:number>/",
        "/staff/newsletter/<int:number>/",
        "/staff/registrations/<str:public_id>/",
        "/staff/people/<str:public_id>/",
        "/staff/audit/",
        "/admin/players/registration/",
        "/staff/stages/<int:number>/entries/",
    ),
}
# In every frame too, from its start
VIOLATIONS = (
    """addEventListener("securitypolicyviolation", event => forbidden(event.effectiveDirective))"""
)


@dataclass
class Watch:
    """What a page of the window did by itself: `alert` opens a dialog, what the policy forbids is
    an event."""

    visitor: Visitor
    dialogs: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def begin(self, page: Page) -> None:
        page.on("dialog", self.close)
        page.expose_function("forbidden", self.note)
        page.add_init_script(VIOLATIONS)

    def note(self, directive: str) -> None:
        self.violations.append(directive)

    def close(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def found(self) -> list[str]:
        """What the browser's own reading made of the page is looked at like the page itself."""
        signs = alive(self.visitor.do(lambda page: page.content()))
        return [*self.dialogs, *self.violations, *self.visitor.troubles, *signs]


@pytest.fixture
def watched(browser, portal) -> Iterator[Any]:
    """Opens a window that is watched."""
    opened: list[Visitor] = []

    def open_window() -> Watch:
        watch = Watch(Visitor(browser, portal, Window(language="it")))
        opened.append(watch.visitor)
        watch.visitor.do(watch.begin)
        return watch

    yield open_window
    for visitor in opened:
        visitor.close()


@pytest.fixture
def world(portal) -> World:
    with override("it"):
        made = World()
        hostile.plant()
    return made


def test_nothing_that_was_typed_runs_in_a_browser_or_has_to_be_forbidden(watched, world, portal):
    found, shown = [], 0
    for role, patterns in PAGES.items():
        watch = watched()
        if role != "anonymous":
            cookie = {
                "name": settings.SESSION_COOKIE_NAME,
                "value": world.sessions[role],
                "url": portal,
            }
            watch.visitor.do(lambda page, cookie=cookie: page.context.add_cookies([cookie]))
        for pattern in patterns:
            path = Question(pattern, MATRIX[pattern], role, "GET", exists=True).address(world)
            assert watch.visitor.go(path) == 200, path
            shown += "alert(1)" in watch.visitor.text("body")
            found += [f"{path}: {sign}" for sign in watch.found()]
    assert "\n".join(found) == ""
    assert shown > 10


@pytest.mark.parametrize("guarded", [True, False])
@pytest.mark.django_db
def test_control_as_markup_they_run_and_under_the_policy_none_does_and_each_is_told(
    watched, guarded
):
    """Each on a page to itself, with the portal's own policy or without."""
    watch = watched()
    headers = {"Content-Type": "text/html; charset=utf-8"}
    if guarded:
        headers["Content-Security-Policy"] = (
            Client().get("/healthz").headers["Content-Security-Policy"]
        )
    watch.visitor.do(lambda page: page.route("**/*", lambda route: as_markup(route, headers)))
    for number in range(len(PAYLOADS)):
        watch.visitor.go(f"/{number}")
    ran, told = len(watch.dialogs), len(watch.violations)
    assert (ran > 20, told > 20) == (not guarded, guarded), (ran, told)
    assert 0 in {ran, told}


def as_markup(route: Route, headers: dict[str, str]) -> None:
    """Whatever else it asks for is not there."""
    number = route.request.url.rpartition("/")[2]
    if route.request.is_navigation_request() and number.isdigit():
        route.fulfill(body=f"<!doctype html><body>{PAYLOADS[int(number)]}", headers=headers)
    else:
        route.abort()
