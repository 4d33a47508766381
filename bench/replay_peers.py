"""The same ratings by other ways, for `bench/replay.py` to be held against."""

from itertools import groupby
from operator import itemgetter

import numpy as np

from bench.replay import HALF_POINTS, Result, copied, plays, sides

START, K, SPREAD = 1000.0, 20, 400.0


def with_numpy() -> list[Result]:
    """Floats, a stage at once; written as the bare path writes."""
    rows = list(plays())
    most = max(max(row[2], row[3]) for row in rows) + 1
    found: list[Result] = []
    for _game, of_game in groupby(rows, key=itemgetter(0)):
        held = np.full(most, START)
        for stage, of_stage in groupby(of_game, key=itemgetter(1)):
            found += played(
                stage,
                held,
                [(one, other, HALF_POINTS[outcome] / 2) for _, _, one, other, outcome in of_stage],
            )
    copied(found)
    return found


def played(stage: int, held: np.ndarray, games: list[tuple[int, int, float]]) -> list[Result]:
    one, other = (np.array([game[side] for game in games]) for side in (0, 1))
    gained = np.array([game[2] for game in games]) - 1 / (
        1 + 10 ** ((held[other] - held[one]) / SPREAD)
    )
    delta = np.zeros_like(held)
    np.add.at(delta, one, gained)
    np.add.at(delta, other, -gained)
    there = np.union1d(one, other)
    held[there] = np.round(held[there] + K * delta[there], 3)
    return [(stage, int(player), round(float(held[player]) * 1000)) for player in there]


def row_by_row() -> None:
    """As one would write it first: the latest rating of everybody is asked for, the new one is
    saved."""
    from django.db import connection, transaction

    from pergioco.publishing.models import Computation, PgrChange
    from pergioco.stages.models import Stage
    from ratings.rules import new_rating

    with transaction.atomic():
        for _game, of_game in groupby(list(plays()), key=itemgetter(0)):
            for number, of_stage in groupby(of_game, key=itemgetter(1)):
                stage = Stage.objects.get(pk=number)
                of = Computation.objects.create(
                    kind="pgr", season_id=stage.season_id, stage=stage, edition=2021, cause="closed"
                )
                players = sides(of_stage)
                before = {player: latest(player, stage.game_id) for player in players}
                for player, (opponents, half) in players.items():
                    after = new_rating(
                        before[player], [before[opponent] for opponent in opponents], half, K
                    )
                    PgrChange(
                        computation=of,
                        stage=stage,
                        game_id=stage.game_id,
                        player_id=player,
                        ended_on=stage.ends_on,
                        before=before[player],
                        half_points=half,
                        expected=0,
                        rated_games=len(opponents),
                        valid_games=len(opponents),
                        k=K,
                        after=after,
                    ).save()
        transaction.set_rollback(True)
    assert connection.in_atomic_block is False


def latest(player: int, game: int) -> int:
    from pergioco.publishing.models import PgrChange

    changes = PgrChange.objects.filter(player=player, game=game).order_by("-ended_on", "-stage")
    return int(changes.values_list("after", flat=True).first() or START * 1000)
