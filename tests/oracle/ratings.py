"""The PGR: paragraphs 19 to 28."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache

from tests.oracle.federation import PRESENT, SYSTEM_BEGAN, Federation, Side, Stage

START = Decimal(1000)  # 22
K = 20  # 22
KEPT_FOR = 5  # 28: the year that begins, and the four before it


@dataclass(frozen=True)
class Change:
    """What one stage did to one player's rating."""

    stage: Stage
    player: str
    before: Decimal
    scored: Decimal
    expected: Decimal
    valid_days: tuple[date, ...]  # one for each valid game
    after: Decimal


History = list[Change]  # in the order of the stages


@dataclass
class Book:
    """What everybody holds at one moment."""

    held: dict[tuple[str, str], Decimal]  # player and game -> PGR
    since: dict[tuple[str, str], date]  # on which day it was earned


def history(federation: Federation) -> History:
    """All of it, stage after stage, with the purges of the New Year's Days in between."""
    brought = {(o.player, o.game): o for o in federation.openings}
    book = Book(
        {key: opening.pgr for key, opening in brought.items()},
        {key: opening.earned_on for key, opening in brought.items()},
    )
    played = days_played(federation)
    changes: list[Change] = []
    year = SYSTEM_BEGAN.year
    for stage in federation.closed:
        for new_year in range(year + 1, stage.ends_on.year + 1):
            purge(book, new_year, federation, played)
        year = stage.ends_on.year
        found = changes_of(stage, book.held, federation)
        book.held.update({(change.player, stage.game): change.after for change in found})
        book.since.update({(change.player, stage.game): stage.ends_on for change in found})
        changes += found
    return changes


# 25, 26: which games count


def took_part(stage: Stage, player: str) -> bool:
    """25, PG-5, PG-9: in a Swiss stage he sat down to a game at least once; elsewhere he was paired
    at least once."""
    paired = [side for side in stage.sides_of(player) if side.opponent]
    return any(side.kind in PRESENT for side in paired) if stage.is_swiss else bool(paired)


def counted(stage: Stage, player: str) -> tuple[list[Side], list[Side]]:
    """The valid games, and the absence that is counted as a loss without being a valid game."""
    paired = [side for side in stage.sides_of(player) if side.opponent]  # 26: a bye is no game
    if not took_part(stage, player):
        return [], []
    if not stage.is_swiss:
        return paired, []  # PG-9: an absence is an ordinary loss
    valid = [side for side in paired if side.kind in PRESENT]
    later_absences = [
        side for side in paired[1:] if side.kind == "no_show"
    ]  # 25: the first game costs nothing
    return valid, later_absences[:1]  # 25, PG-7: only the first of them


# 22: the rating


def changes_of(
    stage: Stage, held: dict[tuple[str, str], Decimal], federation: Federation
) -> list[Change]:
    """PG-1: all games at once, on the ratings before the stage."""
    hidden_are_rated = federation.setting(stage.season, "unregistered_rating", "shadow") == "shadow"
    rated = {
        player
        for player in stage.players
        if hidden_are_rated or is_registered(federation, player, stage)
    }
    before = {p: held.get((p, stage.game), START) if p in rated else START for p in stage.players}
    found = []
    for player in sorted(rated):
        valid, absences = counted(stage, player)
        games = valid + absences
        if games:
            days = tuple(stage.day_of(side) for side in valid)
            expected = sum(expectation(before[player], before[side.opponent]) for side in games)
            scored = sum((side.scored for side in games), Decimal(0))
            after = rounded(before[player] + K * (scored - expected), "0.001")
            found.append(
                Change(
                    stage,
                    player,
                    before[player],
                    scored,
                    rounded(expected, "0.000001"),
                    days,
                    after,
                )
            )
    return found


def is_registered(federation: Federation, player: str, stage: Stage) -> bool:
    """5: registered beforehand."""
    since = federation.players[player].registered_on
    return since is not None and since <= stage.starts_on


@lru_cache(maxsize=100_000)
def expectation(own: Decimal, other: Decimal) -> Decimal:
    """PG-3."""
    with localcontext() as precise:
        precise.prec = 60
        return 1 / (1 + Decimal(10) ** ((other - own) / 400))


def rounded(number: Decimal, unit: str) -> Decimal:
    """Half away from zero."""
    with localcontext() as precise:
        precise.prec = 60
        return number.quantize(Decimal(unit), ROUND_HALF_UP)


# 28: the purge


def days_played(federation: Federation) -> dict[str, set[date]]:
    """The days of all valid games of a player, in whatever category."""
    found: dict[str, set[date]] = defaultdict(set)
    for opening in federation.openings:
        found[opening.player].add(opening.earned_on)
    for stage in federation.closed:
        for player in stage.players:
            found[player] |= {stage.day_of(side) for side in counted(stage, player)[0]}
    return found


def purge(book: Book, year: int, federation: Federation, played: dict[str, set[date]]) -> None:
    """PG-20: as the first day of the year begins, whoever is unregistered and without games in all
    the years kept."""
    first_day = date(year, 1, 1)
    for player in {player for player, _game in book.held}:
        since = federation.players[player].registered_on
        is_unregistered = since is None or since >= first_day
        if is_unregistered and not any(year - KEPT_FOR < day.year < year for day in played[player]):
            for key in [
                key for key in book.held if key[0] == player and book.since[key] < first_day
            ]:
                del book.held[key]
