"""Row locks, bulk writes, snapshots and triggers."""

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db import IntegrityError, connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

Row = TypeVar("Row", bound=Model)


def lock_row(row: Row, *related: str, no_key: bool = False) -> Row:
    """Reads and locks the row; related rows are read with it, but not locked."""
    # the class of the user, not of a lazy request.user
    return lock_pk(row.__class__, row.pk, *related, no_key=no_key)


def lock_pk(model: type[Row], pk: object, *related: str, no_key: bool = False) -> Row:
    """With `no_key`, others may still write rows that point to this one."""
    manager = model._default_manager  # noqa: SLF001  Django documents it
    rows = manager.select_for_update(of=("self",), no_key=no_key)
    return (rows.select_related(*related) if related else rows).get(pk=pk)


def create_once(model: type[Row], submission: UUID, write: Callable[[], Row]) -> Row:
    """A repeated form, also one that comes at the same moment, gets the row of the first."""
    rows = model._default_manager  # noqa: SLF001  Django documents it
    try:
        with transaction.atomic():
            return rows.filter(submission=submission).first() or write()
    except IntegrityError:
        return rows.get(submission=submission)


@contextmanager
def gc_paused() -> Iterator[None]:
    # For many rows without reference cycles, where searching for cycles takes longer than the
    # work
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def has_column(model: type[Model], name: str) -> bool:
    """Whether the migrations so far have made it."""
    with connection.cursor() as cursor:
        table = model._meta.db_table
        if table not in connection.introspection.table_names(cursor):
            return False
        found = connection.introspection.get_table_description(cursor, table)
    return name in {column.name for column in found}


def analyze_tables() -> None:
    # PostgreSQL renews its statistics only after a commit; with those of empty tables queries
    # take minutes
    if connection.vendor == "postgresql":
        tables = connection.introspection.django_table_names(only_existing=True)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join(map(connection.ops.quote_name, tables))}")


Fields = Sequence["models.Field[Any, Any]"]
Rows = Iterable[Sequence[Any]]


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Rows) -> None:
    """Rows are tuples in the order of the field names; the database assigns the ids."""
    own = {field.name: field for field in model._meta.concrete_fields}
    fields = [own[name] for name in names]
    quote = connection.ops.quote_name
    table, columns = (
        quote(model._meta.db_table),
        ", ".join(quote(str(field.column)) for field in fields),
    )
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in prepare_rows(rows, fields):
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(fields))
            cursor.executemany(
                f"INSERT INTO {table} ({columns}) VALUES ({marks})",  # noqa: S608 - names of fields  # nosec B608
                list(prepare_rows(rows, fields)),
            )


def prepare_rows(rows: Rows, fields: Fields) -> Rows:
    # psycopg takes all our values as they are, except JSON, which must be text
    ways = [column_converter(field) for field in fields]
    if not any(ways):
        return rows
    columns = list(enumerate(ways))
    return ([way(row[at]) if way else row[at] for at, way in columns] for row in rows)


def column_converter(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    if connection.vendor != "postgresql":
        return partial(field.get_db_prep_save, connection=connection)
    return partial(json.dumps, cls=field.encoder) if isinstance(field, models.JSONField) else None


def isolate_snapshot() -> None:
    """Must be the transaction's first statement: from then on it sees no changes of others.
    SQLite does so anyway."""
    if connection.vendor == "postgresql" and not connection.savepoint_ids:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


TRIGGER_QUERIES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
}


def list_trigger_names(connection: BaseDatabaseWrapper, cursor: Any) -> set[str]:
    cursor.execute(TRIGGER_QUERIES[connection.vendor])
    return {name for (name,) in cursor.fetchall()}
