"""Which games of a stage count, and for whom (PGM 25 and 26, readings PG-5 to PG-10)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from pergioco.rulekit.paragraph import paragraph
from pergioco.stages.rules.parts import HALF_POINTS, LOSS, PRESENT, Part, is_pure_no_show

PLACE = itemgetter(0, 1)  # round and table


class Counted(NamedTuple):
    """A game as it enters one player's rating."""

    part: Part
    half_points: int
    is_valid: bool  # a penalty costs points but is no game played (PG-13)
    reason: str

    @property
    def opponent(self) -> int:
        assert self.part.opponent is not None  # byes are left out before
        return self.part.opponent


def by_player(parts: Iterable[Part]) -> dict[int, list[Part]]:
    """Player -> his side of each table, in the order of play."""
    sides: dict[int, list[Part]] = defaultdict(list)
    for part in parts:
        sides[part.player].append(part)
    for own in sides.values():
        own.sort(key=PLACE)
    return sides


def counted_games(parts: Iterable[Part], *, is_swiss: bool) -> dict[int, list[Counted]]:
    """Player -> the games that count for him, in the order of play."""
    return counted_of(by_player(parts), is_swiss=is_swiss)


def counted_of(sides: Mapping[int, list[Part]], *, is_swiss: bool) -> dict[int, list[Counted]]:
    """A bye is no game (PGM 26)."""
    counting = swiss_games if is_swiss else all_games
    found = {player: counting([part for part in own if part.opponent is not None]) for player, own in sides.items()}
    return {player: games for player, games in found.items() if games}


def why_left_out(part: Part, own: Iterable[Part]) -> str:
    """Of a table that does not count for its player: a bye, or an absence that costs nothing (PG-6, PG-7)."""
    if part.opponent is None:
        return "bye"
    first = next(one for one in own if one.opponent is not None)
    return "first_absence" if part is first else "absence_again"


def all_games(own: list[Part]) -> list[Counted]:
    """Outside the Swiss system an absence is an ordinary loss (reading PG-9)."""
    return [valid(part) for part in own]


@paragraph("PGM", 25)
def swiss_games(own: list[Part]) -> list[Counted]:
    """Who misses his first game and never plays is untouched; a later absence costs one game, and only one (PG-7)."""
    if is_pure_no_show(own):
        return []
    first_absence_after_the_first_game = next((p for p in own[1:] if p.kind == "no_show"), None)
    return [
        valid(part) if part.kind in PRESENT else Counted(part, LOSS, is_valid=False, reason="penalty")
        for part in own
        if part.kind in PRESENT or part is first_absence_after_the_first_game
    ]


@paragraph("PGM", 26)
def valid(part: Part) -> Counted:
    """Wins by absence or by abandonment are valid wins; an abandoned game is an ordinary loss (PG-10)."""
    return Counted(part, HALF_POINTS[part.outcome], is_valid=True, reason=part.kind)
