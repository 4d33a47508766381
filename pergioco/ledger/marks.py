"""A mark that differs whenever anything changed that a public page may show; what bears the same mark is still true.

The database writes it, by triggers, in the transaction of the change: no use-case can forget it, and no page can see
the change without the mark. Two transactions that overlap write two rows, so neither waits for the other and neither
hides the other, in whichever order they end.

What changes people (their names, and whether these are public) is marked a second time, apart from the rest: rows that
can change in nothing else stay true while results are typed.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from django.apps import apps
from django.db import InterfaceError, OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Max
from django.utils import timezone

from pergioco.ledger.guards import names_of_triggers
from pergioco.ledger.models import Mark

ROOMS = ("players", "stages", "ledger", "ratings", "big_league", "office", "brochures")
# No kept page shows anything of these. All other tables of these rooms are watched.
NEVER_SHOWN = frozenset(
    {
        "players.User",
        "players.CalendarLink",
        "players.EventCode",
        "players.ProofCode",
        "players.AuditEntry",
        "players.ErasureJournal",
        "players.Sanction",
        "big_league.SignUp",
        "stages.SourceFile",
        "stages.Change",
        "stages.TableStep",
        "ledger.Outbox",
        "ledger.LastRun",
        "office.Case",
        "office.DataRequest",
        "ledger.Mark",
        "brochures.Page",
        "brochures.Export",
    }
)
PEOPLE = "players_"  # their tables
EVENTS = ("INSERT", "UPDATE", "DELETE")
KEPT = timedelta(hours=1)  # longer than any transaction
ON_POSTGRESQL = """
CREATE OR REPLACE FUNCTION ledger_marked() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
INSERT INTO ledger_mark (id, made_at, people)
VALUES (txid_current(), now(), CASE WHEN starts_with(TG_TABLE_NAME, 'players_') THEN txid_current() ELSE 0 END)
ON CONFLICT (id) DO UPDATE SET people = excluded.people WHERE ledger_mark.people < excluded.people;
RETURN NULL; END$$
"""
ON_SQLITE = """
INSERT INTO ledger_mark (id, made_at) SELECT 0, datetime() WHERE NOT EXISTS (SELECT 1 FROM ledger_mark);
UPDATE ledger_mark SET id = id + 1, people = people + {people};
"""
# Of all rows, because one that comes late, of a long transaction, may have a lower number than one already seen.
CURRENT = """
SELECT count(*), coalesce(sum(id), 0), count(nullif(people, 0)), coalesce(sum(people), 0) FROM ledger_mark
"""


class Marks(NamedTuple):
    all: str
    people: str


NOWHERE = Marks("", "")


def current() -> Marks:
    """One query. None inside of a transaction, which sees changes of its own that nobody else may see yet.

    It is the first question of a request, and shows by itself whether the connection is still alive: Django need not
    ask another one before it, to find that out.
    """
    if connection.in_atomic_block:
        return NOWHERE
    connection.health_check_done = True  # type: ignore[attr-defined] # of every backend
    try:
        return asked()
    except (OperationalError, InterfaceError):  # the database was restarted, perhaps
        connection.close()
        return asked()


def asked() -> Marks:
    with connection.cursor() as cursor:
        cursor.execute(CURRENT)
        rows, total, of_people, total_of_people = cursor.fetchone()
    return Marks(f"{rows}-{total}", f"{of_people}-{total_of_people}")


def forget_old() -> None:
    """By the clock; all pages are made anew once after it. SQLite keeps its one row.

    The latest stay: without any, the mark would be again what it was before the first change, and a process that was
    asked nothing in between would take its old pages for true.
    """
    if connection.vendor == "postgresql":
        latest = Mark.objects.aggregate(all=Max("id"), people=Max("people"))
        Mark.objects.filter(made_at__lt=timezone.now() - KEPT).exclude(pk__in=latest.values()).delete()


def watched() -> list[str]:
    """The tables."""
    models = (model for room in ROOMS for model in apps.get_app_config(room).get_models())
    return [model._meta.db_table for model in models if model._meta.label not in NEVER_SHOWN]


def put_up(*, using: str, **_: Any) -> None:
    """After each migration, for the reason that `guards.py` tells. Harmless where they stand already."""
    connection = connections[using]
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        if Mark._meta.db_table not in there:
            return
        if connection.vendor == "postgresql":
            cursor.execute(ON_POSTGRESQL)
        standing = names_of_triggers(connection, cursor)
        for name, table, event in triggers():
            if table in there and name not in standing:
                cursor.execute(statement(connection, name, table, event))


def take_down_for(*, using: str, plan: list[Any], **_: Any) -> None:
    connection = connections[using]
    if plan and connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for name, _table, _event in triggers():
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def triggers() -> Iterator[tuple[str, str, str]]:
    for table in watched():
        for event in EVENTS:
            yield f"mark_{table}_{event.lower()}", table, event


def statement(connection: BaseDatabaseWrapper, name: str, table: str, event: str) -> str:
    begin = f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH"
    if connection.vendor == "sqlite":
        return f"{begin} ROW BEGIN {ON_SQLITE.format(people=int(table.startswith(PEOPLE)))} END"
    return f"{begin} STATEMENT EXECUTE FUNCTION ledger_marked()"
