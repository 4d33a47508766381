"""The rating ledger of one game, computed from the facts."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from pergioco.core.database import gc_paused, insert_rows, lock_row
from pergioco.publishing.models import Computation, PgrChange
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Game
from pergioco.stages.rules.standings import Part
from ratings import facts, rules, stage_games
from ratings.facts import Held, StageGames, held_before
from ratings.purging import Memory
from ratings.rules import (
    Change,
    Counted,
    Edition,
    changes_after_stage,
    count_sides,
    new_rating,
    sides_by_player,
    why_left_out,
)
from ratings.stage_games import TracedGame

KIND = "pgr"
COLUMNS = [
    "player",
    "before",
    "half_points",
    "expected",
    "rated_games",
    "valid_games",
    "k",
    "after",
    "is_first",
    "last_valid_on",
    "games",
]
Cells = tuple[object, ...]  # as in COLUMNS
NAMES = ("computation", "stage", "game", "ended_on", "is_current", *COLUMNS)
# Two computations of a stage that agree in these are one.
CONTENT = ("season_id", "revision_id", "edition", "settings", "read", "sha256")


@dataclass(frozen=True)
class Computed:
    """What one stage did to the ratings of its game."""

    of: StageGames
    rows: list[Cells]
    # players whose rows a purge destroyed: computed for others' sake only
    destroyed: frozenset[int] = frozenset()

    @cached_property
    def lasting(self) -> list[Cells]:
        return [row for row in self.rows if row[0] not in self.destroyed]

    @cached_property
    def sha256(self) -> str:
        # Of all rows, so that a purge of some does not change it for the others.
        return hashlib.sha256(repr(self.rows).encode()).hexdigest()


def replay_game(game: Game, *, since: date | None = None, today: date) -> list[Computed]:
    """Every stage of the game that ends on `since` or later. Writes nothing."""
    stages = facts.closed_stages_of_game(game, since=since, today=today)
    players = {player for stage in stages for player in stage.players}
    if since is not None and facts.were_destroyed(game, since, players):
        # A purge destroyed earlier rows, so only the whole history gives the ratings before
        # `since`.
        return [one for one in replay_game(game, today=today) if one.of.ends_on >= since]
    held, registered = facts.held_before(game, since, players), facts.registered_since(players)
    memory, destroyed = Memory(registered, today=today), facts.destroyed_rows(game, since)
    return [
        Computed(
            stage, rate_stage(stage, held, registered, memory), frozenset(destroyed[stage.stage])
        )
        for stage in stages
    ]


def rate_stage(
    stage: StageGames, held: dict[int, Held], registered: Mapping[int, date], memory: Memory
) -> list[Cells]:
    """Rates one stage, and updates `held` to the ratings after it."""
    edition = rules.EDITIONS.in_force(stage.year)
    sides = sides_by_player(stage.parts)
    left_out = unrated_players(stage, registered)
    counted = {
        p: games
        for p, games in count_sides(sides, is_swiss=stage.is_swiss).items()
        if p not in left_out
    }
    ratings = {
        p: one.pgr for p, one in ratings_before(stage, held, memory).items() if p not in left_out
    }
    rows = []
    for change in changes_after_stage(counted, ratings, edition):
        games = counted[change.player]
        before = None if change.is_first else held[change.player].last_valid_on
        held[change.player] = Held(change.after, last_valid_day(stage, games, before))
        trace = trace_games(sides[change.player], games, ratings, edition)
        rows.append(change_cells(change, held[change.player].last_valid_on, trace))
    return rows


def unrated_players(stage: StageGames, registered: Mapping[int, date]) -> set[int]:
    """Players not yet registered, in a season without shadow ratings (PGM 5, PG-4)."""
    if stage.rates_unregistered:
        return set()
    return {
        player for player in stage.players if registered.get(player, date.max) > stage.starts_on
    }


def ratings_before(stage: StageGames, held: Mapping[int, Held], memory: Memory) -> dict[int, Held]:
    # Players whose rating a purge deleted start again (PG-20).
    known = {player: held[player] for player in stage.players if player in held}
    gone = memory.forgotten(known, year=stage.year)
    return {player: one for player, one in known.items() if player not in gone}


def last_valid_day(stage: StageGames, games: Iterable[Counted], before: date | None) -> date | None:
    # Stages overlap: a later one may contain earlier games.
    days = [stage.day_of(game.part) for game in games if game.is_valid]
    return max(days if before is None else [*days, before], default=None)


def change_cells(change: Change, last_valid_on: date | None, games: str) -> Cells:
    return (
        change.player,
        change.before,
        change.half_points,
        change.expected,
        change.rated_games,
        change.valid_games,
        change.k,
        change.after,
        change.is_first,
        last_valid_on,
        games,
    )


def trace_games(
    own: Sequence[Part], games: Iterable[Counted], ratings: Mapping[int, int], edition: Edition
) -> str:
    counted = {game.part: game for game in games}
    traced = []
    for part in own:
        game = counted.get(part)
        points, reason = (
            (None, why_left_out(part, own)) if game is None else (game.half_points, game.reason)
        )
        before = None if part.opponent is None else ratings.get(part.opponent, edition.start)
        traced.append(TracedGame(part.round, part.table, part.opponent, before, points, reason))
    return stage_games.write_trace(traced)


@gc_paused()
@transaction.atomic
def recompute(game: Game, *, since: date | None = None, cause: str) -> date | None:
    """Replays the game, writes what differs and returns the first day that does."""
    # One replay of a game at a time.
    lock_row(game, no_key=True)
    computed = replay_game(game, since=since, today=timezone.localdate())
    return write_pgr_changes(game, computed, since=since, cause=cause)


def games_with_ratings() -> QuerySet[Game]:
    # In the order in which games are locked, to avoid deadlocks.
    changed = PgrChange.objects.current().values("game")
    return Game.objects.filter(
        Q(pk__in=closed_stages().values("game")) | Q(pk__in=changed)
    ).order_by("pk")


def recompute_all(*, cause: str, each: Callable[[int], None] = lambda _games: None) -> bool:
    """True if anything differed from the ledger."""
    differed = False
    for game in games_with_ratings():
        differed |= recompute(game, cause=cause) is not None
        each(1)
    return differed


def write_pgr_changes(
    game: Game,
    computed: Sequence[Computed],
    *,
    since: date | None,
    cause: str,
    broken: Collection[int] = (),
) -> date | None:
    """Rewrites changed and `broken` stages. Old rows stay, no longer current. Returns the first
    changed day."""
    before = computations_in_force(game, since)
    made = {one.of.stage: build_computation(one, cause) for one in computed if one.lasting}
    known = {
        stage for stage, row in made.items() if is_same_computation(row, before.get(stage))
    }.difference(broken)
    fresh = [one for one in computed if one.lasting and one.of.stage not in known]
    # Stages that no longer count.
    gone = before.keys() - made.keys()
    changed = {one.of.stage for one in fresh} | gone
    # Of whatever game: a stage that came here from another one left its rows there.
    PgrChange.objects.current().filter(stage__in=changed).update(is_current=False)
    save_computations(fresh, [made[one.of.stage] for one in fresh])
    ends = [date.fromisoformat(before[stage].read["ends_on"]) for stage in changed & before.keys()]
    return min([*ends, *(one.of.ends_on for one in fresh)], default=None)


def computations_in_force(game: Game, since: date | None) -> dict[int, Computation]:
    changes = PgrChange.objects.current().filter(game=game)
    if since is not None:
        changes = changes.filter(ended_on__gte=since)
    found = Computation.objects.filter(kind=KIND, pk__in=changes.values("computation"))
    return {c.stage_id: c for c in found if c.stage_id is not None}


def is_same_computation(one: Computation, other: Computation | None) -> bool:
    return other is not None and all(getattr(one, name) == getattr(other, name) for name in CONTENT)


def save_computations(fresh: Sequence[Computed], made: Sequence[Computation]) -> None:
    known = Computation.objects.filter(
        kind=KIND, stage__in=[one.of.stage for one in fresh]
    ).order_by("pk")
    latest = dict(known.values_list("stage", "pk"))
    for one, row in zip(fresh, made, strict=True):
        row.supersedes_id = latest.get(one.of.stage)
    saved = Computation.objects.bulk_create(made)
    rows = (
        (row.pk, one.of.stage, one.of.game, one.of.ends_on, True, *cells)
        for row, one in zip(saved, fresh, strict=True)
        for cells in one.lasting
    )
    insert_rows(PgrChange, NAMES, rows)


def build_computation(one: Computed, cause: str) -> Computation:
    stage = one.of
    return Computation(
        kind=KIND,
        season_id=stage.season,
        stage_id=stage.stage,
        revision_id=stage.revision,
        edition=rules.EDITIONS.in_force(stage.year).since,
        settings={"unregistered_rating": "shadow" if stage.rates_unregistered else "none"},
        read={"game": stage.game, "ends_on": stage.ends_on.isoformat(), "games": len(stage.parts)},
        sha256=one.sha256,
        cause=cause,
    )


class ImaginedGame(NamedTuple):
    """A game against an opponent with that PGR (thousandths)."""

    opponent: int
    half_points: int


def current_pgr(player: int, game: Game) -> int | None:
    """In thousandths, active or not; `None` before the first valid game."""
    held = held_before(game, date.max, [player]).get(player)
    return held.pgr if held else None


def rate_imagined_games(before: int | None, games: Sequence[ImaginedGame], *, year: int) -> int:
    # All games as one stage.
    edition = rules.EDITIONS.in_force(year)
    own = edition.start if before is None else before
    return new_rating(
        own, [game.opponent for game in games], sum(game.half_points for game in games), edition.k
    )
