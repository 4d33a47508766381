"""Events between apps: one emits, apps above it listen. Registered in `AppConfig.ready()`."""

from collections.abc import Callable, Iterator
from typing import Any

Listener = Callable[..., None]
listeners: dict[str, list[Listener]] = {}
declared_events: dict[str, bool] = {}  # event -> whether it needs a listener


def declare(event: str, *, needs_listener: bool = True) -> None:
    declared_events[event] = needs_listener


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
    for event, needs_listener in declared_events.items():
        if needs_listener and not listeners.get(event):
            yield f"The event “{event}” has no listener."
    for event in listeners.keys() - declared_events.keys():
        yield f"The event “{event}” has a listener but is not declared."
