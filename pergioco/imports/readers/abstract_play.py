"""Abstract Play: automated tournaments and organizers' events, from the open query interface."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from pergioco.imports.canonical import (
    ARBITRATED,
    DRAW,
    LOSS,
    MATCH,
    MIRROR,
    OPEN,
    PENDING,
    PLAYED,
    WIN,
    Absence,
    Game,
    Match,
    Result,
    Standing,
    Unreadable,
    compare,
)
from pergioco.imports.collecting import Collector
from pergioco.imports.nicknames import same_name
from pergioco.imports.readers.json_text import refusing_other_shapes

SOURCE = "abstractplay"
WORTH = {WIN: Decimal(1), DRAW: Decimal("0.5"), LOSS: Decimal(0)}
A_PAIR = 2


class People:
    """Players by their id: names there are free text, not unique, and may change."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.by_id: dict[str, str] = {}

    def call(self, user_id: str, name: str) -> str:
        """The name under which this id appears in the result; a namesake gets the id's beginning with it."""
        if user_id not in self.by_id:
            shown = " ".join(name.split()) or user_id
            self.by_id[user_id] = f"{shown} ({user_id[:8]})" if shown in self.by_id.values() else shown
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
    """One id: that one won; both: a draw; none: still open. Anything else has no meaning."""
    if not winner:
        return OPEN
    if not isinstance(winner, list) or not all(isinstance(w, str) for w in winner) or len(winner) > A_PAIR:
        raise Unreadable("bad_winner", text=str(winner)[:80])
    if len(winner) == A_PAIR:
        return DRAW
    return WIN if winner[0] == first else LOSS


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


def take_standings(rows: Sequence[Mapping[str, Any]], people: People, collector: Collector) -> dict[str, int]:
    """Name -> division. Rank inside a division: score, then tie-break, then rating."""
    divisions: dict[str, int] = {}
    ranks: dict[int, int] = defaultdict(int)
    for row in rows:
        divisions[people.call(str(row["playerid"]), str(row["playername"]))] = int(row["division"])
    for row in sorted(rows, key=lambda r: (-r["score"], -r.get("tiebreak", 0), -r.get("rating", 0))):
        name = people.call(str(row["playerid"]), "")
        ranks[divisions[name]] += 1
        collector.standings.append(
            Standing(name, Decimal(row["score"]), ranks[divisions[name]], division=divisions[name])
        )
    return divisions


def take_tournament_game(
    row: Mapping[str, Any], divisions: Mapping[str, int], people: People, collector: Collector
) -> None:
    a, b = (people.by_id[str(row[side])] for side in ("player1", "player2"))
    result = result_for(str(row["player1"]), row.get("winner"))
    kind = PENDING if result == OPEN else PLAYED
    game = Game(a, b, result, kind, str(row["id"]), division=divisions[a])
    if kind == PENDING:
        collector.fail("game_still_open", id=game.source_id, a=a, b=b)
    # Everybody meets everybody at once: it is one round in which each player has many games.
    collector.add(1, game)


@refusing_other_shapes
def read_event(document: Mapping[str, Any], directory: Sequence[Mapping[str, Any]] = ()) -> Result:
    """Pairings made by hand: byes, absences and forfeits do not exist here, so the organizer is asked."""
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
        meet(round_, games, people, collector)
    without_game(entered, people, collector)
    return collector.result(source_stage_id=str(document["event"]["sk"]), participant_ids=known(people, names))


def known(people: People, names: Mapping[str, str]) -> dict[str, str]:
    return {name: user_id for name, user_id in people.ids.items() if user_id in names or not names}


def introduce(
    user_id: str, names: Mapping[str, str], entered: Sequence[str], people: People, collector: Collector
) -> None:
    """Somebody with games who is not on the list of entries: withdrew, or is unknown to the directory."""
    if user_id in people.by_id:
        return
    name = people.call(user_id, names.get(user_id, user_id))
    if user_id not in names:
        collector.warn("unknown_user_id", id=user_id)
    elif user_id not in entered:
        collector.warn("not_entered", player=name)


def round_number(game: Mapping[str, Any], collector: Collector) -> int:
    if isinstance(game["round"], str):
        collector.warn("round_as_text", text=game["round"], id=str(game["gameid"]))
    return int(game["round"])


def meet(round_: int, games: list[Mapping[str, Any]], people: People, collector: Collector) -> None:
    if len(games) > 1:
        collector.game(round_, grouped(round_, games, people, collector))
        return
    row = games[0]
    a, b = (people.by_id[str(row[side])] for side in ("player1", "player2"))
    result = result_for(str(row["player1"]), row.get("winner"))
    kind = PENDING if result == OPEN else ARBITRATED if row.get("arbitrated") else PLAYED
    if kind == PENDING:
        collector.fail("game_still_open", id=str(row["gameid"]), round=round_, a=a, b=b)
    if kind == ARBITRATED:
        collector.warn("arbitrated", id=str(row["gameid"]), round=round_, a=a, b=b)
    collector.game(round_, Game(a, b, result, kind, str(row["gameid"])))


def grouped(round_: int, games: list[Mapping[str, Any]], people: People, collector: Collector) -> Game:
    """Several games of one pair in a round: a match, which the organizer confirms."""
    first = str(games[0]["player1"])
    a, b = (people.by_id[str(games[0][side])] for side in ("player1", "player2"))
    results = tuple(seen_by(first, row) for row in games)
    ids = tuple(str(row["gameid"]) for row in games)
    collector.warn("grouped_as_match", round=round_, a=a, b=b, games=len(games))
    if OPEN in results:
        collector.fail("game_still_open", id=ids[results.index(OPEN)], round=round_, a=a, b=b)
        return Game(a, b, OPEN, PENDING, match=Match(f"{len(games)} games", game_ids=ids, results=results))
    a_points = sum((WORTH[result] for result in results), Decimal(0))
    b_points = len(games) - a_points
    match = Match(f"{len(games)} games", a_points, b_points, ids, results)
    return Game(a, b, compare(a_points, b_points), MATCH, match=match)


def seen_by(first: str, row: Mapping[str, Any]) -> str:
    result = result_for(str(row["player1"]), row.get("winner"))
    return result if str(row["player1"]) == first else MIRROR.get(result, result)


def without_game(entered: Sequence[str], people: People, collector: Collector) -> None:
    for round_, games in list(collector.rounds.items()):
        playing = {name for game in games for name in (game.a, game.b)}
        for user_id in entered:
            name = people.by_id[user_id]
            if name not in playing and round_ is not None:
                collector.absence(Absence(name, round_, "no_game"))
                collector.warn("no_game_in_round", player=name, round=round_)
