"""From closing a stage of 64 players to published rankings: `python -m bench.publication
[players]`.

Prints for each size of the federation the seconds in all, and of these the seconds of the ratings
and of the rankings."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any
from unittest import mock

from bench.federation import (
    LONG_AGO,
    bulk,
    calendar_and_people,
    closed_stages,
    load,
    outcomes,
    peak_megabytes,
    portal,
    settle,
)

PLAYERS = (20_000, 80_000, 320_000)
GAMES, RATINGS_EACH, SEATS_BEFORE = 40, 10, 50
SEATS, ROUNDS, TIMES = 64, 6, 3
SAME: dict[str, Any] = {
    "before": 1_000_000,
    "half_points": 5,
    "expected": 3,
    "rated_games": 6,
    "valid_games": 6,
    "k": 20,
    "is_first": True,
    "games": "",
    "is_current": True,
}


def fill(players: int, today: date) -> None:
    """Everybody has ten ratings, from stages of the year before; the games behind them are not
    needed any more."""
    from pergioco.publishing.models import Computation, PgrChange

    calendar_and_people(players=players, games=GAMES)
    blocks = players * RATINGS_EACH // GAMES // SEATS_BEFORE
    day = date(today.year - 1, 6, 1)
    held = [
        (game, day + timedelta(days=block % 200))
        for block in range(blocks)
        for game in range(1, GAMES + 1)
    ]
    closed_stages(held)
    stages = range(1, len(held) + 1)
    pgr = {
        "kind": "pgr",
        "season": day.year,
        "edition": 2021,
        "sha256": "",
        "cause": "closed",
        "made_at": LONG_AGO,
    }
    bulk(Computation, "id stage revision", ((n, n, n) for n in stages), **pgr, settings={}, read={})
    bulk(
        PgrChange,
        "computation stage game player after ended_on last_valid_on",
        ratings(held),
        **SAME,
    )
    settle()


def ratings(held: list[tuple[int, date]]) -> Iterator[tuple[object, ...]]:
    """Of each game every fourth player, fifty to a stage."""
    chance = random.Random(2026)  # noqa: S311 - invented results
    for number, (game, day) in enumerate(held, 1):
        first = (number - 1) // GAMES * SEATS_BEFORE
        for place in range(first, first + SEATS_BEFORE):
            player = 4 * place + game % 4 + 1
            yield number, number, game, player, chance.randrange(800_000, 1_400_000), day, day


def draft(number: int, players: int, today: date) -> Any:
    """A Race stage of today with all its results, still open."""
    from pergioco.stages import facts
    from pergioco.stages.models import Entry, Revision, Season, Stage

    stage = Stage.objects.create(
        slug=f"today-{number}",
        season=Season.objects.get(year=today.year),
        game_id=1,
        system="swiss",
        pace="real_time",
        starts_on=today,
        ends_on=today,
        race=True,
        capacity=SEATS,
        status="open",
    )
    chance = random.Random(number)  # noqa: S311 - invented results
    seated = chance.sample(range(1, players + 1), SEATS)
    Entry.objects.bulk_create(Entry(stage=stage, player_id=player) for player in seated)
    made = Revision.objects.create(stage=stage, number=1)
    facts.write_rounds(made, [round_of(number, seated, chance) for number in range(1, ROUNDS + 1)])
    return made


def round_of(number: int, seated: list[int], chance: random.Random) -> Any:
    """The neighbours in a circle that turns by one seat a round."""
    from pergioco.stages.facts import RoundFacts, SeatFacts, TableFacts

    fixed, *others = seated
    circle = [fixed, *others[number:], *others[:number]]
    pairs = zip(circle[: SEATS // 2], reversed(circle[SEATS // 2 :]), strict=True)
    return RoundFacts(
        number,
        tuple(
            TableFacts(
                place,
                tuple(
                    SeatFacts(p, o, "played") for p, o in zip(pair, outcomes(chance), strict=True)
                ),
            )
            for place, pair in enumerate(pairs, 1)
        ),
    )


def close(revision: Any, by: Any) -> dict[str, float]:
    """As an organizer does it; what follows runs in the same process, at once."""
    from pergioco.stages import facts
    from pergioco.stages.services import closing

    seal = facts.hash_rounds(facts.read_rounds(revision))
    spent: dict[str, float] = {}
    with (
        clocked("ratings.following.recompute", spent, "for_ratings"),
        clocked(PUBLISH, spent, "for_rankings"),
    ):
        began = time.perf_counter()
        closing.close_stage(revision.stage, by=by, revision=revision.pk, sha256=seal)
        return {"seconds": time.perf_counter() - began, **spent}


PUBLISH = "pergioco.publishing.services.publish.publish_season"


def clocked(dotted: str, spent: dict[str, float], name: str) -> Any:
    from django.utils.module_loading import import_string

    real: Callable[..., Any] = import_string(dotted)

    def call(*args: Any, **named: Any) -> Any:
        began = time.perf_counter()
        try:
            return real(*args, **named)
        finally:
            spent[name] = spent.get(name, 0) + time.perf_counter() - began

    return mock.patch(dotted, call)


def measure(players: int) -> dict[str, object]:
    from django.utils import timezone

    from pergioco.core.models import Job, User
    from pergioco.publishing.models import PgrChange, Publication
    from pergioco.publishing.services.publish import publish_season
    from pergioco.stages.models import Season

    today = timezone.localdate()
    fill(players, today)
    publish_season(Season.objects.get(year=today.year), cause="closed")
    size = {"players": players, "ratings": PgrChange.objects.count()}
    by = User.objects.create_user("organizer@example.org", "")
    runs = [close(draft(number, players, today), by) for number in range(1, TIMES + 1)]
    assert (Publication.objects.count(), Job.objects.filter(done_at=None).count()) == (TIMES + 1, 0)
    median = sorted(runs, key=lambda run: run["seconds"])[TIMES // 2]
    return {
        **size,
        **{name: round(value, 2) for name, value in median.items()},
        "ratio": round(median["seconds"] / median["for_ratings"], 2),
        "peak_megabytes": peak_megabytes(),
        "load": load(),
    }


def main(players: int | None = None) -> None:
    """Each size in a process and on a database of its own."""
    if players is None:
        for size in PLAYERS:
            subprocess.run([sys.executable, "-m", "bench.publication", str(size)], check=True)  # noqa: S603 - ourselves
        return
    with portal():
        print(json.dumps(measure(players)), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
