"""Everything once more from the facts, held against what is in force and what is public."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from pergioco.ledger import publishing
from pergioco.ledger.models import MOST_TRIES, Line, Outbox, PgrChange, Publication
from pergioco.ledger.stillness import hold_still
from pergioco.players.models import Player
from pergioco.stages.models import Game, Season
from ratings import compute
from ratings.compute import COLUMNS, Computed, games_with_ratings, replay

logger = logging.getLogger(__name__)
CHANGE = ("ended_on", *COLUMNS)
LINE = ("rank", "value", "is_shared", "decided_by", "detail")
Key = tuple[Any, int]  # a stage's id or the name of a ranking, and a player; 0 stands for all of them
Rows = Mapping[Key, Sequence[object]]
COUNT, KEPT, MOST_TOLD = "numbers-that-differ", timedelta(days=3), 20


@dataclass(frozen=True)
class Difference:
    """A sentence for whoever operates the portal."""

    where: str
    player: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}{self.player and f', player {self.player}'}: {self.what}."


def silently(_what: str) -> None:
    pass


def differences(games: Iterable[Game] | None = None, *, each: Callable[[str], None] = silently) -> Iterator[Difference]:
    """First the ratings, game by game, then the rankings of the seasons that are not final. Writes nothing."""
    for game in games_with_ratings() if games is None else games:
        each(game.slug)
        yield from in_ratings(game)
    if games is None:
        for season in Season.objects.filter(year__lte=timezone.localdate().year, freeze__frozen_at=None):
            each(str(season))
            yield from in_rankings(season)


def in_ratings(game: Game) -> Iterator[Difference]:
    computed = replay(game, today=timezone.localdate())
    slugs = dict(game.pgr_changes.order_by().values_list("stage", "stage__slug").distinct())
    slugs |= {one.of.stage: one.of.slug for one in computed}
    rows = compared(held(game), given(computed), CHANGE)
    origins = compared(held_origins(game), given_origins(computed), compute.CONTENT)
    for (stage, player), what in with_the_rest(rows, origins):
        yield Difference(f"stage {slugs[stage]}", public_id(player), what)


def held(game: Game) -> Rows:
    rows = PgrChange.objects.current().filter(game=game).values_list("stage", *CHANGE)
    return {(stage, cells[1]): cells for stage, *cells in rows}


def given(computed: Iterable[Computed]) -> Rows:
    """Without the rows that a purge destroyed: they are missing on purpose."""
    return {(one.of.stage, row[0]): [one.of.ends_on, *row] for one in computed for row in one.lasting}  # type: ignore[misc]


def held_origins(game: Game) -> Rows:
    """What the rows say of themselves: from which results, by which rules."""
    return {(stage, 0): content(row) for stage, row in compute.in_force(game, None).items()}


def given_origins(computed: Iterable[Computed]) -> Rows:
    return {(one.of.stage, 0): content(compute.computation(one, "")) for one in computed if one.lasting}


def content(row: object) -> list[object]:
    return [getattr(row, name) for name in compute.CONTENT]


def in_rankings(season: Season) -> Iterator[Difference]:
    publication = publishing.current(season)
    computed = list(publishing.compute(publishing.day_of(season), season))
    lines = {
        (one.kind, row.player): [row.rank, row.value, row.is_shared, row.decided_by, row.detail]
        for one in computed
        for row in one.rows
    }
    whole = {(one.kind, 0): [one.sha256] for one in computed if publication is not None or one.rows}
    found = compared(shown_lines(publication), lines, LINE)
    for (kind, player), what in with_the_rest(found, compared(shown_whole(publication), whole, ["SHA-256"])):
        yield Difference(f"ranking {kind} of {season.year}", public_id(player), what)


def shown_lines(publication: Publication | None) -> Rows:
    rows = Line.objects.filter(computation__shown__publication=publication) if publication else Line.objects.none()
    return {(kind, player): cells for kind, player, *cells in rows.values_list("computation__kind", "player", *LINE)}


def shown_whole(publication: Publication | None) -> Rows:
    rows = publication.computations.values_list("kind", "sha256") if publication else ()
    return {(kind, 0): [sha256] for kind, sha256 in rows}


def compared(on_file: Rows, by_facts: Rows, names: Sequence[str]) -> list[tuple[Key, str]]:
    """Key -> in words what differs, in the order of the keys."""
    differing = [key for key in on_file.keys() | by_facts.keys() if on_file.get(key) != by_facts.get(key)]
    return [(key, worded(on_file.get(key), by_facts.get(key), names)) for key in sorted(differing)]


def worded(on_file: Sequence[object] | None, by_facts: Sequence[object] | None, names: Sequence[str]) -> str:
    if on_file is None or by_facts is None:
        return "missing on file" if on_file is None else "on file, and not when recomputed"
    pairs = zip(names, on_file, by_facts, strict=True)
    return ", ".join(f"{name} is {one} on file and {other} recomputed" for name, one, other in pairs if one != other)


def with_the_rest(rows: list[tuple[Key, str]], whole: list[tuple[Key, str]]) -> Iterator[tuple[Key, str]]:
    """Of what differs as a whole only where no row says why."""
    told = {name for (name, _player), _what in rows}
    yield from rows
    yield from (one for one in whole if one[0][0] not in told)


def public_id(player: int) -> str:
    return Player.objects.values_list("public_id", flat=True).get(pk=player) if player else ""


@transaction.atomic
def mend(game: Game, *, cause: str) -> bool:
    """Recomputes the game, and writes also the stages anew whose rows no longer are what was written."""
    Game.objects.select_for_update(no_key=True).get(pk=game.pk)
    computed = replay(game, today=timezone.localdate())
    broken = {stage for (stage, _player), _what in compared(held(game), given(computed), CHANGE)}
    return compute.write(game, computed, since=None, cause=cause, broken=broken) is not None


def is_waiting() -> bool:
    """Whether changes are on their way into the numbers. A step that was given up is on no way."""
    steps = Outbox.objects.filter(step__in=["pgr.stage", "pgr.player", "pgr.game", "publish"], done_at=None)
    return steps.filter(tries__lt=MOST_TRIES).exists()


def every_night() -> None:
    """A round of the clock. What it finds stands in the log, and on the desk until a night finds nothing."""
    with transaction.atomic():
        hold_still()
        if is_waiting():
            return
        found = differences()
        told = list(islice(found, MOST_TOLD))
        count = len(told) + sum(1 for _one in found)
    cache.set(COUNT, count, KEPT.total_seconds())
    for difference in told:
        logger.error("a number differs from what the facts give: %s", difference)
    if count > len(told):
        logger.error("%s more numbers differ", count - len(told))


def found_last_night() -> int:
    return int(cache.get(COUNT, 0))
