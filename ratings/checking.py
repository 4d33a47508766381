"""Recomputes ratings and rankings from the facts and compares them with stored and published
numbers."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from django.db import transaction
from django.utils import timezone

from pergioco.core.database import isolate_snapshot, lock_row
from pergioco.core.models import Job
from pergioco.players.models import Player
from pergioco.publishing.models import Line, PgrChange, Publication
from pergioco.publishing.services import publish, statements
from pergioco.stages.models import Game, Season
from ratings import compute
from ratings.compute import COLUMNS, Computed, games_with_ratings, replay_game

logger = logging.getLogger(__name__)
CHANGE = ("ended_on", *COLUMNS)
LINE = ("rank", "value", "is_shared", "decided_by", "detail")
Key = tuple[Any, int]  # a stage's id or the name of a ranking, and a player; 0 for all players
Rows = Mapping[Key, Sequence[object]]
MOST_LOGGED = 20
REPEATED_AFTER = timedelta(hours=1)


@dataclass(frozen=True)
class Difference:
    """One difference, as a sentence for the operator."""

    where: str
    player: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}{self.player and f', player {self.player}'}: {self.what}."


def ignore(_what: str) -> None:
    pass


def find_differences(
    games: Iterable[Game] | None = None,
    *,
    each: Callable[[str], None] = ignore,
    computed: Callable[[str], None] = ignore,
) -> Iterator[Difference]:
    """`computed` gets a line for each computation, with the hash of what came out of it."""
    for game in games_with_ratings() if games is None else games:
        each(game.slug)
        yield from rating_differences(game, computed)
    if games is None:
        for season in Season.objects.filter(
            year__lte=timezone.localdate().year, freeze__frozen_at=None
        ):
            each(str(season))
            yield from ranking_differences(season, computed)


def rating_differences(game: Game, note: Callable[[str], None] = ignore) -> Iterator[Difference]:
    computed = replay_game(game, today=timezone.localdate())
    for one in computed:
        note(f"{compute.KIND} {game.slug} {one.of.slug} {one.sha256}")
    slugs = dict(game.pgr_changes.order_by().values_list("stage", "stage__slug").distinct())
    slugs |= {one.of.stage: one.of.slug for one in computed}
    rows = compare_rows(ledger_rows(game), computed_rows(computed), CHANGE)
    origins = compare_rows(ledger_origins(game), computed_origins(computed), compute.CONTENT)
    for (stage, player), what in add_unexplained(rows, origins):
        yield Difference(f"stage {slugs[stage]}", public_id_of(player), what)


def ledger_rows(game: Game) -> Rows:
    rows = PgrChange.objects.current().filter(game=game).values_list("stage", *CHANGE)
    return {(stage, cells[1]): cells for stage, *cells in rows}


def computed_rows(computed: Iterable[Computed]) -> Rows:
    # Rows destroyed by a purge are missing on purpose.
    return {
        (one.of.stage, row[0]): [one.of.ends_on, *row]  # type: ignore[misc]
        for one in computed
        for row in one.lasting
    }


def ledger_origins(game: Game) -> Rows:
    return {
        (stage, 0): origin_content(row)
        for stage, row in compute.computations_in_force(game, None).items()
    }


def computed_origins(computed: Iterable[Computed]) -> Rows:
    return {
        (one.of.stage, 0): origin_content(compute.build_computation(one, ""))
        for one in computed
        if one.lasting
    }


def origin_content(row: object) -> list[object]:
    return [getattr(row, name) for name in compute.CONTENT]


def ranking_differences(
    season: Season, note: Callable[[str], None] = ignore
) -> Iterator[Difference]:
    publication = publish.current_publication(season)
    computed = list(publish.compute_season(publish.publication_day(season), season))
    for one in computed:
        note(f"{one.kind} {season.year} {one.sha256}")
    lines = {
        (one.kind, row.player): [row.rank, row.value, row.is_shared, row.decided_by, row.detail]
        for one in computed
        for row in one.rows
    }
    whole = {(one.kind, 0): [one.sha256] for one in computed if publication is not None or one.rows}
    found = compare_rows(published_lines(publication), lines, LINE)
    for (kind, player), what in add_unexplained(
        found, compare_rows(published_hashes(publication), whole, ["SHA-256"])
    ):
        yield Difference(f"ranking {kind} of {season.year}", public_id_of(player), what)


def published_lines(publication: Publication | None) -> Rows:
    rows = (
        Line.objects.filter(computation__shown__publication=publication)
        if publication
        else Line.objects.none()
    )
    return {
        (kind, player): cells
        for kind, player, *cells in rows.values_list("computation__kind", "player", *LINE)
    }


def published_hashes(publication: Publication | None) -> Rows:
    rows = publication.computations.values_list("kind", "sha256") if publication else ()
    return {(kind, 0): [sha256] for kind, sha256 in rows}


def compare_rows(on_file: Rows, by_facts: Rows, names: Sequence[str]) -> list[tuple[Key, str]]:
    differing = [
        key for key in on_file.keys() | by_facts.keys() if on_file.get(key) != by_facts.get(key)
    ]
    return [
        (key, describe_difference(on_file.get(key), by_facts.get(key), names))
        for key in sorted(differing)
    ]


def describe_difference(
    on_file: Sequence[object] | None, by_facts: Sequence[object] | None, names: Sequence[str]
) -> str:
    if on_file is None or by_facts is None:
        return "missing on file" if on_file is None else "on file, and not when recomputed"
    pairs = zip(names, on_file, by_facts, strict=True)
    return ", ".join(
        f"{name} is {one} on file and {other} recomputed"
        for name, one, other in pairs
        if one != other
    )


def add_unexplained(
    rows: list[tuple[Key, str]], whole: list[tuple[Key, str]]
) -> Iterator[tuple[Key, str]]:
    # Report a differing hash only if no row explains it.
    explained = {name for (name, _player), _what in rows}
    yield from rows
    yield from (one for one in whole if one[0][0] not in explained)


def public_id_of(player: int) -> str:
    return Player.objects.values_list("public_id", flat=True).get(pk=player) if player else ""


@transaction.atomic
def mend_ratings(game: Game) -> bool:
    """Recomputes the game, and rewrites stages whose stored rows were altered."""
    lock_row(game, no_key=True)
    computed = replay_game(game, today=timezone.localdate())
    broken = {
        stage
        for (stage, _player), _what in compare_rows(
            ledger_rows(game), computed_rows(computed), CHANGE
        )
    }
    return (
        compute.write_pgr_changes(game, computed, since=None, cause="recomputed", broken=broken)
        is not None
    )


def has_pending_jobs() -> bool:
    # A job that was given up changes nothing any more.
    kinds = ["pgr.stage", "pgr.player", "pgr.game", "publish"]
    return Job.objects.going_on().filter(kind__in=kinds).exists()


def check_every_night() -> None:
    """Runs every five minutes: the first of a day checks, and a later one again while numbers were
    on their way, or an hour after they differed."""
    last, now = statements.latest_statement(), timezone.now()
    is_of_today = last is not None and timezone.localdate(last.at) == timezone.localdate(now)
    is_to_repeat = last is not None and last.differences and now - last.at >= REPEATED_AFTER
    if not is_of_today or is_to_repeat:
        check_all_numbers()


def check_all_numbers() -> None:
    computed: list[str] = []
    with transaction.atomic():
        # One snapshot for facts and numbers, so that concurrent writes are no differences.
        isolate_snapshot()
        if has_pending_jobs():
            return
        found = find_differences(computed=computed.append)
        logged = list(islice(found, MOST_LOGGED))
        count = len(logged) + sum(1 for _one in found)
    statements.sign_statement(computed, differences=count)
    for difference in logged:
        logger.error("a number differs from what the facts give: %s", difference)
    if count > len(logged):
        logger.error("%s more numbers differ", count - len(logged))


def found_last_night() -> int:
    """Until a later check finds nothing."""
    last = statements.latest_statement()
    return last.differences if last else 0
