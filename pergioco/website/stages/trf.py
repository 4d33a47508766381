"""The games of a stage as a TRF16 file, for programs that pair and rate chess: names as everybody may read them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from pergioco.rulekit.folding import tidy
from pergioco.stages import games
from pergioco.stages.models import Stage
from pergioco.stages.rules.parts import HALF_POINTS, Part
from pergioco.website.stages.seen import Seen
from pergioco.website.stages.tables import CrossRow

CONTENT_TYPE = "text/plain; charset=utf-8"
NAME_WIDTH = 33
RESULTS = {"win": "1", "draw": "=", "loss": "0"}
ABSENT = {"walkover": "+", "no_show": "-"}
BYES = {"win": "U", "draw": "H", "loss": "Z"}
SYSTEMS = {Stage.System.SWISS: "Individual: Swiss-System", Stage.System.ROUND_ROBIN: "Individual: Round-Robin"}
WHITE, BLACK = "w", "b"


class Sat(NamedTuple):
    part: Part
    colour: str


def file_of(seen: Seen, rows: Sequence[CrossRow]) -> str | None:
    """`None` where somebody sat at two tables of a round: the format has one place for each."""
    sat = by_player(seen)
    if any(len({one.part.round for one in own}) < len(own) for own in sat.values()):
        return None
    numbers = {row.who.player.pk: row.number for row in rows}
    names = unique_names(rows)
    lines = [*head(seen.stage, len(rows)), *(player_line(row, names[row.number], sat, numbers) for row in rows)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def by_player(seen: Seen) -> dict[int, list[Sat]]:
    """Who sits first plays white."""
    found: dict[int, list[Sat]] = defaultdict(list)
    for _place, table in seen.tables(seen.revision):
        for part, colour in zip(games.sides(table, seen.same, seen.void), (WHITE, BLACK), strict=False):
            found[part.player].append(Sat(part, colour))
    return found


def unique_names(rows: Iterable[CrossRow]) -> dict[int, str]:
    """Programs tell players apart by their names: what two of them share gets the number behind it."""
    names = {row.number: tidy(row.who.name)[:NAME_WIDTH] for row in rows}
    shared = {name for name, times in Counter(names.values()).items() if times > 1}
    return {n: f"{name[: NAME_WIDTH - 5]} ({n})" if name in shared else name for n, name in names.items()}


def head(stage: Stage, players: int) -> list[str]:
    days = (f"{day:%Y/%m/%d}" for day in (stage.starts_on, stage.ends_on))
    said = zip(("042", "052"), days, strict=True)
    system = SYSTEMS.get(Stage.System(stage.system), "Individual")
    return [f"012 {stage}", *(f"{code} {day}" for code, day in said), f"062 {players}", f"092 {system}"]


def player_line(row: CrossRow, name: str, sat: Mapping[int, list[Sat]], numbers: Mapping[int, int]) -> str:
    own = {one.part.round: one for one in sat[row.who.player.pk]}
    points = Decimal(sum(HALF_POINTS[one.part.outcome] for one in own.values())) / 2
    rank = row.rank if row.rank is not None else ""
    start = f"001 {row.number:>4}      {name:<{NAME_WIDTH}}".ljust(80) + f"{points:>4.1f} {rank:>4}".ljust(11)
    return start + "".join(block(own.get(round_), numbers).ljust(10) for round_ in range(1, max(own, default=0) + 1))


def block(one: Sat | None, numbers: Mapping[int, int]) -> str:
    if one is None:
        return ""
    if one.part.opponent is None:
        return f"0000 - {BYES[one.part.outcome]}"
    code = ABSENT.get(one.part.kind) or RESULTS[one.part.outcome]
    return f"{numbers[one.part.opponent]:>4} {one.colour} {code}"
