"""What must run by the clock, when each last completed, and what is late."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from pergioco.core.database import has_column
from pergioco.core.models import LastRun

BACKUP = "backup"
LEAST_GRACE = timedelta(minutes=5)

expected: dict[str, timedelta] = {}  # how often


def expect(name: str, *, every: timedelta) -> None:
    expected[name] = every


expect(BACKUP, every=timedelta(days=1))


def note(name: str) -> None:
    now = timezone.now()
    if not LastRun.objects.filter(name=name).update(at=now):
        LastRun.objects.update_or_create(name=name, defaults={"at": now})


def await_first_runs(**_: object) -> None:
    """After each migrate: what never ran is late counting from the version that brought it."""
    if not has_column(LastRun, "awaited_since"):  # not all of them have run
        return
    known, now = set(LastRun.objects.values_list("name", flat=True)), timezone.now()
    new = [LastRun(name=name, awaited_since=now) for name in expected.keys() - known]
    LastRun.objects.bulk_create(new, ignore_conflicts=True)


@dataclass(frozen=True)
class Run:
    name: str
    at: datetime | None
    is_late: bool

    @property
    def age(self) -> int | None:
        """In seconds; None if it never ran."""
        return int((timezone.now() - self.at).total_seconds()) if self.at else None


def list_runs() -> list[Run]:
    rows = {row.name: row for row in LastRun.objects.all()}
    return [find_run(name, every, rows.get(name)) for name, every in sorted(expected.items())]


def find_run(name: str, every: timedelta, row: LastRun | None) -> Run:
    if row is None:
        return Run(name, None, is_late=True)
    since = timezone.now() - (row.at or row.awaited_since)
    return Run(name, row.at, is_late=since > every + max(every / 12, LEAST_GRACE))
