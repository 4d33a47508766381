"""Work on hundreds of thousands of rows."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def undisturbed() -> Iterator[None]:
    """Rows point at nothing that points back, so that they go as soon as nobody holds them. Python's collector of
    cycles would look through all of them again and again: that takes longer than the work itself."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def count_rows() -> None:
    """After a transaction has written very many: PostgreSQL plans its queries by figures about the tables, which it
    renews by itself only after the commit. With those of empty tables a query of a moment takes minutes."""
    if connection.vendor == "postgresql":
        tables = connection.introspection.django_table_names(only_existing=True)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join(map(connection.ops.quote_name, tables))}")
