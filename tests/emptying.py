"""Between two tests that commit: all tables as they stood after the migrations.

Django would empty every table and then write again, room by room, what it keeps of each model: at a
hundred tables that takes longer than most tests. Here only tables that hold something are emptied,
and what no test changes stays."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from pergioco.core import last_runs
from pergioco.core.models import LastRun

GUARDS_ON_SQLITE = (
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'frozen%'"
)
MADE_WITH_THE_TABLES = {
    "django_migrations",
    "django_content_type",
    "auth_permission",
    "auth_group",
    "auth_group_permissions",
    "core_lastrun",  # what the migration awaits
}


def empty_tables() -> None:
    quote = connection.ops.quote_name
    with unguarded(), connection.cursor() as cursor:
        for table in with_rows():
            cursor.execute(f"DELETE FROM {quote(table)}")
    LastRun.objects.exclude(at=None).update(at=None)
    last_runs.await_first_runs()


def with_rows() -> list[str]:
    tables = (
        set(connection.introspection.django_table_names(only_existing=True)) - MADE_WITH_THE_TABLES
    )
    quote = connection.ops.quote_name
    asked = (
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})" for table in sorted(tables)
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return [table for (table,) in cursor.fetchall()]


@contextmanager
def unguarded() -> Iterator[None]:
    """As the superuser of the database can: without its triggers. Final years and logs let
    nothing be changed or deleted, and cache versions would move."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
            yield
            cursor.execute("SET LOCAL session_replication_role = origin")
        else:
            cursor.execute(GUARDS_ON_SQLITE)
            installed = cursor.fetchall()
            for name, _sql in installed:
                cursor.execute(f"DROP TRIGGER {name}")
            yield
            for _name, sql in installed:
                cursor.execute(sql)
