"""Every rating of a federation computed anew: `python -m bench.replay [games played]`.

Beside it three peers. `bare`: one query read with one iterator, the guarded arithmetic, `COPY` of
the results into a table without keys. `numpy`: the same with floats in NumPy, and how many of its
ratings are wrong. `row_by_row`: as one would write it first in Django, a query and a save for each
rating; only at the smallest size. Prints seconds, ratios and memory, for one process and for two
workers, as `docker-compose.yml` starts them; every single rating is compared with one computed in
Decimal with fifty digits. `load` tells how busy the machine was: the seconds of a busy one mean
little."""

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from bench.federation import Size, fill, load, peak_megabytes, portal, start

PLAYS = (62_500, 250_000, 1_000_000)
PLAYS_A_STAGE, PLAYS_A_PLAYER = 200, 50
WORKERS = 2
BATCH = 10_000
HALF_POINTS = {"win": 2, "draw": 1, "loss": 0}
BARE = """
SELECT stage.game_id, stage.id, one.player_id, other.player_id, one.outcome
FROM stages_seat one
JOIN stages_seat other ON other.table_id = one.table_id AND other.position = 2
JOIN stages_table t ON t.id = one.table_id
JOIN stages_round r ON r.id = t.round_id
JOIN stages_revision revision ON revision.id = r.revision_id
JOIN stages_stage stage ON stage.id = revision.stage_id
WHERE one.position = 1 AND revision.state = 'current'
ORDER BY stage.game_id, stage.ends_on, stage.slug COLLATE "C", stage.id
"""
Play = tuple[int, int, int, int, str]  # game, stage, player, opponent, the player's outcome
Result = tuple[int, int, int]  # stage, player, rating after it
Rated = Callable[[int, list[int], int, int], int]


def plays() -> Iterator[Play]:
    from django.db import connection, transaction

    with transaction.atomic(), connection.connection.cursor(name="plays") as cursor:
        cursor.itersize = BATCH
        yield from cursor.execute(BARE)


def results(rows: Iterable[Play], rated: Rated) -> Iterator[Result]:
    """Nothing but the arithmetic: everybody starts at 1000, all games of a stage at once."""
    for _game, of_game in groupby(rows, key=itemgetter(0)):
        held: dict[int, int] = {}
        for stage, of_stage in groupby(of_game, key=itemgetter(1)):
            after = {
                player: rated(
                    held.get(player, 1_000_000),
                    [held.get(o, 1_000_000) for o in opponents],
                    half,
                    20,
                )
                for player, (opponents, half) in sides(of_stage).items()
            }
            held |= after
            yield from ((stage, player, rating) for player, rating in after.items())


def sides(of_stage: Iterable[Play]) -> dict[int, tuple[list[int], int]]:
    """Player -> his opponents, and his half points."""
    opponents: dict[int, list[int]] = defaultdict(list)
    half_points: dict[int, int] = defaultdict(int)
    for _game, _stage, one, other, outcome in of_stage:
        half = HALF_POINTS[outcome]
        opponents[one].append(other)
        opponents[other].append(one)
        half_points[one] += half
        half_points[other] += 2 - half
    return {player: (own, half_points[player]) for player, own in opponents.items()}


def bare() -> None:
    from ratings.rules import new_rating

    copied(list(results(plays(), new_rating)))


def copied(found: Iterable[Result]) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE IF NOT EXISTS bare (stage bigint, player bigint, rating integer)"
        )
        cursor.execute("TRUNCATE bare")
        with cursor.copy("COPY bare FROM STDIN") as copy:
            for row in found:
                copy.write_row(row)


def timed(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return round(time.perf_counter() - began, 2)


def exact() -> set[Result]:
    from ratings.rules import new_rating_exactly

    return set(results(plays(), new_rating_exactly))


def read_changes() -> set[Result]:
    from pergioco.publishing.models import PgrChange

    return set(
        PgrChange.objects.current()
        .values_list("stage", "player", "after")
        .iterator(chunk_size=BATCH)
    )


def children(task: str, how_many: int = 1) -> dict[str, float]:
    """Processes of their own, whose start does not count."""
    command = [sys.executable, "-m", "bench.replay", task]
    begun = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(how_many)]  # noqa: S603 - ourselves
    told = [json.loads(process.communicate()[0]) for process in begun]
    seconds = max(one["ended"] for one in told) - min(one["began"] for one in told)
    return {
        "seconds": round(seconds, 2),
        "peak_megabytes": max(one["peak_megabytes"] for one in told),
    }


def task(name: str) -> None:
    """What a process of its own does."""
    act = {"everything": everything, "waiting": waiting}[name]
    began = time.time()
    act()
    print(json.dumps({"began": began, "ended": time.time(), "peak_megabytes": peak_megabytes()}))


def everything() -> None:
    """One game after the other."""
    from ratings.compute import recompute_all

    recompute_all(cause="replay")


def waiting() -> None:
    """One job for each game, run by the worker that is free."""
    from pergioco.core import jobs

    while jobs.run_waiting():
        pass


def enqueue_every_game() -> None:
    from django.utils import timezone

    from pergioco.core.models import Job
    from pergioco.stages.models import Game

    each = ({"game": game, "cause": "replay"} for game in Game.objects.values_list("pk", flat=True))
    Job.objects.bulk_create(
        Job(kind="pgr.game", arguments=ids, not_before=timezone.now()) for ids in each
    )


def delete_changes() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE publishing_computation, core_job CASCADE")


def copied_again() -> float:
    """How long the database alone takes for the rows of the replay, with its keys and indexes."""
    from django.db import transaction

    from pergioco.core.database import insert_rows
    from pergioco.publishing.models import PgrChange
    from ratings.compute import NAMES

    rows = list(PgrChange.objects.values_list(*NAMES).order_by("pk"))
    PgrChange.objects.all().delete()
    with transaction.atomic():
        began = time.perf_counter()
        insert_rows(PgrChange, NAMES, rows)
    return round(time.perf_counter() - began, 2)


def peers_of(plays: int, expected: set[Result]) -> dict[str, float]:
    from bench import replay_peers

    found: list[list[Result]] = []
    peers: dict[str, float] = {"numpy": timed(lambda: found.append(replay_peers.with_numpy()))}
    peers["numpy_wrong"] = len(set(found[0]) - expected)
    if plays == PLAYS[0]:
        peers["row_by_row"] = timed(replay_peers.row_by_row)
    return peers


def measure(plays: int) -> dict[str, Any]:
    fill(Size(plays, plays // PLAYS_A_STAGE, plays // PLAYS_A_PLAYER))
    seconds, expected = timed(bare), exact()
    peers = peers_of(plays, expected)
    alone = children("everything")
    equal = read_changes() == expected
    keys = copied_again()
    delete_changes()
    enqueue_every_game()
    together = children("waiting", WORKERS)
    equal &= read_changes() == expected
    return {
        "plays": plays,
        "ratings": len(expected),
        "equal_to_decimal": equal,
        "bare": seconds,
        **peers,
        "keys_and_indexes": keys,
        "one_process": {**alone, "ratio": round(alone["seconds"] / seconds, 2)},
        **{
            f"to_{name}": round(alone["seconds"] / peers[name], 2)
            for name in ("numpy", "row_by_row")
            if name in peers
        },
        "two_workers": {**together, "ratio": round(together["seconds"] / seconds, 2)},
        "load": load(),
    }


def main(plays: int | None = None) -> None:
    if plays is None:
        for size in PLAYS:
            subprocess.run([sys.executable, "-m", "bench.replay", str(size)], check=True)  # noqa: S603 - ourselves
        return
    with portal():
        print(json.dumps(measure(plays)), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] and not sys.argv[1].isdigit():
        start()
        task(sys.argv[1])
    else:
        main(*map(int, sys.argv[1:]))
