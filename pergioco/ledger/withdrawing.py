"""For half an hour a closing or a correction can be taken back as if it had not been. Mail about it waits as long."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from pergioco.ledger.decisions import GRACE
from pergioco.ledger.errata import CAN_BE_WITHDRAWN
from pergioco.ledger.models import Publication
from pergioco.ledger.publishing import is_final
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import closing
from pergioco.stages.drafting import lock
from pergioco.stages.models import Revision, Season, Stage


def caused_by(revision: Revision) -> QuerySet[Publication]:
    """The versions that its closing or its approval made, one a season."""
    return Publication.objects.filter(revision=revision, cause__in=CAN_BE_WITHDRAWN)


def until(revision: Revision) -> datetime | None:
    """Half an hour after it was published; until then, after it was put in force."""
    published_at = caused_by(revision).aggregate(at=Min("published_at"))["at"]
    since = published_at or revision.approved_at or revision.closed_at
    return since + GRACE if since else None


def time_left(revision: Revision | None) -> timedelta | None:
    """None if it can no longer be withdrawn."""
    last = until(revision) if revision and revision.state == Revision.State.CURRENT else None
    left = last - timezone.now() if last else None
    return left if left and left > timedelta(0) else None


@transaction.atomic
def withdraw(stage: Stage, *, revision: int, by: User) -> Revision:
    """The public mark moves back at once; ratings and rankings are computed again after it. Returns the new draft.

    Publications wait at the season, mail at the revision: the clock is read when both are held.
    """
    hold_seasons(stage, revision)
    lock(stage)
    row = Revision.objects.select_for_update(of=("self",)).filter(pk=revision, stage=stage).first()
    if row is None or row.state != Revision.State.CURRENT:
        raise Outdated(_("These results are not in force any more: look at the stage as it is now."))
    refuse_if_too_late(row)
    for publication in caused_by(row).select_related("season"):
        if not is_final(publication.season):
            take_back(publication, by=by)
    return closing.reopen(stage, revision=row.pk, by=by)


def hold_seasons(stage: Stage, revision: int) -> None:
    """All that a publication of this revision may speak of, in the order in which publishing goes through them."""
    shown = Publication.objects.filter(revision=revision).values("season")
    rows = Season.objects.filter(Q(year__gte=stage.ends_on.year) | Q(pk__in=shown))
    list(rows.select_for_update(no_key=True).order_by("year"))


def refuse_if_too_late(revision: Revision) -> None:
    if time_left(revision) is not None:
        return
    last = until(revision)
    if last is None:
        raise Refused(_("This was not closed here: use “Correct the results” to change it."))
    at = {"time": time_format(timezone.localtime(last))}
    raise Refused(_("It could be withdrawn until %(time)s. To change it now, use “Correct the results”.") % at)


def take_back(publication: Publication, *, by: User) -> None:
    """If it is the current one, the version before it is current again; else what was published since contains it, and
    the publication that follows does not."""
    mine = Publication.objects.filter(pk=publication.pk)
    mine.update(is_current=False, withdrawn_at=timezone.now(), withdrawn_by=by)
    before = standing_before(publication) if publication.is_current else None
    if before is not None:
        Publication.objects.filter(pk=before.pk).update(is_current=True)


def standing_before(publication: Publication) -> Publication | None:
    before = publication.before
    while before is not None and before.withdrawn_at is not None:
        before = before.before
    return before
