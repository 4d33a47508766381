"""PlayStrategy: Swiss tournaments and arenas from public endpoints, and copied round pages."""

import re
from collections.abc import Mapping, Sequence
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
    OPEN,
    PENDING,
    PLAYED,
    WIN,
    Absence,
    Bye,
    Collector,
    Game,
    Match,
    Result,
    Standing,
    Unreadable,
    compare_points,
)
from pergioco.imports.readers.json_text import refusing_other_shapes
from pergioco.imports.readers.raw_files import decode, lines_of

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
    """What was fetched or uploaded; only the standing pages are required."""

    standings: Sequence[Mapping[str, Any]]
    info: Mapping[str, Any] = field(default_factory=dict)
    games: Sequence[Mapping[str, Any]] = ()
    # of single players: the results of each game of a match
    sheets: Sequence[Mapping[str, Any]] = ()


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
        join_halves(round_, sides, details, collector)
    check_counts(info, players, collector)
    variant = str(info.get("variant", ""))
    ids = {str(p["user"]["name"]): str(p["user"]["id"]) for p in players}
    return collector.result(
        source_stage_id=str(info.get("id", "")), variant=variant, participant_ids=ids
    )


def take_player(
    player: Mapping[str, Any],
    info: Mapping[str, Any],
    halves: dict[tuple[int, str], list[Half]],
    collector: Collector,
) -> None:
    name = collector.participant(str(player["user"]["name"]))
    points, is_out = Decimal(player["points"]), bool(player.get("disqualified"))
    collector.standings.append(Standing(name, points, int(player["rank"]), disqualified=is_out))
    for round_, cell in enumerate(split_cells(str(player["sheetMin"])), 1):
        if cell == "absent":
            collector.absence(Absence(name, round_, "absent"))
        elif cell == "bye":
            collector.bye(Bye(name, round_, "pairing", bye_points(info)))
        else:
            half = read_half(name, round_, cell)
            halves.setdefault((round_, half.game_id), []).append(half)


def split_cells(sheet: str) -> list[str]:
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


def join_halves(
    round_: int, sides: list[Half], details: "GameDetails", collector: Collector
) -> None:
    # Two players with the same game in the same round are a pairing; their outcomes must mirror.
    if len(sides) != A_PAIR or sides[0].outcome != OPPOSITE.get(sides[1].outcome):
        players = ", ".join(side.player for side in sides)
        collector.fail("sides_do_not_mirror", round=round_, players=players)
        return
    a, b = sides
    match, kind, day, source = None, PLAYED, "", details.games.get(a.game_id)
    if source is not None:
        day, kind = last_move_day(source), FORFEIT if is_no_show(source) else PLAYED
    if a.match:
        if source is not None and kind == FORFEIT:
            loser = source["players"]["p2" if source["winner"] == "p1" else "p1"]["user"]["name"]
            collector.warn("no_show_suspected", id=a.game_id, player=str(loser), round=round_)
        match, kind = join_match(a, b, details, collector), MATCH
    result = SEEN_FROM_A[a.outcome]
    game = Game(a.player, b.player, result, kind, a.game_id, match=match, played_on=day)
    collector.game(round_, game)


def join_match(a: Half, b: Half, details: "GameDetails", collector: Collector) -> Match:
    name = f"play{a.games}" if a.match == "px" else f"best{a.games}"
    results = details.single_results(a, b)
    if not a.doubled and not results:
        collector.warn("match_score_unknown", round=a.round, a=a.player, b=b.player)
    return Match(name, halved(a.doubled), halved(b.doubled), (a.game_id, *a.more_ids), results)


def halved(doubled: str) -> Decimal | None:
    return Decimal(doubled) / 2 if doubled else None


class GameDetails:
    """What game list and player sheets add: no-shows, dates, the single games of a match."""

    def __init__(self, documents: Documents) -> None:
        self.games = {str(game["id"]): game for game in documents.games}
        self.singles = {
            (str(sheet["user"]["name"]), str(cell["g"])): tuple(SINGLE[r] for r in cell["mr"])
            for sheet in documents.sheets
            for cell in sheet["sheet"]
            if isinstance(cell, dict) and cell.get("mr")
        }

    def single_results(self, a: Half, b: Half) -> tuple[str, ...]:
        """Seen from a, from either sheet."""
        seen_from_b = self.singles.get((b.player, b.game_id), ())
        mirrored = tuple(MIRROR.get(result, result) for result in seen_from_b)
        return self.singles.get((a.player, a.game_id)) or mirrored


def last_move_day(game: Mapping[str, Any]) -> str:
    """The day of the last move, in UTC."""
    return (BEGIN + timedelta(milliseconds=int(game["lastMoveAt"]))).date().isoformat()


def is_no_show(game: Mapping[str, Any]) -> bool:
    """The loser ran out of time without a completed turn; turns are split by spaces, p1 moves
    first."""
    if game["status"] == "noStart":
        return True
    if game["status"] not in OUT_OF_TIME or "winner" not in game:
        return False
    turns = len(str(game["moves"]).split())
    return turns < (1 if game["winner"] == "p2" else 2)


def check_counts(info: Mapping[str, Any], players: Sequence[Any], collector: Collector) -> None:
    # The site's own totals check what was read.
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


SEEN_FROM_P1 = {"p1": WIN, "p2": LOSS, None: DRAW}
NO_RESULT = {"created", "started", "aborted"}


@refusing_other_shapes
def read_arena(
    games: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]] = ()
) -> Result:
    # Games come most recent first; they are kept in the order of play.
    if not games:
        raise Unreadable("no_games")
    collector = Collector("playstrategy", "arena")
    collector.warn("arena_points")
    for row in results:
        name = collector.participant(str(row["username"]))
        collector.standings.append(Standing(name, Decimal(row["score"]), int(row["rank"])))
    ids: dict[str, str] = {}
    for game in reversed(games):
        take_arena_game(game, ids, collector)
    stage = str(games[0].get("tournament", ""))
    return collector.result(
        source_stage_id=stage, variant=str(games[0]["variant"]), participant_ids=ids
    )


def take_arena_game(game: Mapping[str, Any], ids: dict[str, str], collector: Collector) -> None:
    users = [game["players"][side]["user"] for side in ("p1", "p2")]
    a, b = (collector.participant(str(user["name"])) for user in users)
    ids.update({a: str(users[0]["id"]), b: str(users[1]["id"])})
    if game["status"] in NO_RESULT:
        collector.warn("game_without_result", id=str(game["id"]), a=a, b=b)
        return
    kind, result = FORFEIT if is_no_show(game) else PLAYED, SEEN_FROM_P1[game.get("winner")]
    day = last_move_day(game)
    collector.game(None, Game(a, b, result, kind, str(game["id"]), played_on=day))


ROUND = re.compile(r"Round (\d{1,3})/(\d{1,3})")
PAIRING = re.compile(r"#(\w{8})\t([^\t]+)\t(\d+|1/2|\*)\t(\d+|1/2|\*)\t([^\t]+)")


def read_round_page(raw: bytes) -> Result:
    text = decode(raw)[0]
    heading = ROUND.search(text)
    if heading is None:
        raise Unreadable("no_round_heading")
    collector = Collector("playstrategy", "round_page_paste")
    collector.warn("byes_not_on_page")
    for number, line in enumerate(lines_of(text), 1):
        if line.startswith("#"):
            take_pairing_line(line.rstrip(), number, int(heading[1]), collector)
    if not collector.rounds:
        raise Unreadable("no_games")
    return collector.result()


def take_pairing_line(line: str, number: int, round_: int, collector: Collector) -> None:
    parts = PAIRING.fullmatch(line)
    if parts is None:
        collector.fail("not_understood", line=number, text=line[:200])
        return
    game_id, first, for_a, for_b, second = parts.groups()
    a, b = collector.participant(first), collector.participant(second)
    if "*" in (for_a, for_b):
        collector.game(round_, Game(a, b, OPEN, PENDING, game_id, line=number))
        return
    sums = [Decimal("0.5") if text == "1/2" else Decimal(text) for text in (for_a, for_b)]
    match = None
    if {for_a, for_b} not in ({"0", "1"}, {"1/2"}):
        collector.warn("match_result_doubled", line=number, a=a, b=b)
        match = Match(a_points=sums[0] / 2, b_points=sums[1] / 2)
    kind, result = MATCH if match else PLAYED, compare_points(*sums)
    collector.game(round_, Game(a, b, result, kind, game_id, line=number, match=match))
