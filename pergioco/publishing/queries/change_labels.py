"""Moves in rankings and errata as texts for pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from big_league import labels as big_labels
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.players.models import Player
from pergioco.players.naming import is_named
from pergioco.players.rules.people import PGM
from pergioco.publishing.computed import is_of_a_stage
from pergioco.publishing.difference import Move
from pergioco.publishing.models import Erratum, Line
from pergioco.publishing.published import circuit_of_kind
from pergioco.publishing.queries.ranking_labels import KINDS, NAMES, family_of
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.stages.models import Game, Stage
from pergioco.stages.queries.results_grid import name_for_desk, with_desk_names
from risiko_master import labels as risiko_labels

DECIMALS = {"red": 0, "blue": 3, "green": 1, "race": 0, "game": 3, "rkm": 3} | big_labels.DECIMALS
AT_FIRST, AT_MOST = 5, 100  # moves of each ranking: at once, and behind “all”
ERRATUM_CAUSES: dict[str, Promise] = {
    "closed": gettext_lazy("A stage was closed."),
    "corrected": gettext_lazy("The results of a stage were corrected."),
    "moved": gettext_lazy("A stage got another place in the calendar."),
    "withdrawn": gettext_lazy("The closing of a stage was taken back."),
    "merged": gettext_lazy("Two players were found to be one person."),
    "unmerged": gettext_lazy("Two players who had been taken for one person are two again."),
    "disqualified": gettext_lazy("A player was disqualified."),
    "disqualification_withdrawn": gettext_lazy("A disqualification was taken back."),
}
OTHER_ERRATUM_CAUSE = gettext_lazy("Something that published numbers rest on was changed.")


@dataclass(frozen=True)
class DescribedMove:
    name: str
    move: Move
    before: str  # the value, as its ranking shows it
    after: str


@dataclass(frozen=True)
class RankingMoves:
    """The moves in one ranking; those beyond the limit of a page are only counted."""

    name: str
    count: int
    listed: list[DescribedMove]

    @property
    def first(self) -> list[DescribedMove]:
        return self.listed[:AT_FIRST]

    @property
    def rest(self) -> list[DescribedMove]:
        return self.listed[AT_FIRST:]

    @property
    def unlisted(self) -> int:
        return self.count - len(self.listed)


def describe_moves(moves: Iterable[Move], *, at_most: int = AT_MOST) -> list[RankingMoves]:
    # Names are loaded only for listed moves: four queries for any number.
    found = sorted(moves, key=move_importance)
    by_kind = {kind: list(own) for kind, own in groupby(found, key=lambda move: move.kind)}
    names = desk_names({move.player for own in by_kind.values() for move in own[:at_most]})
    titles = desk_ranking_titles(by_kind)
    return [
        RankingMoves(titles[kind], len(own), [describe_move(move, names) for move in own[:at_most]])
        for kind, own in by_kind.items()
    ]


def move_importance(move: Move) -> tuple[object, ...]:
    """Red, Blue, Green and Race first, then games, then Race stages; within each the better of both
    places."""
    return rank_of_kind(move.kind), move.best, move.rank_after is None, move.rank_after or 0


def rank_of_kind(kind: str) -> tuple[int, str]:
    return ([*NAMES].index(kind) if kind in NAMES else len(NAMES)), kind


def desk_names(players: set[int]) -> dict[int, str]:
    named = with_desk_names(Player.objects.all()).in_bulk(players)
    return {pk: name_for_desk(player) for pk, player in named.items()}


def title_rankings(kinds: Iterable[str], family: Callable[[str], str]) -> dict[str, str]:
    """“game:go” is titled by its game, “race:…” by its stage."""
    slugs = {kind: kind.partition(":")[2] for kind in kinds}
    slugs |= {kind: risiko_labels.slug_in_kind(kind) or slug for kind, slug in slugs.items()}
    of_stages = {slug for kind, slug in slugs.items() if is_of_a_stage(kind)}
    games = Game.objects.in_bulk(set(slugs.values()) - of_stages, field_name="slug")
    stages = Stage.objects.select_related("game").in_bulk(of_stages, field_name="slug")
    return {
        kind: title_ranking(
            kind, family(kind), stages.get(slug) if is_of_a_stage(kind) else games.get(slug)
        )
        for kind, slug in slugs.items()
    }


def title_ranking(kind: str, family: str, about: Game | Stage | None) -> str:
    if risiko_labels.slug_in_kind(kind):
        return risiko_labels.computation_title(kind, about)
    return " · ".join(str(part) for part in (NAMES.get(family), about) if part)


def desk_ranking_titles(kinds: Iterable[str]) -> dict[str, str]:
    return title_rankings(kinds, desk_family)


def desk_family(kind: str) -> str:
    # The desk calls a championship and the overall ranking of BIG by one name.
    return kind.partition(":")[0]


def describe_move(move: Move, names: dict[int, str]) -> DescribedMove:
    return DescribedMove(
        names[move.player],
        move,
        desk_value(move.kind, move.value_before),
        desk_value(move.kind, move.value_after),
    )


def desk_value(kind: str, value: Decimal | None) -> str:
    return "" if value is None else number_format(value, DECIMALS[desk_family(kind)], use_l10n=True)


def label_cause(erratum: Erratum) -> Promise:
    return ERRATUM_CAUSES.get(erratum.cause, OTHER_ERRATUM_CAUSE)


def label_office(user: User | None) -> str:
    # Names of people who work for the federation are not public: say their office.
    if user is None:
        return _("not on file any more")
    if has_role(user, Role.STAFF):
        return _("the federation’s staff")
    return (
        _("an organizer")
        if has_role(user, Role.ORGANIZER)
        else _("somebody who has no office any more")
    )


@dataclass(frozen=True)
class ErratumMove:
    """A line before and after; None where the player was not in the ranking."""

    ranking: str
    player: Player
    circuit: str  # whose ranking it is
    rank_before: int | None
    rank_after: int | None
    value_before: str
    value_after: str


@dataclass(frozen=True)
class Rerated:
    """A rating after a stage, before and after the correction, with the computations that explain
    both."""

    stage: Stage
    player: Player
    before: Decimal | None
    after: Decimal | None
    old_computation: int | None
    new_computation: int | None


def order_moves(moves: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    great = {kind: number for number, kind in enumerate(KINDS)}
    return sorted(moves, key=lambda move: (great.get(move["kind"], len(great)), move["kind"]))


def list_erratum_moves(moves: Iterable[dict[str, Any]]) -> list[ErratumMove]:
    found = list(moves)
    names = title_rankings({move["kind"] for move in found}, family_of)
    players = Player.objects.with_names().in_bulk({move["player"] for move in found})
    return [
        ErratumMove(
            names[move["kind"]],
            players[move["player"]],
            circuit_of_kind(move["kind"]),
            move["rank_before"],
            move["rank_after"],
            erratum_value(move["kind"], move["value_before"]),
            erratum_value(move["kind"], move["value_after"]),
        )
        for move in found
        if move["player"] in players
    ]


def count_unlisted(erratum: Erratum) -> list[tuple[str, int]]:
    # Long rankings list only some of the players who were passed by others.
    counts: dict[str, int] = erratum.changes.get("unlisted", {})
    names = title_rankings(counts, family_of)
    return [(names[kind], count) for kind, count in counts.items()]


def erratum_value(kind: str, value: str | None) -> str:
    if value is None:
        return ""
    if risiko_labels.slug_in_kind(kind):
        return risiko_labels.format_points(Decimal(value))
    return shown_line_value(family_of(kind), Line(value=Decimal(value)))


def list_rerated(erratum: Erratum) -> list[Rerated]:
    # Only players whose names are public.
    players = Player.objects.with_names().in_bulk({one["player"] for one in erratum.changes["pgr"]})
    rows = [
        one
        for one in erratum.changes["pgr"]
        if (p := players.get(one["player"])) and is_named(p, PGM)
    ]
    stages = Stage.objects.select_related("game", "season").in_bulk({one["stage"] for one in rows})
    old = erratum.against.ratings if erratum.against else {}
    new = erratum.publication.ratings if erratum.publication else {}
    return [
        Rerated(
            stages[one["stage"]],
            players[one["player"]],
            rating_after_stage(one["before"]),
            rating_after_stage(one["after"]),
            old.get(str(one["stage"])),
            new.get(str(one["stage"])),
        )
        for one in rows
        if one["stage"] in stages
    ]


def rating_after_stage(pair: list[str] | None) -> Decimal | None:
    return Decimal(pair[1]) if pair else None
