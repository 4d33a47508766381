"""Scores that a table sends by itself, and what becomes of them: confirmed by each player, disputed, settled."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.policy import Role, has_role
from pergioco.players.refusal import Outdated, Refused
from pergioco.stages import scores
from pergioco.stages.entering import Contradicts, advance, lock, table_with_seats
from pergioco.stages.models import Change, Revision, Seat, Stage, Table, TableStep
from pergioco.stages.rules.table_state import RESULTS, State, Step, TableState, state_of
from pergioco.stages.table_steps import add_step, place_of

Kind = TableStep.Kind
SCORES = "scores"
TALK = (*sorted(RESULTS), Kind.CONFIRMED, Kind.DISPUTED)


@dataclass(frozen=True)
class Result:
    """What one player did. `outcome` beside a score tells what the game's own tie-break decided."""

    player: int
    score: Decimal | None = None
    bid: Decimal | None = None
    off_objective: Decimal | None = None
    objective_made: bool = False
    timed_out: bool = False
    outcome: str = ""
    kind: str = "played"


@dataclass(frozen=True)
class Sending:
    """How it was sent: the key against sending twice, the version that the sender was looking at, and who, if not a
    phone at the table."""

    submission: UUID
    version: int
    by: User | None = None
    reason: str = ""


def report(table: Table, results: Sequence[Result], *, submission: UUID, version: int, by: User | None = None) -> Table:
    """The scores of a whole table, in the order in which they sit. Until the next round starts the table may correct
    them, and everybody confirms again (BIG-22)."""
    return written_once(table, Kind.SENT, results, Sending(submission, version, by))


def suspend(table: Table, *, submission: UUID, version: int, by: User | None = None) -> Table:
    """Broken off at the latest hour: a draw of all, whatever the board says (BIG 7.2.2)."""
    drawn = [Result(seat.player_id, outcome="draw") for seat in table.seats.order_by("position")]
    return written_once(table, Kind.SUSPENDED, drawn, Sending(submission, version, by))


def settle(  # noqa: PLR0913 - what the referee decides, how it was sent, and why
    table: Table, results: Sequence[Result] | None = None, *, submission: UUID, version: int, by: User, reason: str
) -> Table:
    """The referee's word, at any time, with its reason; without results those that stand are right."""
    if not is_run_by(stage_of(table), by):
        raise Refused(_("Only who runs this tournament settles a table."))
    if not reason.strip():
        raise Refused(_("Say why: everybody at the table will read it."), "reason")
    if results is None:
        results = standing(table)
    return written_once(table, Kind.SETTLED, results, Sending(submission, version, by, reason.strip()))


def is_run_by(stage: Stage, by: User) -> bool:
    return has_role(by, Role.STAFF) or stage.organizers.filter(pk=by.pk).exists()


def stage_of(table: Table) -> Stage:
    return table.round.revision.stage


def standing(table: Table) -> list[Result]:
    rows = scores.read(table.seats.order_by("position"))  # type: ignore[arg-type]
    return [Result(**{name: as_number(name, value) for name, value in row.items()}) for row in rows]


def as_number(name: str, value: Any) -> Any:
    return Decimal(value) if scores.is_number(name) and value is not None else value


def written_once(table: Table, kind: Kind, results: Sequence[Result], sent: Sending) -> Table:
    """Sent twice, it is written once; typed over somebody else's, it is refused."""
    written = [{name: scores.plain(value) for name, value in asdict(one).items()} for one in results]
    try:
        with transaction.atomic():
            return write(table, kind, written, sent)
    except IntegrityError:
        return already_written(table, written, sent)


def write(table: Table, kind: Kind, written: scores.Scores, sent: Sending) -> Table:
    table = lock(table.pk)
    if TableStep.objects.filter(submission=sent.submission).exists():
        return already_written(table, written, sent)
    before = scores.read(table.seats.order_by("position"))  # type: ignore[arg-type]
    if {row["player"] for row in written} != {row["player"] for row in before}:
        raise Outdated(_("Other players sit at this table now. Reload the page."))
    guard_round(table, kind, is_empty=scores.is_empty(before))
    if not advance(table, sent.version):
        raise Outdated(_("Somebody else changed this table in the meantime."))
    Change.objects.create(
        revision=table.round.revision,
        submission=sent.submission,
        table=table,
        what=SCORES,
        before={SCORES: before},
        after={SCORES: written},
        by=sent.by,
    )
    scores.put(table, written)
    add_step(table, kind, sent.submission, data={SCORES: written}, by=sent.by, reason=sent.reason)
    if kind == Kind.SETTLED:
        audit.record("table.settled", table, by=sent.by, reason=sent.reason)
    return table_with_seats(table.pk)


def already_written(table: Table, written: scores.Scores, sent: Sending) -> Table:
    step = TableStep.objects.filter(submission=sent.submission, **place_of(table)).first()
    if step is None or step.data.get(SCORES) != written:
        raise Contradicts(_("This was sent before with another result. Reload the page and type it again."))
    return table_with_seats(table.pk)


def guard_round(table: Table, kind: Kind, *, is_empty: bool) -> None:
    """A slow table may still send its first result; what stands is the referee's from then on."""
    following = next_round(table)
    if following and kind != Kind.SETTLED and not is_empty:
        raise Refused(
            _("Round %(round)s has started: only the referee can now correct table %(table)s.")
            % {"round": following, "table": table.number}
        )


def next_round(table: Table) -> int | None:
    later = table.round.revision.rounds.filter(number__gt=table.round.number).order_by("number")
    return later.values_list("number", flat=True).first()


def confirm(table: Table, player: int, *, submission: UUID, sent: int) -> None:
    """`sent` is the step whose scores the player saw."""
    with transaction.atomic():
        table = lock(table.pk)
        if not table.seats.filter(player=player).exists():
            raise Refused(_("This player does not sit at this table."))
        now = states_of(table.round.revision)[table.pk]
        if now.sent != sent:
            raise Outdated(_("The scores changed in the meantime. Read them again, then confirm."))
        if player not in now.confirmed:
            add_step(table, Kind.CONFIRMED, submission, data={"player": player})


def dispute(table: Table, *, reason: str, submission: UUID) -> None:
    """Calls the referee. It is heard when he settles it, or when everybody confirms after all."""
    if not reason.strip():
        raise Refused(_("Tell the referee in a few words what it is about."), "reason")
    with transaction.atomic():
        add_step(lock(table.pk), Kind.DISPUTED, submission, reason=reason.strip())


def states_of(revision: Revision) -> dict[int, TableState]:
    """Id of each table of the revision -> where it stands. Two queries, whatever the size."""
    seats: dict[tuple[int, int, int], list[Seat]] = defaultdict(list)
    rows = Seat.objects.filter(table__round__revision=revision).select_related("table__round")
    for seat in rows.order_by("table__round__number", "table__number", "position"):
        seats[seat.table_id, seat.table.round.number, seat.table.number].append(seat)
    talk: dict[tuple[int, int], list[TableStep]] = defaultdict(list)
    for step in TableStep.objects.filter(stage=revision.stage_id, kind__in=TALK).order_by("number"):
        talk[step.round, step.table].append(step)
    return {pk: state_from(talk[round_, number], own) for (pk, round_, number), own in seats.items()}


def state_from(steps: Iterable[TableStep], seats: Sequence[Seat]) -> TableState:
    now = scores.read(seats)
    return state_of([plain(step, now) for step in steps], [row["player"] for row in now], is_empty=scores.is_empty(now))


def plain(step: TableStep, now: scores.Scores) -> Step:
    return Step(
        step.number,
        step.kind,
        step.data.get("player"),
        is_of_desk=step.by_id is not None,
        is_current=step.data.get(SCORES) == now,
        reason=step.reason,
    )


__all__ = ("Result", "State", "TableState", "confirm", "dispute", "report", "settle", "states_of", "suspend")
