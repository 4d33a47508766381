"""The page of one round, copied from the browser."""

import re
from decimal import Decimal

from pergioco.imports.canonical import MATCH, OPEN, PENDING, PLAYED, Game, Match, Result, Unreadable, compare
from pergioco.imports.collecting import Collector
from pergioco.imports.readers.text import decode, lines_of

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
            take(line.rstrip(), number, int(heading[1]), collector)
    if not collector.rounds:
        raise Unreadable("no_games")
    return collector.result()


def take(line: str, number: int, round_: int, collector: Collector) -> None:
    parts = PAIRING.fullmatch(line)
    if parts is None:
        collector.fail("not_understood", line=number, text=line[:200])
        return
    a, b = (collector.participant(" ".join(parts[i].split())) for i in (2, 5))
    if "*" in (parts[3], parts[4]):
        collector.fail("game_still_open", line=number, a=a, b=b)
        collector.game(round_, Game(a, b, OPEN, PENDING, parts[1], line=number))
        return
    sums = points(parts[3]), points(parts[4])
    match = None
    if {parts[3], parts[4]} not in ({"0", "1"}, {"1/2"}):
        collector.warn("match_result_doubled", line=number, a=a, b=b)
        match = Match(a_points=sums[0] / 2, b_points=sums[1] / 2)
    kind = MATCH if match else PLAYED
    collector.game(round_, Game(a, b, compare(*sums), kind, parts[1], line=number, match=match))


def points(text: str) -> Decimal:
    return Decimal("0.5") if text == "1/2" else Decimal(text)
