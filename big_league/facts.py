"""From rows to plain facts: the tournaments of BIG with their rounds, and its members."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from big_league.rules.round_phases import with_phases
from big_league.rules.standings import Round, players
from big_league.rules.table import Part
from pergioco.ledger.ranked import of_the_ranked
from pergioco.players.models import Membership
from pergioco.rulekit.chance import drawn_order
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Revision, Seat, Stage


class Sat(NamedTuple):
    """One seat, of the player as who he is known now."""

    stage: int
    round: int
    phase: str
    table: int
    player: int
    public_id: str
    score: Decimal | None
    bid: Decimal | None
    outcome: str
    kind: str
    timed_out: bool


@dataclass(frozen=True)
class Tournament:
    """A closed tournament with all that counts of it; `lots` gives everybody who played a number of his own."""

    stage: int
    slug: str
    game: str
    is_final: bool
    ends_on: date
    settings: Mapping[str, Any]
    rounds: tuple[Round, ...]
    lots: Mapping[int, int]


STAGE = ("pk", "slug", "game__slug", "final", "ends_on", "season__settings", "seed")


def held(day: date) -> QuerySet[Stage]:
    """Those that count on that day, in the order in which they count."""
    return closed_stages(Stage.Circuit.BIG).filter(ends_on__lte=day)


def tournaments(stages: QuerySet[Stage]) -> list[Tournament]:
    """As many queries for one as for all; one alone where there is none. Without those at which nobody played."""
    rows = list(stages.values_list(*STAGE))
    own = {pk: list(sats) for pk, sats in groupby(seats(stages), key=attrgetter("stage"))} if rows else {}
    found = (tournament(row, own.get(row[0], [])) for row in rows)
    return [one for one in found if one.lots]


def seats(stages: QuerySet[Stage]) -> Iterator[Sat]:
    revision = "table__round__revision"
    rows = Seat.objects.filter(
        **{f"{revision}__state": Revision.State.CURRENT, f"{revision}__stage__in": stages.order_by()}
    )
    values = rows.values_list(
        f"{revision}__stage",
        "table__round__number",
        "table__round__phase",
        "table__number",
        Coalesce("player__merged_into", "player"),
        Coalesce("player__merged_into__public_id", "player__public_id"),
        *("score", "bid", "outcome", "kind", "timed_out"),
    )
    order = (f"{revision}__stage", "table__round__number", "table__number", "position")
    return (Sat(*row) for row in values.order_by(*order).iterator(chunk_size=5000))


def tournament(row: tuple[Any, ...], sats: list[Sat]) -> Tournament:
    stage, slug, game, is_final, ends_on, settings, seed = row
    rounds = [round_of(number, list(own)) for number, own in groupby(sats, key=attrgetter("round"))]
    ids = {sat.player: sat.public_id for sat in sats}
    lots = drawn_order(seed, {player: ids[player] for player in players(rounds)})
    phased = with_phases(rounds, year=ends_on.year) if is_final else rounds
    return Tournament(
        stage, slug, game, is_final, ends_on, settings, tuple(phased), {player: lot for lot, player in enumerate(lots)}
    )


def round_of(number: int, sats: list[Sat]) -> Round:
    tables = {table: list(map(part_of, own)) for table, own in groupby(sats, key=attrgetter("table"))}
    return Round(number, {table: own for table, own in tables.items() if is_one(own)}, sats[0].phase)


def is_one(parts: Iterable[Part]) -> bool:
    """Nobody plays himself: it was found later that two at the table were one person."""
    own = [part.player for part in parts]
    return len(set(own)) == len(own)


def part_of(sat: Sat) -> Part:
    return Part(sat.player, sat.score, sat.bid, sat.outcome, sat.kind or "played", int(sat.timed_out))


def members(day: date) -> set[int]:
    """Who stands in the rankings on that day: members of BIG by then (BIG 2), unless excluded or erased. Whoever is
    excluded keeps his results: the places of those who sat with him stay what they were."""
    rows = Membership.objects.filter(member_on__lte=day)
    return set(of_the_ranked(rows, day).values_list("player", flat=True))
