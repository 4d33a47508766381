"""A mark that differs whenever anything changed that a public page may show; what bears the same mark is still true.

The database writes it, by triggers, in the transaction of the change: no use-case can forget it, and no page can see
the change without the mark. Two transactions that overlap write two rows, so neither waits for the other and neither
hides the other, in whichever order they end. How many there are is the mark: it only grows.

Two kinds of changes are marked a second time, apart from the rest, for what can change in nothing else: those of people
(their names, and whether these are public), and all but those of a stage that is being played, of which a few come
every minute while a federation plays.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.apps import apps
from django.db import InterfaceError, OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

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
PLAY = ("stages_entry", "stages_round", "stages_table", "stages_seat")  # of a stage that is not closed yet
EVENTS = ("INSERT", "UPDATE", "DELETE")
ON_POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION ledger_marked() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
INSERT INTO ledger_mark (id, made_at, changes, people, settled) VALUES (
    txid_current(), now(), 1, starts_with(TG_TABLE_NAME, '{PEOPLE}')::int, (TG_TABLE_NAME NOT IN {PLAY})::int
) ON CONFLICT (id) DO UPDATE SET
    people = greatest(ledger_mark.people, excluded.people), settled = greatest(ledger_mark.settled, excluded.settled)
WHERE ledger_mark.people < excluded.people OR ledger_mark.settled < excluded.settled;
RETURN NULL; END$$
"""  # noqa: S608 - names of ours  # nosec B608
ON_SQLITE = """
INSERT INTO ledger_mark (id, made_at) SELECT 0, datetime() WHERE NOT EXISTS (SELECT 1 FROM ledger_mark);
UPDATE ledger_mark SET changes = changes + 1, people = people + {people}, settled = settled + {settled};
"""
CURRENT = "SELECT coalesce(sum(changes), 0), coalesce(sum(people), 0), coalesce(sum(settled), 0) FROM ledger_mark"
# In one statement: nobody ever sees a sum that lacks them, or has them twice.
COUNT_TOGETHER = """
WITH counted AS (DELETE FROM ledger_mark WHERE id <> 0 RETURNING changes, people, settled)
INSERT INTO ledger_mark (id, made_at, changes, people, settled)
SELECT 0, now(), sum(changes), sum(people), sum(settled) FROM counted HAVING count(*) > 0
ON CONFLICT (id) DO UPDATE SET changes = ledger_mark.changes + excluded.changes, made_at = excluded.made_at,
    people = ledger_mark.people + excluded.people, settled = ledger_mark.settled + excluded.settled
"""


class Marks(NamedTuple):
    """Each begins with its kind: no two of them are ever alike."""

    all: str
    people: str
    settled: str


NOWHERE = Marks("", "", "")


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
        changes, people, settled = cursor.fetchone()
    return Marks(f"all {changes}", f"people {people}", f"settled {settled}")


def count_together() -> None:
    """By the clock, so that few rows are to be added up for each page. No sum changes, and a change that is still on
    its way has its row later. SQLite has one row anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(COUNT_TOGETHER)


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
        kinds = {"people": int(table.startswith(PEOPLE)), "settled": int(table not in PLAY)}
        return f"{begin} ROW BEGIN {ON_SQLITE.format(**kinds)} END"
    return f"{begin} STATEMENT EXECUTE FUNCTION ledger_marked()"
