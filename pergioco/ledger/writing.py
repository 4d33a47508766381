"""Many rows at once: `COPY` where the database knows it, one prepared statement elsewhere."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from django.db import connection, models

Fields = Sequence["models.Field[Any, Any]"]
Rows = Iterable[Sequence[Any]]


def insert(model: type[models.Model], names: Sequence[str], rows: Rows) -> None:
    """Rows as tuples in the order of `names`, which are names of fields; the id is the database's."""
    own = {field.name: field for field in model._meta.concrete_fields}
    fields = [own[name] for name in names]
    quote = connection.ops.quote_name
    table, columns = quote(model._meta.db_table), ", ".join(quote(str(field.column)) for field in fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in prepared(rows, fields):
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(fields))
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(prepared(rows, fields)))  # noqa: S608 - names of fields  # nosec B608


def prepared(rows: Rows, fields: Fields) -> Rows:
    """As the database takes them: the driver of PostgreSQL takes all of our values but JSON, which is text."""
    ways = [way_of(field) for field in fields]
    if not any(ways):
        return rows
    columns = list(enumerate(ways))
    return ([way(row[at]) if way else row[at] for at, way in columns] for row in rows)


def way_of(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    if connection.vendor != "postgresql":
        return partial(field.get_db_prep_save, connection=connection)
    return partial(json.dumps, cls=field.encoder) if isinstance(field, models.JSONField) else None
