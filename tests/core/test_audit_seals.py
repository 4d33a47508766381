"""Seals of the audit log: what is changed, removed or added later is found and named; what an
erasure destroys is not."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.utils import timezone

from pergioco.core import audit, audit_seals
from pergioco.core.audit_log.models import AuditCheck, AuditEntry, AuditSeal
from pergioco.core.audit_seals import check_audit_log, seal_audit_log
from pergioco.core.models import User
from pergioco.players.models import Player
from pergioco.players.services import erasing
from tests import factories
from tests.emptying import unguarded

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
ROWS = models.QuerySet(AuditEntry)  # past the model, as plain SQL


@pytest.fixture(autouse=True)
def _small_seals(monkeypatch):
    monkeypatch.setattr(audit_seals, "ROWS_OF_A_SEAL", 3)


@pytest.fixture
def ada() -> Player:
    return factories.registered(first_name="Ada", last_name="Bianchi")


@pytest.fixture
def log(ada, staff, clock) -> list[int]:
    """Seven rows in three seals; the last one is closed by its age."""
    ids = [
        audit.record(
            "person.edited",
            ada.person,
            by=staff,
            player=ada,
            changes={"city": ["Torino", f"Asti {number}"]},
            before={"city": "Torino"},
            after={"city": f"Asti {number}"},
            reason="by mail",
        ).pk
        for number in range(7)
    ]
    clock.shift(timedelta(hours=1))
    seal_audit_log()
    return ids


def test_seals_hold_a_thousand_rows_or_those_of_an_hour(log, ada, clock):
    assert list(AuditSeal.objects.values_list("number", "rows")) == [(1, 3), (2, 3), (3, 1)]
    audit.record("x", ada, by=None)
    seal_audit_log()
    assert AuditSeal.objects.count() == 3
    found = check_audit_log()
    assert (found.problem, found.rows, found.seals, found.waiting) == ("", 7, 3, 1)
    clock.shift(timedelta(hours=1))
    seal_audit_log()
    found = check_audit_log()
    assert (found.problem, found.rows, found.seals) == ("", 8, 4)


TAMPERED: dict[str, tuple[Callable[[int], object], str]] = {
    "values": (lambda pk: ROWS.filter(pk=pk).update(changes={"city": ["", ""]}), "its values"),
    "the reason": (lambda pk: ROWS.filter(pk=pk).update(reason="by phone"), "its values"),
    "what undo writes": (lambda pk: ROWS.filter(pk=pk).update(before={}), "its values"),
    "the action": (
        lambda pk: ROWS.filter(pk=pk).update(action="person.read"),
        "what was done, when, as what or to what",
    ),
    "the hour": (
        lambda pk: ROWS.filter(pk=pk).update(at=timezone.now()),
        "what was done, when, as what or to what",
    ),
    "another actor": (
        lambda pk: ROWS.filter(pk=pk).update(actor=factories.user()),
        "who did it",
    ),
    "no actor": (lambda pk: ROWS.filter(pk=pk).update(actor=None), "who did it"),
    "values passed off as erased": (
        lambda pk: ROWS.filter(pk=pk).update(shredded=True, salt="", reason="by phone"),
        "its values, which an erasure had destroyed",
    ),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_the_first_row_that_was_changed_is_named(log, how):
    tamper, what = TAMPERED[how]
    with unguarded():
        tamper(log[4])
        tamper(log[5])
    assert check_audit_log().problem == f"Row {log[4]} was changed: {what}."


@pytest.mark.parametrize("place", [0, 2, 3, 6])
def test_the_first_row_that_was_removed_is_named(log, place):
    with unguarded():
        ROWS.filter(pk=log[place])._raw_delete("default")
    assert check_audit_log().problem == f"Row {log[place]} was removed."


def test_a_row_that_was_added_later_is_named(log, ada):
    entry = AuditEntry.objects.get(pk=log[0])
    with unguarded():
        ROWS.filter(pk=log[2])._raw_delete("default")
        entry.pk = log[0] - 1000
        entry._state.adding = True
        entry.save()
    assert check_audit_log().problem == f"Row {log[0] - 1000} was added later."


def test_a_seal_that_was_changed_or_removed_is_named(log):
    second = AuditSeal.objects.get(number=2)
    others = models.QuerySet(AuditSeal).filter(pk=second.pk)
    for values in ({"sha256": "0" * 64}, {"made_at": timezone.now() - timedelta(days=1)}):
        with unguarded():
            others.update(**values)
        assert check_audit_log().problem == "Seal 2 was changed, or the one before it."
        with unguarded():
            others.update(sha256=second.sha256, made_at=second.made_at)
    assert check_audit_log().problem == ""
    with unguarded():
        others._raw_delete("default")
    assert check_audit_log().problem == "Seal 2 was removed."


def test_a_row_is_not_hidden_by_a_new_hash_in_its_seal(log):
    """Whoever changes a row and its seal must write all seals after it anew."""
    with unguarded():
        ROWS.filter(pk=log[1]).update(action="person.read")
        first = AuditSeal.objects.get(number=1)
        entries = AuditEntry.objects.filter(pk__in=log[:3]).order_by("pk")
        lines = "".join(f"{audit_seals.make_line(entry)}\n" for entry in entries)
        first.lines = lines
        models.QuerySet(AuditSeal).filter(pk=first.pk).update(
            lines=lines, sha256=audit_seals.hash_seal(first, None)
        )
    assert check_audit_log().problem == "Seal 2 was changed, or the one before it."


def test_an_erasure_is_seen_as_one(log, ada, staff, clock):
    other = factories.player()
    named = audit.record("prizes.changed", other, by=staff, reason="For Ada Bianchi")
    clock.shift(timedelta(hours=1))
    seal_audit_log()
    erasing.erase_player(ada, by=None)
    found = check_audit_log()
    assert (found.problem, found.rows, found.emptied) == ("", 8, 8)
    assert AuditEntry.objects.get(pk=named.pk).reason == f"For {ada.public_id}"
    assert set(AuditEntry.objects.filter(pk__in=[*log, named.pk]).values_list("salt")) == {("",)}


def test_a_name_removed_before_the_seal_leaves_the_row_provable(ada, staff, clock):
    named = audit.record("prizes.changed", factories.player(), by=staff, reason="For Ada Bianchi")
    erasing.erase_player(ada, by=None)
    clock.shift(timedelta(hours=1))
    seal_audit_log()
    assert check_audit_log().problem == ""
    with unguarded():
        ROWS.filter(pk=named.pk).update(reason="For Zoë")
    assert check_audit_log().problem == f"Row {named.pk} was changed: its values."


def test_rows_of_an_older_version_get_their_salt_with_the_seal(ada, clock):
    entry = audit.record("x", ada, by=None, reason="a")
    with unguarded():
        ROWS.update(salt="")
    clock.shift(timedelta(hours=1))
    seal_audit_log()
    assert len(AuditEntry.objects.get(pk=entry.pk).salt) == 26
    with unguarded():
        ROWS.filter(pk=entry.pk).update(reason="b")
    assert check_audit_log().problem == f"Row {entry.pk} was changed: its values."


def test_a_login_that_goes_changes_nothing(log, staff):
    User.objects.get(pk=staff.pk).delete()
    assert (check_audit_log().problem, check_audit_log().rows) == ("", 7)


def told(*args: str) -> list[str]:
    out = StringIO()
    call_command("audit_check", *args, stdout=out)
    return out.getvalue().splitlines()


def test_the_command_says_what_holds_and_what_to_keep(log):
    last = AuditSeal.objects.latest("number")
    lines = told("--known", f"2:{AuditSeal.objects.get(number=2).sha256}")
    assert lines == [
        "7 rows in 3 seals hold; values of 0 were destroyed by erasures; 0 rows wait for a seal.",
        f"Last seal: 3:{last.sha256}",
    ]


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        ("2:abc", "Seal 2 is another one than you know."),
        ("9:abc", "Seal 9 was removed."),
        ("abc", "Write --known as an earlier run printed it: number, colon, hash."),
    ],
)
def test_the_command_compares_with_the_seal_that_you_know(log, known, sentence):
    with pytest.raises(CommandError, match=sentence):
        told("--known", known)


def test_the_command_names_what_does_not_hold(log):
    with unguarded():
        ROWS.filter(pk=log[5])._raw_delete("default")
    with pytest.raises(CommandError, match=f"^Row {log[5]} was removed\\.$"):
        told()


def test_the_last_nights_are_remembered(log, clock, caplog):
    audit_seals.check_every_night()
    assert audit_seals.audit_problem() is None
    with unguarded():
        ROWS.filter(pk=log[5])._raw_delete("default")
    assert audit_seals.audit_problem() is None
    audit_seals.check_every_night()
    assert audit_seals.audit_problem() == f"Row {log[5]} was removed."
    assert f"Row {log[5]} was removed." in caplog.text
    assert list(AuditCheck.objects.values_list("seals", "problem")) == [
        (1, f"Row {log[5]} was removed."),
        (3, ""),
    ]


def test_silence_is_a_problem_too(log, ada, clock):
    assert audit_seals.audit_problem() is None
    audit.record("x", ada, by=None)
    clock.shift(timedelta(days=1, minutes=1))
    assert audit_seals.audit_problem() == "The audit log was not sealed for a day."
    seal_audit_log()
    assert audit_seals.audit_problem() is None
    clock.shift(timedelta(days=1))
    assert audit_seals.audit_problem() == "The audit log was not checked for two days."
    audit_seals.check_every_night()
    assert audit_seals.audit_problem() is None


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_control", [False, True])
def test_a_row_that_is_committed_late_is_not_passed_over(monkeypatch, is_control):
    """Its id is lower than that of a row which is there already."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL lets two write at once")
    monkeypatch.setattr(audit_seals, "DUE_AFTER", timedelta())
    if is_control:
        monkeypatch.setattr(audit_seals, "NO_WRITERS", "SELECT 1")
    player = factories.player()
    with psycopg.connect(**connection.get_connection_params()) as other:
        late = other.execute(
            "INSERT INTO audit_log_auditentry (at, role, action, object_type, object_id, changes, "
            "before, after, reason, request_id, shredded) VALUES (now(), 'system', 'late', '', '', "
            "'{}', '{}', '{}', '', '', false) RETURNING id"
        ).fetchone()[0]
        entry = audit.record("early", player, by=None)
        assert late < entry.pk
        seal_audit_log()
        assert AuditSeal.objects.count() == (1 if is_control else 0)
    seal_audit_log()
    found = check_audit_log()
    problem = f"Row {late} was added later." if is_control else ""
    assert (found.problem, found.rows) == (problem, 0 if is_control else 2)
