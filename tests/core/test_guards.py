"""Rows that are only added: the database refuses to change or delete them, whoever comes, and lets
erasures and merges through at the columns that are theirs."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, models, transaction

from pergioco.core import guards
from pergioco.core.audit_log.models import AuditCheck, AuditSeal
from pergioco.core.database import list_trigger_names
from pergioco.core.guards import Door, Guard, list_append_only_guards, pass_guards
from pergioco.players.models import Consent, ErasureJournal
from pergioco.publishing.models import Erratum
from pergioco.publishing.services.statements import sign_statement
from pergioco.stages.models import DateChange, Stage, TableStep
from risiko_master.models import ClockPress, Commitment, Draw, RefereeDecision
from tests import factories
from tests.emptying import unguarded
from tests.players.everything import somebody_with_everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
DAY = date(2026, 3, 1)
LATER = datetime(2030, 1, 1, tzinfo=UTC)


class Attempt(NamedTuple):
    guard: Guard
    sql: str
    parameters: list[Any]


@pytest.fixture
def world(staff) -> Stage:
    """A row of each log."""
    somebody_with_everything(staff)
    stage = Stage.objects.latest("pk")
    made = Commitment.objects.create(stage=stage, number=1, seed="6251444362", by=staff)
    Draw.objects.create(commitment=made, inputs="{}", result="{}", by=staff)
    ClockPress.objects.create(stage=stage, game=1, what="pause", reason="A lamp fell", by=staff)
    RefereeDecision.objects.create(stage=stage, direct=1, semifinals=1, reason="Few", by=staff)
    write_step(stage)
    days = {"old_starts_on": DAY, "old_ends_on": DAY, "new_starts_on": DAY, "new_ends_on": DAY}
    DateChange.objects.create(stage=stage, **days)
    Erratum.objects.create(
        season=stage.season, cause="corrected", told_at=LATER - timedelta(days=9)
    )
    ErasureJournal.objects.create(player=factories.player(), asked_at=LATER)
    AuditSeal.objects.create(number=1, first_id=1, last_id=2, rows=2, made_at=LATER)
    AuditCheck.objects.create(rows=2, seals=1)
    sign_statement([], differences=0)
    return stage


def write_step(stage: Stage, **more: Any) -> TableStep:
    place = {"round": 1, "table": 1, "number": 1}
    return TableStep.objects.create(
        **{"stage": stage, "kind": "bid", "submission": uuid4(), "reason": "Ada", **place, **more}
    )


def attempts() -> Iterator[Attempt]:
    """To change each column of each log, and to delete the rows."""
    by_table = {model._meta.db_table: model for model in apps.get_models()}
    for guard in list_append_only_guards():
        model = by_table[guard.table]
        (row,) = model._default_manager.order_by("pk")[:1]
        for field in model._meta.concrete_fields:
            value = field.get_db_prep_save(another(field, field.value_from_object(row)), connection)
            yield Attempt(guard, f'UPDATE {guard.table} SET "{field.column}" = %s', [value])
        yield Attempt(guard, f"DELETE FROM {guard.table}", [])


def another(field: models.Field, value: Any) -> Any:
    kinds = {datetime: LATER, date: LATER.date(), UUID: uuid4()}
    if isinstance(field, models.JSONField):
        return {"another": 1}
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.BinaryField):
        return b"another"
    if isinstance(field, models.ForeignKey | models.DecimalField | models.IntegerField):
        return (value or 0) + 7
    return kinds.get(type(value), LATER if value is None else f"{value}x"[-4:])


def outcome_of(attempt: Attempt) -> str:
    """What the database says; nothing of it stays."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(attempt.sql, attempt.parameters)
            transaction.set_rollback(True)
    except DatabaseError as refused:
        return str(refused).partition("\n")[0]
    return "done"


def test_plain_sql_changes_and_deletes_nothing_of_any_log(world):
    with unguarded():  # the control
        possible = [one for one in attempts() if outcome_of(one) == "done"]
    assert {one.guard.table for one in possible} == {
        guard.table for guard in list_append_only_guards()
    }
    assert len(possible) > 100
    assert [one[1:] for one in possible if outcome_of(one) != one.guard.sentence] == []


def test_each_log_is_declared_on_its_model():
    assert {guard.table for guard in list_append_only_guards()} == {
        *("audit_log_auditentry", "audit_log_auditseal", "audit_log_auditcheck"),
        *("players_consent", "players_erasurejournal", "django_admin_log"),
        *("stages_tablestep", "stages_datechange", "ratings_purged"),
        *("publishing_erratum", "publishing_statement"),
        *("big_league_calledplayer", "big_league_answer", "big_league_convocation"),
        *("risiko_master_commitment", "risiko_master_draw", "risiko_master_clockpress"),
        "risiko_master_refereedecision",
    }


@pytest.mark.postgresql
def test_no_log_is_emptied_at_once(world):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no TRUNCATE")
    tables = [guard.table for guard in list_append_only_guards()]
    truncate = "SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE {} CASCADE"
    truncated = [Attempt(Guard(table), truncate.format(table), []) for table in tables]
    with unguarded():
        assert {outcome_of(one) for one in truncated} == {"done"}
    sentences = {guard.sentence for guard in list_append_only_guards()}
    assert {outcome_of(one) for one in truncated} <= sentences


@pytest.mark.same_anywhere  # SQLite's own
def test_a_row_is_not_replaced_either(world):
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has REPLACE")
    replace = "INSERT OR REPLACE INTO {0} SELECT * FROM {0}"
    for guard in list_append_only_guards():
        attempt = Attempt(guard, replace.format(guard.table), [])
        assert outcome_of(attempt) == guard.sentence
        with unguarded():
            assert outcome_of(attempt) == "done"


def rewrite(door: Door | None, sql: str) -> str:
    with transaction.atomic():
        attempt = Attempt(Guard(""), sql, [])
        if door is None:
            return outcome_of(attempt)
        with pass_guards(door):
            return outcome_of(attempt)


REFUSED = "Rows of a log are only added."
STEP = "UPDATE stages_tablestep SET {}"
CONSENT = "UPDATE players_consent SET {}"


@pytest.mark.parametrize(
    ("door", "sql", "said"),
    [
        (Door.ERASING, STEP.format("reason = ''"), "done"),
        (None, STEP.format("reason = ''"), REFUSED),
        (Door.MERGING, STEP.format("reason = ''"), REFUSED),
        (Door.ERASING, STEP.format("reason = '', kind = 'turn'"), REFUSED),
        (Door.ERASING, "DELETE FROM stages_tablestep", REFUSED),
        (Door.MERGING, CONSENT.format("player_id = player_id + 1"), "done"),
        (Door.ERASING, CONSENT.format("player_id = player_id + 1"), REFUSED),
        (Door.MERGING, CONSENT.format("given = NOT given"), REFUSED),
        (Door.ERASING, "DELETE FROM players_consent", "done"),
        (Door.MERGING, "DELETE FROM players_consent", REFUSED),
        (Door.SEALING, "UPDATE audit_log_auditentry SET salt = 'x'", "done"),
        (
            Door.SEALING,
            "UPDATE audit_log_auditentry SET reason = 'x'",
            "The audit log is append-only.",
        ),
    ],
)
def test_a_door_leads_to_the_columns_of_its_use_case_only(world, door, sql, said):
    assert rewrite(door, sql) == said


def test_what_is_written_once_is_written_once():
    Erratum.objects.create(season=factories.season(), cause="corrected")
    Erratum.objects.update(told_at=LATER)
    with pytest.raises(IntegrityError, match=REFUSED), transaction.atomic():
        Erratum.objects.update(told_at=LATER + timedelta(days=1))
    with pytest.raises(IntegrityError, match=REFUSED), transaction.atomic():
        Erratum.objects.update(told_at=None)


def test_a_door_is_closed_behind_the_use_case_also_after_a_failure(world):
    sql = CONSENT.format("player_id = player_id + 1")
    with transaction.atomic():
        with pass_guards(Door.MERGING):
            pass
        assert rewrite(None, sql) == REFUSED
        with pytest.raises(LookupError), pass_guards(Door.MERGING):
            raise LookupError
        assert rewrite(None, sql) == REFUSED
        with pass_guards(Door.ERASING):
            with pass_guards(Door.MERGING):
                assert rewrite(None, sql) == "done"
            assert rewrite(None, sql) == REFUSED
            assert rewrite(None, STEP.format("reason = ''")) == "done"


def test_a_login_that_goes_leaves_the_log_without_its_name():
    who = factories.user_with_role("staff")
    step = write_step(factories.stage(), by=who)
    who.delete()
    step.refresh_from_db()
    assert (step.by, step.kind) == (None, "bid")


@pytest.mark.same_anywhere  # SQLite's own
@pytest.mark.django_db(transaction=True)
def test_another_program_changes_no_row_of_a_log_of_sqlite():
    if connection.vendor != "sqlite":
        pytest.skip("on PostgreSQL every program is refused alike")
    factories.registered()
    connection.close()
    with (
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as other,
        pytest.raises(sqlite3.Error, match=r"portal_door|only added"),
    ):
        other.execute("DELETE FROM players_consent")
    assert Consent.objects.exists()


# Installing


def installed() -> set[str]:
    with connection.cursor() as cursor:
        names = list_trigger_names(connection, cursor)
    return {name for name in names if name.startswith("frozen_")}


def test_after_every_migration_the_guards_are_there():
    expected = {
        guards.trigger_name(guard, event)
        for guard in guards.list_guards()
        for event in guard.list_events(connection.vendor)
    }
    # Of 23 tables; two of them also refuse new rows
    assert len(expected) == (23 * 2 + 2 if connection.vendor == "sqlite" else 23 * 3 + 2)
    assert installed() == expected
    if connection.vendor == "sqlite":
        guards.drop_guards(connection)
    call_command("migrate", verbosity=0, stdout=StringIO())
    assert installed() == expected


def test_a_migration_that_makes_a_table_anew_on_sqlite_finds_no_guard_in_its_way():
    before = installed()
    guards.drop_guards_before_migrating(using="default", plan=[])
    assert installed() == before
    guards.drop_guards_before_migrating(using="default", plan=["a migration"])
    assert installed() == (set() if connection.vendor == "sqlite" else before)
    guards.install_guards(using="default")
    assert installed() == before
