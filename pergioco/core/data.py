"""Data declarations: what a table holds about people, declared once, on its model.

The export and erasure of a person's data, merging, name redaction, the table of the privacy page
and the cache versions follow from it. `declarations.py` reads and checks them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import count
from typing import Any, TypeAlias

from django.db.models import Q
from django.utils.functional import Promise


@dataclass(frozen=True)
class Owner:
    """One person: their player, the players merged into it, and their users."""

    players: tuple[int, ...]
    users: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class PrivacyRow:
    """A row of the privacy page's table; rows are shown in the order of their creation."""

    what: Promise
    who: Promise
    how_long: Promise
    order: int = field(default_factory=count().__next__)


@dataclass(frozen=True)
class Delete:
    """An erasure deletes the rows; `words` name them in the preview."""

    words: Promise


@dataclass(frozen=True)
class Keep:
    """An erasure keeps the rows and empties the fields in `blank`."""

    words: Promise
    blank: str = ""


class OnMerge(Enum):
    MOVE = auto()
    MOVE_IF_NONE = auto()  # only if the remaining player has no such row
    STAY = auto()


# A function finds rows that stay, because the remaining player has the same ones.
MergeRule: TypeAlias = OnMerge | Callable[[Any], Q]


@dataclass(frozen=True, kw_only=True)
class AppendOnly:
    """Rows are only added: the database refuses to change or delete them (`core/guards.py`).
    Erasing may still empty the free text, merging may move what `on_merge` moves, and a user who
    is deleted leaves the row."""

    sentence: str = "Rows of a log are only added."
    erased: str = ""  # other fields that an erasure empties
    sealed: str = ""  # written when the row is sealed
    written_once: str = ""  # empty until then
    expires: bool = False  # goes with a registration that was never confirmed


@dataclass(frozen=True, kw_only=True)
class DataDeclaration:
    """Lists of fields are names separated by spaces."""

    retention: str

    # Each field has one privacy class: who may read it.
    public: str = ""  # may be shown on public pages
    member: str = ""  # the person and the staff
    staff: str = ""  # the staff, and the person in the export of their data
    hidden: str = ""  # keys, codes, hashes

    # Each column of text that is not hidden is one of these three.
    free_text: str = ""  # people write about others: an erasure redacts names
    typed_text: str = ""  # typed or imported, but about the row itself
    coded_text: str = ""  # keys, codes and computed values

    # Paths to the player or user that the rows are about, or a function that finds the rows.
    person: str | Callable[[Owner], Q] = ""
    not_personal: str = ""  # why rows with a path to a person are not about that person
    on_erasure: Delete | Keep | None = None
    on_merge: Mapping[str, MergeRule] = field(default_factory=dict)  # of each relation to a player
    privacy_rows: tuple[PrivacyRow, ...] = ()

    append_only: AppendOnly | None = None

    on_public_pages: bool = True  # a change moves the cache versions
    export: bool = True  # in the staff's export of all tables

    def list_classes(self) -> list[tuple[str, str]]:
        levels = ("public", "member", "staff", "hidden")
        return [(name, level) for level in levels for name in getattr(self, level).split()]

    def list_texts(self) -> list[str]:
        return f"{self.free_text} {self.typed_text} {self.coded_text}".split()
