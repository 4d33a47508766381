"""What became of a stage's results: public, on their way, or stuck; and for how long they can be withdrawn."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from pergioco.ledger import withdrawing
from pergioco.ledger.models import MOST_TRIES, Outbox, Publication
from pergioco.stages.models import Revision, Stage

SECONDS_BETWEEN_LOOKS = 3


def withdraw_until(revision: Revision | None) -> datetime | None:
    """None if it can no longer be withdrawn."""
    return withdrawing.until(revision) if revision and withdrawing.time_left(revision) else None


def state_of(stage: Stage, current: Revision | None) -> dict[str, Any]:
    """For the page of a stage. Nothing is published of other circuits, but there too a closing can be withdrawn."""
    if current is None:
        return {}
    own = list(steps_of(stage, current)) if stage.circuit == Stage.Circuit.PGM else []
    return {
        "is_computing": any(not row.trouble for row in own),
        "is_failing": any(row.trouble and row.tries < MOST_TRIES for row in own),
        "is_given_up": any(row.tries >= MOST_TRIES for row in own),
        "version": None if own else version_of(stage, current),
        "withdraw_until": withdraw_until(current),
    }


def steps_of(stage: Stage, revision: Revision) -> QuerySet[Outbox]:
    mine = Q(step="pgr.stage", arguments__stage=stage.pk) | Q(step="publish", arguments__revision=revision.pk)
    return Outbox.objects.filter(mine, done_at=None)


def version_of(stage: Stage, revision: Revision) -> Publication | None:
    """The one that these results made; else, if they moved nothing in any ranking, the one that rests on them too."""
    made = withdrawing.caused_by(revision).select_related("season").order_by("season__year").first()
    if made is not None:
        return made
    public = Publication.objects.filter(season=stage.season_id, is_current=True).select_related("season").first()
    return public if public and str(stage.pk) in public.ratings else None
