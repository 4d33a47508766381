"""A real browser on the real pages, filled with the demo federation."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from django.db import connection

from pergioco.core.models import User
from pergioco.demo import seeding
from tests.browser.visitor import BrowserThread, Visitor, Window, chromium
from tests.servers import PATIENCE_SECONDS, Missing

Open = Callable[..., Visitor]


@pytest.fixture(scope="session")
def browser() -> Iterator[BrowserThread]:
    executable = chromium()
    if executable is None:
        pytest.skip(str(Missing("Chromium", "chromium")))
    thread = BrowserThread(executable)
    yield thread
    thread.stop()


@pytest.fixture
def portal(live_server, settings, django_db_serialized_rollback) -> Iterator[str]:
    """The address of a portal that nobody has registered on yet."""
    settings.EMAIL_BACKEND = (
        "pergioco.core.mail.QueueBackend"  # the true way of a mail, into `MAIL_FOLDER`
    )
    yield live_server.url
    everything_answered(live_server.thread.host, live_server.thread.port)


def everything_answered(host: str, port: int) -> None:
    """A request still on its way would write into the tables of the next test. Connections are
    taken in the order in which they came, so after ours all have their thread; a window that is
    closed ends its own."""
    with closing(HTTPConnection(host, port, timeout=PATIENCE_SECONDS)) as last:
        last.request("GET", "/healthz")
        last.getresponse().read()
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()


@pytest.fixture(scope="session")
def demo_copy() -> Iterator[sqlite3.Connection]:
    """Of the database with the demo federation, for the next test that wants it; empty until the
    first one did."""
    with closing(sqlite3.connect(":memory:")) as copy:
        yield copy


@pytest.fixture
def demo_portal(portal, settings, demo_copy) -> str:
    settings.DEMO = True
    if demo_copy.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        connection.ensure_connection()
        demo_copy.backup(connection.connection)
        return portal
    seeding.seed()
    if connection.vendor == "sqlite":
        connection.connection.backup(demo_copy)
    return portal


@pytest.fixture
def visit(browser, portal) -> Iterator[Open]:
    """Opens a window: `visit(width=360, theme="dark", as_user="staff@example.org")`. What went
    wrong fails the test."""
    opened: list[Visitor] = []

    def open_window(*, as_user: str = "", **window: Any) -> Visitor:
        visitor = Visitor(browser, portal, Window(**window))
        opened.append(visitor)
        if as_user:
            visitor.sign_in(User.objects.get(email=as_user))
        return visitor

    yield open_window
    for visitor in opened:
        visitor.close()
    assert [trouble for visitor in opened for trouble in visitor.troubles] == []
