"""What closing or correcting a stage would publish: found out by doing it, in a transaction that is taken back."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from traceback import format_tb

from django.db.models import Max, Q
from django.utils import timezone

from pergioco.desk import moves
from pergioco.desk.moves import Ranking
from pergioco.ledger import difference, errata
from pergioco.ledger.content import is_of_a_stage
from pergioco.ledger.difference import Move
from pergioco.ledger.models import Erratum, Line, PgrChange, Publication
from pergioco.ledger.rehearsing import carry_out, rehearse
from pergioco.players.models import User
from pergioco.stages import closing
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Revision, Stage
from ratings import balance
from ratings.balance import Balance

logger = logging.getLogger(__name__)
MOST_LATER_STAGES = 1000  # to be computed again while somebody waits for the page


@dataclass(frozen=True)
class Rated:
    """A player's PGR before and after the stage, in thousandths; and after it as it stands now, before a correction."""

    name: str
    before: int
    after: int
    is_first: bool
    now: int | None

    @property
    def change(self) -> Decimal:
        return Decimal(self.after - self.before).scaleb(-3)


@dataclass(frozen=True)
class Scored:
    """A place in the Race stage, and its points."""

    name: str
    rank: int
    points: Decimal


@dataclass(frozen=True)
class Effects:
    """Everything as plain values: the rows that they were read from are taken back."""

    rated: list[Rated]
    balance: Balance
    race: list[Scored]
    rankings: list[Ranking]
    later: list[Stage]  # computed again, with other numbers than now
    letters: int
    final: list[int]  # years whose final rankings stay, though they would be others today
    is_told = True

    @property
    def is_correction(self) -> bool:
        return any(one.now is not None for one in self.rated)


@dataclass(frozen=True)
class Untold:
    """It could not be found out; closing works all the same."""

    later: int = 0  # more stages than one should wait for
    is_told = False


def of(revision: Revision, *, by: User) -> Effects | Untold | None:
    """None where closing publishes nothing: the circuit has no ratings."""
    stage = revision.stage
    if stage.circuit != Stage.Circuit.PGM:
        return None
    later = closed_stages().filter(game=stage.game_id, ends_on__gte=stage.ends_on).exclude(pk=stage.pk).count()
    if later > MOST_LATER_STAGES:
        return Untold(later)
    try:
        return rehearse(lambda: foresee(stage, revision, by=by))
    except Exception as trouble:  # noqa: BLE001 - whatever it is, the results can be closed
        trace = "".join(format_tb(trouble.__traceback__))
        logger.error("stage %s could not be rehearsed: %s\n%s", stage.pk, type(trouble).__name__, trace)
        return Untold()


@dataclass(frozen=True)
class Standing:
    """What is in force at a moment, of what closing the stage may change."""

    publications: dict[int, Publication]  # season -> the current one
    changes: list[PgrChange]  # what the stage did to the ratings, the best first
    last_erratum: int


def standing(stage: Stage) -> Standing:
    current = Publication.objects.filter(is_current=True).order_by("season__year")
    changes = PgrChange.objects.current().filter(stage=stage).order_by("-after", "player")
    last = Erratum.objects.aggregate(last=Max("pk"))["last"] or 0
    return Standing({one.season_id: one for one in current}, list(changes), last)


def foresee(stage: Stage, revision: Revision, *, by: User) -> Effects:
    """Inside a rehearsal."""
    before = standing(stage)
    put_in_force(stage, revision, by=by)
    after = standing(stage)
    race = race_lines(stage)
    names = moves.names_of({one.player_id for one in after.changes} | {line.player_id for line in race})
    made = list(Erratum.objects.filter(pk__gt=before.last_erratum).select_related("season"))
    return Effects(
        rated=list(rated(after.changes, before.changes, names)),
        balance=balance.of_stage(after.changes),
        race=[Scored(names[line.player_id], line.rank, line.value) for line in race],
        rankings=moves.in_words(moved(before.publications, after.publications)),
        later=computed_again(before.publications, after.publications, besides=stage),
        letters=letters(made),
        final=[one.season.year for one in made if one.is_against_final],
    )


def put_in_force(stage: Stage, revision: Revision, *, by: User) -> None:
    """Whoever may close or approve, the numbers are the same."""
    now = timezone.now()
    done = {"approved_at": now} if revision.closed_at else {"closed_at": now, "closed_by": by}
    closing.put_in_force(stage, revision, **done)
    carry_out()


def rated(after: Iterable[PgrChange], before: Iterable[PgrChange], names: dict[int, str]) -> Iterator[Rated]:
    now = {one.player_id: one.after for one in before}
    for one in after:
        yield Rated(names[one.player_id], one.before, one.after, one.is_first, now.get(one.player_id))


def moved(before: dict[int, Publication], after: dict[int, Publication]) -> list[Move]:
    """In the rankings of every season; the places in a Race stage are shown by themselves."""
    found = (move for season, one in after.items() for move in difference.between(before.get(season), one))
    return [move for move in found if not is_of_a_stage(move.kind)]


def race_lines(stage: Stage) -> list[Line]:
    shown = Q(computation__shown__publication__is_current=True, computation__kind=f"race:{stage.slug}")
    return list(Line.objects.filter(shown).order_by("position")) if stage.race else []


def computed_again(before: dict[int, Publication], after: dict[int, Publication], *, besides: Stage) -> list[Stage]:
    """Stages whose numbers were public, and are others."""
    changed = {
        stage
        for season, one in after.items()
        for stage, computation in (before[season].ratings.items() if season in before else ())
        if one.ratings.get(stage) != computation
    }
    rows = Stage.objects.filter(pk__in=changed).exclude(pk=besides.pk)
    return list(rows.select_related("game").order_by("ends_on", "slug"))


def letters(made: Iterable[Erratum]) -> int:
    return sum(errata.concerned(one).count() for one in made)
