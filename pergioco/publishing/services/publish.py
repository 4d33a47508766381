"""Publishes the rankings of a season as versions that are never overwritten, and deletes old
ones."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from pergioco.core import jobs
from pergioco.core.database import gc_paused, insert_rows, lock_row
from pergioco.core.models import Job, User
from pergioco.core.refusal import Refused
from pergioco.players.models import Registration
from pergioco.publishing import decisions
from pergioco.publishing.computed import Computed, Contents, compute_rankings
from pergioco.publishing.decisions import Decision
from pergioco.publishing.models import Computation, Freeze, Line, PgrChange, Publication, Shown
from pergioco.publishing.services import errata
from pergioco.stages.models import Revision, Season, Stage

PUBLISH = jobs.declare("publish")
SOON = timedelta(seconds=60)
EVERY_SEASON = 0
LINE_COLUMNS = (
    "computation",
    "position",
    "player",
    "rank",
    "is_shared",
    "value",
    "decided_by",
    "detail",
)
FRESH_FOR = timedelta(days=2)  # may still be withdrawn or mailed about


def current_publication(season: Season) -> Publication | None:
    return Publication.objects.filter(season=season, is_current=True).first()


def is_season_final(season: Season) -> bool:
    return Freeze.objects.filter(season=season, frozen_at__isnull=False).exists()


def enqueue_publication(
    *, cause: str, year: int = EVERY_SEASON, stage: Stage | None = None, player: int = 0
) -> None:
    """Publishes the seasons from that year on.

    At once after a stage; changes of people wait a minute, so that many registrations make one
    publication."""
    if stage is not None:
        revision = decisions.revision_behind(stage, cause)
        jobs.enqueue(PUBLISH, cause=cause, year=year, revision=revision.pk if revision else 0)
        return
    ids: dict[str, Any] = {"cause": cause, "year": year}
    if cause in decisions.PLAYER_CAUSES:
        ids["player"] = player
    soon = timezone.now() + SOON
    gathered = Job.objects.filter(
        kind=PUBLISH,
        arguments=ids,
        state=Job.State.QUEUED,
        attempts=0,
        not_before__gt=soon - SOON / 2,
    )
    if gathered.exists():
        return
    if "player" in ids:
        jobs.enqueue(PUBLISH, not_before=soon, cause=cause, year=year, player=player)
    else:
        jobs.enqueue(PUBLISH, not_before=soon, cause=cause, year=year)


def first_year_affected(player: int, cause: str) -> int:
    """Registration and erasure change no ranking of earlier years.

    Decisions reach further back, and a repaired row may have been wrong in any year.
    """
    if cause == "mended" or cause in decisions.PLAYER_CAUSES:
        return EVERY_SEASON
    day = Registration.objects.filter(player=player).values_list("registered_on", flat=True).first()
    return day.year if day else EVERY_SEASON


def follow_change(*, cause: str, year: int, revision: int = 0, player: int = 0) -> None:
    """The job: publishes every season that the change may reach; a final season only gets
    errata."""
    decision = decisions.find_decision(cause, revision=revision, player=player)
    row = decision.revision if decision else Revision.objects.filter(pk=revision).first()
    for season in Season.objects.filter(
        year__gte=year, year__lte=timezone.localdate().year
    ).order_by("year"):
        follow_in_season(season, cause=cause, decision=decision, revision=row)


def follow_in_season(
    season: Season, *, cause: str, decision: Decision | None, revision: Revision | None = None
) -> None:
    if not is_season_final(season):
        made = publish_season(
            season, cause=cause, revision=revision, by=decision.by if decision else None
        )
        errata.note_erratum(made, decision)
    elif decision is not None:
        errata.note_against_final(season, decision, read_contents(season, publication_day(season)))


def follow_the_clock() -> None:
    """Hourly: a new day or year, the plan of the Race and the settings of a season change what
    counts."""
    if Revision.objects.filter(state=Revision.State.CURRENT).exists():
        follow_change(cause="clock", year=timezone.localdate().year - 1)


def publication_day(season: Season) -> date:
    """Today until the last day of the year, then that day. A stage closed before its last day
    counts at once."""
    today = timezone.localdate()
    if today.year > season.year:
        return date(season.year, 12, 31)
    return max([today, *days_ahead(season)])


def days_ahead(season: Season) -> Iterator[date]:
    # Stages with PGR by their rating changes, other circuits by their revisions.
    yield from latest_day(
        PgrChange.objects.current().filter(ended_on__year=season.year), "ended_on"
    )
    others = Stage.objects.filter(
        season=season, ends_on__year=season.year, revisions__state=Revision.State.CURRENT
    )
    yield from latest_day(
        others.exclude(circuit=Stage.Circuit.PGM).exclude(status=Stage.Status.CANCELLED), "ends_on"
    )


def latest_day(rows: QuerySet[Any], field: str) -> list[date]:
    day = rows.aggregate(day=Max(field))["day"]
    return [day] if day else []


@gc_paused()
@transaction.atomic
def publish_season(
    season: Season, *, cause: str, revision: Revision | None = None, by: User | None = None
) -> Publication | None:
    """Publishes one version at a time for each season; equal content keeps the current one."""
    season = lock_row(season, no_key=True)  # serializes everything that changes the current version
    if is_season_final(season):
        raise Refused(
            _("The rankings of %(year)s are final: nothing is published any more.")
            % {"year": season.year}
        )
    before, day = current_publication(season), publication_day(season)
    found = read_contents(season, day)
    if before is None and not any(one.rows for one in found.rankings):
        return None
    shown = write_computations(found.rankings, season, before=before, cause=cause)
    if (
        before is not None
        and set(shown) == set(computation_ids(before).values())
        and are_ratings_alike(before.ratings, found.ratings)
    ):
        return before
    Publication.objects.filter(season=season, is_current=True).update(is_current=False)
    made = Publication.objects.create(
        season=season,
        number=next_publication_number(season),
        as_of=day,
        is_current=True,
        before=before,
        cause=cause,
        revision=revision,
        published_at=timezone.now(),
        published_by=by,
        ratings=found.ratings,
    )
    kinds = zip(shown, found.rankings, strict=True)
    Shown.objects.bulk_create(
        Shown(publication=made, computation_id=pk, kind=one.kind) for pk, one in kinds
    )
    return made


def read_contents(season: Season, day: date) -> Contents:
    # Ratings first: a change in between is published again.
    ratings = ratings_in_force(season)
    return Contents(list(compute_season(day, season)), ratings)


def ratings_in_force(season: Season) -> dict[str, int]:
    rows = PgrChange.objects.current().filter(ended_on__year=season.year).order_by()
    return {
        str(stage): computation
        for stage, computation in rows.values_list("stage", "computation").distinct()
    }


def are_ratings_alike(before: dict[str, int], after: dict[str, int]) -> bool:
    """Compares by numbers: a stage corrected and corrected back has several equal computations."""
    if before.keys() != after.keys():
        return False
    other = {stage: (one, after[stage]) for stage, one in before.items() if after[stage] != one}
    rows = Computation.objects.filter(pk__in={pk for pair in other.values() for pk in pair})
    said = {pk: (sha256, read) for pk, sha256, read in rows.values_list("pk", "sha256", "read")}
    return all(said.get(one) == said.get(two) for one, two in other.values())


def compute_season(day: date, season: Season) -> Iterator[Computed]:
    """Computes every ranking of the season as of a day. Writes nothing."""
    return compute_rankings(day, season)


def next_publication_number(season: Season) -> int:
    return (
        int(Publication.objects.filter(season=season).aggregate(last=Max("number"))["last"] or 0)
        + 1
    )


def write_computations(
    computed: Sequence[Computed], season: Season, *, before: Publication | None, cause: str
) -> list[int]:
    """Returns the ids of the computations in order; unchanged ones are not written again."""
    known = computation_ids(before) if before else {}
    fresh = [one for one in computed if (one.kind, one.sha256) not in known]
    made = Computation.objects.bulk_create(
        Computation(
            kind=one.kind,
            season=season,
            edition=one.edition,
            settings=one.settings,
            read=one.read,
            sha256=one.sha256,
            cause=cause,
        )
        for one in fresh
    )
    rows = (
        (c.pk, position, row.player, row.rank, row.is_shared, row.value, row.decided_by, row.detail)
        for c, one in zip(made, fresh, strict=True)
        for position, row in enumerate(one.rows, 1)
    )
    insert_rows(Line, LINE_COLUMNS, rows)
    known |= {(c.kind, c.sha256): c.pk for c in made}
    return [known[one.kind, one.sha256] for one in computed]


def computation_ids(publication: Publication) -> dict[tuple[str, str], int]:
    return {
        (kind, sha256): pk
        for kind, sha256, pk in publication.computations.values_list("kind", "sha256", "pk")
    }


@transaction.atomic
def delete_old_publications() -> int:
    """Returns the number of deleted publications. Computations still shown are kept."""
    kept = set(Freeze.objects.exclude(publication=None).values_list("publication", flat=True))
    for season in Publication.objects.order_by().values_list("season", flat=True).distinct():
        kept |= publications_to_keep(season)
    _rows, by_model = Publication.objects.exclude(pk__in=kept).delete()
    Computation.objects.filter(shown=None).exclude(kind="pgr").delete()
    return by_model.get(Publication._meta.label, 0)


def publications_to_keep(season: int) -> set[int]:
    """Keeps the current one and the one before, the latest two, the last of each month, and fresh
    ones."""
    own = list(Publication.objects.filter(season=season).defer("ratings").order_by("number"))
    months = {
        timezone.localtime(p.published_at).strftime("%Y-%m"): p.pk
        for p in own
        if p.withdrawn_at is None
    }
    current = {pk for p in own if p.is_current for pk in (p.pk, p.before_id) if pk}
    fresh = {p.pk for p in own if p.published_at > timezone.now() - FRESH_FOR}
    return current | fresh | {p.pk for p in own[-2:]} | set(months.values())
