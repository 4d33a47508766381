"""Seals of the audit log. Each names up to a thousand rows with a hash of what never changes of
them, and holds the hash of the seal before: a row that was changed, removed or added is found.

Values that an erasure may destroy are hashed with the salt of their row, which goes with them:
afterwards the seal still proves that the row was there, and nothing about its values. Keep the
hash of the last seal elsewhere: only with it is a log found that was written anew from end to
end."""

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from django.core.serializers.json import DjangoJSONEncoder
from django.db import OperationalError, connection, models, transaction
from django.utils import timezone

from pergioco.core.audit_log.models import AuditCheck, AuditEntry, AuditSeal, make_salt
from pergioco.core.database import isolate_snapshot
from pergioco.core.guards import Door, pass_guards
from pergioco.core.models import User

logger = logging.getLogger(__name__)
ROWS_OF_A_SEAL = 1000
DUE_AFTER = timedelta(hours=1)
SEALED_WITHIN, CHECKED_WITHIN = timedelta(days=1), timedelta(days=2)
BEFORE_ALL = -(2**63)  # lower than any id
NO_SEAL = "0" * 64  # before the first
NOTHING = "-"  # in a line: no values to hash, no user
WAIT_FOR_WRITERS = "SET LOCAL lock_timeout = '200ms'"
NO_WRITERS = f"LOCK TABLE {AuditEntry._meta.db_table} IN SHARE MODE"


class Line(NamedTuple):
    """One row in a seal."""

    id: int
    fact: str  # hash of what never changes
    values: str  # salted hash of what an erasure may destroy
    actor: str  # their number; the row loses it with the login

    def __str__(self) -> str:
        return " ".join(map(str, self))


@dataclass(frozen=True)
class Walk:
    """What a check found."""

    rows: int
    seals: int
    emptied: int  # of the rows, those whose values an erasure destroyed
    waiting: int  # rows that no seal names yet
    last: AuditSeal | None
    problem: str


# Sealing


def seal_audit_log() -> None:
    """Every hour, and as soon as there are a thousand rows."""
    while True:
        last_id = find_settled_id()
        if last_id is None or not seal_rows(last_id):
            return


def find_settled_id() -> int | None:
    """No row with this id or a lower one can still come. None while others are writing.

    PostgreSQL gives ids when a row is written, not when it is committed: a lower one may appear
    after a higher one. The lock waits for all who are writing, and whoever comes later gets a
    higher id. It is given back at once."""
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(WAIT_FOR_WRITERS)
                    cursor.execute(NO_WRITERS)
            return AuditEntry.objects.aggregate(last=models.Max("id"))["last"] or 0
    except OperationalError:
        logger.info("the audit log is being written: it is sealed at the next turn")
        return None


@transaction.atomic
def seal_rows(last_id: int) -> AuditSeal | None:
    before = AuditSeal.objects.order_by("-number").first()
    waiting = AuditEntry.objects.filter(id__lte=last_id, id__gt=end_of(before)).order_by("id")
    entries = list(waiting[:ROWS_OF_A_SEAL])
    if not is_due(entries):
        return None
    add_missing_salts(entries)
    seal = AuditSeal(
        number=before.number + 1 if before else 1,
        first_id=entries[0].pk,
        last_id=entries[-1].pk,
        rows=len(entries),
        lines="".join(f"{make_line(entry)}\n" for entry in entries),
        made_at=timezone.now(),
    )
    seal.sha256 = hash_seal(seal, before)
    seal.save()
    return seal


def end_of(seal: AuditSeal | None) -> int:
    return seal.last_id if seal else BEFORE_ALL


def is_due(entries: list[AuditEntry]) -> bool:
    if not entries:
        return False
    return len(entries) == ROWS_OF_A_SEAL or entries[0].at <= timezone.now() - DUE_AFTER


def add_missing_salts(entries: Iterable[AuditEntry]) -> None:
    # Rows written by an older version, or from which a name was removed before they were sealed
    with_values = [entry for entry in entries if not (entry.salt or entry.shredded)]
    if not with_values:
        return
    for entry in with_values:
        entry.salt = make_salt()
    with pass_guards(Door.SEALING):
        models.QuerySet[AuditEntry](AuditEntry).bulk_update(with_values, ["salt"])


def make_line(entry: AuditEntry) -> Line:
    return Line(entry.pk, hash_fact(entry), hash_values(entry), str(entry.actor_id or NOTHING))


def hash_fact(entry: AuditEntry) -> str:
    names = ("role", "action", "object_type", "object_id", "player_id", "request_id")
    return hash_json([entry.pk, to_text(entry.at), *(getattr(entry, name) for name in names)])


def hash_values(entry: AuditEntry) -> str:
    if not entry.salt:
        return NOTHING
    return hash_json([entry.salt, entry.changes, entry.before, entry.after, entry.reason])


def hash_json(values: list[Any]) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), cls=DjangoJSONEncoder)
    return sha256(text.encode()).hexdigest()


def hash_seal(seal: AuditSeal, before: AuditSeal | None) -> str:
    head = [seal.number, seal.first_id, seal.last_id, seal.rows, to_text(seal.made_at)]
    return hash_json([before.sha256 if before else NO_SEAL, *head, seal.lines])


def to_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


# Checking


def check_audit_log() -> Walk:
    with transaction.atomic():
        isolate_snapshot()  # of seals and rows
        return walk_seals()


def walk_seals() -> Walk:
    rows = emptied = seals = 0
    last: AuditSeal | None = None
    problem = ""
    for seal in AuditSeal.objects.order_by("number").iterator(chunk_size=20):
        entries = list(
            AuditEntry.objects.filter(id__gt=end_of(last), id__lte=seal.last_id).order_by("id")
        )
        problem = next(find_problems(seal, last, entries), "")
        if problem:
            break
        rows, seals, last = rows + seal.rows, seals + 1, seal
        emptied += sum(not entry.salt for entry in entries)
    waiting = AuditEntry.objects.filter(id__gt=end_of(last)).count()
    return Walk(rows, seals, emptied, waiting, last, problem)


def find_problems(
    seal: AuditSeal, before: AuditSeal | None, entries: list[AuditEntry]
) -> Iterator[str]:
    """The rows first: they say more than the hash of their seal."""
    number = before.number + 1 if before else 1
    if seal.number != number:
        yield f"Seal {number} was removed."
    yield from find_row_problems(read_lines(seal), entries)
    if seal.sha256 != hash_seal(seal, before):
        yield f"Seal {seal.number} was changed, or the one before it."


def read_lines(seal: AuditSeal) -> dict[int, Line]:
    parts = (line.split(" ") for line in seal.lines.splitlines())
    return {int(pk): Line(int(pk), *rest) for pk, *rest in parts}


def find_row_problems(lines: dict[int, Line], entries: list[AuditEntry]) -> Iterator[str]:
    by_id = {entry.pk: entry for entry in entries}
    gone = find_users_gone(lines[pk].actor for pk in lines if pk in by_id)
    for pk in sorted(lines.keys() | by_id.keys()):
        if pk not in by_id:
            yield f"Row {pk} was removed."
        elif pk not in lines:
            yield f"Row {pk} was added later."
        elif what := find_change(lines[pk], by_id[pk], gone):
            yield f"Row {pk} was changed: {what}."


def find_users_gone(numbers: Iterable[str]) -> set[str]:
    named = {number for number in numbers if number != NOTHING}
    there = User.objects.filter(pk__in=named).values_list("pk", flat=True)
    return named - set(map(str, there))


def find_change(line: Line, entry: AuditEntry, gone: set[str]) -> str:
    if hash_fact(entry) != line.fact:
        return "what was done, when, as what or to what"
    actor = str(entry.actor_id or NOTHING)
    if actor != line.actor and not (actor == NOTHING and line.actor in gone):
        return "who did it"
    if entry.salt:
        return "its values" if hash_values(entry) != line.values else ""
    # An erasure destroyed all values, or removed a name and destroyed those for undo
    left = (entry.before, entry.after, entry.shredded and (entry.changes or entry.reason))
    return "its values, which an erasure had destroyed" if any(left) else ""


# Every night


def check_every_night() -> None:
    found = check_audit_log()
    AuditCheck.objects.create(
        rows=found.rows,
        seals=found.seals,
        sha256=found.last.sha256 if found.last else "",
        problem=found.problem,
    )
    if found.problem:
        logger.error("the audit log does not hold: %s", found.problem)


def audit_problem() -> str | None:
    """For those who watch the portal: what the last check found, or that none was made."""
    now, last = timezone.now(), AuditCheck.objects.order_by("-id").first()
    seals = AuditSeal.objects.defer("lines").order_by("number")
    sealed = seals.last()
    waiting = AuditEntry.objects.filter(id__gt=end_of(sealed)).order_by("id").first()
    if last and last.problem:
        return last.problem
    if waiting and waiting.at < now - SEALED_WITHIN:
        return "The audit log was not sealed for a day."
    if sealed and (last.at if last else seals[0].made_at) < now - CHECKED_WITHIN:
        return "The audit log was not checked for two days."
    return None
