"""What there is to tell: facts that have stood for half an hour. What was taken back or corrected before is never told.

Nothing is asked of whoever closes a stage: the rows of stages and ledger say it all, and each is told once.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models.functions import Coalesce
from django.utils import timezone

from pergioco.contact.notices.models import Happening
from pergioco.ledger.decisions import GRACE
from pergioco.ledger.models import Publication
from pergioco.players.models import AuditEntry
from pergioco.stages.models import DateChange, Revision, Stage

What = Happening.What
LOOKED_BACK = timedelta(days=3)  # what is older is no news, even after a long silence
ON_THE_CALENDAR = {
    "stage.added": What.ADDED,
    "stage.duplicated": What.ADDED,
    "stage.homologated": What.ADDED,
    "stage.cancelled": What.CANCELLED,
    "stage.put_back": What.PUT_BACK,
}


class Window(NamedTuple):
    since: datetime
    until: datetime


Found = Iterator[dict[str, Any]]


def new() -> Iterator[Happening]:
    """Not yet on file, and still true."""
    now = timezone.now()
    window = Window(now - LOOKED_BACK, now - GRACE)
    found = [Happening(**values) for source in SOURCES for values in source(window)]
    known = set(Happening.objects.filter(key__in=[one.key for one in found]).values_list("key", flat=True))
    yield from (one for one in found if one.key not in known and still_true(one))


def results(window: Window) -> Found:
    rows = Revision.objects.filter(state=Revision.State.CURRENT).annotate(since=Coalesce("approved_at", "closed_at"))
    for row in rows.filter(since__range=window).select_related("stage").order_by("since", "pk"):
        yield {"key": f"revision {row.pk}", "what": What.RESULTS, "stage": row.stage, "revision": row}


def publications(window: Window) -> Found:
    rows = Publication.objects.filter(is_current=True, published_at__range=window).defer("ratings")
    for row in rows.order_by("pk"):
        yield {"key": f"publication {row.pk}", "what": What.PUBLISHED, "publication": row}


def moves(window: Window) -> Found:
    """Of a stage that was moved twice meanwhile, the latest."""
    rows = DateChange.objects.filter(at__range=window).select_related("stage").order_by("at", "pk")
    for row in {row.stage_id: row for row in rows}.values():
        yield {"key": f"move {row.pk}", "what": What.MOVED, "stage": row.stage}


def calendar(window: Window) -> Found:
    entries = AuditEntry.objects.filter(at__range=window, action__in=ON_THE_CALENDAR, object_type="stages.stage")
    latest = {entry.object_id: entry for entry in entries.order_by("at", "pk")}
    stages = Stage.objects.in_bulk([int(pk) for pk in latest])
    for entry in latest.values():
        if (stage := stages.get(int(entry.object_id))) is not None:
            yield {"key": f"log {entry.pk}", "what": ON_THE_CALENDAR[entry.action], "stage": stage}


SOURCES: tuple[Callable[[Window], Found], ...] = (results, publications, moves, calendar)


def still_true(one: Happening) -> bool:
    """Asked again before each mail: a digest waits for hours."""
    if one.what == What.PUBLISHED:
        return one.publication is not None and one.publication.withdrawn_at is None
    if one.stage is None or one.stage.is_cancelled != (one.what == What.CANCELLED):
        return False
    return one.revision is None or one.revision.state == Revision.State.CURRENT
