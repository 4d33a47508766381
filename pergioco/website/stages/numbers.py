"""What a stage did to the ratings and to the Race, in the order of the stage; and all that concerns one player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pergioco.ledger.models import Line, PgrChange
from pergioco.website.ranking_words import why_address
from pergioco.website.stages.people import Participant
from pergioco.website.stages.seen import Seen
from pergioco.website.stages.tables import Classified, People, RoundRows, TableRow


@dataclass(frozen=True)
class Change:
    who: Participant
    change: PgrChange

    @property
    def moved(self) -> Decimal:
        return Decimal(self.change.after - self.change.before).scaleb(-3)


@dataclass(frozen=True)
class RaceRow:
    who: Participant
    line: Line
    why: str


@dataclass(frozen=True)
class Marked:
    """What the reader, or the one who was looked for, wants to know first."""

    who: Participant
    place: Classified | None
    change: Change | None
    race: RaceRow | None
    table: TableRow | None  # the next one
    round: int | None


def changes(seen: Seen, people: People, order: Sequence[Classified]) -> list[Change]:
    """Those of people who are no longer among the players stay out: their ratings are shown where they went."""
    ranks = {row.who.player.pk: place for place, row in enumerate(order)}
    found = [Change(people[pk], change) for pk, change in seen.changes.items() if pk in people]
    return sorted(found, key=lambda row: (ranks.get(row.who.player.pk, len(ranks)), row.who.in_order))


def race(seen: Seen, people: People) -> list[RaceRow]:
    lines = [line for line in seen.race_lines if line.player_id in people]
    season = seen.stage.season
    return [
        RaceRow(people[line.player_id], line, why_address("race", season, people[line.player_id].player))
        for line in lines
    ]


def of_marked(values: Mapping[str, Any], people: People) -> list[Marked]:
    marked = sorted((who for who in people.values() if who.is_marked), key=lambda who: who.in_order)
    return [marked_one(values, who) for who in marked]


def marked_one(values: Mapping[str, Any], who: Participant) -> Marked:
    round_, table = next_table(values["rounds"], who)
    return Marked(who, own(values["order"], who), own(values["changes"], who), own(values["race"], who), table, round_)


def own(rows: Sequence[Any], who: Participant) -> Any:
    return next((row for row in rows if row.who is who), None)


def next_table(rounds: Sequence[RoundRows], who: Participant) -> tuple[int | None, TableRow | None]:
    """The first one that waits for its result, else the last one."""
    in_order = sorted(rounds, key=lambda one: one.number)
    tables = [(one.number, row) for one in in_order for row in one.rows if who in row.who]
    return next((pair for pair in tables if not pair[1].sign), tables[-1] if tables else (None, None))
