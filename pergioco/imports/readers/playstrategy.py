"""PlayStrategy's Swiss tournaments, from the documents of its public endpoints."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from pergioco.imports.canonical import (
    DRAW,
    FORFEIT,
    LOSS,
    MATCH,
    MIRROR,
    PLAYED,
    WIN,
    Absence,
    Bye,
    Game,
    Match,
    Result,
    Standing,
    Unreadable,
)
from pergioco.imports.collecting import Collector
from pergioco.imports.readers.json_text import refusing_other_shapes

CELL = re.compile(r"(\w{8})([owld])(\d)(px|x)?(?:s(\d\d))?((?:_\w{8})*)(?:=.*)?", re.DOTALL)
BETWEEN_CELLS = re.compile(r"\|(?=absent|bye|\w{8}[owld]\d)")
SEEN_FROM_A = {"w": WIN, "l": LOSS, "d": DRAW}
OPPOSITE = {"w": "l", "l": "w", "d": "d"}
SINGLE = {"win": WIN, "loss": LOSS, "draw": DRAW}
A_PAIR = 2
BEGIN = datetime(1970, 1, 1, tzinfo=UTC)  # the moment from which they count
OUT_OF_TIME = {"outoftime", "timeout", "outoftimeGammon", "outoftimeBackgammon"}


@dataclass(frozen=True)
class Documents:
    """What was fetched or uploaded; only the standing pages are indispensable."""

    standings: Sequence[Mapping[str, Any]]
    info: Mapping[str, Any] = field(default_factory=dict)
    games: Sequence[Mapping[str, Any]] = ()
    sheets: Sequence[Mapping[str, Any]] = ()  # of single players: the results of each game of a match


@dataclass(frozen=True)
class Half:
    """One player's side of one pairing."""

    player: str
    round: int
    game_id: str
    outcome: str
    games: int
    match: str  # "", "x" best of, "px" play
    doubled: str  # match points times two, as text; empty if the match counts as one result
    more_ids: tuple[str, ...]


@refusing_other_shapes
def read_swiss(documents: Documents) -> Result:
    info, players = documents.info, [p for page in documents.standings for p in page["players"]]
    if not players:
        raise Unreadable("no_players")
    if info and info["status"] != "finished":
        raise Unreadable("not_finished", status=str(info["status"]))
    collector = Collector("playstrategy", "api" if info else "standing")
    halves: dict[tuple[int, str], list[Half]] = {}
    for player in players:
        take_player(player, info, halves, collector)
    details = GameDetails(documents)
    for (round_, _id), sides in sorted(halves.items()):
        join(round_, sides, details, collector)
    counts_agree(info, players, collector)
    variant = str(info.get("variant", ""))
    ids = {str(p["user"]["name"]): str(p["user"]["id"]) for p in players}
    return collector.result(source_stage_id=str(info.get("id", "")), variant=variant, participant_ids=ids)


def take_player(
    player: Mapping[str, Any],
    info: Mapping[str, Any],
    halves: dict[tuple[int, str], list[Half]],
    collector: Collector,
) -> None:
    name = collector.participant(str(player["user"]["name"]))
    standing = Standing(
        name, Decimal(player["points"]), int(player["rank"]), disqualified=bool(player.get("disqualified"))
    )
    collector.standings.append(standing)
    for round_, cell in enumerate(cells(str(player["sheetMin"])), 1):
        if cell == "absent":
            collector.absence(Absence(name, round_, "absent"))
        elif cell == "bye":
            collector.bye(Bye(name, round_, "pairing", bye_points(info)))
        else:
            half = read_half(name, round_, cell)
            halves.setdefault((round_, half.game_id), []).append(half)


def cells(sheet: str) -> list[str]:
    return BETWEEN_CELLS.split(sheet) if sheet else []


def bye_points(info: Mapping[str, Any]) -> Decimal:
    games = int(info.get("nbGamesPerRound", 1))
    if not info.get("isMatchScore"):
        return Decimal(1)
    return Decimal(games // 2 + 1 if info.get("isBestOfX") else games)


def read_half(player: str, round_: int, cell: str) -> Half:
    parts = CELL.fullmatch(cell)
    if parts is None:
        raise Unreadable("bad_sheet_cell", player=player, round=round_, text=cell[:40])
    game_id, outcome, games, match, doubled, more = parts.groups()
    ids = tuple(more.split("_")[1:])
    return Half(player, round_, game_id, outcome, int(games), match or "", doubled or "", ids)


def join(round_: int, sides: list[Half], details: "GameDetails", collector: Collector) -> None:
    """Two players with the same game in the same round are a pairing; their outcomes must mirror."""
    if len(sides) != A_PAIR or sides[0].outcome != OPPOSITE.get(sides[1].outcome):
        players = ", ".join(side.player for side in sides)
        collector.fail("sides_do_not_mirror", round=round_, id=sides[0].game_id, players=players)
        return
    a, b = sides
    kind = MATCH if a.match else details.kind(a.game_id)
    if a.match:
        details.warn_of_no_show(a, collector)
    game = Game(
        a.player,
        b.player,
        SEEN_FROM_A[a.outcome],
        kind,
        a.game_id,
        match=match_of(a, b, details, collector) if a.match else None,
        played_on=details.day(a.game_id),
    )
    collector.game(round_, game)


def match_of(a: Half, b: Half, details: "GameDetails", collector: Collector) -> Match:
    name = f"play{a.games}" if a.match == "px" else f"best{a.games}"
    results = details.single_results(a, b)
    if not a.doubled and not results:
        collector.warn("match_score_unknown", round=a.round, a=a.player, b=b.player)
    return Match(name, halved(a.doubled), halved(b.doubled), (a.game_id, *a.more_ids), results)


def halved(doubled: str) -> Decimal | None:
    return Decimal(doubled) / 2 if doubled else None


class GameDetails:
    """What the list of games and the players' sheets add: no-shows, dates, the single games of a match."""

    def __init__(self, documents: Documents) -> None:
        self.games = {str(game["id"]): game for game in documents.games}
        self.singles = dict(self.read_sheets(documents.sheets))

    def read_sheets(self, sheets: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[str, str], tuple[str, ...]]]:
        for sheet in sheets:
            for cell in sheet["sheet"]:
                if isinstance(cell, dict) and cell.get("mr"):
                    yield (str(sheet["user"]["name"]), str(cell["g"])), tuple(SINGLE[r] for r in cell["mr"])

    def single_results(self, a: Half, b: Half) -> tuple[str, ...]:
        """Seen from a, from whichever sheet there is."""
        mirrored = tuple(MIRROR.get(result, result) for result in self.singles.get((b.player, b.game_id), ()))
        return self.singles.get((a.player, a.game_id)) or mirrored

    def kind(self, game_id: str) -> str:
        game = self.games.get(game_id)
        return FORFEIT if game is not None and is_no_show(game) else PLAYED

    def day(self, game_id: str) -> str:
        game = self.games.get(game_id)
        return day_of(game) if game is not None else ""

    def warn_of_no_show(self, side: Half, collector: Collector) -> None:
        game = self.games.get(side.game_id)
        if game is not None and is_no_show(game):
            loser = game["players"]["p2" if game["winner"] == "p1" else "p1"]["user"]["name"]
            collector.warn("no_show_suspected", id=side.game_id, player=str(loser), round=side.round)


def day_of(game: Mapping[str, Any]) -> str:
    """The day in UTC on which the last move was made."""
    return (BEGIN + timedelta(milliseconds=int(game["lastMoveAt"]))).date().isoformat()


def is_no_show(game: Mapping[str, Any]) -> bool:
    """The clock ran out on somebody who never completed a turn: turns are separated by spaces, p1 moves first."""
    if game["status"] == "noStart":
        return True
    if game["status"] not in OUT_OF_TIME or "winner" not in game:
        return False
    turns = len(str(game["moves"]).split())
    return turns < (1 if game["winner"] == "p2" else 2)


def counts_agree(info: Mapping[str, Any], players: Sequence[Any], collector: Collector) -> None:
    """The site's own totals are a check on what was read."""
    if not info:
        return
    stats = info.get("stats", {})
    checks = {
        "players": (info.get("nbPlayers"), len(players)),
        "byes": (stats.get("byes"), len(collector.byes)),
        "absences": (stats.get("absences"), len(collector.absences)),
    }
    for what, (said, read) in checks.items():
        if said is not None and said != read:
            collector.fail("counts_differ", what=what, said=said, read=read)
