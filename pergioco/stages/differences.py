"""What changed between two revisions of a stage: which tables, before and after."""

from dataclasses import dataclass

from pergioco.stages import facts
from pergioco.stages.models import Revision
from pergioco.stages.rules.results import sign_of

Place = tuple[int, int]  # round, table


@dataclass(frozen=True)
class Seated:
    players: tuple[int, ...]
    sign: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Difference:
    round: int
    table: int
    before: Seated | None  # None: there was no such table
    after: Seated | None


def between(old: Revision | None, new: Revision) -> list[Difference]:
    before, after = tables_of(old), tables_of(new)
    places = sorted(before.keys() | after.keys())
    changed = [place for place in places if before.get(place) != after.get(place)]
    return [Difference(*place, before.get(place), after.get(place)) for place in changed]


def tables_of(revision: Revision | None) -> dict[Place, Seated]:
    rounds = facts.read(revision) if revision is not None else ()
    return {(round_.number, table.number): seated(table) for round_ in rounds for table in round_.tables}


def seated(table: facts.TableFacts) -> Seated:
    parts = tuple((seat.outcome, seat.kind) for seat in table.seats)
    return Seated(tuple(seat.player for seat in table.seats), sign_of(parts), parts)
