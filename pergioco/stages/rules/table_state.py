"""The state of a table from its first score to the agreement of its players."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pergioco.rulekit.paragraph import paragraph

RESULTS = frozenset({"sent", "suspended", "settled"})


class State(StrEnum):
    MISSING = "missing"
    SENT = "sent"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    SUSPENDED = "suspended"


@dataclass(frozen=True)
class Step:
    """`is_current`: the seats still hold what this step wrote."""

    number: int
    kind: str
    player: int | None = None
    is_of_desk: bool = False
    is_current: bool = False
    reason: str = ""


@dataclass(frozen=True)
class TableState:
    """`sent`: the step with the current scores; None while they are missing or were written by the
    desk."""

    state: State
    confirmed: frozenset[int] = frozenset()
    sent: int | None = None
    reason: str = ""  # of the call or of the decision

    @property
    def is_final(self) -> bool:
        # The organizer has the result: no further step is needed.
        return self.state in {State.CONFIRMED, State.SUSPENDED}


WRITTEN_BY_DESK = Step(0, "", is_of_desk=True)  # scores that no step at the table sent


@paragraph("BIG", "3")
def decide_table_state(
    steps: Sequence[Step], players: Collection[int], *, is_empty: bool
) -> TableState:
    """All players of a table answer for the result, so each confirms it.

    What the desk wrote counts as the organizer's own statement (BIG-22).
    """
    call = find_last(steps, {"disputed"})
    if is_empty:
        return empty_table_state(call)
    result = current_result(steps)
    since = max(result.number, call.number) if call else result.number
    confirmed = find_confirmed(steps, since) & set(players)
    is_agreed = result.is_of_desk or confirmed == set(players)
    sent = result.number or None
    if call and not is_dispute_settled(call, steps, is_agreed=is_agreed):
        return TableState(State.DISPUTED, confirmed, sent, call.reason)
    agreed = frozenset(players) if result.is_of_desk else confirmed
    return TableState(result_state(result, is_agreed=is_agreed), agreed, sent, result.reason)


def empty_table_state(call: Step | None) -> TableState:
    return TableState(State.DISPUTED, reason=call.reason) if call else TableState(State.MISSING)


def find_last(steps: Sequence[Step], kinds: Collection[str]) -> Step | None:
    return next((step for step in reversed(steps) if step.kind in kinds), None)


def current_result(steps: Sequence[Step]) -> Step:
    last = find_last(steps, RESULTS)
    return last if last and last.is_current else WRITTEN_BY_DESK


def find_confirmed(steps: Sequence[Step], since: int) -> frozenset[int]:
    later = (step for step in steps if step.kind == "confirmed" and step.number > since)
    return frozenset(step.player for step in later if step.player is not None)


def result_state(result: Step, *, is_agreed: bool) -> State:
    if result.kind == "suspended":
        return State.SUSPENDED
    return State.CONFIRMED if is_agreed else State.SENT


def is_dispute_settled(call: Step, steps: Sequence[Step], *, is_agreed: bool) -> bool:
    # A later entry of the referee or organizer, or the agreement of all players, settles it.
    later = [step for step in steps if step.number > call.number]
    return is_agreed and any(
        step.kind == "confirmed" or (step.is_of_desk and step.kind in RESULTS) for step in later
    )
