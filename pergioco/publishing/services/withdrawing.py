"""Takes back a closing or correction within half an hour; mail about it waits as long."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.publishing.decisions import GRACE
from pergioco.publishing.models import Publication
from pergioco.publishing.services.errata import CAN_BE_WITHDRAWN
from pergioco.publishing.services.publish import is_season_final
from pergioco.stages.models import Revision, Season, Stage
from pergioco.stages.services import closing


def publications_caused_by(revision: Revision) -> QuerySet[Publication]:
    return Publication.objects.filter(revision=revision, cause__in=CAN_BE_WITHDRAWN)


def withdrawable_until(revision: Revision) -> datetime | None:
    """Half an hour after publication; if not published yet, after it was put in force."""
    published_at = publications_caused_by(revision).aggregate(at=Min("published_at"))["at"]
    since = published_at or revision.approved_at or revision.closed_at
    return since + GRACE if since else None


def time_to_withdraw(revision: Revision | None) -> timedelta | None:
    """Returns None if it can no longer be withdrawn."""
    last = (
        withdrawable_until(revision)
        if revision and revision.state == Revision.State.CURRENT
        else None
    )
    left = last - timezone.now() if last else None
    return left if left and left > timedelta(0) else None


@transaction.atomic
def withdraw_results(stage: Stage, *, revision: int, by: User) -> Revision:
    """Makes the previous version public at once, computes ratings and rankings again, and returns
    the new draft.

    Locks the seasons (publishing waits) and the revision (mail waits) before it reads the clock."""
    lock_seasons(stage, revision)
    lock_row(stage)
    row = Revision.objects.select_for_update(of=("self",)).filter(pk=revision, stage=stage).first()
    if row is None or row.state != Revision.State.CURRENT:
        raise Outdated(
            _("These results are not in force any more: look at the stage as it is now.")
        )
    refuse_if_too_late(row)
    for publication in publications_caused_by(row).select_related("season"):
        if not is_season_final(publication.season):
            withdraw_publication(publication, by=by)
    return closing.reopen_stage(stage, revision=row.pk, by=by)


def lock_seasons(stage: Stage, revision: int) -> None:
    # The same order in which publishing locks them: no deadlock.
    shown = Publication.objects.filter(revision=revision).values("season")
    rows = Season.objects.filter(Q(year__gte=stage.ends_on.year) | Q(pk__in=shown))
    list(rows.select_for_update(no_key=True).order_by("year"))


def refuse_if_too_late(revision: Revision) -> None:
    if time_to_withdraw(revision) is not None:
        return
    last = withdrawable_until(revision)
    if last is None:
        raise Refused(_("This was not closed here: use “Correct the results” to change it."))
    at = {"time": time_format(timezone.localtime(last))}
    raise Refused(
        _("It could be withdrawn until %(time)s. To change it now, use “Correct the results”.") % at
    )


def withdraw_publication(publication: Publication, *, by: User) -> None:
    """Makes the version before current again if this one is current.

    Otherwise later versions contain it, and the next publication will not.
    """
    mine = Publication.objects.filter(pk=publication.pk)
    mine.update(is_current=False, withdrawn_at=timezone.now(), withdrawn_by=by)
    before = last_not_withdrawn(publication) if publication.is_current else None
    if before is not None:
        Publication.objects.filter(pk=before.pk).update(is_current=True)


def last_not_withdrawn(publication: Publication) -> Publication | None:
    before = publication.before
    while before is not None and before.withdrawn_at is not None:
        before = before.before
    return before
