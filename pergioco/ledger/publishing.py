"""Publishing: the rankings of a season are written once, and one mark moves. Nothing is overwritten."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from pergioco.ledger import decisions, errata
from pergioco.ledger.bulk import undisturbed
from pergioco.ledger.content import Computed, Contents
from pergioco.ledger.decisions import Decision
from pergioco.ledger.models import Computation, Freeze, Line, Outbox, PgrChange, Publication, Shown
from pergioco.ledger.outbox import promise
from pergioco.ledger.writing import insert
from pergioco.players.models import Registration, User
from pergioco.players.refusal import Refused
from pergioco.stages.models import Revision, Season, Stage

SOON = timedelta(seconds=60)
EVERY_SEASON = 0
LINE = ("computation", "position", "player", "rank", "is_shared", "value", "decided_by", "detail")


def lock(season: Season) -> Season:
    """Until the end of the transaction: whatever moves the public mark of a season comes one after the other."""
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def current(season: Season) -> Publication | None:
    return Publication.objects.filter(season=season, is_current=True).first()


def is_final(season: Season) -> bool:
    return Freeze.objects.filter(season=season, frozen_at__isnull=False).exists()


def promise_publication(*, cause: str, year: int = EVERY_SEASON, stage: Stage | None = None, player: int = 0) -> None:
    """From that year on. At once after a stage; changes of people are gathered for a minute, many registrations make
    one publication."""
    if stage is not None:
        revision = decisions.revision_behind(stage, cause)
        promise("publish", cause=cause, year=year, revision=revision.pk if revision else 0)
        return
    ids: dict[str, int | str] = {"cause": cause, "year": year}
    if cause in decisions.OF_A_PLAYER:
        ids["player"] = player
    soon = timezone.now() + SOON
    gathered = Outbox.objects.filter(
        step="publish", arguments=ids, done_at=None, tries=0, not_before__gt=soon - SOON / 2
    )
    if not gathered.exists():
        promise("publish", not_before=soon, **ids)


def first_year_of(player: int, cause: str) -> int:
    """Who registers, or is erased, stands in no ranking of PerGioco Masters from before that year; decisions reach
    further back, and what was mended on file may have been wrong in any year."""
    if cause == "mended" or cause in decisions.OF_A_PLAYER:
        return EVERY_SEASON
    day = Registration.objects.filter(player=player).values_list("registered_on", flat=True).first()
    return day.year if day else EVERY_SEASON


def follow(*, cause: str, year: int, revision: int = 0, player: int = 0) -> None:
    """The step of the pipeline: every season that the change may reach. Of a final one only errata can speak."""
    decision = decisions.find(cause, revision=revision, player=player)
    row = decision.revision if decision else Revision.objects.filter(pk=revision).first()
    for season in Season.objects.filter(year__gte=year, year__lte=timezone.localdate().year).order_by("year"):
        follow_in(season, cause=cause, decision=decision, revision=row)


def follow_in(season: Season, *, cause: str, decision: Decision | None, revision: Revision | None = None) -> None:
    if not is_final(season):
        made = publish(season, cause=cause, revision=revision, by=decision.by if decision else None)
        errata.note(made, decision)
    elif decision is not None:
        errata.against_final(season, decision, contents(season, day_of(season)))


def follow_the_clock() -> None:
    """A new year or day changes what counts, and so do the plan of the Race and the settings of a season: whoever
    looks every hour finds it. What is the same is not published again."""
    if Revision.objects.filter(state=Revision.State.CURRENT).exists():
        follow(cause="clock", year=timezone.localdate().year - 1)


def day_of(season: Season) -> date:
    """Until its last day today, then that day for ever. A stage that was closed before its last day counts at once."""
    today = timezone.localdate()
    if today.year > season.year:
        return date(season.year, 12, 31)
    return max([today, *ahead(season)])


def ahead(season: Season) -> Iterator[date]:
    """The last day of what was closed: of the stages that moved ratings, of those of circuits without PGR."""
    yield from last_of(PgrChange.objects.current().filter(ended_on__year=season.year), "ended_on")
    others = Stage.objects.filter(season=season, ends_on__year=season.year, revisions__state=Revision.State.CURRENT)
    yield from last_of(others.exclude(circuit=Stage.Circuit.PGM).exclude(status=Stage.Status.CANCELLED), "ends_on")


def last_of(rows: QuerySet[Any], field: str) -> list[date]:
    day = rows.aggregate(day=Max(field))["day"]
    return [day] if day else []


@undisturbed()
@transaction.atomic
def publish(
    season: Season, *, cause: str, revision: Revision | None = None, by: User | None = None
) -> Publication | None:
    """One at a time for each season. The same content is not published twice: then the current one stays."""
    season = lock(season)
    if is_final(season):
        raise Refused(_("The rankings of %(year)s are final: nothing is published any more.") % {"year": season.year})
    before, day = current(season), day_of(season)
    found = contents(season, day)
    if before is None and not any(one.rows for one in found.rankings):
        return None
    shown = write(found.rankings, season, before=before, cause=cause)
    if before is not None and set(shown) == set(shown_in(before).values()) and are_alike(before.ratings, found.ratings):
        return before
    Publication.objects.filter(season=season, is_current=True).update(is_current=False)
    made = Publication.objects.create(
        season=season,
        number=next_number(season),
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
    Shown.objects.bulk_create(Shown(publication=made, computation_id=pk, kind=one.kind) for pk, one in kinds)
    return made


def contents(season: Season, day: date) -> Contents:
    """What would be published. The ratings are read first: what changes meanwhile is published again."""
    ratings = ratings_in_force(season)
    return Contents(list(compute(day, season)), ratings)


def ratings_in_force(season: Season) -> dict[str, int]:
    rows = PgrChange.objects.current().filter(ended_on__year=season.year).order_by()
    return {str(stage): computation for stage, computation in rows.values_list("stage", "computation").distinct()}


def are_alike(before: dict[str, int], after: dict[str, int]) -> bool:
    """The same stages with the same numbers, though what was corrected and put back was computed more than once."""
    if before.keys() != after.keys():
        return False
    other = {stage: (one, after[stage]) for stage, one in before.items() if after[stage] != one}
    rows = Computation.objects.filter(pk__in={pk for pair in other.values() for pk in pair})
    said = {pk: (sha256, read) for pk, sha256, read in rows.values_list("pk", "sha256", "read")}
    return all(said.get(one) == said.get(two) for one, two in other.values())


def compute(day: date, season: Season) -> Iterator[Computed]:
    """Every ranking of the season as of a day, from what the ledger holds. Writes nothing."""
    for dotted in settings.PIPELINE_RANKINGS:
        yield from import_string(dotted)(day, season)


def next_number(season: Season) -> int:
    return int(Publication.objects.filter(season=season).aggregate(last=Max("number"))["last"] or 0) + 1


def write(computed: Sequence[Computed], season: Season, *, before: Publication | None, cause: str) -> list[int]:
    """The ids of the computations, in order; what was published like that already is not written again."""
    known = shown_in(before) if before else {}
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
    insert(Line, LINE, rows)
    known |= {(c.kind, c.sha256): c.pk for c in made}
    return [known[one.kind, one.sha256] for one in computed]


def shown_in(publication: Publication) -> dict[tuple[str, str], int]:
    return {(kind, sha256): pk for kind, sha256, pk in publication.computations.values_list("kind", "sha256", "pk")}
