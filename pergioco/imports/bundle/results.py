"""seats.csv: the results at the tables, as drafts and as closed revisions."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Max
from django.utils import timezone

from pergioco.core import audit
from pergioco.imports.bundle.files import STAGES, SeatRow
from pergioco.imports.bundle.settling import REASON, Here, Work
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage

State = Revision.State
AT_ONCE = 100  # stages: some ten thousand seats


class Wanted(NamedTuple):
    """Results that differ from the portal's, and the revision that they replace."""

    revision: Revision
    rounds: tuple[facts.RoundFacts, ...]
    before: Revision | None


def write_results(work: Work, stages_done: Callable[[int], None]) -> None:
    rows, latest, numbers = work.tables.of(STAGES), revisions_here(), last_numbers()
    for first in range(0, len(rows), AT_ONCE):
        batch, chosen = rows[first : first + AT_ONCE], []
        for row in batch:
            stage, is_closed = work.here.stages[row.slug], row.status == Stage.Status.CLOSED
            rounds = make_rounds(work.tables.seats.get(row.slug, []), work.here)
            before = latest[stage.pk]
            # a first revision is closed even if its draft says the same
            is_draft = before is None or before.state != State.CURRENT
            if rounds and (
                (is_closed and is_draft) or not is_same_result(before, rounds, work.here)
            ):
                number = numbers.get(stage.pk, 0) + 1
                made = make_revision(stage, number, rounds, before, is_closed=is_closed)
                chosen.append(Wanted(made, rounds, before))
        write_revisions(chosen, work)
        stages_done(len(batch))


def revisions_here() -> dict[int, Revision | None]:
    """Stage -> its current revision, or its draft if it was never closed."""
    # the current one wins
    rows = Revision.objects.filter(state__in=[State.DRAFT, State.CURRENT]).order_by("-state")
    return defaultdict(lambda: None, {row.stage_id: row for row in rows})


def last_numbers() -> dict[int, int]:
    return dict(Revision.objects.values_list("stage").annotate(last=Max("number")))


def make_rounds(seats: list[SeatRow], here: Here) -> tuple[facts.RoundFacts, ...]:
    rounds = []
    for number, rows in groupby(seats, key=attrgetter("round")):
        of_round = list(rows)
        tables = tuple(
            facts.TableFacts(table, make_seats(seated, here))
            for table, seated in groupby(of_round, key=attrgetter("table"))
        )
        phase = next((row.phase for row in of_round if row.phase), "")
        rounds.append(facts.RoundFacts(number, tables, phase))
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

    def bare_table(table: facts.TableFacts) -> facts.TableFacts:
        seats = (replace(one, player=here.kept.get(one.player, one.player)) for one in table.seats)
        return facts.TableFacts(table.number, tuple(seats))

    return tuple(
        replace(one, tables=tuple(map(bare_table, one.tables))) for one in rounds if one.tables
    )


def write_revisions(chosen: list[Wanted], work: Work) -> None:
    # In bulk. Replaced revisions are kept: a closed one as superseded, a draft as dropped.
    replaced = [wanted.before for wanted in chosen if wanted.before is not None]
    for old, new in ((State.CURRENT, State.SUPERSEDED), (State.DRAFT, State.DROPPED)):
        Revision.objects.filter(pk__in=[r.pk for r in replaced if r.state == old]).update(state=new)
    made = Revision.objects.bulk_create(wanted.revision for wanted in chosen)
    facts.write_revisions([(wanted.revision, wanted.rounds) for wanted in chosen])
    for wanted in chosen:
        if wanted.before is not None:
            record_replacement(wanted.revision, wanted.before)
    overruled = sum(revision.state == State.CURRENT for revision in replaced)
    work.report.count(Revision, made=len(made), changed=overruled)


def make_revision(
    stage: Stage,
    number: int,
    rounds: tuple[facts.RoundFacts, ...],
    before: Revision | None,
    *,
    is_closed: bool,
) -> Revision:
    # The archive closed these results: they need no approval.
    return Revision(
        stage=stage,
        number=number,
        state=State.CURRENT if is_closed else State.DRAFT,
        reason=REASON,
        replaces=before if before is not None and before.state == State.DRAFT else None,
        closed_at=timezone.now() if is_closed else None,
        sha256=facts.hash_rounds(rounds) if is_closed else "",
    )


def record_replacement(revision: Revision, before: Revision) -> None:
    if before.state == State.CURRENT:
        Stage.objects.filter(pk=revision.stage_id).update(status=Stage.Status.CORRECTED)
    changes = {"revision": [str(before.number), str(revision.number)]}
    audit.record("bundle.results_replaced", revision, by=None, changes=changes, reason=REASON)
