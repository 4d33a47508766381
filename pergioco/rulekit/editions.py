"""Parameters of a regulation by date. Never edit an edition that was in force: add a new one."""

from datetime import date
from typing import Any, Protocol, TypeVar


class Edition(Protocol):
    """`since` is the first season, or the first day, of the edition."""

    @property
    def since(self) -> Any: ...


E = TypeVar("E", bound=Edition)


class Editions(tuple[E, ...]):
    """With `first_reaches_back`, the first edition also applies to earlier dates."""

    first_reaches_back: bool

    def __new__(cls, *editions: E, first_reaches_back: bool = False) -> "Editions[E]":
        made = super().__new__(cls, editions)
        made.first_reaches_back = first_reaches_back
        return made

    def in_force(self, when: int | date) -> E:
        begun = [edition for edition in self if edition.since <= when]
        return max(begun or self[: self.first_reaches_back], key=lambda edition: edition.since)

    def begun_in(self, since: int | date) -> E:
        """The edition named by a published number."""
        return next(edition for edition in self if edition.since == since)
