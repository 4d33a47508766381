"""Whose nickname is it? Sure matches are taken, likely ones must be accepted, the rest stay unregistered."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from pergioco.imports.nicknames import same_name, same_spelling
from pergioco.rulekit.folding import fold

SHORTEST_COMPARED = 4
CASE_MATTERS = {"abstractplay"}
TITLE = re.compile(r"^(?:W?GM|W?IM|W?FM|W?CM|NM|LM|BOT)\s+(?=\S)")
RATING = re.compile(r"\s*\(\d{1,5}\??\)$")
LOOK_ALIKES = str.maketrans({"0": "o", "1": "i", "l": "i", "5": "s", "-": "", "_": "", " ": "", ".": ""})


class Decision(StrEnum):
    MATCH = "match"
    CONFIRM = "confirm"
    AMBIGUOUS = "ambiguous"
    UNREGISTERED = "unregistered"
    ERROR = "error"


@dataclass(frozen=True)
class Known:
    """An account on file. `player` is None where nobody is known behind it."""

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
    accounts: tuple[Known, ...] = ()  # the one found, or the candidates among which a person chooses
    suggestions: tuple[Known, ...] = ()


def match(platform: str, nickname: str, source_id: str, known: Sequence[Known]) -> Matched:
    """The platform's id beats every name; accounts of another platform are never more than a suggestion."""
    if not same_name(nickname) and not source_id:
        return Matched(Decision.ERROR)
    here = [account for account in known if account.platform == platform]
    nameable = [account for account in here if not (source_id and account.source_id)]
    found = by_id(source_id, here) or by_name(platform, nickname, nameable)
    return found or Matched(Decision.UNREGISTERED, suggestions=tuple(similar(nickname, known)))


def by_id(source_id: str, here: Sequence[Known]) -> Matched | None:
    return next((certain([account]) for account in here if source_id and account.source_id == source_id), None)


def by_name(platform: str, nickname: str, here: Sequence[Known]) -> Matched | None:
    """As it is written first, and as people bear it now."""
    for spelling, by in product((nickname, bare(nickname)), (current, by_case, by_former)):
        if found := by(platform, spelling, here):
            return certain(found, former=by is by_former)
    return None


def certain(found: Sequence[Known], *, former: bool = False) -> Matched:
    if len(found) > 1:
        return Matched(Decision.AMBIGUOUS, tuple(found))
    account = found[0]
    if account.player is None:
        return Matched(Decision.UNREGISTERED, (account,))
    sure = account.proved and not former
    return Matched(Decision.MATCH if sure else Decision.CONFIRM, (account,))


def bare(nickname: str) -> str:
    """Without a title before and a rating behind."""
    return RATING.sub("", TITLE.sub("", nickname.strip()))


def current(platform: str, nickname: str, here: Sequence[Known]) -> list[Known]:
    key = same_spelling if platform in CASE_MATTERS else same_name
    return [account for account in here if key(account.nickname) == key(nickname)]


def by_case(platform: str, nickname: str, here: Sequence[Known]) -> list[Known]:
    """Where case matters and it is wrong: all that it may have meant."""
    if platform not in CASE_MATTERS:
        return []
    return [account for account in here if same_name(account.nickname) == same_name(nickname)]


def by_former(_platform: str, nickname: str, here: Sequence[Known]) -> list[Known]:
    return [a for a in here if any(same_name(old) == same_name(nickname) for old in a.former)]


def similar(nickname: str, known: Iterable[Known]) -> list[Known]:
    wanted = skeleton(nickname)
    return [a for a in known if a.player is not None and near(wanted, skeleton(a.nickname))]


def skeleton(nickname: str) -> str:
    return fold(bare(nickname)).translate(LOOK_ALIKES)


def deletions(text: str) -> set[str]:
    """The text, and with one letter less: two texts that are one letter apart share one of these."""
    return {text, *(text[:at] + text[at + 1 :] for at in range(len(text)))} - {""}


def near(a: str, b: str) -> bool:
    """Equal, or one letter changed, added or missing."""
    if a == b:
        return bool(a)
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < SHORTEST_COMPARED:
        return False
    short, long = sorted((a, b), key=len)
    start = next((i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    rest = short[start:] if len(short) < len(long) else short[start + 1 :]
    return rest == long[start + 1 :]
