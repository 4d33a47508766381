"""What the database itself refuses, by triggers: changes of rows that are only added (`AppendOnly`
in their data declaration), and of what apps register, such as final years.

Use cases that must touch such rows, an erasure or a merge, open a door for their transaction, and
only to the columns that are theirs. PostgreSQL checks statements, SQLite rows. The triggers are
installed after each migration: SQLite rebuilds a changed table, which drops its triggers and fails
on those of other tables."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Any, NamedTuple

from django.db import connection, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from pergioco.core.data import Keep, OnMerge
from pergioco.core.database import list_trigger_names
from pergioco.core.declarations import list_declarations

ALWAYS = "{row}.id IS NOT NULL"
NOT_PASSED = {
    "sqlite": "portal_door() <> '{door}'",
    "postgresql": "coalesce(current_setting('portal.door', true), '') <> '{door}'",
}
# Transition tables of a statement trigger on PostgreSQL
TRANSITION_TABLES = {
    "INSERT": ("NEW TABLE AS new_rows", "new_rows AS n"),
    "UPDATE": (
        "OLD TABLE AS old_rows NEW TABLE AS new_rows",
        "old_rows AS o FULL JOIN new_rows AS n ON n.id = o.id",
    ),
    "DELETE": ("OLD TABLE AS old_rows", "old_rows AS o"),
}


class Door(StrEnum):
    """Who may pass a guard, each at its own columns."""

    ERASING = "erasing"  # also deletes what an unconfirmed registration left
    MERGING = "merging"
    SEALING = "sealing"


class Guard(NamedTuple):
    table: str
    frozen: str = ALWAYS  # SQL condition: the row is final
    events: str = "UPDATE DELETE TRUNCATE"
    may_be_emptied: tuple[str, ...] = ()  # set to NULL when its target is deleted
    written_once: tuple[str, ...] = ()  # NULL until then
    doors: Mapping[Door, tuple[str, ...]] = {}  # columns that may change through each
    deleted_through: tuple[Door, ...] = ()
    sentence: str = ""

    def list_events(self, vendor: str) -> list[str]:
        # SQLite has no TRUNCATE
        return [event for event in self.events.split() if (vendor, event) != ("sqlite", "TRUNCATE")]


registered: list[Guard] = []


def register_guards(*guards: Guard) -> None:
    """Apps call it for rows of theirs that must never change under some condition."""
    registered.extend(guard for guard in guards if guard not in registered)


def list_guards() -> list[Guard]:
    return [*registered, *list_append_only_guards()]


def list_append_only_guards() -> Iterator[Guard]:
    """What the data declaration says of a column says who may change it."""
    for model, declared in list_declarations():
        rule = declared.append_only
        if rule is None:
            continue
        blank = declared.on_erasure.blank if isinstance(declared.on_erasure, Keep) else ""
        moved = [name for name, how in declared.on_merge.items() if how is not OnMerge.STAY]
        doors = {
            Door.ERASING: f"{declared.free_text} {blank} {rule.erased}",
            Door.MERGING: " ".join(moved),
            Door.SEALING: rule.sealed,
        }
        yield Guard(
            model._meta.db_table,
            may_be_emptied=tuple(list_emptied_columns(model)),
            written_once=find_columns(model, rule.written_once),
            doors={door: find_columns(model, names) for door, names in doors.items()},
            deleted_through=(Door.ERASING,) if rule.expires else (),
            sentence=rule.sentence,
        )


def list_emptied_columns(model: type[models.Model]) -> Iterator[str]:
    for field in model._meta.concrete_fields:
        if getattr(field.remote_field, "on_delete", None) is models.SET_NULL:
            yield str(field.column)


def find_columns(model: type[models.Model], names: str) -> tuple[str, ...]:
    fields = dict.fromkeys(names.split())
    found = [model._meta.get_field(name) for name in fields]
    return tuple(str(field.column) for field in found if isinstance(field, models.Field))


# Doors

open_door: ContextVar[str] = ContextVar("open_door", default="")


@contextmanager
def pass_guards(door: Door) -> Iterator[None]:
    """For the statements inside. A failure closes it with the savepoint."""
    before = open_door.get()
    if before == door:
        yield
        return
    token = open_door.set(door)
    try:
        with transaction.atomic():
            set_door(door)
            yield
            set_door(before)
    finally:
        open_door.reset(token)


def set_door(door: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('portal.door', %s, true)", [door])


def add_door_function(*, connection: BaseDatabaseWrapper, **_: Any) -> None:
    # SQLite has no settings of a transaction: its triggers call this. Another program, which
    # lacks the function, can change no guarded row at all.
    if isinstance(connection.connection, sqlite3.Connection):
        connection.connection.create_function("portal_door", 0, open_door.get)


# Triggers


def install_guards(*, using: str, **_: Any) -> None:
    """Creates the missing triggers; safe to repeat."""
    connection = connections[using]
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        installed = list_trigger_names(connection, cursor)
        for guard in list_guards():
            if guard.table not in tables:
                continue
            # Tables are names of ours
            cursor.execute(f"SELECT * FROM {guard.table} LIMIT 0")  # noqa: S608  # nosec B608
            columns = [column[0] for column in cursor.description]
            for statement in trigger_statements(guard, columns, connection.vendor, installed):
                cursor.execute(statement)


def drop_guards_before_migrating(*, using: str, plan: list[Any], **_: Any) -> None:
    # SQLite rebuilds a table and loses its triggers; PostgreSQL migrates with them in place.
    if plan and connections[using].vendor == "sqlite":
        drop_guards(connections[using])


def drop_guards(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for guard in list_guards():
            for event in guard.list_events(connection.vendor):
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger_name(guard, event)}")


def trigger_name(guard: Guard, event: str) -> str:
    return f"frozen_{guard.table}_{event.lower()}"


def trigger_statements(
    guard: Guard, columns: list[str], vendor: str, installed: set[str]
) -> Iterator[str]:
    for event in guard.list_events(vendor):
        name = trigger_name(guard, event)
        condition = refusal_condition(guard, event, columns, vendor)
        if vendor != "sqlite":
            yield trigger_function(name, guard, event, condition)
        if name not in installed:
            write = row_trigger if vendor == "sqlite" else statement_trigger
            yield write(name, guard, event, condition)


def refusal_condition(guard: Guard, event: str, columns: list[str], vendor: str) -> str:
    old, new = ("OLD", "NEW") if vendor == "sqlite" else ("o", "n")
    before, after = guard.frozen.format(row=old), guard.frozen.format(row=new)
    match event:
        case "INSERT":
            return after
        case "UPDATE" if has_exceptions(guard):
            changes = [refused_change(guard, column, vendor) for column in columns]
            return f"{before} AND ({' OR '.join(changes)})"
        case "UPDATE":
            return f"{before} OR {after}"
        case "DELETE":
            closed = [NOT_PASSED[vendor].format(door=door) for door in guard.deleted_through]
            return " AND ".join([before, *closed])
    return before


def has_exceptions(guard: Guard) -> bool:
    return bool(guard.may_be_emptied or guard.written_once or any(guard.doors.values()))


def refused_change(guard: Guard, column: str, vendor: str) -> str:
    old, new, differs = (
        ("OLD", "NEW", "IS NOT") if vendor == "sqlite" else ("o", "n", "IS DISTINCT FROM")
    )
    before, after = (f'{row}."{column}"' for row in (old, new))
    conditions = [f"{after} {differs} {before}"]
    if column in guard.may_be_emptied:
        conditions.append(f"{after} IS NOT NULL")
    if column in guard.written_once:
        conditions.append(f"{before} IS NOT NULL")
    conditions += [
        NOT_PASSED[vendor].format(door=door)
        for door, columns in guard.doors.items()
        if column in columns
    ]
    return f"({' AND '.join(conditions)})"


def row_trigger(name: str, guard: Guard, event: str, condition: str) -> str:
    refuse = f"SELECT RAISE(ABORT, '{guard.sentence}')"
    return (
        f"CREATE TRIGGER {name} BEFORE {event} ON {guard.table} WHEN {condition} BEGIN "
        f"{refuse}; END"
    )


def trigger_function(name: str, guard: Guard, event: str, condition: str) -> str:
    raise_it = f"RAISE EXCEPTION '{guard.sentence}' USING ERRCODE = 'restrict_violation'"
    rows = f"{guard.table} AS o" if event == "TRUNCATE" else TRANSITION_TABLES[event][1]
    # Conditions are texts of ours
    found = f"EXISTS (SELECT 1 FROM {rows} WHERE {condition})"  # noqa: S608  # nosec B608
    body = f"BEGIN IF {found} THEN {raise_it}; END IF; RETURN NULL; END"
    return f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"


def statement_trigger(name: str, guard: Guard, event: str, _condition: str) -> str:
    when = (
        f"BEFORE TRUNCATE ON {guard.table}"
        if event == "TRUNCATE"
        else f"AFTER {event} ON {guard.table} REFERENCING {TRANSITION_TABLES[event][0]}"
    )
    return f"CREATE TRIGGER {name} {when} FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
