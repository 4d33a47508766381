"""A visitor of the portal: one browser window with its width, colours, language and login, that
notices troubles."""

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.translation import override
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    sync_playwright,
)

from pergioco.core.models import User
from tests.conftest import reauthenticated
from tests.servers import PATIENCE_SECONDS

T = TypeVar("T")
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FONTS = "document.fonts.ready.then(() => true)"
# To be watched from the start of a page: how far things jump while it comes
SHIFTS = """new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.shifted = (window.shifted || 0) + entry.value;
}).observe({type: "layout-shift", buffered: true});"""
PATIENCE = PATIENCE_SECONDS * 1000  # Playwright counts milliseconds


def chromium() -> str | None:
    """The system's own browser."""
    return os.environ.get("PORTAL_CHROMIUM") or next(
        filter(None, map(shutil.which, CHROMIUM)), None
    )


class BrowserThread:
    """Playwright keeps an event loop running in its thread, where Django's ORM refuses to work: it
    gets its own."""

    def __init__(self, executable: str) -> None:
        self.pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="browser")
        self.playwright = self.run(lambda: sync_playwright().start())
        self.browser: Browser = self.run(
            lambda: self.playwright.chromium.launch(
                executable_path=executable, args=FLAGS, timeout=PATIENCE
            )
        )

    def run(self, act: Callable[[], T]) -> T:
        """What hangs in the browser says so itself, after its own time."""
        return self.pool.submit(act).result(timeout=5 * PATIENCE_SECONDS)

    def stop(self) -> None:
        self.run(self.browser.close)
        self.run(self.playwright.stop)
        self.pool.shutdown()


@dataclass(frozen=True)
class Window:
    """How somebody looks at the portal."""

    width: int = 1280
    theme: str = "light"
    javascript: bool = True
    language: str = "en"


class Visitor:
    def __init__(self, thread: BrowserThread, host: str, window: Window) -> None:
        self.thread, self.host, self.language = thread, host, window.language
        self.troubles: list[str] = []
        self.context: BrowserContext = thread.run(lambda: self.new_context(window))
        self.page: Page = thread.run(self.new_page)

    def new_context(self, window: Window) -> BrowserContext:
        return self.thread.browser.new_context(
            viewport={"width": window.width, "height": 800},
            color_scheme="dark" if window.theme == "dark" else "light",
            java_script_enabled=window.javascript,
            locale=window.language,
            reduced_motion="reduce",  # a colour that is still fading would be measured half-way
        )

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", self.hear)
        page.on("pageerror", lambda trouble: self.troubles.append(f"{page.url}: {trouble}"))
        page.on("request", self.watch)
        return page

    def hear(self, message: ConsoleMessage) -> None:
        """The browser tells about scripts that break and about what the content policy forbids."""
        if message.type == "error":
            self.troubles.append(f"{message.location.get('url', '')}: {message.text}")

    def watch(self, request: Request) -> None:
        if not request.url.startswith((self.host, "data:", "blob:")):
            self.troubles.append(f"asked another host: {request.url}")

    def sign_in(self, user: User) -> None:
        """With the password typed a moment ago, so that the pages which ask for it again open."""
        session = reauthenticated(user).cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": self.host}
        self.thread.run(lambda: self.context.add_cookies([cookie]))

    def address(self, name: str, *args: Any) -> str:
        with override(self.language):
            return reverse(name, args=args)

    def open(self, name: str, *args: Any) -> int:
        return self.go(self.address(name, *args))

    def go(self, path: str) -> int:
        """The status of the answer."""
        answer: Response | None = self.do(lambda page: page.goto(f"{self.host}{path}"))
        return answer.status if answer else 0

    def do(self, act: Callable[[Page], T]) -> T:
        """Whatever a person can do on the page; the database is out of reach in there."""
        return self.thread.run(lambda: act(self.page))

    def press(self, selector: str) -> None:
        """A link or a button that leads to another page, or back to this one."""

        def act(page: Page) -> None:
            with page.expect_navigation():
                page.click(selector)

        self.do(act)

    @property
    def path(self) -> str:
        return urlsplit(self.do(lambda page: page.url)).path

    def text(self, selector: str = "main") -> str:
        return " ".join(self.do(lambda page: page.inner_text(selector)).split())

    def close(self) -> None:
        self.thread.run(self.context.close)
