"""Abstract Play's nightly record files: they alone tell which game ended on time."""

from collections.abc import Mapping, Sequence
from typing import Any

from pergioco.imports.canonical import (
    FORFEIT,
    LOSS,
    NOBODY,
    OPEN,
    PENDING,
    PLAYED,
    VOID,
    WIN,
    Game,
    Result,
    Unreadable,
    compare,
)
from pergioco.imports.collecting import Collector
from pergioco.imports.readers.abstract_play import SOURCE, People
from pergioco.imports.readers.json_text import refusing_other_shapes

FIRST_TURN_OF_LOSER = {LOSS: 1, WIN: 2}  # who runs out of time at that one never came


@refusing_other_shapes
def read_records(records: Sequence[Mapping[str, Any]], event_id: str = "") -> Result:
    if not records:
        raise Unreadable("no_games")
    collector = Collector(SOURCE, "records")
    people = People(collector)
    newest = newest_names(records, collector)
    for record in records:
        take(record, newest, people, collector)
    return collector.result(
        source_stage_id=event_id or event_of(records),
        variant=game_of(records[0])[0],
        participant_ids=people.ids,
    )


def newest_names(records: Sequence[Mapping[str, Any]], collector: Collector) -> dict[str, str]:
    """The name borne most often stands for the id; other spellings are told."""
    seen: dict[str, list[str]] = {}
    for record in records:
        for player in record["header"]["players"]:
            seen.setdefault(str(player["userid"]), []).append(str(player["name"]))
    chosen = {user_id: max(dict.fromkeys(names), key=names.count) for user_id, names in seen.items()}
    for user_id, names in seen.items():
        for other in sorted(set(names) - {chosen[user_id]}):
            collector.warn("name_changed", id=user_id, old=other, new=chosen[user_id])
    return chosen


def game_of(record: Mapping[str, Any]) -> tuple[str, str]:
    meta_game, _, game_id = str(record["header"]["site"]["gameid"]).partition("#")
    return meta_game, game_id


def event_of(records: Sequence[Mapping[str, Any]]) -> str:
    """The id in brackets behind the event's name."""
    named = next((str(r["header"]["event"]) for r in records if r["header"].get("event")), "")
    return named.rpartition("(")[2].removesuffix(")") if named.endswith(")") else ""


def take(record: Mapping[str, Any], names: Mapping[str, str], people: People, collector: Collector) -> None:
    header, game_id = record["header"], game_of(record)[1]
    if game_id in collector.by_id:
        twin = collector.by_id[game_id]
        collector.warn("repeated", id=game_id, a=twin.a, b=twin.b)
        return
    first, second = header["players"]
    a, b = (people.call(str(p["userid"]), names[str(p["userid"])]) for p in (first, second))
    if not header.get("event"):
        collector.warn("no_event_header", id=game_id)
    result, kind = outcome(first["result"], second["result"], record["moves"])
    if kind == VOID:
        collector.warn("abandoned", id=game_id, a=a, b=b)
    if kind == PENDING:
        collector.fail("result_unknown", id=game_id, a=a, b=b)
    day = str(header["date-end"])[:10]
    collector.add(int(header.get("round", 1)), Game(a, b, result, kind, game_id, played_on=day))


def outcome(a: Any, b: Any, moves: Sequence[Sequence[str]]) -> tuple[str, str]:
    plies = [ply for turn in moves for ply in turn]
    last = plies[-1].strip(",") if plies else ""
    if a is None or b is None:
        return OPEN, PENDING
    if last == "abandoned":
        return NOBODY, VOID
    result = compare(a, b)
    never_came = last == "timeout" and len(plies) == FIRST_TURN_OF_LOSER.get(result)
    return result, FORFEIT if never_came else PLAYED
