"""seats.csv: what happened at the tables, as drafts and as closed revisions."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import TypeVar

from django.db.models import Max
from django.utils import timezone

from pergioco.imports.bundle.checking_results import by_stage
from pergioco.imports.bundle.files import SEATS, STAGES, SeatRow
from pergioco.imports.bundle.here import Here
from pergioco.imports.bundle.settling import REASON, Work
from pergioco.players import audit
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage

State = Revision.State
AT_ONCE = 100  # stages: some ten thousand seats
T = TypeVar("T")


@dataclass(frozen=True)
class Wanted:
    """A stage whose results differ from those of the portal, and the revision that they would replace."""

    stage: Stage
    rounds: tuple[facts.RoundFacts, ...]
    status: str
    numbered: int
    before: Revision | None


def write_results(work: Work, stages_done: Callable[[int], None]) -> None:
    statuses = {row.slug: row.status for row in work.tables.of(STAGES)}
    seats = by_stage(work.tables.of(SEATS))
    latest, numbers = revisions_here(), last_numbers()
    for slugs in batches(statuses, AT_ONCE):
        chosen = []
        for slug in slugs:
            stage = work.here.stages[slug]
            before, rounds = latest[stage.pk], rounds_of(seats.get(slug, []), work.here)
            # a first revision is closed even if its draft says the same
            if rounds and (not is_same(before, rounds, work.here) or must_be_closed(before, statuses[slug])):
                chosen.append(Wanted(stage, rounds, statuses[slug], numbers.get(stage.pk, 0) + 1, before))
        write(chosen, work)
        stages_done(len(slugs))


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def revisions_here() -> dict[int, Revision | None]:
    """Stage -> its current revision, or its draft if it was never closed."""
    rows = Revision.objects.filter(state__in=[State.DRAFT, State.CURRENT]).order_by("-state")  # the current one wins
    return defaultdict(lambda: None, {row.stage_id: row for row in rows})


def last_numbers() -> dict[int, int]:
    return dict(Revision.objects.values_list("stage").annotate(last=Max("number")))


def must_be_closed(before: Revision | None, status: str) -> bool:
    return status == Stage.Status.CLOSED and (before is None or before.state != State.CURRENT)


def rounds_of(seats: list[SeatRow], here: Here) -> tuple[facts.RoundFacts, ...]:
    rounds = []
    for number, rows in groupby(seats, key=lambda row: row.round):
        of_round = list(rows)
        tables = (facts.TableFacts(n, seats_of(t, here)) for n, t in groupby(of_round, key=lambda row: row.table))
        rounds.append(facts.RoundFacts(number, tuple(tables), next((row.phase for row in of_round if row.phase), "")))
    return tuple(rounds)


def seats_of(rows: Iterable[SeatRow], here: Here) -> tuple[facts.SeatFacts, ...]:
    return tuple(
        facts.SeatFacts(
            here.players[row.player].pk,
            row.outcome,
            row.kind,
            row.score,
            row.bid,
            row.off_objective,
            bool(row.objective_made),
            bool(row.timed_out),
            row.played_on,
        )
        for row in rows
    )


def is_same(revision: Revision | None, rounds: tuple[facts.RoundFacts, ...], here: Here) -> bool:
    """The hash says so at once for what a bundle brought; else row by row, whatever file the portal read it from."""
    if revision is None:
        return False
    if revision.sha256 and revision.sha256 == facts.sha256(rounds):
        return True
    return bare(facts.read(revision), here) == bare(rounds, here)


def bare(rounds: Iterable[facts.RoundFacts], here: Here) -> tuple[facts.RoundFacts, ...]:
    """What a bundle can say of them: without the sources, and with each player as the one that they are now."""
    return tuple(
        replace(
            one,
            tables=tuple(
                facts.TableFacts(t.number, tuple(replace(s, player=here.kept.get(s.player, s.player)) for s in t.seats))
                for t in one.tables
            ),
        )
        for one in rounds
        if one.tables
    )


def write(chosen: list[Wanted], work: Work) -> None:
    """New revisions, in bulk. What they replace is kept: a closed one superseded, a draft dropped."""
    replaced = [wanted.before for wanted in chosen if wanted.before is not None]
    for old, new in ((State.CURRENT, State.SUPERSEDED), (State.DRAFT, State.DROPPED)):
        Revision.objects.filter(pk__in=[r.pk for r in replaced if r.state == old]).update(state=new)
    made = Revision.objects.bulk_create(map(revision_of, chosen))
    facts.write_all([(revision, wanted.rounds) for revision, wanted in zip(made, chosen, strict=True)])
    for revision, wanted in zip(made, chosen, strict=True):
        if wanted.before is not None:
            tell(revision, wanted.before)
    overruled = sum(revision.state == State.CURRENT for revision in replaced)
    work.report.count(Revision.__name__, made=len(made), changed=overruled)


def revision_of(wanted: Wanted) -> Revision:
    """The archive closed it: no approval is asked for its word."""
    closed, before = wanted.status == Stage.Status.CLOSED, wanted.before
    return Revision(
        stage=wanted.stage,
        number=wanted.numbered,
        state=State.CURRENT if closed else State.DRAFT,
        reason=REASON,
        replaces=before if before is not None and before.state == State.DRAFT else None,
        closed_at=timezone.now() if closed else None,
        sha256=facts.sha256(wanted.rounds) if closed else "",
    )


def tell(revision: Revision, before: Revision) -> None:
    """Results of the portal gave way to those of the bundle."""
    if before.state == State.CURRENT:
        Stage.objects.filter(pk=revision.stage_id).update(status=Stage.Status.CORRECTED)
    changes = {"revision": [str(before.number), str(revision.number)]}
    audit.record("bundle.results_replaced", revision, by=None, changes=changes, reason=REASON)
