"""The day so far, as plain facts: rounds, who is there, and the order after each round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from big_league.models import GameSheet
from big_league.rules import editions, phase_tables
from big_league.rules.editions import Edition
from big_league.rules.elimination import of_elimination
from big_league.rules.final_order import EVERYBODY, Finished, final_order
from big_league.rules.standings import Round
from big_league.rules.table import PAIR, Part
from pergioco.rulekit.chance import drawn_order
from pergioco.rulekit.placing import Placed
from pergioco.stages import facts
from pergioco.stages.drafting import draft_of
from pergioco.stages.models import Entry, Revision, Stage

USUAL_TABLE = 4  # where the regulation recommends no number


@dataclass(frozen=True)
class Day:
    """`revision`: the draft, or what is in force."""

    stage: Stage
    revision: Revision | None

    @cached_property
    def facts(self) -> tuple[facts.RoundFacts, ...]:
        return facts.read(self.revision) if self.revision else ()

    @cached_property
    def rounds(self) -> list[Round]:
        return [round_of(one) for one in self.facts]

    @cached_property
    def entries(self) -> list[Entry]:
        return list(self.stage.entries.select_related("player").order_by("id"))

    @property
    def next_number(self) -> int:
        return len(self.facts) + 1

    @cached_property
    def field(self) -> dict[int, str]:
        """Who plays in the next round, with the public ids from which lots are drawn."""
        return {entry.player_id: entry.player.public_id for entry in self.there_in(self.next_number)}

    def there_in(self, number: int) -> list[Entry]:
        """Without those who had left before that round."""
        return [e for e in self.entries if e.withdrew_after_round is None or e.withdrew_after_round >= number]

    @cached_property
    def lots(self) -> dict[int, int]:
        """Of the whole tournament, as it is computed once it is closed."""
        ids = {entry.player_id: entry.player.public_id for entry in self.entries}
        return {player: lot for lot, player in enumerate(drawn_order(self.stage.seed, ids))}

    @property
    def edition(self) -> Edition:
        return editions.for_season(self.stage.ends_on.year)

    @property
    def phases(self) -> phase_tables.Edition:
        return phase_tables.for_year(self.stage.ends_on.year)

    @property
    def sheet(self) -> GameSheet | None:
        return getattr(self.stage.game, "big", None)

    @cached_property
    def order(self) -> list[Placed[Finished]]:
        """As it stands: with no result yet, the order of the lots."""
        return final_order(self.rounds, self.lots, self.edition)

    @cached_property
    def qualification(self) -> list[int]:
        """The order after the rounds in which everybody plays, of those who were still there when they ended."""
        first = [one for one in self.rounds if one.phase in EVERYBODY]
        there = {entry.player_id for entry in self.there_in(len(first) + 1)}
        order = (placed.row.player for placed in final_order(first, self.lots, self.edition))
        return [player for player in order if player in there]

    @property
    def is_eliminating(self) -> bool:
        return bool(of_elimination(self.rounds))

    @property
    def table_size(self) -> int:
        """As wanted until somebody says otherwise: that of the last round, else what the game recommends."""
        if self.rounds:
            return max(len(table) for table in self.rounds[-1].tables.values())
        sheet = self.sheet
        if sheet is None:
            return USUAL_TABLE
        return PAIR if sheet.two_only else sheet.recommended or sheet.most or USUAL_TABLE

    def missing(self, number: int) -> list[int]:
        """Tables of that round without a whole result."""
        return [table.number for table in self.facts[number - 1].tables if not is_complete(table)]


def day_of(stage: Stage) -> Day:
    """With the game's sheet. The draft if there is one, also that of a correction; else what is in force."""
    row = Stage.objects.select_related("game__big", "season").get(pk=stage.pk)
    return Day(row, draft_of(row) or in_force(row))


def in_force(stage: Stage) -> Revision | None:
    return stage.revisions.filter(state=Revision.State.CURRENT).first()


def round_of(one: facts.RoundFacts) -> Round:
    return Round(one.number, {table.number: list(map(part_of, table.seats)) for table in one.tables}, one.phase)


def part_of(seat: facts.SeatFacts) -> Part:
    return Part(seat.player, seat.score, seat.bid, seat.outcome, seat.kind or "played", int(seat.timed_out))


def is_complete(table: facts.TableFacts) -> bool:
    return all(seat.outcome or seat.score is not None for seat in table.seats)


def byes(rounds: Sequence[Round]) -> Mapping[int, int]:
    """Player -> how often he rested."""
    found: dict[int, int] = {}
    for one in rounds:
        for table in one.tables.values():
            if len(table) == 1:
                found[table[0].player] = found.get(table[0].player, 0) + 1
    return found
