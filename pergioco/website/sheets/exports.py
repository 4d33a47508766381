"""What stands in words under a table: “components/export_row.html”."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Exports:
    """What is empty is not offered."""

    rules: str  # where it is told how it is computed
    files: Sequence[tuple[str, str]] = ()  # the words and the address of each
    screen: str = ""  # the address of the page as it is projected
    frame: str = ""  # what others copy into their pages
    text: str = ""  # for a message or a newspaper
    feed: str = ""  # the address of the Atom feed that tells what changes
    api: str = ""
