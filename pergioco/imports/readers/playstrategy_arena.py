"""PlayStrategy's arenas: no rounds, a pair may meet again."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from pergioco.imports.canonical import DRAW, FORFEIT, LOSS, PLAYED, WIN, Game, Result, Standing, Unreadable
from pergioco.imports.collecting import Collector
from pergioco.imports.readers.json_text import refusing_other_shapes
from pergioco.imports.readers.playstrategy import day_of, is_no_show

SEEN_FROM_P1 = {"p1": WIN, "p2": LOSS, None: DRAW}
NO_RESULT = {"created", "started", "aborted"}


@refusing_other_shapes
def read_arena(games: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]] = ()) -> Result:
    """Games come most recent first; they are kept in the order of play."""
    if not games:
        raise Unreadable("no_games")
    collector = Collector("playstrategy", "arena")
    collector.warn("arena_points")
    for row in results:
        name = collector.participant(str(row["username"]))
        collector.standings.append(Standing(name, Decimal(row["score"]), int(row["rank"])))
    ids: dict[str, str] = {}
    for game in reversed(games):
        take(game, ids, collector)
    stage = str(games[0].get("tournament", ""))
    return collector.result(source_stage_id=stage, variant=str(games[0]["variant"]), participant_ids=ids)


def take(game: Mapping[str, Any], ids: dict[str, str], collector: Collector) -> None:
    users = [game["players"][side]["user"] for side in ("p1", "p2")]
    a, b = (collector.participant(str(user["name"])) for user in users)
    ids.update({a: str(users[0]["id"]), b: str(users[1]["id"])})
    if game["status"] in NO_RESULT:
        collector.warn("game_without_result", id=str(game["id"]), a=a, b=b)
        return
    kind = FORFEIT if is_no_show(game) else PLAYED
    collector.game(None, Game(a, b, SEEN_FROM_P1[game.get("winner")], kind, str(game["id"]), played_on=day_of(game)))
