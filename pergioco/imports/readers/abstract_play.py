"""Abstract Play: tournaments and events from the query interface, and the nightly record files."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from pergioco.imports.canonical import (
    ARBITRATED,
    DRAW,
    FORFEIT,
    LOSS,
    MATCH,
    MIRROR,
    NOBODY,
    OPEN,
    PENDING,
    PLAYED,
    VOID,
    WIN,
    Absence,
    Collector,
    Game,
    Match,
    Result,
    Standing,
    Unreadable,
    compare_points,
    same_name,
)
from pergioco.imports.readers.json_text import refusing_other_shapes

SOURCE = "abstractplay"
WORTH = {WIN: Decimal(1), DRAW: Decimal("0.5"), LOSS: Decimal(0)}


class People:
    """Players by their id: names are free text, not unique, and may change."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.by_id: dict[str, str] = {}

    def call(self, user_id: str, name: str) -> str:
        """The name for this id in the result; a namesake gets the beginning of the id added."""
        if user_id not in self.by_id:
            shown = " ".join(name.split()) or user_id
            self.by_id[user_id] = (
                f"{shown} ({user_id[:8]})" if shown in self.by_id.values() else shown
            )
            self.collector.names[user_id] = self.by_id[user_id]
        return self.by_id[user_id]

    def warn_of_look_alikes(self) -> None:
        alike = defaultdict(list)
        for name in self.by_id.values():
            alike[same_name(name)].append(name)
        for names in alike.values():
            if len(names) > 1:
                self.collector.warn("look_alike_nicknames", nicknames=names)

    @property
    def ids(self) -> dict[str, str]:
        return {name: user_id for user_id, name in self.by_id.items()}


def result_for(first: str, winner: Any) -> str:
    """One id: the winner; both: a draw; none: still open."""
    if not winner:
        return OPEN
    match winner:
        case [str(), str()]:
            return DRAW
        case [str(only)]:
            return WIN if only == first else LOSS
    raise Unreadable("bad_winner", text=str(winner)[:80])


@refusing_other_shapes
def read_tournament(document: Mapping[str, Any]) -> Result:
    """A round robin inside each division: one round, no byes, no absences."""
    tournament = document["tournament"][0]
    if any(d["numCompleted"] != d["numGames"] for d in tournament["divisions"].values()):
        raise Unreadable("not_finished", status="running")
    collector = Collector(SOURCE, "get_tournament")
    people = People(collector)
    rows = tournament.get("players") or document["tournamentPlayers"]
    divisions = take_standings(rows, people, collector)
    collector.warn("no_timeout_information")
    people.warn_of_look_alikes()
    for row in document["tournamentGames"]:
        take_tournament_game(row, divisions, people, collector)
    inside: dict[int, list[str]] = defaultdict(list)
    for name, division in divisions.items():
        inside[division].append(name)
    return collector.result(
        source_stage_id=str(tournament["id"]),
        variant=str(tournament["metaGame"]),
        participant_ids=people.ids,
        divisions={number: tuple(names) for number, names in sorted(inside.items())},
    )


def take_standings(
    rows: Sequence[Mapping[str, Any]], people: People, collector: Collector
) -> dict[str, int]:
    """Name -> division. Rank inside a division: score, then tie-break, then rating."""
    divisions: dict[str, int] = {}
    ranks: dict[int, int] = defaultdict(int)
    for row in rows:
        divisions[people.call(str(row["playerid"]), str(row["playername"]))] = int(row["division"])
    for row in sorted(
        rows, key=lambda r: (-r["score"], -r.get("tiebreak", 0), -r.get("rating", 0))
    ):
        name = people.by_id[str(row["playerid"])]
        division = divisions[name]
        ranks[division] += 1
        standing = Standing(name, Decimal(row["score"]), ranks[division], division)
        collector.standings.append(standing)
    return divisions


def take_tournament_game(
    row: Mapping[str, Any], divisions: Mapping[str, int], people: People, collector: Collector
) -> None:
    a, b, result = read_pair(row, people)
    kind = PENDING if result == OPEN else PLAYED
    game = Game(a, b, result, kind, str(row["id"]), division=divisions[a])
    if kind == PENDING:
        collector.fail_as_open(game)
    # All play all at once: one round in which each player has many games.
    collector.add(1, game)


def read_pair(row: Mapping[str, Any], people: People) -> tuple[str, str, str]:
    """Both players, and the result as the first one sees it."""
    first, second = str(row["player1"]), str(row["player2"])
    return people.by_id[first], people.by_id[second], result_for(first, row.get("winner"))


@refusing_other_shapes
def read_event(document: Mapping[str, Any], directory: Sequence[Mapping[str, Any]] = ()) -> Result:
    # Pairings made by hand: the source knows no byes, absences or forfeits.
    collector = Collector(SOURCE, "get_event")
    people = People(collector)
    names = {str(user["id"]): str(user["name"]) for user in directory}
    entered = [str(player["playerid"]) for player in document["players"]]
    for user_id in entered:
        people.call(user_id, names.get(user_id, user_id))
    meetings: dict[tuple[int, frozenset[str]], list[Mapping[str, Any]]] = {}
    for game in document["games"]:
        for user_id in (str(game["player1"]), str(game["player2"])):
            introduce(user_id, names, entered, people, collector)
        pair = frozenset((str(game["player1"]), str(game["player2"])))
        meetings.setdefault((round_number(game, collector), pair), []).append(game)
    for (round_, _pair), games in sorted(meetings.items(), key=lambda item: item[0][0]):
        take_meeting(round_, games, people, collector)
    note_absences(entered, people, collector)
    known = {name: user_id for name, user_id in people.ids.items() if user_id in names or not names}
    return collector.result(source_stage_id=str(document["event"]["sk"]), participant_ids=known)


def introduce(
    user_id: str,
    names: Mapping[str, str],
    entered: Sequence[str],
    people: People,
    collector: Collector,
) -> None:
    # Players with games who are not on the list of entries withdrew, or are not in the directory.
    if user_id in people.by_id:
        return
    name = people.call(user_id, names.get(user_id, user_id))
    if user_id not in names:
        collector.warn("unknown_user_id", id=user_id)
    elif user_id not in entered:
        collector.warn("not_entered", player=name)


def round_number(game: Mapping[str, Any], collector: Collector) -> int:
    if isinstance(game["round"], str):
        collector.warn("round_as_text", text=game["round"])
    return int(game["round"])


def take_meeting(
    round_: int, games: list[Mapping[str, Any]], people: People, collector: Collector
) -> None:
    if len(games) > 1:
        collector.game(round_, group_games(round_, games, people, collector))
        return
    row = games[0]
    a, b, result = read_pair(row, people)
    kind = PENDING if result == OPEN else ARBITRATED if row.get("arbitrated") else PLAYED
    if kind == ARBITRATED:
        collector.warn("arbitrated", round=round_, a=a, b=b)
    collector.game(round_, Game(a, b, result, kind, str(row["gameid"])))


def group_games(
    round_: int, games: list[Mapping[str, Any]], people: People, collector: Collector
) -> Game:
    """Several games of one pair in a round: a match, which the organizer confirms."""
    a, b, _result = read_pair(games[0], people)
    pairs = [read_pair(row, people) for row in games]
    results = tuple(seen if one == a else MIRROR.get(seen, seen) for one, _other, seen in pairs)
    match = Match(
        f"{len(games)} games", game_ids=tuple(str(row["gameid"]) for row in games), results=results
    )
    collector.warn("grouped_as_match", round=round_, a=a, b=b, games=len(games))
    if OPEN in results:
        return Game(a, b, OPEN, PENDING, match=match)
    a_points = sum((WORTH[result] for result in results), Decimal(0))
    b_points = len(games) - a_points
    match = replace(match, a_points=a_points, b_points=b_points)
    return Game(a, b, compare_points(a_points, b_points), MATCH, match=match)


def note_absences(entered: Sequence[str], people: People, collector: Collector) -> None:
    for round_, games in list(collector.rounds.items()):
        playing = {name for game in games for name in (game.a, game.b)}
        for user_id in entered:
            name = people.by_id[user_id]
            if name not in playing and round_ is not None:
                collector.absence(Absence(name, round_, "no_game"))
                collector.warn("no_game_in_round", player=name, round=round_)


FIRST_TURN_OF_LOSER = {LOSS: 1, WIN: 2}  # running out of time in this turn means absence


@refusing_other_shapes
def read_records(records: Sequence[Mapping[str, Any]], event_id: str = "") -> Result:
    if not records:
        raise Unreadable("no_games")
    collector = Collector(SOURCE, "records")
    people = People(collector)
    newest = newest_names(records, collector)
    for record in records:
        take_record(record, newest, people, collector)
    return collector.result(
        source_stage_id=event_id or record_event(records),
        variant=record_game(records[0])[0],
        participant_ids=people.ids,
    )


def newest_names(records: Sequence[Mapping[str, Any]], collector: Collector) -> dict[str, str]:
    # The most frequent name wins; other spellings are noted.
    seen: dict[str, list[str]] = {}
    for record in records:
        for player in record["header"]["players"]:
            seen.setdefault(str(player["userid"]), []).append(str(player["name"]))
    chosen = {
        user_id: max(dict.fromkeys(names), key=names.count) for user_id, names in seen.items()
    }
    for user_id, names in seen.items():
        for other in sorted(set(names) - {chosen[user_id]}):
            collector.warn("name_changed", old=other, new=chosen[user_id])
    return chosen


def record_game(record: Mapping[str, Any]) -> tuple[str, str]:
    meta_game, _, game_id = str(record["header"]["site"]["gameid"]).partition("#")
    return meta_game, game_id


def record_event(records: Sequence[Mapping[str, Any]]) -> str:
    """The id in brackets behind the event's name."""
    named = next((str(r["header"]["event"]) for r in records if r["header"].get("event")), "")
    return named.rpartition("(")[2].removesuffix(")") if named.endswith(")") else ""


def take_record(
    record: Mapping[str, Any], names: Mapping[str, str], people: People, collector: Collector
) -> None:
    header, game_id = record["header"], record_game(record)[1]
    if twin := collector.by_id.get(game_id):
        collector.warn("repeated", a=twin.a, b=twin.b)
        return
    first, second = header["players"]
    a, b = (people.call(str(p["userid"]), names[str(p["userid"])]) for p in (first, second))
    if not header.get("event"):
        collector.warn("no_event_header")
    result, kind = record_outcome(first["result"], second["result"], record["moves"])
    if kind == VOID:
        collector.warn("abandoned", a=a, b=b)
    if kind == PENDING:
        collector.fail("result_unknown", a=a, b=b)
    day = str(header["date-end"])[:10]
    collector.add(int(header.get("round", 1)), Game(a, b, result, kind, game_id, played_on=day))


def record_outcome(a: Any, b: Any, moves: Sequence[Sequence[str]]) -> tuple[str, str]:
    plies = [ply for turn in moves for ply in turn]
    last = plies[-1].strip(",") if plies else ""
    if a is None or b is None:
        return OPEN, PENDING
    if last == "abandoned":
        return NOBODY, VOID
    result = compare_points(a, b)
    never_came = last == "timeout" and len(plies) == FIRST_TURN_OF_LOSER.get(result)
    return result, FORFEIT if never_came else PLAYED
