"""Finds the account behind a nickname: sure matches are taken, likely ones must be accepted."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from pergioco.imports.canonical import same_name, same_spelling
from pergioco.rulekit.text import fold

SHORTEST_COMPARED = 4
CASE_MATTERS = {"abstractplay"}
TITLE = re.compile(r"^(?:W?GM|W?IM|W?FM|W?CM|NM|LM|BOT)\s+(?=\S)")
RATING = re.compile(r"\s*\(\d{1,5}\??\)$")
LOOK_ALIKES = str.maketrans(
    {"0": "o", "1": "i", "l": "i", "5": "s", "-": "", "_": "", " ": "", ".": ""}
)


class Decision(StrEnum):
    MATCH = "match"
    CONFIRM = "confirm"
    AMBIGUOUS = "ambiguous"
    UNREGISTERED = "unregistered"
    ERROR = "error"


@dataclass(frozen=True)
class Known:
    """An account on file. `player` is None if its owner is unknown."""

    platform: str
    source_id: str
    nickname: str
    player: int | None
    proved: bool
    former: tuple[str, ...] = ()
    account: int = 0  # its row


@dataclass(frozen=True)
class Matched:
    decision: Decision
    accounts: tuple[
        Known, ...
    ] = ()  # the one found, or the candidates among which a person chooses
    suggestions: tuple[Known, ...] = ()


def match_nickname(platform: str, nickname: str, source_id: str, known: Sequence[Known]) -> Matched:
    """The platform's id beats every name; accounts of other platforms are suggestions only."""
    if not same_name(nickname) and not source_id:
        return Matched(Decision.ERROR)
    here = [account for account in known if account.platform == platform]
    nameable = [account for account in here if not (source_id and account.source_id)]
    found = match_by_id(source_id, here) or match_by_name(platform, nickname, nameable)
    return found or Matched(Decision.UNREGISTERED, suggestions=tuple(find_similar(nickname, known)))


def match_by_id(source_id: str, here: Sequence[Known]) -> Matched | None:
    return next(
        (make_match([account]) for account in here if source_id and account.source_id == source_id),
        None,
    )


def match_by_name(platform: str, nickname: str, here: Sequence[Known]) -> Matched | None:
    # As written first, then without title and rating; current names before former ones.
    for spelling, by in product(
        (nickname, bare_nickname(nickname)), (find_current, find_by_case, find_by_former)
    ):
        if found := by(platform, spelling, here):
            return make_match(found, former=by is find_by_former)
    return None


def make_match(found: Sequence[Known], *, former: bool = False) -> Matched:
    if len(found) > 1:
        return Matched(Decision.AMBIGUOUS, tuple(found))
    account = found[0]
    if account.player is None:
        return Matched(Decision.UNREGISTERED, (account,))
    sure = account.proved and not former
    return Matched(Decision.MATCH if sure else Decision.CONFIRM, (account,))


def bare_nickname(nickname: str) -> str:
    """Without a title before and a rating behind."""
    return RATING.sub("", TITLE.sub("", nickname.strip()))


def find_current(platform: str, nickname: str, here: Sequence[Known]) -> list[Known]:
    key = same_spelling if platform in CASE_MATTERS else same_name
    return [account for account in here if key(account.nickname) == key(nickname)]


def find_by_case(platform: str, nickname: str, here: Sequence[Known]) -> list[Known]:
    # Where case matters and is wrong: all accounts that may be meant.
    if platform not in CASE_MATTERS:
        return []
    return [account for account in here if same_name(account.nickname) == same_name(nickname)]


def find_by_former(_platform: str, nickname: str, here: Sequence[Known]) -> list[Known]:
    return [a for a in here if any(same_name(old) == same_name(nickname) for old in a.former)]


def find_similar(nickname: str, known: Iterable[Known]) -> list[Known]:
    wanted = skeleton(nickname)
    return [a for a in known if a.player is not None and is_near(wanted, skeleton(a.nickname))]


def skeleton(nickname: str) -> str:
    return fold(bare_nickname(nickname)).translate(LOOK_ALIKES)


def deletions(text: str) -> set[str]:
    """The text, and all texts with one letter less: similar texts share one of these."""
    return {text, *(text[:at] + text[at + 1 :] for at in range(len(text)))} - {""}


def is_near(a: str, b: str) -> bool:
    """Equal, or one letter changed, added or missing."""
    if a == b:
        return bool(a)
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < SHORTEST_COMPARED:
        return False
    short, long = sorted((a, b), key=len)
    start = next(
        (i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short)
    )
    rest = short[start:] if len(short) < len(long) else short[start + 1 :]
    return rest == long[start + 1 :]
