"""What a page was made of: the questions that the database was asked for it, and what it answered, as fingerprints."""

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import psycopg
from django.db import connection

from pergioco.ledger.marks import may_concern

ASKED_AGAIN = "SELECT"  # nothing else is: it may change something


class Question(NamedTuple):
    sql: str
    params: Any
    answer: bytes  # none: it cannot be compared

    def is_answered_as_before(self, moved: list[str]) -> bool:
        """It is asked again only if what changed since may concern it."""
        return not may_concern(self.sql, moved) or (bool(self.answer) and self.again() == self.answer)

    def again(self) -> bytes:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self.params)
            return fingerprint(self.sql, cursor)

    @property
    def weight(self) -> int:
        return len(self.sql) + 50 * len(self.params or ())


class Notes(list[Question]):
    """Stands between a page and the database while the page is made, and writes down what it asks."""

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - Django's
        answered = execute(sql, params, many, context)
        self.append(Question(sql, params, b"" if many else fingerprint(sql, context["cursor"])))
        return answered


def fingerprint(sql: str, cursor: Any) -> bytes:
    """Of all rows, which stay to be read. Only PostgreSQL hands out the rows of one answer twice."""
    rows = cursor.cursor
    if not isinstance(rows, psycopg.ClientCursor) or not sql.lstrip().startswith(ASKED_AGAIN):
        return b""
    told = repr(rows.fetchall()).encode()
    if rows.rowcount:
        rows.scroll(0, mode="absolute")
    return hashlib.blake2b(told, digest_size=16).digest()
