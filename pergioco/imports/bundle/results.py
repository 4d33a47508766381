"""seats.csv: the results at the tables, as drafts and as closed revisions."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import TypeVar

from django.db.models import Max
from django.utils import timezone

from pergioco.core import audit
from pergioco.imports.bundle.files import STAGES, SeatRow
from pergioco.imports.bundle.settling import REASON, Here, Work
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage

State = Revision.State
AT_ONCE = 100  # stages: some ten thousand seats
T = TypeVar("T")


@dataclass(frozen=True)
class Wanted:
    """A stage whose results differ from the portal's, and the revision that they would replace."""

    stage: Stage
    rounds: tuple[facts.RoundFacts, ...]
    status: str
    numbered: int
    before: Revision | None


def write_results(work: Work, stages_done: Callable[[int], None]) -> None:
    statuses = {row.slug: row.status for row in work.tables.of(STAGES)}
    latest, numbers = revisions_here(), last_numbers()
    for slugs in batches(statuses, AT_ONCE):
        chosen = []
        for slug in slugs:
            stage = work.here.stages[slug]
            before, rounds = (
                latest[stage.pk],
                make_rounds(work.tables.seats.get(slug, []), work.here),
            )
            # a first revision is closed even if its draft says the same
            if rounds and (
                not is_same_result(before, rounds, work.here)
                or must_be_closed(before, statuses[slug])
            ):
                chosen.append(
                    Wanted(stage, rounds, statuses[slug], numbers.get(stage.pk, 0) + 1, before)
                )
        write_revisions(chosen, work)
        stages_done(len(slugs))


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def revisions_here() -> dict[int, Revision | None]:
    """Stage -> its current revision, or its draft if it was never closed."""
    # the current one wins
    rows = Revision.objects.filter(state__in=[State.DRAFT, State.CURRENT]).order_by("-state")
    return defaultdict(lambda: None, {row.stage_id: row for row in rows})


def last_numbers() -> dict[int, int]:
    return dict(Revision.objects.values_list("stage").annotate(last=Max("number")))


def must_be_closed(before: Revision | None, status: str) -> bool:
    return status == Stage.Status.CLOSED and (before is None or before.state != State.CURRENT)


def make_rounds(seats: list[SeatRow], here: Here) -> tuple[facts.RoundFacts, ...]:
    rounds = []
    for number, rows in groupby(seats, key=lambda row: row.round):
        of_round = list(rows)
        tables = (
            facts.TableFacts(n, make_seats(t, here))
            for n, t in groupby(of_round, key=lambda row: row.table)
        )
        rounds.append(
            facts.RoundFacts(
                number, tuple(tables), next((row.phase for row in of_round if row.phase), "")
            )
        )
    return tuple(rounds)


def make_seats(rows: Iterable[SeatRow], here: Here) -> tuple[facts.SeatFacts, ...]:
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


def is_same_result(
    revision: Revision | None, rounds: tuple[facts.RoundFacts, ...], here: Here
) -> bool:
    # The hash answers for results that came from a bundle; others are compared row by row.
    if revision is None:
        return False
    if revision.sha256 and revision.sha256 == facts.hash_rounds(rounds):
        return True
    return bare_rounds(facts.read_rounds(revision), here) == bare_rounds(rounds, here)


def bare_rounds(rounds: Iterable[facts.RoundFacts], here: Here) -> tuple[facts.RoundFacts, ...]:
    """As far as a bundle can tell: without sources, and with each player merged."""
    return tuple(
        replace(
            one,
            tables=tuple(
                facts.TableFacts(
                    t.number,
                    tuple(replace(s, player=here.kept.get(s.player, s.player)) for s in t.seats),
                )
                for t in one.tables
            ),
        )
        for one in rounds
        if one.tables
    )


def write_revisions(chosen: list[Wanted], work: Work) -> None:
    # In bulk. Replaced revisions are kept: a closed one as superseded, a draft as dropped.
    replaced = [wanted.before for wanted in chosen if wanted.before is not None]
    for old, new in ((State.CURRENT, State.SUPERSEDED), (State.DRAFT, State.DROPPED)):
        Revision.objects.filter(pk__in=[r.pk for r in replaced if r.state == old]).update(state=new)
    made = Revision.objects.bulk_create(map(make_revision, chosen))
    facts.write_revisions(
        [(revision, wanted.rounds) for revision, wanted in zip(made, chosen, strict=True)]
    )
    for revision, wanted in zip(made, chosen, strict=True):
        if wanted.before is not None:
            record_replacement(revision, wanted.before)
    overruled = sum(revision.state == State.CURRENT for revision in replaced)
    work.report.count(Revision, made=len(made), changed=overruled)


def make_revision(wanted: Wanted) -> Revision:
    # The archive closed these results: they need no approval.
    closed, before = wanted.status == Stage.Status.CLOSED, wanted.before
    return Revision(
        stage=wanted.stage,
        number=wanted.numbered,
        state=State.CURRENT if closed else State.DRAFT,
        reason=REASON,
        replaces=before if before is not None and before.state == State.DRAFT else None,
        closed_at=timezone.now() if closed else None,
        sha256=facts.hash_rounds(wanted.rounds) if closed else "",
    )


def record_replacement(revision: Revision, before: Revision) -> None:
    if before.state == State.CURRENT:
        Stage.objects.filter(pk=revision.stage_id).update(status=Stage.Status.CORRECTED)
    changes = {"revision": [str(before.number), str(revision.number)]}
    audit.record("bundle.results_replaced", revision, by=None, changes=changes, reason=REASON)
