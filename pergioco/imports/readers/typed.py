"""Rounds typed by hand, one game a line; known nicknames are found first and may hold anything."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from pergioco.imports.canonical import (
    FORFEIT,
    PLAYED,
    Absence,
    Bye,
    Collector,
    Game,
    Result,
    Unreadable,
    compare_points,
    same_name,
)
from pergioco.imports.readers.raw_files import decode, lines_of

HEADING = re.compile(
    r"(?i)(?:round|runde|ronde|ronda|tour|step|turno|giornata|kolo|rodada)\s+(\d{1,3})\s*:?"
)
SCORE = r"(?:½|\d+(?:[.,]5|½)?|\+|-|−)"
SCORES = rf"(?P<a>{SCORE})(?:\s*[-–—−:/]\s*|\s*\t\s*)(?P<b>{SCORE})"
BETWEEN = re.compile(rf"\s*{SCORES}\s*")
SPLIT = re.compile(rf"(?P<left>.+?)(?:\s|^)\s*{SCORES}\s+(?P<right>.+)")
FORFEITED = re.compile(r"(?i)\s*\((?:ff|forfeit|kl|ass|abs)\)$")
ALONE = re.compile(
    r"(?i)(?P<name>.+?)(?:\s+[-–—]\s*|\s+)(?P<what>half "
    r"bye|bye|riposo|descanso|absent|assente|ausente)"
)
ABSENT = {"absent", "assente", "ausente"}
ONE, HALF = Decimal(1), Decimal("0.5")


@dataclass(frozen=True)
class Typed:
    left: str
    a: str
    b: str
    right: str


def read_rounds(raw: bytes, known: Iterable[str] = ()) -> Result:
    """`known` are the nicknames of the platform; unknown names get a note."""
    collector = Collector("typed", "rounds_text")
    nicknames = sorted(set(known), key=len, reverse=True)
    round_ = 1
    for where, line in enumerate(lines_of(decode(raw)[0]), 1):
        text = line.strip()
        if heading := HEADING.fullmatch(text):
            round_ = int(heading[1])
        elif text and not text.startswith("#"):
            take_typed_line(text, round_, where, nicknames, collector)
    if not collector.names and not collector.errors:
        raise Unreadable("nothing_typed")
    collector.unknown_among(nicknames)
    return collector.result()


def take_typed_line(
    text: str, round_: int, where: int, nicknames: list[str], collector: Collector
) -> None:
    if alone := ALONE.fullmatch(text):
        sit_out(alone, round_, where, collector)
        return
    forfeited = FORFEITED.search(text) is not None
    typed = split_line(FORFEITED.sub("", text), nicknames)
    if typed is None:
        collector.fail("not_understood", line=where, text=text[:200])
        return
    a, b = collector.participant(typed.left), collector.participant(typed.right)
    if a == b:
        collector.fail("plays_against_oneself", line=where, player=a)
        return
    collector.game(round_, Game(a, b, *typed_outcome(typed, forfeited=forfeited), line=where))


def sit_out(alone: re.Match[str], round_: int, where: int, collector: Collector) -> None:
    name, what = collector.participant(alone["name"]), alone["what"].casefold()
    if what in ABSENT:
        collector.absence(Absence(name, round_, "absent"), line=where)
    else:
        kind = ("half", HALF) if what.startswith("half") else ("pairing", ONE)
        collector.bye(Bye(name, round_, *kind), line=where)


def split_line(text: str, nicknames: list[str]) -> Typed | None:
    """By a known name at the start (the longest), then by one at the end, else by the first
    score."""
    for name in nicknames:
        rest = text_after_name(text, name)
        score = BETWEEN.match(rest) if rest is not None else None
        if rest is not None and score and rest[score.end() :].strip():
            return Typed(name, score["a"], score["b"], rest[score.end() :].strip())
    found = re.fullmatch(rf"(?P<left>.+?)\s+{SCORES}\s+.+", text)
    for name in nicknames:
        if found and same_name(text).endswith(same_name(name)):
            return Typed(found["left"], found["a"], found["b"], text[-len(name) :])
    found = SPLIT.fullmatch(text)
    return Typed(found["left"], found["a"], found["b"], found["right"]) if found else None


def text_after_name(text: str, name: str) -> str | None:
    """The rest of the line after the name; case and spaces may differ."""
    wanted = same_name(name)
    for end in range(len(name), min(len(text), len(name) + 5) + 1):
        if same_name(text[:end]) == wanted and text[end : end + 1].isspace():
            return text[end:]
    return None


def typed_outcome(typed: Typed, *, forfeited: bool) -> tuple[str, str]:
    by_absence = forfeited or bool({typed.a, typed.b} & {"+", "-", "−"})
    result = compare_points(score_value(typed.a), score_value(typed.b))
    return result, FORFEIT if by_absence else PLAYED


def score_value(text: str) -> Decimal:
    signs = {"+": ONE, "-": Decimal(0), "−": Decimal(0), "½": HALF}
    if text in signs:
        return signs[text]
    if text.endswith("½"):
        return Decimal(text[:-1]) + HALF
    return Decimal(text.replace(",", "."))
