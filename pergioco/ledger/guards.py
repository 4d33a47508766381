"""What the database itself refuses: nothing that a frozen year shows is ever changed, added to or deleted.

Statements on PostgreSQL, rows on SQLite, are looked at by triggers. They are put up after each migration: on SQLite a
migration that changes one of these tables makes it anew, which loses its triggers and stumbles over those of others.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

SENTENCE = "Final rankings are never changed."
SHOWN = (
    "EXISTS (SELECT 1 FROM ledger_freeze f JOIN ledger_shown s ON s.publication_id = f.publication_id "
    "WHERE f.frozen_at IS NOT NULL AND s.computation_id = {row}.%s)"
)
PUBLISHED = "EXISTS (SELECT 1 FROM ledger_freeze f WHERE f.frozen_at IS NOT NULL AND f.publication_id = {row}.%s)"


class Guard(NamedTuple):
    table: str
    frozen: str  # when a row is
    events: str = "UPDATE DELETE"
    may_be_emptied: tuple[str, ...] = ()  # when the login, or the older version, that the column names goes
    may_be_mended: tuple[str, ...] = ()  # words of people, out of which an erasure takes a name
    sentence: str = SENTENCE


GUARDS = [
    Guard("ledger_freeze", "{row}.frozen_at IS NOT NULL", may_be_emptied=("proposed_by_id", "frozen_by_id")),
    Guard("ledger_publication", PUBLISHED % "id", may_be_emptied=("before_id", "published_by_id", "withdrawn_by_id")),
    Guard("ledger_shown", PUBLISHED % "publication_id", events="INSERT UPDATE DELETE"),
    Guard("ledger_computation", SHOWN % "id"),
    Guard("ledger_line", SHOWN % "computation_id", events="INSERT UPDATE DELETE"),
]
# What PostgreSQL lays before a trigger that looks at a whole statement.
ROWS = {
    "INSERT": ("NEW TABLE AS new_rows", "new_rows AS n"),
    "UPDATE": ("OLD TABLE AS old_rows NEW TABLE AS new_rows", "old_rows AS o FULL JOIN new_rows AS n ON n.id = o.id"),
    "DELETE": ("OLD TABLE AS old_rows", "old_rows AS o"),
}


def protect(*guards: Guard) -> None:
    """Rooms name here, while the portal starts, which of their own rows are never changed."""
    GUARDS.extend(guard for guard in guards if guard not in GUARDS)


def put_up(*, using: str, **_: Any) -> None:
    """Harmless where they stand already."""
    connection = connections[using]
    with connection.cursor() as cursor:
        if not {guard.table for guard in GUARDS} <= set(connection.introspection.table_names(cursor)):
            return
        standing = names_of_triggers(connection, cursor)
        for guard in GUARDS:
            columns = [c.name for c in connection.introspection.get_table_description(cursor, guard.table)]
            for statement in statements(guard, columns, connection.vendor, standing):
                cursor.execute(statement)


def take_down_for(*, using: str, plan: list[Any], **_: Any) -> None:
    """On SQLite, while there is something to migrate. PostgreSQL changes tables with their triggers in place."""
    if plan and connections[using].vendor == "sqlite":
        take_down(connections[using])


def take_down(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for guard in GUARDS:
            for event in guard.events.split():
                cursor.execute(f"DROP TRIGGER IF EXISTS {name_of(guard, event)}")


def name_of(guard: Guard, event: str) -> str:
    return f"frozen_{guard.table}_{event.lower()}"


def names_of_triggers(connection: BaseDatabaseWrapper, cursor: Any) -> set[str]:
    catalogue = {"sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'"}
    cursor.execute(catalogue.get(connection.vendor, "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"))
    return {name for (name,) in cursor.fetchall()}


def statements(guard: Guard, columns: list[str], vendor: str, standing: set[str]) -> Iterator[str]:
    for event in guard.events.split():
        name = name_of(guard, event)
        if vendor == "sqlite":
            if name not in standing:
                yield of_each_row(name, guard, event, refused(guard, event, columns, ("OLD", "NEW", "IS NOT")))
            continue
        yield function(name, guard, event, refused(guard, event, columns, ("o", "n", "IS DISTINCT FROM")))
        if name not in standing:
            yield of_each_statement(name, guard, event)


def refused(guard: Guard, event: str, columns: list[str], words: tuple[str, str, str]) -> str:
    """The condition under which the change of one row is refused."""
    old, new, differs = words
    before, after = guard.frozen.format(row=old), guard.frozen.format(row=new)
    if event != "UPDATE":
        return after if event == "INSERT" else before
    if not guard.may_be_emptied:
        return f"{before} OR {after}"
    changed = " OR ".join(
        f"({new}.{column} {differs} {old}.{column}{f' AND {new}.{column} IS NOT NULL' if may else ''})"
        for column in columns
        if column not in guard.may_be_mended
        for may in [column in guard.may_be_emptied]
    )
    return f"{before} AND ({changed})"


def of_each_row(name: str, guard: Guard, event: str, condition: str) -> str:
    refuse = f"SELECT RAISE(ABORT, '{guard.sentence}')"
    return f"CREATE TRIGGER {name} BEFORE {event} ON {guard.table} WHEN {condition} BEGIN {refuse}; END"


def function(name: str, guard: Guard, event: str, condition: str) -> str:
    raise_it = f"RAISE EXCEPTION '{guard.sentence}' USING ERRCODE = 'restrict_violation'"
    found = f"EXISTS (SELECT 1 FROM {ROWS[event][1]} WHERE {condition})"  # noqa: S608 - conditions of ours  # nosec B608
    body = f"BEGIN IF {found} THEN {raise_it}; END IF; RETURN NULL; END"
    return f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"


def of_each_statement(name: str, guard: Guard, event: str) -> str:
    tables = f"REFERENCING {ROWS[event][0]} FOR EACH STATEMENT"
    return f"CREATE TRIGGER {name} AFTER {event} ON {guard.table} {tables} EXECUTE FUNCTION {name}()"
