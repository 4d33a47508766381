"""Jobs that recompute ratings after a stage, a player or a season changed.

Each job reads the current state and starts from the earliest affected day, so it may run twice,
late or out of order.
"""

from collections.abc import Iterator
from datetime import date

from django.db.models import Min, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.models import Job
from pergioco.players.models import Disqualification, Merge, Player
from pergioco.players.services.personal_data import list_absorbed
from pergioco.publishing.models import Computation, PgrChange
from pergioco.publishing.services import publish
from pergioco.stages.games import closed_stages, voided_players
from pergioco.stages.models import Game, OpeningRating, Revision, Season, Seat, Stage
from ratings.compute import KIND, recompute
from ratings.facts import registered_since
from ratings.purging import games_with_changed_purges

STAGE, PLAYER, GAME = (jobs.declare(kind) for kind in ("pgr.stage", "pgr.player", "pgr.game"))


def enqueue_stage_ratings(*, stage: int, cause: str) -> None:
    # A stage that left PerGioco Masters must lose its ratings.
    is_pgm = Stage.objects.filter(pk=stage, circuit=Stage.Circuit.PGM).exists()
    if is_pgm or Computation.objects.filter(kind=KIND, stage=stage).exists():
        jobs.enqueue(STAGE, stage=stage, cause=cause)


def enqueue_player_ratings(*, player: int, cause: str) -> None:
    jobs.enqueue(PLAYER, player=player, cause=cause)


def enqueue_season_ratings(*, season: int, cause: str) -> None:
    # Settings of a season are readings of the rules.
    first_days = (
        closed_stages()
        .filter(season=season)
        .order_by("game")
        .values_list("game")
        .annotate(Min("ends_on"))
    )
    for game, since in first_days:
        jobs.enqueue(GAME, game=game, since=since.isoformat(), cause=cause)
    publish.enqueue_publication(cause=cause, year=Season.objects.get(pk=season).year)


def recompute_stage_ratings(*, stage: int, cause: str) -> None:
    # Every game that the stage belonged to, from the earliest day it ever ended on.
    row = Stage.objects.get(pk=stage)
    stood = {(row.game_id, row.ends_on), *stage_history(row)}
    for game in Game.objects.filter(pk__in={game for game, _day in stood}).order_by("pk"):
        recompute(game, since=min(day for of, day in stood if of == game.pk), cause=cause)
    years = {day.year for _game, day in stood}
    sat = Seat.objects.filter(table__round__revision__stage=row)
    enqueue_purge_effects(
        {(player, year) for player in current_players(sat) for year in years}, cause=cause
    )
    publish.enqueue_publication(year=min(years), cause=cause, stage=row)


def stage_history(stage: Stage) -> Iterator[tuple[int, date]]:
    for read in Computation.objects.filter(kind=KIND, stage=stage).values_list("read", flat=True):
        yield read["game"], date.fromisoformat(read["ends_on"])


def current_players(seats: QuerySet[Seat]) -> set[int]:
    return set(seats.values_list(Coalesce("player__merged_into", "player"), flat=True))


def enqueue_purge_effects(sat: set[tuple[int, int]], *, cause: str) -> None:
    # Playing in a year may prevent a purge, which affects ratings in every other game.
    registered = registered_since({player for player, _year in sat})
    strangers = {
        (p, year) for p, year in sat if registered.get(p, date.max) >= date(year + 1, 1, 1)
    }
    for game, since in sorted(
        games_with_changed_purges(strangers, today=timezone.localdate()).items()
    ):
        jobs.enqueue(GAME, game=game, since=since.isoformat(), cause=cause)


def recompute_game_ratings(*, game: int, cause: str, since: str = "") -> None:
    changed = recompute(
        Game.objects.get(pk=game), since=date.fromisoformat(since) if since else None, cause=cause
    )
    if changed is not None:
        publish.enqueue_publication(cause=cause, year=changed.year)


def recompute_player_ratings(*, player: int, cause: str) -> None:
    # Seats under merged names count too.
    row = Player.objects.get(pk=player)
    one = row.merged_into_id or row.pk
    family = [one, *list_absorbed([one])]
    seats = Seat.objects.filter(
        player__in=family,
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__in=closed_stages(),
    )
    first_days = first_days_of(family, seats)
    games = Game.objects.filter(pk__in=first_days).order_by("pk")
    changed = [recompute(game, since=first_days[game.pk], cause=cause) for game in games]
    if may_have_been_void(family):
        enqueue_purge_effects(opponents_by_year(seats), cause=cause)
    if first_days or OpeningRating.objects.filter(player__in=family).exists():
        first = publish.first_year_affected(player, cause)
        year = min([first, *(day.year for day in changed if day is not None)])
        publish.enqueue_publication(cause=cause, player=player, year=year)


def first_days_of(family: list[int], seats: QuerySet[Seat]) -> dict[int, date]:
    """Game -> last day of the first stage in which the player sat or had a rating."""
    stage = "table__round__revision__stage"
    sat = seats.order_by().values_list(f"{stage}__game").annotate(day=Min(f"{stage}__ends_on"))
    changes = PgrChange.objects.filter(player__in=family).order_by()
    found: dict[int, date] = {}
    for game, day in (*sat, *changes.values_list("game").annotate(day=Min("ended_on"))):
        found[game] = min(found.get(game, day), day)
    return found


def may_have_been_void(family: list[int]) -> bool:
    # Also by a decision on a player who was merged with one of them for a while.
    ever = Merge.objects.filter(kept__in=family).values("absorbed")
    void = Disqualification.objects.filter(kind=Disqualification.Kind.VOID)
    return void.filter(Q(player__in=family) | Q(player__in=ever)).exists()


def opponents_by_year(seats: QuerySet[Seat]) -> set[tuple[int, int]]:
    # A void game does not count for opponents either.
    year = "table__round__revision__stage__ends_on__year"
    others = Seat.objects.filter(table__in=seats.values("table")).order_by()
    return set(others.values_list(Coalesce("player__merged_into", "player"), year).distinct())


def enqueue_voided_players() -> None:
    # A decision that voids games may take effect on a later day than it was made.
    void = voided_players(timezone.localdate())
    for player in (
        PgrChange.objects.current()
        .filter(player__in=void)
        .values_list("player", flat=True)
        .order_by()
        .distinct()
    ):
        if not Job.objects.not_done().filter(kind=PLAYER, arguments__player=player).exists():
            jobs.enqueue(PLAYER, player=player, cause="disqualified")
