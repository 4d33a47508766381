"""What the ratings do when a stage, a player or a season changed: promise first, compute afterwards.

Each step looks at what is true when it runs, and starts from the earliest day on which the change may have had an
effect: run twice, late or out of order, they leave the same ratings behind.
"""

from collections.abc import Iterator
from datetime import date

from django.db.models import Min, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from pergioco.ledger import publishing
from pergioco.ledger.models import Computation, Outbox, PgrChange
from pergioco.ledger.outbox import promise
from pergioco.players.holdings import absorbed_by
from pergioco.players.models import Disqualification, Merge, Player
from pergioco.stages.games import closed_stages, voided
from pergioco.stages.models import Game, OpeningRating, Revision, Season, Seat, Stage
from ratings.compute import KIND, recompute
from ratings.facts import registered_since
from ratings.memory import decided_by


def stage_settled(*, stage: int, cause: str) -> None:
    """One that left PerGioco Masters takes its ratings away with it."""
    is_pgm = Stage.objects.filter(pk=stage, circuit=Stage.Circuit.PGM).exists()
    if is_pgm or Computation.objects.filter(kind=KIND, stage=stage).exists():
        promise("pgr.stage", stage=stage, cause=cause)


def player_changed(*, player: int, cause: str) -> None:
    promise("pgr.player", player=player, cause=cause)


def season_changed(*, season: int, cause: str) -> None:
    """Its settings are readings of the rules: all that was computed by them follows."""
    first_days = closed_stages().filter(season=season).order_by("game").values_list("game").annotate(Min("ends_on"))
    for game, since in first_days:
        promise("pgr.game", game=game, since=since.isoformat(), cause=cause)
    publishing.promise_publication(cause=cause, year=Season.objects.get(pk=season).year)


def follow_stage(*, stage: int, cause: str) -> None:
    """The stage's game from where the stage stands or ever stood; every game that it belonged to."""
    row = Stage.objects.get(pk=stage)
    stood = {(row.game_id, row.ends_on), *places(row)}
    for game in Game.objects.filter(pk__in={game for game, _day in stood}).order_by("pk"):
        recompute(game, since=min(day for of, day in stood if of == game.pk), cause=cause)
    years = {day.year for _game, day in stood}
    sat = Seat.objects.filter(table__round__revision__stage=row)
    follow_elsewhere({(player, year) for player in kept(sat) for year in years}, cause=cause)
    publishing.promise_publication(year=min(years), cause=cause, stage=row)


def places(stage: Stage) -> Iterator[tuple[int, date]]:
    """Game and last day, as they were whenever the stage was computed."""
    for read in Computation.objects.filter(kind=KIND, stage=stage).values_list("read", flat=True):
        yield read["game"], date.fromisoformat(read["ends_on"])


def kept(seats: QuerySet[Seat]) -> set[int]:
    """Who sat there, as the players that they are now."""
    return set(seats.values_list(Coalesce("player__merged_into", "player"), flat=True))


def follow_elsewhere(sat: set[tuple[int, int]], *, cause: str) -> None:
    """Whether these players sat in these years may decide a purge, and so their ratings in every other game."""
    registered = registered_since({player for player, _year in sat})
    strangers = {(p, year) for p, year in sat if registered.get(p, date.max) >= date(year + 1, 1, 1)}
    for game, since in sorted(decided_by(strangers, today=timezone.localdate()).items()):
        promise("pgr.game", game=game, since=since.isoformat(), cause=cause)


def follow_game(*, game: int, cause: str, since: str = "") -> None:
    changed = recompute(Game.objects.get(pk=game), since=date.fromisoformat(since) if since else None, cause=cause)
    if changed is not None:
        publishing.promise_publication(cause=cause, year=changed.year)


def follow_player(*, player: int, cause: str) -> None:
    """All games in which he sat, under this or a merged name, from his first stage on."""
    row = Player.objects.get(pk=player)
    one = row.merged_into_id or row.pk
    family = [one, *absorbed_by([one])]
    seats = Seat.objects.filter(
        player__in=family,
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__in=closed_stages(),
    )
    first_days = first_days_of(family, seats)
    games = Game.objects.filter(pk__in=first_days).order_by("pk")
    changed = [recompute(game, since=first_days[game.pk], cause=cause) for game in games]
    if may_have_been_void(family):
        follow_elsewhere(opponents(seats), cause=cause)
    if first_days or OpeningRating.objects.filter(player__in=family).exists():
        first = publishing.first_year_of(player, cause)
        year = min([first, *(day.year for day in changed if day is not None)])
        publishing.promise_publication(cause=cause, player=player, year=year)


def first_days_of(family: list[int], seats: QuerySet[Seat]) -> dict[int, date]:
    """Game -> the last day of the first stage of it in which he sat or had a rating."""
    stage = "table__round__revision__stage"
    sat = seats.order_by().values_list(f"{stage}__game").annotate(day=Min(f"{stage}__ends_on"))
    changes = PgrChange.objects.filter(player__in=family).order_by()
    found: dict[int, date] = {}
    for game, day in (*sat, *changes.values_list("game").annotate(day=Min("ended_on"))):
        found[game] = min(found.get(game, day), day)
    return found


def may_have_been_void(family: list[int]) -> bool:
    """By a decision on one of them, or on somebody who was taken for one of them for a while."""
    ever = Merge.objects.filter(kept__in=family).values("absorbed")
    void = Disqualification.objects.filter(kind=Disqualification.Kind.VOID)
    return void.filter(Q(player__in=family) | Q(player__in=ever)).exists()


def opponents(seats: QuerySet[Seat]) -> set[tuple[int, int]]:
    """With the years: a void game is none for them either."""
    year = "table__round__revision__stage__ends_on__year"
    others = Seat.objects.filter(table__in=seats.values("table")).order_by()
    return set(others.values_list(Coalesce("player__merged_into", "player"), year).distinct())


def follow_the_day() -> None:
    """A decision that voids games may name a later day than the one it was taken on. That day has come: whoever still
    has ratings is followed."""
    void = voided(timezone.localdate())
    for player in (
        PgrChange.objects.current().filter(player__in=void).values_list("player", flat=True).order_by().distinct()
    ):
        if not Outbox.objects.filter(step="pgr.player", arguments__player=player, done_at=None).exists():
            promise("pgr.player", player=player, cause="disqualified")
