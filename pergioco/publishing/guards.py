"""Database triggers that protect final years: nothing they show is changed, added or deleted.

PostgreSQL checks statements, SQLite rows. The triggers are installed after each migration:
SQLite rebuilds a changed table, which drops its triggers and fails on those of other tables."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from pergioco.core.database import list_trigger_names

FINAL_SENTENCE = "Final rankings are never changed."
SHOWN = (
    "EXISTS (SELECT 1 FROM publishing_freeze f JOIN publishing_shown s ON s.publication_id = "
    "f.publication_id "
    "WHERE f.frozen_at IS NOT NULL AND s.computation_id = {row}.%s)"
)
PUBLISHED = (
    "EXISTS (SELECT 1 FROM publishing_freeze f WHERE f.frozen_at IS NOT NULL AND "
    "f.publication_id = {row}.%s)"
)
# Transition tables of a statement trigger on PostgreSQL
TRANSITION_TABLES = {
    "INSERT": ("NEW TABLE AS new_rows", "new_rows AS n"),
    "UPDATE": (
        "OLD TABLE AS old_rows NEW TABLE AS new_rows",
        "old_rows AS o FULL JOIN new_rows AS n ON n.id = o.id",
    ),
    "DELETE": ("OLD TABLE AS old_rows", "old_rows AS o"),
}


class Guard(NamedTuple):
    table: str
    frozen: str  # SQL condition: the row is final
    events: str = "UPDATE DELETE"
    may_be_emptied: tuple[str, ...] = ()  # set to NULL when its target is deleted
    may_be_mended: tuple[str, ...] = ()  # free text from which an erasure removes a name
    sentence: str = FINAL_SENTENCE


GUARDS = [
    Guard(
        "publishing_freeze",
        "{row}.frozen_at IS NOT NULL",
        may_be_emptied=("proposed_by_id", "frozen_by_id"),
    ),
    Guard(
        "publishing_publication",
        PUBLISHED % "id",
        may_be_emptied=("before_id", "published_by_id", "withdrawn_by_id"),
    ),
    Guard("publishing_shown", PUBLISHED % "publication_id", events="INSERT UPDATE DELETE"),
    Guard("publishing_computation", SHOWN % "id"),
    Guard("publishing_line", SHOWN % "computation_id", events="INSERT UPDATE DELETE"),
    Guard(
        "publishing_statement",
        "{row}.id IS NOT NULL",
        sentence="Statements are never changed.",
    ),
]


def register_guards(*guards: Guard) -> None:
    """Apps call it in `ready()` for rows of theirs that must never change."""
    GUARDS.extend(guard for guard in guards if guard not in GUARDS)


def install_guards(*, using: str, **_: Any) -> None:
    """Creates the missing triggers; safe to repeat."""
    connection = connections[using]
    with connection.cursor() as cursor:
        if not {guard.table for guard in GUARDS} <= set(
            connection.introspection.table_names(cursor)
        ):
            return
        standing = list_trigger_names(connection, cursor)
        for guard in GUARDS:
            columns = [
                c.name for c in connection.introspection.get_table_description(cursor, guard.table)
            ]
            for statement in trigger_statements(guard, columns, connection.vendor, standing):
                cursor.execute(statement)


def drop_guards_before_migrating(*, using: str, plan: list[Any], **_: Any) -> None:
    # SQLite rebuilds a table and loses its triggers; PostgreSQL migrates with them in place.
    if plan and connections[using].vendor == "sqlite":
        drop_guards(connections[using])


def drop_guards(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for guard in GUARDS:
            for event in guard.events.split():
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger_name(guard, event)}")


def trigger_name(guard: Guard, event: str) -> str:
    return f"frozen_{guard.table}_{event.lower()}"


def trigger_statements(
    guard: Guard, columns: list[str], vendor: str, standing: set[str]
) -> Iterator[str]:
    for event in guard.events.split():
        name = trigger_name(guard, event)
        if vendor == "sqlite":
            if name not in standing:
                yield row_trigger(
                    name,
                    guard,
                    event,
                    refusal_condition(guard, event, columns, ("OLD", "NEW", "IS NOT")),
                )
            continue
        yield trigger_function(
            name,
            guard,
            event,
            refusal_condition(guard, event, columns, ("o", "n", "IS DISTINCT FROM")),
        )
        if name not in standing:
            yield statement_trigger(name, guard, event)


def refusal_condition(
    guard: Guard, event: str, columns: list[str], words: tuple[str, str, str]
) -> str:
    old, new, differs = words
    before, after = guard.frozen.format(row=old), guard.frozen.format(row=new)
    if event != "UPDATE":
        return after if event == "INSERT" else before
    if not guard.may_be_emptied:
        return f"{before} OR {after}"
    changed = " OR ".join(
        (
            f"({new}.{column} {differs} "
            f"{old}.{column}{f' AND {new}.{column} IS NOT NULL' if may else ''})"
        )
        for column in columns
        if column not in guard.may_be_mended
        for may in [column in guard.may_be_emptied]
    )
    return f"{before} AND ({changed})"


def row_trigger(name: str, guard: Guard, event: str, condition: str) -> str:
    refuse = f"SELECT RAISE(ABORT, '{guard.sentence}')"
    return (
        f"CREATE TRIGGER {name} BEFORE {event} ON {guard.table} WHEN {condition} BEGIN "
        f"{refuse}; END"
    )


def trigger_function(name: str, guard: Guard, event: str, condition: str) -> str:
    raise_it = f"RAISE EXCEPTION '{guard.sentence}' USING ERRCODE = 'restrict_violation'"
    found = f"EXISTS (SELECT 1 FROM {TRANSITION_TABLES[event][1]} WHERE {condition})"  # noqa: S608 - conditions of ours  # nosec B608
    body = f"BEGIN IF {found} THEN {raise_it}; END IF; RETURN NULL; END"
    return f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"


def statement_trigger(name: str, guard: Guard, event: str) -> str:
    tables = f"REFERENCING {TRANSITION_TABLES[event][0]} FOR EACH STATEMENT"
    return (
        f"CREATE TRIGGER {name} AFTER {event} ON {guard.table} {tables} EXECUTE FUNCTION {name}()"
    )
