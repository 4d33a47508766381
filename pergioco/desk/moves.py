"""Who moves in which ranking, in words: the great rankings first, in each of them the best places first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from django.utils.formats import number_format
from django.utils.functional import Promise

from big_league import labels as big_labels
from pergioco.desk.grid import called
from pergioco.ledger.content import is_of_a_stage
from pergioco.ledger.difference import Move
from pergioco.players.models import Player
from pergioco.stages.models import Game, Stage
from race import labels as race_labels
from rankings import labels
from risiko_master import standing_labels as risiko_labels

NAMES: Mapping[str, str | Promise] = labels.NAMES | {"race": race_labels.NAME} | big_labels.NAMES
DECIMALS = {"red": 0, "blue": 3, "green": 1, "race": 0, "game": 3, "rkm": 3} | big_labels.DECIMALS
AT_FIRST, AT_MOST = 5, 100  # moves of each ranking: at once, and behind “all”


@dataclass(frozen=True)
class Moved:
    name: str
    move: Move
    before: str  # the value, as its ranking shows it
    after: str


@dataclass(frozen=True)
class Ranking:
    """The moves in one ranking; those beyond the most that a page lists are only counted."""

    name: str
    count: int
    listed: list[Moved]

    @property
    def first(self) -> list[Moved]:
        return self.listed[:AT_FIRST]

    @property
    def rest(self) -> list[Moved]:
        return self.listed[AT_FIRST:]

    @property
    def unlisted(self) -> int:
        return self.count - len(self.listed)


def in_words(moves: Iterable[Move], *, at_most: int = AT_MOST) -> list[Ranking]:
    """Names are looked up only for what is listed. Four queries for any number of moves."""
    found = sorted(moves, key=importance)
    by_kind = {kind: list(own) for kind, own in groupby(found, key=lambda move: move.kind)}
    names = names_of({move.player for own in by_kind.values() for move in own[:at_most]})
    titles = titles_of(by_kind)
    return [
        Ranking(titles[kind], len(own), [moved(move, names) for move in own[:at_most]]) for kind, own in by_kind.items()
    ]


def importance(move: Move) -> tuple[object, ...]:
    """Red, Blue, Green and Race, then games, then stages of the Race; there the higher of the two places."""
    return rank_of_kind(move.kind), move.best, move.rank_after is None, move.rank_after or 0


def rank_of_kind(kind: str) -> tuple[int, str]:
    return ([*NAMES].index(kind) if kind in NAMES else len(NAMES)), kind


def names_of(players: set[int]) -> dict[int, str]:
    """As those at the desk know them."""
    rows = Player.objects.select_related("person", "merged_into__person")
    named = rows.prefetch_related("accounts__nicknames", "merged_into__accounts__nicknames").in_bulk(players)
    return {pk: called(player) for pk, player in named.items()}


def titles_of(kinds: Iterable[str]) -> dict[str, str]:
    """“game:go” is called by the game, “race:…” by the stage."""
    slugs = {kind: kind.partition(":")[2] for kind in kinds}
    slugs |= {kind: risiko_labels.stage_of(kind) or slug for kind, slug in slugs.items()}
    wanted = {slug for kind, slug in slugs.items() if is_of_a_stage(kind)}
    games = Game.objects.in_bulk(set(slugs.values()) - wanted, field_name="slug")
    stages = Stage.objects.select_related("game").in_bulk(wanted, field_name="slug")
    return {
        kind: title(kind, stages.get(slug) if is_of_a_stage(kind) else games.get(slug)) for kind, slug in slugs.items()
    }


def title(kind: str, about: Game | Stage | None) -> str:
    if risiko_labels.stage_of(kind):
        return risiko_labels.title(kind, about)
    name = NAMES.get(kind.partition(":")[0], "")
    return " · ".join(str(part) for part in (name, about) if part)


def moved(move: Move, names: dict[int, str]) -> Moved:
    return Moved(names[move.player], move, shown(move.kind, move.value_before), shown(move.kind, move.value_after))


def shown(kind: str, value: Decimal | None) -> str:
    return "" if value is None else number_format(value, DECIMALS[kind.partition(":")[0]], use_l10n=True)
