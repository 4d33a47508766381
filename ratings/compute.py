"""Facts -> rules -> ledger: the ratings of one game, from a day onward."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from pergioco.ledger.bulk import undisturbed
from pergioco.ledger.models import Computation, PgrChange
from pergioco.ledger.writing import insert
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Game
from pergioco.stages.rules.parts import Part
from ratings import facts, trace
from ratings.facts import Held, StageGames
from ratings.memory import Memory
from ratings.rules import editions
from ratings.rules.counting import Counted, by_player, counted_of, why_left_out
from ratings.rules.editions import Edition
from ratings.rules.pgr import Change, after_stage
from ratings.trace import TracedGame

KIND = "pgr"
COLUMNS = (
    "player before half_points expected rated_games valid_games k after is_first last_valid_on games".split()  # noqa: SIM905 - read as a line
)
Cells = tuple[object, ...]  # as in COLUMNS
NAMES = ("computation", "stage", "game", "ended_on", "is_current", *COLUMNS)
# Two computations of a stage that agree in these are one.
CONTENT = ("season_id", "revision_id", "edition", "settings", "read", "sha256")


@dataclass(frozen=True)
class Computed:
    """What one stage did to the ratings of its game."""

    of: StageGames
    rows: list[Cells]
    destroyed: frozenset[int] = frozenset()  # players whose rows a purge destroyed: computed for others' sake only

    @cached_property
    def lasting(self) -> list[Cells]:
        return [row for row in self.rows if row[0] not in self.destroyed]

    @cached_property
    def sha256(self) -> str:
        """Of all rows: destroying some of them changes nothing for the others."""
        return hashlib.sha256(repr(self.rows).encode()).hexdigest()


def replay(game: Game, *, since: date | None = None, today: date) -> list[Computed]:
    """Every stage of the game that ends on that day or later, computed from the facts. Writes nothing."""
    stages = facts.stages_of(game, since=since, today=today)
    players = {player for stage in stages for player in stage.players}
    if since is not None and facts.were_destroyed(game, since, players):
        return [one for one in replay(game, today=today) if one.of.ends_on >= since]
    held, registered = facts.held_before(game, since, players), facts.registered_since(players)
    memory, destroyed = Memory(registered, today=today), facts.destroyed_rows(game, since)
    return [
        Computed(stage, advance(stage, held, registered, memory), frozenset(destroyed[stage.stage])) for stage in stages
    ]


def advance(stage: StageGames, held: dict[int, Held], registered: Mapping[int, date], memory: Memory) -> list[Cells]:
    """Rates one stage, and moves `held` on to the moment after it."""
    edition = editions.for_season(stage.year)
    sides = by_player(stage.parts)
    left_out = unrated(stage, registered)
    counted = {p: games for p, games in counted_of(sides, is_swiss=stage.is_swiss).items() if p not in left_out}
    ratings = {p: one.pgr for p, one in remembered(stage, held, memory).items() if p not in left_out}
    rows = []
    for change in after_stage(counted, ratings, edition):
        games = counted[change.player]
        before = None if change.is_first else held[change.player].last_valid_on
        held[change.player] = Held(change.after, last_valid(stage, games, before))
        games_told = trace_of(sides[change.player], games, ratings, edition)
        rows.append(cells(change, held[change.player].last_valid_on, games_told))
    return rows


def unrated(stage: StageGames, registered: Mapping[int, date]) -> set[int]:
    """Those who had not registered before, in a season that rates no such participants (PGM 5, PG-4)."""
    if stage.rates_unregistered:
        return set()
    return {player for player in stage.players if registered.get(player, date.max) > stage.starts_on}


def remembered(stage: StageGames, held: Mapping[int, Held], memory: Memory) -> dict[int, Held]:
    """Without the ratings that a purge deleted since they were earned: these players begin again (PG-20)."""
    known = {player: held[player] for player in stage.players if player in held}
    gone = memory.forgotten(known, year=stage.year)
    return {player: one for player, one in known.items() if player not in gone}


def last_valid(stage: StageGames, games: Iterable[Counted], before: date | None) -> date | None:
    """Stages overlap: a later one may hold earlier games."""
    days = [stage.day_of(game.part) for game in games if game.is_valid]
    return max(days if before is None else [*days, before], default=None)


def cells(change: Change, last_valid_on: date | None, games: str) -> Cells:
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


def trace_of(own: Sequence[Part], games: Iterable[Counted], ratings: Mapping[int, int], edition: Edition) -> str:
    """Every table at which he was expected: those that count, and why the others do not."""
    counted = {game.part: game for game in games}
    told = []
    for part in own:
        game = counted.get(part)
        points, reason = (None, why_left_out(part, own)) if game is None else (game.half_points, game.reason)
        before = None if part.opponent is None else ratings.get(part.opponent, edition.start)
        told.append(TracedGame(part.round, part.table, part.opponent, before, points, reason))
    return trace.write(told)


@undisturbed()
@transaction.atomic
def recompute(game: Game, *, since: date | None = None, cause: str) -> date | None:
    """Replays the game from that day on, one at a time, and writes what differs. Returns the first day that does."""
    Game.objects.select_for_update(no_key=True).get(pk=game.pk)
    computed = replay(game, since=since, today=timezone.localdate())
    return write(game, computed, since=since, cause=cause)


def games_with_ratings() -> QuerySet[Game]:
    """Those in which results are in force, or were; in the order in which they are locked."""
    changed = PgrChange.objects.current().values("game")
    return Game.objects.filter(Q(pk__in=closed_stages().values("game")) | Q(pk__in=changed)).order_by("pk")


def recompute_all(*, cause: str, each: Callable[[int], None] = lambda _games: None) -> bool:
    """Every game, whole. True if anything differed from what the ledger held."""
    differed = False
    for game in games_with_ratings():
        differed |= recompute(game, cause=cause) is not None
        each(1)
    return differed


def write(
    game: Game, computed: Sequence[Computed], *, since: date | None, cause: str, broken: Collection[int] = ()
) -> date | None:
    """Stages with another outcome, and broken ones, are written anew; their old rows stay, no longer in force."""
    before = in_force(game, since)
    made = {one.of.stage: computation(one, cause) for one in computed if one.lasting}
    known = {stage for stage, row in made.items() if is_same(row, before.get(stage))}.difference(broken)
    fresh = [one for one in computed if one.lasting and one.of.stage not in known]
    gone = before.keys() - made.keys()
    changed = {one.of.stage for one in fresh} | gone
    # Of whatever game: a stage that came here from another one left its rows there.
    PgrChange.objects.current().filter(stage__in=changed).update(is_current=False)
    save(fresh, [made[one.of.stage] for one in fresh])
    days = [one.of.ends_on for one in fresh] + [ended_on(before[stage]) for stage in changed & before.keys()]
    return min(days, default=None)


def in_force(game: Game, since: date | None) -> dict[int, Computation]:
    """Stage -> the computation whose changes are in force."""
    changes = PgrChange.objects.current().filter(game=game)
    if since is not None:
        changes = changes.filter(ended_on__gte=since)
    found = Computation.objects.filter(kind=KIND, pk__in=changes.values("computation"))
    return {c.stage_id: c for c in found if c.stage_id is not None}


def is_same(one: Computation, other: Computation | None) -> bool:
    return other is not None and all(getattr(one, name) == getattr(other, name) for name in CONTENT)


def ended_on(computation: Computation) -> date:
    return date.fromisoformat(computation.read["ends_on"])


def save(fresh: Sequence[Computed], made: Sequence[Computation]) -> None:
    known = Computation.objects.filter(kind=KIND, stage__in=[one.of.stage for one in fresh]).order_by("pk")
    latest = dict(known.values_list("stage", "pk"))
    for one, row in zip(fresh, made, strict=True):
        row.supersedes_id = latest.get(one.of.stage)
    saved = Computation.objects.bulk_create(made)
    rows = (
        (row.pk, one.of.stage, one.of.game, one.of.ends_on, True, *cells)
        for row, one in zip(saved, fresh, strict=True)
        for cells in one.lasting
    )
    insert(PgrChange, NAMES, rows)


def computation(one: Computed, cause: str) -> Computation:
    stage = one.of
    return Computation(
        kind=KIND,
        season_id=stage.season,
        stage_id=stage.stage,
        revision_id=stage.revision,
        edition=editions.for_season(stage.year).since,
        settings={"unregistered_rating": "shadow" if stage.rates_unregistered else "none"},
        read={"game": stage.game, "ends_on": stage.ends_on.isoformat(), "games": len(stage.parts)},
        sha256=one.sha256,
        cause=cause,
    )
