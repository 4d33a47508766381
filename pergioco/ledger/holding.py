"""The ratings as they stood on a day, read from their history."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from pergioco.ledger.models import PgrChange
from pergioco.stages.games import brought_along, closed_stages, parts_by_stage, voided
from pergioco.stages.models import OpeningRating, Revision, Seat, Stage
from pergioco.stages.rules.parts import PRESENT, is_valid


class Holding(NamedTuple):
    """A player's rating in one game on a day; the valid games are those since the first day that was asked for."""

    game: int
    player: int
    pgr: int  # thousandths
    games: int
    last_valid_on: date | None


def holdings(*, since: date, until: date) -> list[Holding]:
    """Of everybody who moved or last played between the two days. The cost grows with these days, not with history."""
    found: dict[tuple[int, int], tuple[int, int, date | None]] = dict(fresh_openings(since, until))
    earlier = games_before(since)
    changes = PgrChange.objects.current().filter(ended_on__gte=since, ended_on__lte=until).in_order()
    for stage, game, player, pgr, games, last in changes.values_list(
        "stage", "game", "player", "after", "valid_games", "last_valid_on"
    ).iterator(chunk_size=5000):
        before = found.get((game, player))
        found[game, player] = (pgr, games - earlier[stage, player] + (before[1] if before else 0), last)
    return [Holding(game, player, pgr, games, last) for (game, player), (pgr, games, last) in found.items()]


def games_before(since: date) -> Counter[tuple[int, int]]:
    """Stage and player -> valid games of the days before, in stages that run across that day: each game has its own
    day (PG-13)."""
    found = Counter[tuple[int, int]]()
    across = closed_stages().filter(starts_on__lt=since, ends_on__gte=since)
    stages = {stage.pk: stage for stage in across}
    for pk, parts in parts_by_stage(across, today=timezone.localdate()) if stages else ():
        stage = stages[pk]
        for part in parts:
            early = part.day(starts_on=stage.starts_on, ends_on=stage.ends_on) < since
            if early and is_valid(part, is_swiss=stage.system == Stage.System.SWISS):
                found[pk, part.player] += 1
    return found


def fresh_openings(since: date, until: date) -> Iterator[tuple[tuple[int, int], tuple[int, int, date | None]]]:
    """Ratings from before the first stage on file whose last game is in the window; their games have no dates and do
    not count."""
    in_window = Q(last_played_on__gte=since, last_played_on__lte=until)
    one_of_two = Q(player__merged_into__isnull=False) | Q(player__absorbed__isnull=False)
    for key, (pgr, last) in brought_along(OpeningRating.objects.filter(in_window | one_of_two)).items():
        if last is not None and since <= last <= until:
            yield key, (pgr, 0, last)


def games_played(*, until: date) -> dict[int, int]:
    """Player -> all valid games on file. Counted from the results: a purge deletes ratings, not games."""
    void = voided(timezone.localdate())
    seats = Seat.objects.annotate(one=Coalesce("player__merged_into", "player"))
    others = seats.filter(table=OuterRef("table")).exclude(pk=OuterRef("pk"))
    valid = Q(kind__in=PRESENT) | Q(kind="no_show") & ~Q(table__round__revision__stage__system=Stage.System.SWISS)
    games = seats.filter(
        valid,
        ~Q(one__in=void),
        Exists(others.exclude(one=OuterRef("one")).exclude(one__in=void)),
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__in=closed_stages().filter(ends_on__lte=until),
    )
    return dict(games.order_by().values_list("one").annotate(games=Count("pk")))
