"""What closing or correcting a stage would publish, computed by a dry run."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from traceback import format_tb

from django.db.models import Max, Q
from django.utils import timezone

from pergioco.core.dry_run import dry_run, run_collected_jobs
from pergioco.core.models import User
from pergioco.publishing import difference
from pergioco.publishing.computed import is_of_a_stage
from pergioco.publishing.difference import Move
from pergioco.publishing.models import Erratum, Line, PgrChange, Publication
from pergioco.publishing.queries import change_labels
from pergioco.publishing.queries.change_labels import RankingMoves
from pergioco.publishing.services import errata
from pergioco.rulekit.numbers import to_points
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Revision, Stage
from pergioco.stages.services import closing
from ratings import stage_games
from ratings.stage_games import Balance

logger = logging.getLogger(__name__)
MOST_LATER_STAGES = 1000  # more would keep the page waiting too long


@dataclass(frozen=True)
class Rated:
    """A player's PGR before and after the stage, in thousandths; `now`: the current one after it,
    in a correction."""

    name: str
    before: int
    after: int
    is_first: bool
    now: int | None

    @property
    def change(self) -> Decimal:
        return to_points(self.after - self.before)


@dataclass(frozen=True)
class Scored:
    name: str
    rank: int
    points: Decimal


@dataclass(frozen=True)
class Effects:
    """Plain values only: the rows they came from are rolled back."""

    rated: list[Rated]
    balance: Balance
    race: list[Scored]
    rankings: list[RankingMoves]
    later: list[Stage]  # computed again, with other numbers than now
    letters: int
    final: list[int]  # years whose final rankings would differ today, but stay
    is_told = True

    @property
    def is_correction(self) -> bool:
        return any(one.now is not None for one in self.rated)


@dataclass(frozen=True)
class UnknownEffects:
    """The dry run failed or would take too long; closing works all the same."""

    later: int = 0  # number of later stages, if too many
    is_told = False


def foresee_effects(revision: Revision, *, by: User) -> Effects | UnknownEffects | None:
    """Returns None where closing publishes nothing: the circuit has no ratings."""
    stage = revision.stage
    if stage.circuit != Stage.Circuit.PGM:
        return None
    later = (
        closed_stages()
        .filter(game=stage.game_id, ends_on__gte=stage.ends_on)
        .exclude(pk=stage.pk)
        .count()
    )
    if later > MOST_LATER_STAGES:
        return UnknownEffects(later)
    try:
        return dry_run(lambda: close_and_compare(stage, revision, by=by))
    except Exception as trouble:  # noqa: BLE001 - whatever it is, the results can be closed
        trace = "".join(format_tb(trouble.__traceback__))
        logger.error(
            "stage %s could not be tried out: %s\n%s", stage.pk, type(trouble).__name__, trace
        )
        return UnknownEffects()


@dataclass(frozen=True)
class StandingNow:
    """What is in force at a moment of what closing the stage may change."""

    publications: dict[int, Publication]  # season -> the current one
    changes: list[PgrChange]  # what the stage did to the ratings, the best first
    last_erratum: int


def read_standing(stage: Stage) -> StandingNow:
    current = Publication.objects.filter(is_current=True).order_by("season__year")
    changes = PgrChange.objects.current().filter(stage=stage).order_by("-after", "player")
    last = Erratum.objects.aggregate(last=Max("pk"))["last"] or 0
    return StandingNow({one.season_id: one for one in current}, list(changes), last)


def close_and_compare(stage: Stage, revision: Revision, *, by: User) -> Effects:
    before = read_standing(stage)
    put_draft_in_force(stage, revision, by=by)
    after = read_standing(stage)
    race = list_race_lines(stage)
    names = change_labels.desk_names(
        {one.player_id for one in after.changes} | {line.player_id for line in race}
    )
    made = list(Erratum.objects.filter(pk__gt=before.last_erratum).select_related("season"))
    return Effects(
        rated=list(list_rated(after.changes, before.changes, names)),
        balance=stage_games.stage_balance(after.changes),
        race=[Scored(names[line.player_id], line.rank, line.value) for line in race],
        rankings=change_labels.describe_moves(list_moved(before.publications, after.publications)),
        later=stages_computed_again(before.publications, after.publications, besides=stage),
        letters=sum(errata.players_concerned(one).count() for one in made),
        final=[one.season.year for one in made if one.is_against_final],
    )


def put_draft_in_force(stage: Stage, revision: Revision, *, by: User) -> None:
    # The numbers do not depend on who closes or approves.
    now = timezone.now()
    done = {"approved_at": now} if revision.closed_at else {"closed_at": now, "closed_by": by}
    closing.put_revision_in_force(stage, revision, **done)
    run_collected_jobs()


def list_rated(
    after: Iterable[PgrChange], before: Iterable[PgrChange], names: dict[int, str]
) -> Iterator[Rated]:
    now = {one.player_id: one.after for one in before}
    for one in after:
        yield Rated(
            names[one.player_id], one.before, one.after, one.is_first, now.get(one.player_id)
        )


def list_moved(before: dict[int, Publication], after: dict[int, Publication]) -> list[Move]:
    # The page shows places in a Race stage separately.
    found = (
        move
        for season, one in after.items()
        for move in difference.diff_publications(before.get(season), one)
    )
    return [move for move in found if not is_of_a_stage(move.kind)]


def list_race_lines(stage: Stage) -> list[Line]:
    shown = Q(
        computation__shown__publication__is_current=True, computation__kind=f"race:{stage.slug}"
    )
    return list(Line.objects.filter(shown).order_by("position")) if stage.race else []


def stages_computed_again(
    before: dict[int, Publication], after: dict[int, Publication], *, besides: Stage
) -> list[Stage]:
    changed = {
        stage
        for season, one in after.items()
        for stage, computation in (before[season].ratings.items() if season in before else ())
        if one.ratings.get(stage) != computation
    }
    rows = Stage.objects.filter(pk__in=changed).exclude(pk=besides.pk)
    return list(rows.select_related("game").order_by("ends_on", "slug"))
