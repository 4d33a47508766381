"""What a source says of itself, held against what was read from it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from pergioco.imports.canonical import DRAW, LOSS, WIN, Game, Note, Result
from pergioco.imports.lineup import Lineup, out_of_range
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Stage

HALF = Decimal("0.5")
WORTH = {WIN: (Decimal(1), Decimal(0)), DRAW: (HALF, HALF), LOSS: (Decimal(0), Decimal(1))}
LONGEST_NICKNAME = 60
LONGEST_ID = 79
# Elsewhere a win is worth what the organizer there chose, or the reader has compared already.
COMPARABLE = {("playstrategy", "api"), ("playstrategy", "standing"), ("abstractplay", "get_tournament")}


@dataclass(frozen=True)
class Odd:
    """Points that the source prints and points that its games give."""

    player: str
    printed: Decimal
    sum: Decimal


def of_the_stage(stage: Stage, result: Result, lineup: Lineup) -> list[Note]:
    """What stops an import that was read without trouble."""
    return [*platform_trouble(stage, result), *out_of_range(lineup), *names_too_long(result)]


def platform_trouble(stage: Stage, result: Result) -> Iterator[Note]:
    if not stage.platform:
        yield Note("stage_without_platform")
    elif result.source in Platform.values and result.source != stage.platform:
        labels = {"source": Platform(result.source).label, "platform": stage.get_platform_display()}
        yield Note("other_platform", None, dict(labels))


def names_too_long(result: Result) -> Iterator[Note]:
    for name in result.participants:
        if len(name) > LONGEST_NICKNAME or len(result.participant_ids.get(name, "")) > LONGEST_ID:
            yield Note("nickname_too_long", None, {"nickname": name[:LONGEST_NICKNAME]})


def disqualified(result: Result) -> list[Note]:
    return [Note("disqualified_there", None, {"player": s.player}) for s in result.standings if s.disqualified]


def points_that_differ(result: Result) -> list[Odd]:
    """Empty where the two cannot be compared."""
    if (result.source, result.format) not in COMPARABLE:
        return []
    earned: dict[str, Decimal] = defaultdict(Decimal)
    for game in result.games:
        for name, points in zip((game.a, game.b), points_of(game), strict=True):
            earned[name] += points
    for bye in result.byes:
        earned[bye.player] += bye.points
    return [Odd(s.player, s.points, earned[s.player]) for s in result.standings if s.points != earned[s.player]]


def points_of(game: Game) -> tuple[Decimal, Decimal]:
    match = game.match
    if match is not None and match.a_points is not None and match.b_points is not None:
        return match.a_points, match.b_points
    return WORTH.get(game.result, (Decimal(0), Decimal(0)))
