"""Version counters: they move whenever a row changes that a public page may show.

Triggers of the database move them in the transaction of the change, so no use case can forget it,
and no reader can see the change without the new version. Two transactions that overlap write two
rows: neither waits for the other nor hides the other, in whichever order they end. The version is
the sum of all rows; it only grows.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from pergioco.core.database import list_trigger_names
from pergioco.core.declarations import list_declarations
from pergioco.core.models import CacheVersion

PEOPLE_PREFIX = "players_"  # their tables begin like this: names, and whether these are public
# Of stages that are being played: they change every minute. Closing a stage changes `rest`.
PLAY_TABLES = ("stages_entry", "stages_round", "stages_table", "stages_seat")
GROUPS = ("people", "play", "rest")  # of tables; a page hangs on some or all of them
EVENTS = ("INSERT", "UPDATE", "DELETE")
POSTGRESQL_FUNCTION = f"""
CREATE OR REPLACE FUNCTION core_move_cache_version() RETURNS trigger LANGUAGE plpgsql AS $$DECLARE
    of_people int := starts_with(TG_TABLE_NAME, '{PEOPLE_PREFIX}')::int;
    of_play int := (TG_TABLE_NAME IN {PLAY_TABLES})::int;
BEGIN
INSERT INTO core_cacheversion AS known (id, made_at, people, play, rest)
VALUES (txid_current(), now(), of_people, of_play, 1 - of_people - of_play)
ON CONFLICT (id) DO UPDATE SET people = greatest(known.people, excluded.people),
    play = greatest(known.play, excluded.play), rest = greatest(known.rest, excluded.rest)
WHERE known.people < excluded.people OR known.play < excluded.play OR known.rest < excluded.rest;
RETURN NULL; END$$
"""  # noqa: S608 - names of ours  # nosec B608
SQLITE_BODY = """
INSERT INTO core_cacheversion (id, made_at)
SELECT 0, datetime() WHERE NOT EXISTS (SELECT 1 FROM core_cacheversion);
UPDATE core_cacheversion SET {group} = {group} + 1;
"""
CURRENT = (
    "SELECT coalesce(sum(people), 0), coalesce(sum(play), 0), coalesce(sum(rest), 0) FROM "
    "core_cacheversion"
)
# One statement: no reader sees a sum that lacks the deleted rows, or counts them twice.
COMPACT = """
WITH counted AS (DELETE FROM core_cacheversion WHERE id <> 0 RETURNING people, play, rest)
INSERT INTO core_cacheversion AS old (id, made_at, people, play, rest)
SELECT 0, now(), sum(people), sum(play), sum(rest) FROM counted HAVING count(*) > 0
ON CONFLICT (id) DO UPDATE SET made_at = excluded.made_at, people = old.people + excluded.people,
    play = old.play + excluded.play, rest = old.rest + excluded.rest
"""


class Versions(NamedTuple):
    people: int
    play: int
    rest: int


def watched_tables() -> list[str]:
    return [
        model._meta.db_table for model, declared in list_declarations() if declared.on_public_pages
    ]


def counter_of_table(table: str) -> str:
    return (
        "people" if table.startswith(PEOPLE_PREFIX) else "play" if table in PLAY_TABLES else "rest"
    )


def read_versions() -> Versions | None:
    """None inside a transaction, which sees its own changes before they are public."""
    return None if connection.in_atomic_block else query_versions()


def query_versions() -> Versions:
    with connection.cursor() as cursor:
        cursor.execute(CURRENT)
        return Versions(*map(int, cursor.fetchone()))


def compact_versions() -> None:
    # Keeps the sum short. It does not change: an open transaction adds its row later. SQLite
    # has one row anyway
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(COMPACT)


def install_triggers(*, using: str, **_: Any) -> None:
    # After each migration, for the reason given in `core/guards.py`. Existing triggers
    # stay
    connection = connections[using]
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        if CacheVersion._meta.db_table not in tables:
            return
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL_FUNCTION)
        installed = list_trigger_names(connection, cursor)
        for name, table, event in list_cache_triggers():
            if table in tables and name not in installed:
                cursor.execute(create_trigger(connection, name, table, event))


def drop_triggers(*, using: str, plan: list[Any], **_: Any) -> None:
    # SQLite changes a table by creating it anew, which would drop or break the triggers
    connection = connections[using]
    if plan and connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for name, _table, _event in list_cache_triggers():
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def list_cache_triggers() -> Iterator[tuple[str, str, str]]:
    for table in watched_tables():
        for event in EVENTS:
            yield f"cache_version_{table}_{event.lower()}", table, event


def create_trigger(connection: BaseDatabaseWrapper, name: str, table: str, event: str) -> str:
    begin = f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH"
    if connection.vendor == "sqlite":
        return f"{begin} ROW BEGIN {SQLITE_BODY.format(group=counter_of_table(table))} END"
    return f"{begin} STATEMENT EXECUTE FUNCTION core_move_cache_version()"
