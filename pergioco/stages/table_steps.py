"""The steps of a table: each is added behind the one before, and the last one of an auction or of a clock can be taken
back, which is a step too."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages.entering import lock
from pergioco.stages.models import Table, TableStep

Kind = TableStep.Kind
AUCTION, CLOCK = "auction", "clock"
# What runs at a table -> its steps, the one that begins it first.
RUNS: dict[str, tuple[Kind, Kind]] = {AUCTION: (Kind.AUCTION, Kind.BID), CLOCK: (Kind.CLOCK, Kind.TURN)}


def place_of(table: Table) -> dict[str, Any]:
    return {"stage_id": table.round.revision.stage_id, "round": table.round.number, "table": table.number}


def add_step(  # noqa: PLR0913 - one row has this many columns
    table: Table,
    kind: Kind,
    submission: UUID,
    *,
    data: dict[str, Any] | None = None,
    by: User | None = None,
    reason: str = "",
) -> None:
    """The next step at a table that the caller has locked. Sent twice, it is one."""
    if TableStep.objects.filter(submission=submission).exists():
        return
    place = place_of(table)
    last = TableStep.objects.filter(**place).aggregate(last=Max("number"))["last"] or 0
    TableStep.objects.create(
        **place, number=last + 1, kind=kind, submission=submission, data=data or {}, by=by, reason=reason
    )


class Run:
    """What stands of an auction or of a clock; `seen` is the number of its last step, whatever that was."""

    def __init__(self, table: Table, what: str) -> None:
        kinds = RUNS[what]
        self.steps: list[TableStep] = []
        self.seen = 0
        rows = TableStep.objects.filter(**place_of(table), kind__in=[*kinds, Kind.TAKEN_BACK]).order_by("number")
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


def go_on(
    table: Table, what: str, *, submission: UUID, seen: int | None, make: Callable[[Run], tuple[Kind, dict[str, Any]]]
) -> None:
    """One step more, made from what stands. `seen` is the last step that the sender saw: of two phones one is told."""
    with transaction.atomic():
        table = lock(table.pk)
        if TableStep.objects.filter(submission=submission).exists():
            return
        run = Run(table, what)
        if seen not in {None, run.seen}:
            raise Outdated(_("Somebody else at the table was faster. Look at the page as it is now."))
        kind, data = make(run)
        add_step(table, kind, submission, data=data)


def take_back(table: Table, what: str, *, submission: UUID, seen: int) -> None:
    def last_one(run: Run) -> tuple[Kind, dict[str, Any]]:
        if not run.steps:
            raise Refused(_("There is nothing to take back."))
        return Kind.TAKEN_BACK, {"of": what}

    go_on(table, what, submission=submission, seen=seen, make=last_one)
