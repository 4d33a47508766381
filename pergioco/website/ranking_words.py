"""How the rankings are called on their pages, and the bands in which one of them stands."""

from collections.abc import Callable, Mapping
from datetime import date
from itertools import groupby
from typing import Protocol, TypeVar

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from big_league import labels as big_labels
from big_league.rules.calling import RESERVES, SEATS
from pergioco.ledger.models import Line
from pergioco.ledger.published import Code, Ranking, State, circuit_of
from pergioco.players.models import Player
from pergioco.players.rules.publication import BIG
from pergioco.stages.models import Game, Season
from pergioco.website.addresses import by_player
from race import labels as race_labels
from rankings import labels
from rankings.rules import editions

KINDS = ("red", "blue", "green", "race")
GREAT = (*KINDS, "big")
NAMES: Mapping[str, str | Promise] = labels.NAMES | {"race": race_labels.NAME} | big_labels.NAMES
MEANINGS: Mapping[str, str | Promise] = labels.MEANINGS | {"race": race_labels.MEANING} | big_labels.MEANINGS


def kind_of(kind: str) -> str:
    """“game” for the ranking of any game, “big-game” for that of its championship of BIG, “big-elo” for its Elo."""
    name, colon, _slug = kind.partition(":")
    return "big-game" if colon and name == "big" else name


def title(kind: str, game: Game | None) -> str:
    family = kind_of(kind)
    if game is None:
        return str(NAMES[family])
    return game.name if family == "game" else f"{NAMES[family]}: {game.name}"


def meaning(kind: str) -> str | Promise:
    return MEANINGS[kind_of(kind)]


def why_addresses(kind: str, season: Season, *, day: date | None = None) -> Callable[[Player], str]:
    """Where the number of each player is explained, of the same version."""
    name, _colon, slug = kind.partition(":")
    query = {"at": day.isoformat()} if day else None
    return by_player(f"why-{kind_of(kind)}" if slug else "why", slug or name, season.year, query=query)


def why_address(kind: str, season: Season, player: Player, *, day: date | None = None) -> str:
    return why_addresses(kind, season, day=day)(player)


def address(view: str, kind: str, season: Season, *more: object, day: date | None = None) -> str:
    """Of something that each ranking has: “ranking”, “ranking-file”, …; those of a game say of which kind."""
    name, _colon, slug = kind.partition(":")
    query = {"at": day.isoformat()} if day else None
    return reverse(f"{kind_of(kind)}-{view}" if slug else view, args=[season.year, slug or name, *more], query=query)


def state_words(state: State, kind: str) -> str:
    """In one word or two; the bar above a ranking says more. `kind` may be its family; of a whole season there is
    none. What no year ends is not provisional until then (BIG 7)."""
    words = {
        Code.PROVISIONAL: pgettext("a ranking", "Valid") if circuit_of(kind) == BIG else _("Provisional"),
        Code.CORRECTED: _("Corrected"),
        Code.FINAL: pgettext("definitive", "Final"),
        Code.EARLIER: _("Earlier version"),
        Code.COMPUTED: _("Computed just now"),
    }
    return words[state.code]


class Shown(Protocol):
    """A row of a table, or one of the first places."""

    @property
    def line(self) -> Line: ...


T = TypeVar("T", bound=Shown)


def bands(ranking: Ranking, rows: list[T]) -> list[tuple[str, list[T]]]:
    """Red stands in two (PG-15), a championship of BIG in three (BIG 7.1); the others in one without a name."""
    if kind_of(ranking.kind) == "big-game":
        return [(str(words), list(own)) for words, own in groupby(rows, lambda row: called_as(row.line.position))]
    if ranking.kind != "red":
        return [("", rows)] if rows else []
    enough = next(e.enough_pgrs for e in editions.EDITIONS if e.since == ranking.edition)
    words = {
        True: _("With at least %(n)s active PGRs") % {"n": enough},
        False: _("With fewer than %(n)s") % {"n": enough},
    }
    return [
        (words[has_enough], list(own)) for has_enough, own in groupby(rows, lambda row: row.line.detail["has_enough"])
    ]


def called_as(position: int) -> str | Promise:
    """What the place means if a national final were called today."""
    if position <= SEATS:
        return big_labels.CALLED
    return big_labels.RESERVES if position <= SEATS + RESERVES else big_labels.NOT_CALLED
