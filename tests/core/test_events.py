"""An event reaches its listeners at once and in order; one that is declared nowhere is refused."""

import pytest

from pergioco.core import events

heard: list[tuple[str, dict]] = []


def first(**values) -> None:
    heard.append(("first", values))


def second(**values) -> None:
    heard.append(("second", values))


@pytest.fixture(autouse=True)
def _own_events(monkeypatch):
    monkeypatch.setattr(events, "listeners", {})
    monkeypatch.setattr(events, "declared_events", set())
    heard.clear()


def test_listeners_run_at_once_in_the_order_in_which_they_were_registered():
    events.declare("moon.rose")
    events.on("moon.rose", first)
    events.on("moon.rose", second)
    events.on("moon.rose", first)  # an app that is set up twice listens once
    events.emit("moon.rose", day=3)
    assert heard == [("first", {"day": 3}), ("second", {"day": 3})]


def test_a_listener_that_fails_fails_the_change():
    def broken(**_values) -> None:
        raise ValueError

    events.declare("moon.rose")
    events.on("moon.rose", broken)
    with pytest.raises(ValueError):  # noqa: PT011 - that it comes through is all
        events.emit("moon.rose")


def test_an_event_that_is_declared_nowhere_is_refused():
    with pytest.raises(LookupError, match=r"moon\.set"):
        events.emit("moon.set")


def test_what_is_missing_is_found():
    events.declare("moon.rose")
    events.on("sun.rose", first)
    assert list(events.find_event_problems()) == [
        "The event “moon.rose” has no listener.",
        "The event “sun.rose” has a listener but is not declared.",
    ]
