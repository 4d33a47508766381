"""Marks that move whenever anything changes that a public page may show; while they stand, what was made is true.

The database moves them, by triggers, in the transaction of the change: no use-case can forget it, and no page can see
the change without them. Two transactions that overlap write two rows, so neither waits for the other and neither hides
the other, in whichever order they end. How many there are is the mark: it only grows.

There are three, so that a change tells whom it may concern: of people (their names, and whether these are public), of
stages that are being played, where a few come every minute while a federation plays, and of all the rest.
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
CREATE OR REPLACE FUNCTION ledger_marked() RETURNS trigger LANGUAGE plpgsql AS $$DECLARE
    of_people int := starts_with(TG_TABLE_NAME, '{PEOPLE}')::int;
    of_play int := (TG_TABLE_NAME IN {PLAY})::int;
BEGIN
INSERT INTO ledger_mark AS known (id, made_at, people, play, rest)
VALUES (txid_current(), now(), of_people, of_play, 1 - of_people - of_play)
ON CONFLICT (id) DO UPDATE SET people = greatest(known.people, excluded.people),
    play = greatest(known.play, excluded.play), rest = greatest(known.rest, excluded.rest)
WHERE known.people < excluded.people OR known.play < excluded.play OR known.rest < excluded.rest;
RETURN NULL; END$$
"""  # noqa: S608 - names of ours  # nosec B608
ON_SQLITE = """
INSERT INTO ledger_mark (id, made_at) SELECT 0, datetime() WHERE NOT EXISTS (SELECT 1 FROM ledger_mark);
UPDATE ledger_mark SET {kind} = {kind} + 1;
"""
CURRENT = "SELECT coalesce(sum(people), 0), coalesce(sum(play), 0), coalesce(sum(rest), 0) FROM ledger_mark"
# In one statement: nobody ever sees a sum that lacks them, or has them twice.
COUNT_TOGETHER = """
WITH counted AS (DELETE FROM ledger_mark WHERE id <> 0 RETURNING people, play, rest)
INSERT INTO ledger_mark AS old (id, made_at, people, play, rest)
SELECT 0, now(), sum(people), sum(play), sum(rest) FROM counted HAVING count(*) > 0
ON CONFLICT (id) DO UPDATE SET made_at = excluded.made_at, people = old.people + excluded.people,
    play = old.play + excluded.play, rest = old.rest + excluded.rest
"""


class Marks(NamedTuple):
    people: int
    play: int
    rest: int

    def moved(self, now: "Marks") -> list[str]:
        return [kind for kind, before, after in zip(self._fields, self, now, strict=True) if before != after]


NOWHERE = Marks(-1, -1, -1)


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
        return Marks(*map(int, cursor.fetchone()))


def count_together() -> None:
    """By the clock, so that few rows are to be added up for each page. No sum changes, and a change that is still on
    its way has its row later. SQLite has one row anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(COUNT_TOGETHER)


def may_concern(statement: str, moved: list[str]) -> bool:
    """Whether the answer to it may be another one since."""
    tables = {"people": (PEOPLE,), "play": PLAY, "rest": ("",)}
    return any(table in statement for kind in moved for table in tables[kind])


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
        kind = "people" if table.startswith(PEOPLE) else "play" if table in PLAY else "rest"
        return f"{begin} ROW BEGIN {ON_SQLITE.format(kind=kind)} END"
    return f"{begin} STATEMENT EXECUTE FUNCTION ledger_marked()"
