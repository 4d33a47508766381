"""Everything a person sees before anything is written, computed from the stored bytes each time."""

from collections.abc import Collection
from dataclasses import dataclass, field

from pergioco.imports import checks
from pergioco.imports.canonical import Note, Result
from pergioco.imports.keeping import read_again
from pergioco.imports.lineup import Lineup, line_up
from pergioco.imports.people import Who, look_up
from pergioco.stages import facts
from pergioco.stages.drafting import draft_of
from pergioco.stages.facts import RoundFacts
from pergioco.stages.models import Revision, SourceFile, Stage

NOTHING = "0"


@dataclass(frozen=True)
class Stands:
    """The stage's results as they are now: its draft, else what was closed last."""

    revision: Revision | None = None
    rounds: tuple[RoundFacts, ...] = ()

    @property
    def token(self) -> str:
        """What a preview was made against: any change in between gives another one."""
        return f"{self.revision.pk}:{facts.sha256(self.rounds)[:16]}" if self.revision else NOTHING

    @property
    def is_closed(self) -> bool:
        return self.revision is not None and self.revision.state != Revision.State.DRAFT


@dataclass(frozen=True)
class Preview:
    source: SourceFile
    stage: Stage
    lineup: Lineup
    people: list[Who]
    stands: Stands
    troubles: list[Note] = field(default_factory=list)
    odd_points: list[checks.Odd] = field(default_factory=list)

    @property
    def result(self) -> Result:
        return self.lineup.result

    @property
    def remarks(self) -> list[Note]:
        """Good to know; the nicknames have a part of the page of their own."""
        told = [note for note in self.result.warnings if note.code != "unknown_nickname"]
        return [*told, *checks.disqualified(self.result)]

    @property
    def without_race_rights(self) -> list[Who]:
        """On a Race stage only (reading PG-23): their games stay, their points do not count."""
        if not self.stage.race:
            return []
        return [w for w in self.people if is_surely_late(w)]


def is_surely_late(who: Who) -> bool:
    """New here, or matched with somebody who was not registered in time; about guesses nothing is said yet."""
    return who.settled.player in who.without_race_rights if who.settled else not who.candidates


def as_it_stands(stage: Stage) -> Stands:
    revision = draft_of(stage) or stage.revisions.filter(state=Revision.State.CURRENT).first()
    return Stands(revision, facts.read(revision)) if revision else Stands()


def preview_of(source: SourceFile, divisions: Collection[int] | None = None) -> Preview | Note:
    """The note says why the stored bytes cannot be read."""
    stage, result = source.stage, read_again(source)
    if isinstance(result, Note):
        return result
    is_swiss = stage.system == Stage.System.SWISS
    lineup = line_up(result, one_game_a_round=is_swiss, divisions=divisions)
    return Preview(
        source,
        stage,
        lineup,
        look_up(stage, result, lineup.seen),
        as_it_stands(stage),
        [*result.errors, *checks.of_the_stage(stage, result, lineup)],
        checks.points_that_differ(result),
    )
