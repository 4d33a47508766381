"""Ratings held on a day, and the players ranked on it."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple, TypeVar

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from pergioco.players.models import Disqualification, Player, Registration
from pergioco.publishing.models import PgrChange
from pergioco.stages.games import closed_stages, parts_by_stage, read_openings, voided_players
from pergioco.stages.models import OpeningRating, Revision, Seat, Stage
from pergioco.stages.rules.standings import PRESENT, is_valid

Rows = TypeVar("Rows", bound="QuerySet[Any]")


class HeldRating(NamedTuple):
    """A rating on a day; `games` are the valid games since the first day of the window."""

    game: int
    player: int
    pgr: int  # thousandths
    games: int
    last_valid_on: date | None


def read_held_ratings(*, since: date, until: date) -> list[HeldRating]:
    """Ratings of players who moved or played in the window; the cost grows with the window, not
    with history."""
    found: dict[tuple[int, int], tuple[int, int, date | None]] = dict(fresh_openings(since, until))
    earlier = games_before(since)
    changes = (
        PgrChange.objects.current().filter(ended_on__gte=since, ended_on__lte=until).in_order()
    )
    for stage, game, player, pgr, games, last in changes.values_list(
        "stage", "game", "player", "after", "valid_games", "last_valid_on"
    ).iterator(chunk_size=5000):
        before = found.get((game, player))
        found[game, player] = (
            pgr,
            games - earlier[stage, player] + (before[1] if before else 0),
            last,
        )
    return [
        HeldRating(game, player, pgr, games, last)
        for (game, player), (pgr, games, last) in found.items()
    ]


def games_before(since: date) -> Counter[tuple[int, int]]:
    """Valid games from before that day in stages that run across it: each game has its own day
    (PG-13)."""
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


def fresh_openings(
    since: date, until: date
) -> Iterator[tuple[tuple[int, int], tuple[int, int, date | None]]]:
    """Opening ratings whose last game is in the window; their games have no dates and do not
    count."""
    in_window = Q(last_played_on__gte=since, last_played_on__lte=until)
    one_of_two = Q(player__merged_into__isnull=False) | Q(player__absorbed__isnull=False)
    for key, (pgr, last) in read_openings(
        OpeningRating.objects.filter(in_window | one_of_two)
    ).items():
        if last is not None and since <= last <= until:
            yield key, (pgr, 0, last)


def count_valid_games(*, until: date) -> dict[int, int]:
    """All valid games on file by player. Counted from results: a purge deletes ratings, not
    games."""
    void = voided_players(timezone.localdate())
    seats = Seat.objects.annotate(one=Coalesce("player__merged_into", "player"))
    others = seats.filter(table=OuterRef("table")).exclude(pk=OuterRef("pk"))
    valid = Q(kind__in=PRESENT) | Q(kind="no_show") & ~Q(
        table__round__revision__stage__system=Stage.System.SWISS
    )
    games = seats.filter(
        valid,
        ~Q(one__in=void),
        Exists(others.exclude(one=OuterRef("one")).exclude(one__in=void)),
        table__round__revision__state=Revision.State.CURRENT,
        table__round__revision__stage__in=closed_stages().filter(ends_on__lte=until),
    )
    return dict(games.order_by().values_list("one").annotate(games=Count("pk")))


def ranked_players(day: date) -> dict[int, date]:
    """Maps players registered by that day and not excluded to the day of registration."""
    return dict(ranked_registrations(day).values_list("player", "registered_on"))


def is_ranked(player: Player, day: date) -> bool:
    return ranked_registrations(day).filter(player=player).exists()


def ranked_registrations(day: date) -> QuerySet[Registration]:
    return filter_ranked(Registration.objects.counting().filter(registered_on__lte=day), day)


def filter_ranked(rows: Rows, day: date) -> Rows:
    """Removes rows of excluded players.

    A player erased later counts on that day, as a number: final rankings can always be computed
    again."""
    there = Q(player__erased_at=None) | Q(player__erased_at__date__gt=day)
    excluded = Disqualification.objects.in_force(day).values("player")
    return rows.filter(there, player__merged_into=None).exclude(player__in=excluded)
