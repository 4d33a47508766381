"""Board Game Arena's tournament page, copied, saved or exported by a person; no requests are
sent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from html.parser import HTMLParser
from itertools import pairwise

from pergioco.imports.canonical import (
    FORFEIT,
    PLAYED,
    Bye,
    Collector,
    Game,
    Result,
    Standing,
    Unreadable,
    compare_points,
)
from pergioco.imports.readers.raw_files import decode, exact_decimal, lines_of

SOURCE = "bga"
STEP = re.compile(r"[^\d#]+ (\d{1,3})")  # «Step 2», in any language
TABLE = re.compile(r"[^#]*#(\d+)")
LINKED_TABLE = re.compile(r"[?&]table=(\d+)")
LINKED_PLAYER = re.compile(r"[?&]id=(\d+)")
POINTS = re.compile(r"-?\d+(?:[.,]\d+)?")
A_PAIR = 2
TSV_HEAD, TSV_COLUMNS = 11, 10
STANDING_COLUMNS = 4  # place, name, points, and at least one more: a shorter line is something else


@dataclass
class Encounter:
    step: int | None
    table: str = ""
    seats: list[tuple[str, Decimal]] = field(default_factory=list)
    line: int | None = None


def parse_points(text: str) -> Decimal:
    value = exact_decimal(text)
    if value is None:
        raise Unreadable("bad_points", text=text.strip()[:40])
    return value


def assemble(collector: Collector, encounters: Sequence[Encounter]) -> None:
    # The two numbers of a table are compared: what a win is worth differs between tournaments.
    if not any(encounter.seats for encounter in encounters):
        raise Unreadable("no_games")
    collector.warn("points_compared")
    collector.warn("no_shows_not_visible")
    for encounter in encounters:
        seat_encounter(encounter, collector)
    if collector.byes:
        collector.warn("skipped_taken_as_bye")


def seat_encounter(encounter: Encounter, collector: Collector) -> None:
    if encounter.step is None or not encounter.seats:
        collector.fail("not_understood", line=encounter.line, text=encounter.table)
        return
    names = [collector.participant(name) for name, _points in encounter.seats]
    points = [points for _name, points in encounter.seats]
    if len(names) == 1:
        bye = Bye(names[0], encounter.step, "pairing", points[0], confirm=True)
        collector.bye(bye, line=encounter.line)
    elif len(names) > A_PAIR:
        collector.fail("too_many_at_a_table", line=encounter.line, players=names)
    else:
        a, b = names
        result = compare_points(*points)
        game = Game(a, b, result, PLAYED, encounter.table, line=encounter.line)
        collector.game(encounter.step, game)


def read_pasted_page(raw: bytes) -> Result:
    # The layout below «Encounters» was never seen on a real page: each line is checked.
    lines = [line.strip("\n ") for line in lines_of(decode(raw)[0])]
    collector = Collector(SOURCE, "page_paste")
    encounters = list(pasted_encounters(lines, collector))
    for line in lines:
        take_standing(line.split("\t"), collector)
    assemble(collector, encounters)
    return collector.result()


def pasted_encounters(lines: Sequence[str], collector: Collector) -> list[Encounter]:
    encounters: list[Encounter] = []
    step: int | None = None
    begin = first_step(lines)
    for where, (line, following) in enumerate(pairwise([*lines[begin:], ""]), begin + 1):
        if POINTS.fullmatch(following):
            if encounters:
                encounters[-1].seats.append((line, parse_points(following)))
            else:
                collector.fail("not_understood", line=where, text=line[:200])
        elif heading := STEP.fullmatch(line):
            step = int(heading[1])
        elif line and not POINTS.fullmatch(line):
            table = TABLE.fullmatch(line)
            encounters.append(Encounter(step, table[1] if table else "", line=where))
    return encounters


def first_step(lines: Sequence[str]) -> int:
    """The last heading with number 1: titles above the rounds may end in a number too."""
    firsts = [
        at
        for at, (line, following) in enumerate(pairwise(lines))
        if (heading := STEP.fullmatch(line))
        and int(heading[1]) == 1
        and not POINTS.fullmatch(following)
    ]
    if not firsts:
        raise Unreadable("no_rounds")
    return firsts[-1]


def take_standing(columns: Sequence[str], collector: Collector) -> None:
    """`rank | name | points | played | skipped | …`; places after the fourth carry no number."""
    place_, name, points = [*columns, "", "", ""][:3]
    if len(columns) < STANDING_COLUMNS or not name.strip() or not POINTS.fullmatch(points.strip()):
        return
    if place_.strip() and not place_[0].isdigit():
        return
    standing = Standing(
        collector.participant(name), parse_points(points), rank=len(collector.standings) + 1
    )
    collector.standings.append(standing)


class SavedPage(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.encounters: list[Encounter] = []
        self.ids: dict[str, str] = {}
        self.rows: list[list[str]] = []
        self.step: int | None = None
        self.reading = ""
        self.text = ""
        self.player_id = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: value or "" for key, value in attrs}
        classes = set(attributes.get("class", "").split())
        if "v2tournament__encounter" in classes:
            self.encounters.append(Encounter(self.step, line=self.getpos()[0]))
        if "v2tournament__encounter-title" in classes and self.encounters:
            linked = LINKED_TABLE.search(attributes.get("href", ""))
            self.encounters[-1].table = linked[1] if linked else ""
        self.begin(tag, classes, attributes)

    def begin(self, tag: str, classes: set[str], attributes: dict[str, str]) -> None:
        if tag == "tr":
            self.rows.append([])
        if "playername" in classes:
            linked = LINKED_PLAYER.search(attributes.get("href", ""))
            self.reading, self.text, self.player_id = "name", "", linked[1] if linked else ""
        elif "v2tournament__encounter-player-points" in classes:
            self.reading, self.text = "points", ""
        elif tag in {"h1", "h2", "h3", "h4", "td", "script", "style"}:
            self.reading = {"td": "cell", "script": "", "style": ""}.get(tag, "heading")
            self.text = ""

    def handle_data(self, data: str) -> None:
        self.text += data if self.reading else ""

    def handle_endtag(self, tag: str) -> None:
        if self.reading:
            getattr(self, self.reading)(" ".join(self.text.split()))
        if tag != "div" or self.reading == "points":
            self.reading, self.text = "", ""

    def heading(self, text: str) -> None:
        if step := STEP.fullmatch(text):
            self.step = int(step[1])

    def name(self, text: str) -> None:
        if text and self.player_id:
            self.ids[text] = self.player_id
        if text and self.encounters:
            self.encounters[-1].seats.append((text, Decimal(0)))
        elif text:
            self.cell(text)

    def points(self, text: str) -> None:
        if self.encounters and self.encounters[-1].seats:
            who, _ = self.encounters[-1].seats[-1]
            self.encounters[-1].seats[-1] = (who, parse_points(text))

    def cell(self, text: str) -> None:
        if self.rows:
            self.rows[-1].append(text)


def read_saved_page(raw: bytes) -> Result:
    page = SavedPage()
    try:
        page.feed(decode(raw)[0])
    except AssertionError as trouble:  # the parser's own word for a declaration that it cannot read
        raise Unreadable("unexpected_shape", detail=str(trouble)[:200]) from trouble
    collector = Collector(SOURCE, "saved_html")
    for row in page.rows:
        take_standing(row, collector)
    assemble(collector, page.encounters)
    return collector.result(participant_ids=page.ids)


def read_table_list(raw: bytes) -> Result:
    """The export of one line a table: no round numbers, but it shows games that never began."""
    lines = [line.split("\t") for line in lines_of(decode(raw)[0])]
    if len(lines[0]) < TSV_HEAD or not lines[0][0].isdigit():
        raise Unreadable("no_summary_line")
    collector = Collector(SOURCE, "bookmarklet_tsv")
    collector.warn("no_round_numbers")
    for where, columns in enumerate(lines[1:], 2):
        if columns != [""]:
            take_table(columns, where, lines[0][0], collector)
    if any(game.kind == FORFEIT for games in collector.rounds.values() for game in games):
        collector.warn("timeout_taken_as_forfeit")
    return collector.result(source_stage_id=lines[0][0])


def take_table(columns: Sequence[str], where: int, stage: str, collector: Collector) -> None:
    if len(columns) != TSV_COLUMNS or columns[0] != stage:
        collector.fail("not_understood", line=where, text="\t".join(columns)[:200])
        return
    _stage, table, timeout, progress, a, _, a_points, b, _, b_points = columns
    never_begun = timeout == "1" and progress == "0"
    a, b = collector.participant(a), collector.participant(b)
    result = compare_points(parse_points(a_points), parse_points(b_points))
    collector.game(None, Game(a, b, result, FORFEIT if never_begun else PLAYED, table, line=where))
