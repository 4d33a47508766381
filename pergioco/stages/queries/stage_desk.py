"""The state of a stage at the desk, and access to it."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from pergioco.core.models import Job
from pergioco.core.policy import UserRequest
from pergioco.publishing.models import Publication
from pergioco.publishing.services import withdrawing
from pergioco.stages.models import Revision, Stage

SECONDS_BETWEEN_LOOKS = 3


def get_managed_stage(request: UserRequest, number: int) -> Stage:
    rows = Stage.objects.managed_by(request.user).select_related("game", "season")
    return get_object_or_404(rows, pk=number)


def withdraw_until(revision: Revision | None) -> datetime | None:
    """Returns None if the results can no longer be withdrawn."""
    return (
        withdrawing.withdrawable_until(revision)
        if revision and withdrawing.time_to_withdraw(revision)
        else None
    )


def publication_context(stage: Stage, current: Revision | None) -> dict[str, Any]:
    # Other circuits have no publication here, but their closing can be withdrawn too.
    if current is None:
        return {}
    own = list(pending_jobs(stage, current)) if stage.circuit == Stage.Circuit.PGM else []
    return {
        "is_computing": any(not job.trouble for job in own),
        "is_failing": any(job.trouble and job.state != Job.State.FAILED for job in own),
        "is_given_up": any(job.state == Job.State.FAILED for job in own),
        "version": None if own else version_with_results(stage, current),
        "withdraw_until": withdraw_until(current),
    }


def pending_jobs(stage: Stage, revision: Revision) -> QuerySet[Job]:
    mine = Q(kind="pgr.stage", arguments__stage=stage.pk) | Q(
        kind="publish", arguments__revision=revision.pk
    )
    return Job.objects.not_done().filter(mine)


def version_with_results(stage: Stage, revision: Revision) -> Publication | None:
    """The version that these results caused; if they changed no ranking, the current one that
    includes them."""
    made = (
        withdrawing.publications_caused_by(revision)
        .select_related("season")
        .order_by("season__year")
        .first()
    )
    if made is not None:
        return made
    public = (
        Publication.objects.filter(season=stage.season_id, is_current=True)
        .select_related("season")
        .first()
    )
    return public if public and str(stage.pk) in public.ratings else None
