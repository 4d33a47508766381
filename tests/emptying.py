"""Between two tests that commit: all tables as they stood after the migrations.

Django would empty every table and then write again, room by room, what it keeps of each model: at a
hundred tables that takes longer than most tests. Here only tables that hold something are emptied,
and what no test changes stays."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from pergioco.publishing import guards

MADE_WITH_THE_TABLES = {
    "django_migrations",
    "django_content_type",
    "auth_permission",
    "auth_group",
    "auth_group_permissions",
}


def empty_tables() -> None:
    quote = connection.ops.quote_name
    with unguarded(), connection.cursor() as cursor:
        for table in with_rows():
            cursor.execute(f"DELETE FROM {quote(table)}")


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
    """Frozen years let nothing be deleted, and cache versions would move."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL session_replication_role = replica")
            yield
        else:
            guards.drop_guards(connection)
            yield
            guards.install_guards(using=connection.alias)
