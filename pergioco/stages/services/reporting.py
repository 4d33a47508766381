"""Steps sent by a table: scores, confirmations, disputes, auctions and clocks."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.core.refusal import Outdated, Refused
from pergioco.stages import facts
from pergioco.stages.models import Change, Revision, Seat, Stage, Table, TableStep
from pergioco.stages.rules.table_state import RESULTS, Step, TableState, decide_table_state
from pergioco.stages.services.entering import (
    Contradicts,
    lock_draft_table,
    save_change,
    table_with_seats,
)

StepKind = TableStep.Kind
AUCTION, CLOCK = "auction", "clock"
# Kinds of steps of an auction or clock; the first one begins it.
RUN_STEPS: dict[str, tuple[StepKind, StepKind]] = {
    AUCTION: (StepKind.AUCTION, StepKind.BID),
    CLOCK: (StepKind.CLOCK, StepKind.TURN),
}
SCORES = "scores"
CONVERSATION_STEPS = (*sorted(RESULTS), StepKind.CONFIRMED, StepKind.DISPUTED)


def table_key(table: Table) -> dict[str, Any]:
    return {
        "stage_id": table.round.revision.stage_id,
        "round": table.round.number,
        "table": table.number,
    }


def add_step(  # noqa: PLR0913 - one row has this many columns
    table: Table,
    kind: StepKind,
    submission: UUID,
    *,
    data: dict[str, Any] | None = None,
    by: User | None = None,
    reason: str = "",
) -> None:
    """Adds the next step at a table that the caller has locked; a repeated submission adds none."""
    if TableStep.objects.filter(submission=submission).exists():
        return
    place = table_key(table)
    last = TableStep.objects.filter(**place).aggregate(last=Max("number"))["last"] or 0
    TableStep.objects.create(
        **place,
        number=last + 1,
        kind=kind,
        submission=submission,
        data=data or {},
        by=by,
        reason=reason,
    )


class TableRun:
    """The steps in effect of an auction or a clock; `seen` is the number of its last step of any
    kind."""

    def __init__(self, table: Table, what: str) -> None:
        kinds = RUN_STEPS[what]
        self.steps: list[TableStep] = []
        self.seen = 0
        rows = TableStep.objects.filter(
            **table_key(table), kind__in=[*kinds, StepKind.TAKEN_BACK]
        ).order_by("number")
        for step in rows:
            if step.kind in kinds:
                self.steps.append(step)
            elif step.data["of"] != what:
                continue
            elif self.steps:
                self.steps.pop()
            self.seen = step.number
        begun = [at for at, step in enumerate(self.steps) if step.kind == kinds[0]]
        self.begun = self.steps[begun[-1]] if begun else None
        self.moves = self.steps[begun[-1] + 1 :] if begun else []


def add_run_step(
    table: Table,
    what: str,
    *,
    submission: UUID,
    seen: int | None,
    make: Callable[[TableRun], tuple[StepKind, dict[str, Any]]],
) -> None:
    """Adds a step built from the run so far; refused if `seen` is not the last step."""
    with transaction.atomic():
        table = lock_draft_table(table.pk)
        if TableStep.objects.filter(submission=submission).exists():
            return
        run = TableRun(table, what)
        if seen not in {None, run.seen}:
            raise Outdated(
                _("Somebody else at the table was faster. Look at the page as it is now."),
                rule="reporting.add_run_step",
            )
        kind, data = make(run)
        add_step(table, kind, submission, data=data)


def take_back_run_step(table: Table, what: str, *, submission: UUID, seen: int) -> None:
    def last_one(run: TableRun) -> tuple[StepKind, dict[str, Any]]:
        if not run.steps:
            raise Refused(_("There is nothing to take back."), rule="reporting.last_one")
        return StepKind.TAKEN_BACK, {"of": what}

    add_run_step(table, what, submission=submission, seen=seen, make=last_one)


@dataclass(frozen=True)
class Result:
    """The result of one player. `outcome` beside a score is decided by the game's own tie-break."""

    player: int
    score: Decimal | None = None
    bid: Decimal | None = None
    off_objective: Decimal | None = None
    objective_made: bool = False
    timed_out: bool = False
    outcome: str = ""
    kind: str = "played"


@dataclass(frozen=True)
class Submission:
    """How scores were sent: idempotency key, the version the sender saw, and the user (None: a
    phone)."""

    submission: UUID
    version: int
    by: User | None = None
    reason: str = ""


def report_scores(
    table: Table,
    results: Sequence[Result],
    *,
    submission: UUID,
    version: int,
    by: User | None = None,
) -> Table:
    """Writes the scores of a whole table, in seat order.

    Until the next round starts the table may correct them, and all players confirm again (BIG-22).
    """
    return write_scores_once(table, StepKind.SENT, results, Submission(submission, version, by))


def suspend_table(table: Table, *, submission: UUID, version: int, by: User | None = None) -> Table:
    """Ends a table at the latest hour: a draw for all, whatever the board shows (BIG 7.2.2)."""
    drawn = [Result(seat.player_id, outcome="draw") for seat in table.seats.order_by("position")]
    return write_scores_once(table, StepKind.SUSPENDED, drawn, Submission(submission, version, by))


def settle_table(  # noqa: PLR0913 - what the referee decides, how it was sent, and why
    table: Table,
    results: Sequence[Result] | None = None,
    *,
    submission: UUID,
    version: int,
    by: User,
    reason: str,
) -> Table:
    """Records the referee's decision, at any time, with a reason; without results it confirms the
    current ones."""
    if not is_run_by(table.round.revision.stage, by):
        raise Refused(
            _("Only who runs this tournament settles a table."), rule="reporting.settle_table"
        )
    if not reason.strip():
        raise Refused(
            _("Say why: everybody at the table will read it."),
            "reason",
            rule="reporting.settle_table",
        )
    if results is None:
        results = current_results(table)
    return write_scores_once(
        table, StepKind.SETTLED, results, Submission(submission, version, by, reason.strip())
    )


def is_run_by(stage: Stage, by: User) -> bool:
    return has_role(by, Role.STAFF) or stage.organizers.filter(pk=by.pk).exists()


def current_results(table: Table) -> list[Result]:
    rows = facts.read_scores(table.seats.order_by("position"))  # type: ignore[arg-type]
    return [
        Result(**{name: score_as_number(name, value) for name, value in row.items()})
        for row in rows
    ]


def score_as_number(name: str, value: Any) -> Any:
    return Decimal(value) if facts.is_decimal_score(name) and value is not None else value


def write_scores_once(
    table: Table, kind: StepKind, results: Sequence[Result], sent: Submission
) -> Table:
    """Writes a repeated submission once; refuses to overwrite another user's edit."""
    written = [
        {name: facts.plain_score(value) for name, value in asdict(one).items()} for one in results
    ]
    try:
        with transaction.atomic():
            return write_table_scores(table, kind, written, sent)
    except IntegrityError:
        return check_repeated_scores(table, written, sent)


def write_table_scores(
    table: Table, kind: StepKind, written: facts.Scores, sent: Submission
) -> Table:
    table = lock_draft_table(table.pk)
    if TableStep.objects.filter(submission=sent.submission).exists():
        return check_repeated_scores(table, written, sent)
    before = facts.read_scores(table.seats.order_by("position"))  # type: ignore[arg-type]
    if {row["player"] for row in written} != {row["player"] for row in before}:
        raise Outdated(
            _("Other players sit at this table now. Reload the page."),
            rule="reporting.write_table_scores",
        )
    guard_round(table, kind, is_empty=facts.are_scores_empty(before))
    change = Change(
        submission=sent.submission,
        what=SCORES,
        before={SCORES: before},
        after={SCORES: written},
        by=sent.by,
    )
    save_change(change, table, sent.version)
    facts.write_scores(table, written)
    add_step(table, kind, sent.submission, data={SCORES: written}, by=sent.by, reason=sent.reason)
    if kind == StepKind.SETTLED:
        audit.record("table.settled", table, by=sent.by, reason=sent.reason)
    return table_with_seats(table.pk)


def check_repeated_scores(table: Table, written: facts.Scores, sent: Submission) -> Table:
    step = TableStep.objects.filter(submission=sent.submission, **table_key(table)).first()
    if step is None or step.data.get(SCORES) != written:
        raise Contradicts(
            _("This was sent before with another result. Reload the page and type it again."),
            rule="reporting.check_repeated_scores",
        )
    return table_with_seats(table.pk)


def guard_round(table: Table, kind: StepKind, *, is_empty: bool) -> None:
    # A slow table may still send its first result; after that only the referee changes it.
    following = next_round(table)
    if following and kind != StepKind.SETTLED and not is_empty:
        raise Refused(
            _("Round %(round)s has started: only the referee can now correct table %(table)s.")
            % {"round": following, "table": table.number},
            rule="reporting.guard_round",
        )


def next_round(table: Table) -> int | None:
    later = table.round.revision.rounds.filter(number__gt=table.round.number).order_by("number")
    return later.values_list("number", flat=True).first()


def confirm_scores(table: Table, player: int, *, submission: UUID, sent: int) -> None:
    """`sent` is the step with the scores that the player saw."""
    with transaction.atomic():
        table = lock_draft_table(table.pk)
        if not table.seats.filter(player=player).exists():
            raise Refused(
                _("This player does not sit at this table."), rule="reporting.confirm_scores"
            )
        now = table_states(table.round.revision)[table.pk]
        if now.sent != sent:
            raise Outdated(
                _("The scores changed in the meantime. Read them again, then confirm."),
                rule="reporting.confirm_scores",
            )
        if player not in now.confirmed:
            add_step(table, StepKind.CONFIRMED, submission, data={"player": player})


def call_referee(table: Table, *, reason: str, submission: UUID) -> None:
    """The dispute ends when the referee settles it, or when all players confirm."""
    if not reason.strip():
        raise Refused(
            _("Tell the referee in a few words what it is about."),
            "reason",
            rule="reporting.call_referee",
        )
    with transaction.atomic():
        add_step(lock_draft_table(table.pk), StepKind.DISPUTED, submission, reason=reason.strip())


def table_states(revision: Revision) -> dict[int, TableState]:
    """Maps the id of each table of the revision to its state, in two queries."""
    seats: dict[tuple[int, int, int], list[Seat]] = defaultdict(list)
    rows = Seat.objects.filter(table__round__revision=revision).select_related("table__round")
    for seat in rows.order_by("table__round__number", "table__number", "position"):
        seats[seat.table_id, seat.table.round.number, seat.table.number].append(seat)
    talk: dict[tuple[int, int], list[TableStep]] = defaultdict(list)
    for step in TableStep.objects.filter(
        stage=revision.stage_id, kind__in=CONVERSATION_STEPS
    ).order_by("number"):
        talk[step.round, step.table].append(step)
    return {
        pk: table_state_from(talk[round_, number], own)
        for (pk, round_, number), own in seats.items()
    }


def table_state_from(steps: Iterable[TableStep], seats: Sequence[Seat]) -> TableState:
    now = facts.read_scores(seats)
    return decide_table_state(
        [plain_step(step, now) for step in steps],
        [row["player"] for row in now],
        is_empty=facts.are_scores_empty(now),
    )


def plain_step(step: TableStep, now: facts.Scores) -> Step:
    return Step(
        step.number,
        step.kind,
        step.data.get("player"),
        is_of_desk=step.by_id is not None,
        is_current=step.data.get(SCORES) == now,
        reason=step.reason,
    )
