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


@paragraph("BIG", "3")
def decide_table_state(
    steps: Sequence[Step], players: Collection[int], *, is_empty: bool
) -> TableState:
    """All players of a table answer for the result, so each confirms it.

    What the desk wrote counts as the organizer's own statement (BIG-22).
    """
    last = next((step for step in reversed(steps) if step.kind in RESULTS), None)
    call = next((step for step in reversed(steps) if step.kind == "disputed"), None)
    current = last if last and last.is_current and not is_empty else None
    since = max(step.number for step in (current, call) if step) if current else 0
    confirmed = {
        s.player
        for s in steps
        if s.kind == "confirmed" and s.number > since and s.player is not None
    }
    confirmed = confirmed & set(players) if current else set()
    is_of_desk = not is_empty and (current is None or current.is_of_desk)
    is_agreed = is_of_desk or (current is not None and confirmed == set(players))
    sent = current.number if current else None
    if call and not is_dispute_settled(call, steps, is_agreed=is_agreed):
        return TableState(State.DISPUTED, frozenset(confirmed), sent, call.reason)
    if is_empty:
        return TableState(State.MISSING)
    state = State.CONFIRMED if is_agreed else State.SENT
    if current and current.kind == "suspended":
        state = State.SUSPENDED
    return TableState(
        state,
        frozenset(players if is_of_desk else confirmed),
        sent,
        current.reason if current else "",
    )


def is_dispute_settled(call: Step, steps: Sequence[Step], *, is_agreed: bool) -> bool:
    # A later entry of the referee or organizer, or the agreement of all players, settles it.
    later = [step for step in steps if step.number > call.number]
    return is_agreed and (
        any(
            step.kind == "confirmed" or (step.is_of_desk and step.kind in RESULTS) for step in later
        )
    )
