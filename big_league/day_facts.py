"""The running day of a tournament as plain facts: rounds, players present, order so far."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from big_league.facts import to_part
from big_league.models import GameSheet
from big_league.rules import editions
from big_league.rules.editions import Edition
from big_league.rules.elimination import EVERYBODY, Finished, elimination_rounds, final_order
from big_league.rules.phases import (
    PHASE_EDITIONS,
    Format,
    PhaseEdition,
    Record,
    find_row,
    game_kind,
    through_by_losses,
)
from big_league.rules.standings import Round, seat_results
from big_league.rules.table import TWO_PLAYERS
from pergioco.rulekit.ordering import Placed, seeded_order
from pergioco.stages import facts
from pergioco.stages.models import Entry, Revision, Stage
from pergioco.stages.services.drafting import find_draft

USUAL_TABLE = 4  # where the regulation recommends no number


@dataclass(frozen=True)
class Day:
    """`revision` is the draft, or the current revision."""

    stage: Stage
    revision: Revision | None

    @property
    def draft(self) -> Revision | None:
        is_draft = self.revision is not None and self.revision.state == Revision.State.DRAFT
        return self.revision if is_draft else None

    @property
    def is_correction(self) -> bool:
        """The stage was closed before."""
        return self.stage.is_closed and self.draft is not None

    @cached_property
    def facts(self) -> tuple[facts.RoundFacts, ...]:
        return facts.read_rounds(self.revision) if self.revision else ()

    @cached_property
    def rounds(self) -> list[Round]:
        return [to_round(one) for one in self.facts]

    @cached_property
    def entries(self) -> list[Entry]:
        return list(self.stage.entries.select_related("player").order_by("id"))

    @property
    def next_number(self) -> int:
        return len(self.facts) + 1

    @cached_property
    def field(self) -> dict[int, str]:
        """The players of the next round, with the public ids for the lots."""
        return {
            entry.player_id: entry.player.public_id for entry in self.there_in(self.next_number)
        }

    def there_in(self, number: int) -> list[Entry]:
        return [
            e
            for e in self.entries
            if e.withdrew_after_round is None or e.withdrew_after_round >= number
        ]

    @cached_property
    def lots(self) -> dict[int, int]:
        # Over all entries, exactly as the closed tournament is computed.
        ids = {entry.player_id: entry.player.public_id for entry in self.entries}
        return {player: lot for lot, player in enumerate(seeded_order(self.stage.seed, ids))}

    @property
    def edition(self) -> Edition:
        return editions.EDITIONS.in_force(self.stage.ends_on.year)

    @property
    def phases(self) -> PhaseEdition:
        return PHASE_EDITIONS.in_force(self.stage.ends_on.year)

    @property
    def sheet(self) -> GameSheet | None:
        return getattr(self.stage.game, "big", None)

    @cached_property
    def order(self) -> list[Placed[Finished]]:
        return final_order(self.rounds, self.lots, self.edition)

    @cached_property
    def qualification(self) -> list[int]:
        """The order after the qualifying rounds, without players who had left by then."""
        first = [one for one in self.rounds if one.phase in EVERYBODY]
        there = {entry.player_id for entry in self.there_in(len(first) + 1)}
        order = (placed.row.player for placed in final_order(first, self.lots, self.edition))
        return [player for player in order if player in there]

    @property
    def is_eliminating(self) -> bool:
        return bool(elimination_rounds(self.rounds))

    @property
    def table_size(self) -> int:
        """The size of the last round's tables, else the size that the game recommends."""
        if self.rounds:
            return max(len(table) for table in self.rounds[-1].tables.values())
        sheet = self.sheet
        if sheet is None:
            return USUAL_TABLE
        return TWO_PLAYERS if sheet.two_only else sheet.recommended or sheet.most or USUAL_TABLE

    def missing(self, number: int) -> list[int]:
        return [
            table.number for table in self.facts[number - 1].tables if not is_table_complete(table)
        ]


def load_day(stage: Stage) -> Day:
    """Prefers a draft, also of a correction, to the current revision."""
    row = Stage.objects.select_related("game__big", "season").get(pk=stage.pk)
    return Day(row, find_draft(row) or current_revision(row))


def current_revision(stage: Stage) -> Revision | None:
    return stage.revisions.filter(state=Revision.State.CURRENT).first()


def to_round(one: facts.RoundFacts) -> Round:
    return Round(
        one.number,
        {table.number: list(map(to_part, table.seats)) for table in one.tables},
        one.phase,
    )


def is_table_complete(table: facts.TableFacts) -> bool:
    return all(seat.outcome or seat.score is not None for seat in table.seats)


def count_byes(rounds: Sequence[Round]) -> Mapping[int, int]:
    tables = (table for one in rounds for table in one.tables.values())
    return Counter(table[0].player for table in tables if len(table) == 1)


def final_shape(day: Day, size: int) -> Format | None:
    """The printed format of the game's final, if it has a final phase."""
    code = day.sheet.final_format if day.sheet else ""
    own = day.phases.finals.get(code)
    shape = own if own and own.final == size else day.phases.finals[game_kind(size)]
    return shape if shape.final else None


def count_participants(day: Day) -> int:
    return len(day.lots)


def table_records(day: Day) -> list[Record]:
    shared: dict[int, list[bool]] = {player: [] for player in day.qualification}
    for one in day.rounds:
        given = seat_results(one, day.edition)
        firsts = Counter(seat.table for seat in given.values() if seat.place == 1)
        for player, seat in given.items():
            if seat.place == 1 and player in shared:
                shared[player].append(firsts[seat.table] > 1)
    return [Record(player, own.count(False), own.count(True)) for player, own in shared.items()]


def usual_qualified(day: Day, size: int) -> int:
    """How many players the rules send on after the rounds played so far."""
    shape = final_shape(day, size)
    if shape is None or not day.rounds:
        return size
    if shape.by_losses:
        return len(through_by_losses(shape, table_records(day), rounds=len(day.rounds)))
    row, _inside = find_row(shape.rows, count_participants(day))
    return next(iter(row.qualified), size)
