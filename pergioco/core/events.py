"""Events between apps: one emits, apps above it listen. Registered in `AppConfig.ready()`."""

from collections.abc import Callable, Iterator
from typing import Any

Listener = Callable[..., None]
listeners: dict[str, list[Listener]] = {}
declared_events: set[str] = set()


def declare(event: str) -> None:
    declared_events.add(event)


def on(event: str, listener: Listener) -> None:
    own = listeners.setdefault(event, [])
    if listener not in own:
        own.append(listener)


def emit(event: str, **values: Any) -> None:
    """Calls listeners at once, in the current transaction."""
    if event not in declared_events:
        raise LookupError(f"The event “{event}” is not declared.")
    for listener in listeners.get(event, ()):
        listener(**values)


def find_event_problems() -> Iterator[str]:
    for event in sorted(declared_events):
        if not listeners.get(event):
            yield f"The event “{event}” has no listener."
    for event in listeners.keys() - declared_events:
        yield f"The event “{event}” has a listener but is not declared."
