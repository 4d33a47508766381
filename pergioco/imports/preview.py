"""The preview of an import, computed from the stored bytes each time: checks and differences."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from pergioco.imports.canonical import DRAW, LOSS, WIN, Game, Note, Result
from pergioco.imports.lineup import Lineup, line_up, out_of_range
from pergioco.imports.people import Who, identify_people
from pergioco.imports.services.source_files import read_source_again
from pergioco.players.models.accounts import Platform
from pergioco.stages import facts
from pergioco.stages.facts import RoundFacts, SeatFacts
from pergioco.stages.models import Revision, SourceFile, Stage
from pergioco.stages.rules.results import sign_of
from pergioco.stages.services.drafting import find_draft

HALF = Decimal("0.5")
WORTH = {WIN: (Decimal(1), Decimal(0)), DRAW: (HALF, HALF), LOSS: (Decimal(0), Decimal(1))}
LONGEST_NICKNAME = 60
LONGEST_ID = 79
# Elsewhere a win is worth what the organizer there chose, or the reader has compared already.
COMPARABLE = {
    ("playstrategy", "api"),
    ("playstrategy", "standing"),
    ("abstractplay", "get_tournament"),
}


@dataclass(frozen=True)
class Odd:
    """Points that the source prints and points that its games give."""

    player: str
    printed: Decimal
    sum: Decimal


def find_stage_troubles(stage: Stage, result: Result, lineup: Lineup) -> list[Note]:
    """What stops an import although the file could be read."""
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


def find_disqualified(result: Result) -> list[Note]:
    return [
        Note("disqualified_there", None, {"player": s.player})
        for s in result.standings
        if s.disqualified
    ]


def find_differing_points(result: Result) -> list[Odd]:
    """Empty where the two cannot be compared."""
    if (result.source, result.format) not in COMPARABLE:
        return []
    earned: dict[str, Decimal] = defaultdict(Decimal)
    for game in result.games:
        for name, points in zip((game.a, game.b), game_points(game), strict=True):
            earned[name] += points
    for bye in result.byes:
        earned[bye.player] += bye.points
    return [
        Odd(s.player, s.points, earned[s.player])
        for s in result.standings
        if s.points != earned[s.player]
    ]


def game_points(game: Game) -> tuple[Decimal, Decimal]:
    match = game.match
    if match is not None and match.a_points is not None and match.b_points is not None:
        return match.a_points, match.b_points
    return WORTH.get(game.result, (Decimal(0), Decimal(0)))


@dataclass(frozen=True)
class DifferingTable:
    """One table: `before` is empty for a new one, `after` for a removed one."""

    round: int
    players: tuple[int, ...]
    before: str
    after: str


Meeting = tuple[int, tuple[int, ...], int]  # round, players, the how-manieth time


def compare_rounds(
    before: Sequence[RoundFacts], after: Sequence[RoundFacts]
) -> dict[str, list[DifferingTable]]:
    """By what happens to the tables; empty if nothing does."""
    was, now = list_meetings(before), list_meetings(after)
    kinds = {
        "added": [key for key in now if key not in was],
        "removed": [key for key in was if key not in now],
        "changed": [key for key in now if was.get(key, now[key]) != now[key]],
    }
    return {
        kind: [DifferingTable(*key[:2], was.get(key, ""), now.get(key, "")) for key in keys]
        for kind, keys in kinds.items()
        if keys
    }


def list_meetings(rounds: Sequence[RoundFacts]) -> dict[Meeting, str]:
    # Read from the smaller id: a pair is the same whichever way it is written.
    found: dict[Meeting, str] = {}
    times: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for round_ in rounds:
        for table in round_.tables:
            seats = sorted(table.seats, key=lambda seat: seat.player)
            players = tuple(seat.player for seat in seats)
            times[round_.number, players] += 1
            sign = sign_of(tuple((seat.outcome, seat.kind) for seat in seats))
            found[round_.number, players, times[round_.number, players]] = sign
    return found


def same_facts(before: Sequence[RoundFacts], after: Sequence[RoundFacts]) -> bool:
    # The line of the source is no difference.
    return bare_facts(before) == bare_facts(after)


def bare_facts(rounds: Sequence[RoundFacts]) -> list[tuple[int, dict[int, tuple[SeatFacts, ...]]]]:
    return [(r.number, {table.number: table.seats for table in r.tables}) for r in rounds]


@dataclass(frozen=True)
class CurrentResults:
    """The draft of the stage, else its closed results."""

    revision: Revision | None = None
    rounds: tuple[RoundFacts, ...] = ()

    @property
    def token(self) -> str:
        """Identifies the results that a preview was made against: any change gives another
        token."""
        if self.revision is None:
            return "0"
        return f"{self.revision.pk}:{facts.hash_rounds(self.rounds)[:16]}"

    @property
    def is_closed(self) -> bool:
        return self.revision is not None and self.revision.state != Revision.State.DRAFT


@dataclass(frozen=True)
class Preview:
    source: SourceFile
    stage: Stage
    lineup: Lineup
    people: list[Who]
    current: CurrentResults
    troubles: list[Note] = field(default_factory=list)
    odd_points: list[Odd] = field(default_factory=list)

    @property
    def result(self) -> Result:
        return self.lineup.result

    @property
    def remarks(self) -> list[Note]:
        # Unknown nicknames have their own part of the page.
        notes = [note for note in self.result.warnings if note.code != "unknown_nickname"]
        return [*notes, *find_disqualified(self.result)]

    @property
    def without_race_rights(self) -> list[Who]:
        """On a Race stage only (reading PG-23): their games stay, their points do not count."""
        if not self.stage.race:
            return []
        return [w for w in self.people if is_surely_late(w)]


def is_surely_late(who: Who) -> bool:
    # New, or matched with a player who registered too late; guesses are left open.
    return who.settled.player in who.without_race_rights if who.settled else not who.candidates


def read_current_results(stage: Stage) -> CurrentResults:
    revision = find_draft(stage) or stage.revisions.filter(state=Revision.State.CURRENT).first()
    return CurrentResults(revision, facts.read_rounds(revision)) if revision else CurrentResults()


def make_preview(source: SourceFile, divisions: Collection[int] | None = None) -> Preview | Note:
    """The note says why the stored bytes cannot be read."""
    stage, result = source.stage, read_source_again(source)
    if isinstance(result, Note):
        return result
    is_swiss = stage.system == Stage.System.SWISS
    lineup = line_up(result, one_game_a_round=is_swiss, divisions=divisions)
    return Preview(
        source,
        stage,
        lineup,
        identify_people(stage, result, lineup.seen),
        read_current_results(stage),
        [*result.errors, *find_stage_troubles(stage, result, lineup)],
        find_differing_points(result),
    )
