"""Names, addresses and bands of rankings."""

from collections.abc import Callable, Mapping
from datetime import date
from itertools import groupby
from typing import Protocol, TypeVar

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from big_league import labels as big_labels
from big_league.rules.convocation import RESERVES, SEATS
from pergioco.core.addresses import HasPublicId, player_address_builder
from pergioco.players.models import Player
from pergioco.players.rules.people import BIG
from pergioco.publishing.models import Line
from pergioco.publishing.published import Ranking, VersionCode, VersionState, circuit_of_kind
from pergioco.stages.models import Game, Season
from race import labels as race_labels
from rankings import labels, rules

KINDS = ("red", "blue", "green", "race")
GREAT = (*KINDS, "big")
NAMES: Mapping[str, str | Promise] = labels.NAMES | {"race": race_labels.NAME} | big_labels.NAMES
MEANINGS: Mapping[str, str | Promise] = (
    labels.MEANINGS | {"race": race_labels.MEANING} | big_labels.MEANINGS
)


def family_of(kind: str) -> str:
    """“game”, “big-game” (championship) or “big-elo” for the ranking of one game; else the kind
    itself."""
    name, colon, _slug = kind.partition(":")
    return "big-game" if colon and name == "big" else name


def ranking_title(kind: str, game: Game | None) -> str:
    family = family_of(kind)
    if game is None:
        return str(NAMES[family])
    return game.name if family == "game" else f"{NAMES[family]}: {game.name}"


def ranking_meaning(kind: str) -> str | Promise:
    return MEANINGS[family_of(kind)]


def why_addresses(
    kind: str, season: Season, *, day: date | None = None
) -> Callable[[HasPublicId], str]:
    name, _colon, slug = kind.partition(":")
    query = {"at": day.isoformat()} if day else None
    return player_address_builder(
        f"why-{family_of(kind)}" if slug else "why", slug or name, season.year, query=query
    )


def why_address(kind: str, season: Season, player: Player, *, day: date | None = None) -> str:
    return why_addresses(kind, season, day=day)(player)


def ranking_address(
    view: str, kind: str, season: Season, *more: object, day: date | None = None
) -> str:
    name, _colon, slug = kind.partition(":")
    query = {"at": day.isoformat()} if day else None
    return reverse(
        f"{family_of(kind)}-{view}" if slug else view,
        args=[season.year, slug or name, *more],
        query=query,
    )


def label_version_state(state: VersionState, kind: str) -> str:
    """`kind` may be its family, or empty for a whole season. BIG has no year end: never provisional
    (BIG 7)."""
    words = {
        VersionCode.PROVISIONAL: pgettext("a ranking", "Valid")
        if circuit_of_kind(kind) == BIG
        else _("Provisional"),
        VersionCode.CORRECTED: _("Corrected"),
        VersionCode.FINAL: pgettext("definitive", "Final"),
        VersionCode.EARLIER: _("Earlier version"),
        VersionCode.COMPUTED: _("Computed just now"),
    }
    return words[state.code]


class HasLine(Protocol):
    """A row of a table, or a leader."""

    @property
    def line(self) -> Line: ...


T = TypeVar("T", bound=HasLine)


def group_bands(ranking: Ranking, rows: list[T]) -> list[tuple[str, list[T]]]:
    """Red has two bands (PG-15), a BIG championship three (BIG 7.1), the others one without a
    name."""
    if family_of(ranking.kind) == "big-game":
        return [
            (str(words), list(own))
            for words, own in groupby(rows, lambda row: label_call(row.line.position))
        ]
    if ranking.kind != "red":
        return [("", rows)] if rows else []
    enough = rules.EDITIONS.begun_in(ranking.edition).enough_pgrs
    words = {
        True: _("With at least %(n)s active PGRs") % {"n": enough},
        False: _("With fewer than %(n)s") % {"n": enough},
    }
    return [
        (words[has_enough], list(own))
        for has_enough, own in groupby(rows, lambda row: row.line.detail["has_enough"])
    ]


def label_call(position: int) -> str | Promise:
    if position <= SEATS:
        return big_labels.CALLED
    return big_labels.RESERVES if position <= SEATS + RESERVES else big_labels.NOT_CALLED
