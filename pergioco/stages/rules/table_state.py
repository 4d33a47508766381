"""Where a table stands between its first score and everybody's word that it is right."""

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
    """`is_current`: the seats still say what this step wrote."""

    number: int
    kind: str
    player: int | None = None
    is_of_desk: bool = False
    is_current: bool = False
    reason: str = ""


@dataclass(frozen=True)
class TableState:
    """`sent` is the number of the step whose scores stand; none while they are missing or came from the desk."""

    state: State
    confirmed: frozenset[int] = frozenset()
    sent: int | None = None
    reason: str = ""  # why the referee was called, or what he said

    @property
    def is_final(self) -> bool:
        """Nothing is waited for: the result counts as told to the organizer."""
        return self.state in {State.CONFIRMED, State.SUSPENDED}


@paragraph("BIG", "3")
def state_of(steps: Sequence[Step], players: Collection[int], *, is_empty: bool) -> TableState:
    """Everybody answers for the result: each confirms it. What the desk wrote is the organizer's own word (BIG-22)."""
    last = next((step for step in reversed(steps) if step.kind in RESULTS), None)
    call = next((step for step in reversed(steps) if step.kind == "disputed"), None)
    stands = last if last and last.is_current and not is_empty else None
    since = max(step.number for step in (stands, call) if step) if stands else 0
    confirmed = {s.player for s in steps if s.kind == "confirmed" and s.number > since and s.player is not None}
    confirmed = confirmed & set(players) if stands else set()
    is_of_desk = not is_empty and (stands is None or stands.is_of_desk)
    is_agreed = is_of_desk or (stands is not None and confirmed == set(players))
    sent = stands.number if stands else None
    if call and not is_heard(call, steps, is_agreed=is_agreed):
        return TableState(State.DISPUTED, frozenset(confirmed), sent, call.reason)
    if is_empty:
        return TableState(State.MISSING)
    state = State.CONFIRMED if is_agreed else State.SENT
    if stands and stands.kind == "suspended":
        state = State.SUSPENDED
    return TableState(state, frozenset(players if is_of_desk else confirmed), sent, stands.reason if stands else "")


def is_heard(call: Step, steps: Sequence[Step], *, is_agreed: bool) -> bool:
    """The referee or the organizer wrote something after it, or everybody agrees after all."""
    later = [step for step in steps if step.number > call.number]
    return is_agreed and (any(step.kind == "confirmed" or (step.is_of_desk and step.kind in RESULTS) for step in later))
