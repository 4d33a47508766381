"""An erratum in words: what caused it, by which hats, and what it moved."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pergioco.ledger.content import is_of_a_stage
from pergioco.ledger.models import Erratum, Line
from pergioco.ledger.published import circuit_of
from pergioco.players.models import Player, User
from pergioco.players.policy import Role, has_role
from pergioco.stages.models import Game, Stage
from pergioco.website.ranking_tables import value_shown
from pergioco.website.ranking_words import KINDS, NAMES, kind_of
from risiko_master import standing_labels as risiko_labels

CAUSES: dict[str, Promise] = {
    "closed": gettext_lazy("A stage was closed."),
    "corrected": gettext_lazy("The results of a stage were corrected."),
    "moved": gettext_lazy("A stage got another place in the calendar."),
    "withdrawn": gettext_lazy("The closing of a stage was taken back."),
    "merged": gettext_lazy("Two players were found to be one person."),
    "unmerged": gettext_lazy("Two players who had been taken for one person are two again."),
    "disqualified": gettext_lazy("A player was disqualified."),
    "disqualification_withdrawn": gettext_lazy("A disqualification was taken back."),
}
OTHER_CAUSE = gettext_lazy("Something that published numbers rest on was changed.")


def cause(erratum: Erratum) -> Promise:
    return CAUSES.get(erratum.cause, OTHER_CAUSE)


def hat(user: User | None) -> str:
    """Who decided, by office: names and addresses of those who work for the federation are not public."""
    if user is None:
        return _("not on file any more")
    if has_role(user, Role.STAFF):
        return _("the federation’s staff")
    return _("an organizer") if has_role(user, Role.ORGANIZER) else _("somebody who has no office any more")


@dataclass(frozen=True)
class Moved:
    """A line of a ranking before and after; nothing for who stands or stood in it not at all."""

    ranking: str
    player: Player
    rank_before: int | None
    rank_after: int | None
    value_before: str
    value_after: str


@dataclass(frozen=True)
class Rerated:
    """A rating after a stage, before and after the correction; with the computations that explain both."""

    stage: Stage
    player: Player
    before: Decimal | None
    after: Decimal | None
    old_computation: int | None
    new_computation: int | None


def in_order(moves: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The great rankings first, then games and stages; within one as they came."""
    great = {kind: number for number, kind in enumerate(KINDS)}
    return sorted(moves, key=lambda move: (great.get(move["kind"], len(great)), move["kind"]))


def named_in(moves: Iterable[dict[str, Any]]) -> dict[tuple[str, int], Player]:
    """Circuit and player -> the player as that circuit names him: one may have moved in rankings of both."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for move in moves:
        wanted[circuit_of(move["kind"])].add(move["player"])
    rows = {circuit: Player.objects.with_names(circuit).in_bulk(ids) for circuit, ids in wanted.items()}
    return {(circuit, pk): player for circuit, players in rows.items() for pk, player in players.items()}


def moved(moves: Iterable[dict[str, Any]]) -> list[Moved]:
    found = list(moves)
    names, players = names_of({move["kind"] for move in found}), named_in(found)
    return [
        Moved(
            names[move["kind"]],
            players[circuit_of(move["kind"]), move["player"]],
            move["rank_before"],
            move["rank_after"],
            shown(move["kind"], move["value_before"]),
            shown(move["kind"], move["value_after"]),
        )
        for move in found
        if (circuit_of(move["kind"]), move["player"]) in players
    ]


def unlisted(erratum: Erratum) -> list[tuple[str, int]]:
    """How many were only pushed by others, further down: of a great ranking not all of them are listed."""
    counts: dict[str, int] = erratum.changes.get("unlisted", {})
    names = names_of(counts)
    return [(names[kind], count) for kind, count in counts.items()]


def names_of(kinds: Iterable[str]) -> dict[str, str]:
    """“game:go” is called by the game, “race:…” by the stage."""
    slugs = {kind: kind.partition(":")[2] for kind in kinds}
    slugs |= {kind: risiko_labels.stage_of(kind) or slug for kind, slug in slugs.items()}
    of_stages = {slug for kind, slug in slugs.items() if is_of_a_stage(kind)}
    games = Game.objects.in_bulk(set(slugs.values()) - of_stages, field_name="slug")
    stages = Stage.objects.select_related("game").in_bulk(of_stages, field_name="slug")
    return {
        kind: name_of(kind, stages.get(slug) if is_of_a_stage(kind) else games.get(slug))
        for kind, slug in slugs.items()
    }


def name_of(kind: str, about: Game | Stage | None) -> str:
    if risiko_labels.stage_of(kind):
        return risiko_labels.title(kind, about)
    name = str(NAMES.get(kind_of(kind), ""))
    return " · ".join(str(part) for part in (name, about) if part)


def shown(kind: str, value: str | None) -> str:
    if value is None:
        return ""
    if risiko_labels.stage_of(kind):
        return risiko_labels.points_shown(Decimal(value))
    return value_shown(kind_of(kind), Line(value=Decimal(value)))


def rerated(erratum: Erratum) -> list[Rerated]:
    """Only those whose names are public: ratings of the others are nobody's business."""
    players = Player.objects.with_names().in_bulk({one["player"] for one in erratum.changes["pgr"]})
    rows = [one for one in erratum.changes["pgr"] if (p := players.get(one["player"])) and p.is_named_in_public]
    stages = Stage.objects.select_related("game", "season").in_bulk({one["stage"] for one in rows})
    old = erratum.against.ratings if erratum.against else {}
    new = erratum.publication.ratings if erratum.publication else {}
    return [
        Rerated(
            stages[one["stage"]],
            players[one["player"]],
            after_stage(one["before"]),
            after_stage(one["after"]),
            old.get(str(one["stage"])),
            new.get(str(one["stage"])),
        )
        for one in rows
        if one["stage"] in stages
    ]


def after_stage(pair: list[str] | None) -> Decimal | None:
    return Decimal(pair[1]) if pair else None
