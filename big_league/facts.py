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

from big_league.rules.elimination import name_phases
from big_league.rules.standings import Round, players_of_rounds
from big_league.rules.table import Part
from pergioco.players.models import Membership
from pergioco.publishing.held_ratings import filter_ranked
from pergioco.rulekit.ordering import seeded_order
from pergioco.stages.facts import SeatFacts
from pergioco.stages.games import closed_stages
from pergioco.stages.models import Revision, Seat, Stage
from pergioco.stages.services.reporting import Result


class PlayedSeat(NamedTuple):
    """One seat; `player` is the player after all merges."""

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
    """A closed tournament; `lots` gives every player who took part a number."""

    stage: int
    slug: str
    game: str
    is_final: bool
    ends_on: date
    settings: Mapping[str, Any]
    rounds: tuple[Round, ...]
    lots: Mapping[int, int]


STAGE_COLUMNS = ("pk", "slug", "game__slug", "final", "ends_on", "season__settings", "seed")


def stages_held_by(day: date) -> QuerySet[Stage]:
    return closed_stages(Stage.Circuit.BIG).filter(ends_on__lte=day)


def read_tournaments(stages: QuerySet[Stage]) -> list[Tournament]:
    """A constant number of queries; skips tournaments without players."""
    rows = list(stages.values_list(*STAGE_COLUMNS))
    own = (
        {pk: list(sats) for pk, sats in groupby(read_played_seats(stages), key=attrgetter("stage"))}
        if rows
        else {}
    )
    found = (build_tournament(row, own.get(row[0], [])) for row in rows)
    return [one for one in found if one.lots]


def read_played_seats(stages: QuerySet[Stage]) -> Iterator[PlayedSeat]:
    revision = "table__round__revision"
    rows = Seat.objects.filter(
        **{
            f"{revision}__state": Revision.State.CURRENT,
            f"{revision}__stage__in": stages.order_by(),
        }
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
    return (PlayedSeat(*row) for row in values.order_by(*order).iterator(chunk_size=5000))


def build_tournament(row: tuple[Any, ...], sats: list[PlayedSeat]) -> Tournament:
    stage, slug, game, is_final, ends_on, settings, seed = row
    rounds = [
        build_round(number, list(own)) for number, own in groupby(sats, key=attrgetter("round"))
    ]
    ids = {sat.player: sat.public_id for sat in sats}
    lots = seeded_order(seed, {player: ids[player] for player in players_of_rounds(rounds)})
    phased = name_phases(rounds, year=ends_on.year) if is_final else rounds
    return Tournament(
        stage,
        slug,
        game,
        is_final,
        ends_on,
        settings,
        tuple(phased),
        {player: lot for lot, player in enumerate(lots)},
    )


def build_round(number: int, sats: list[PlayedSeat]) -> Round:
    tables = {
        table: list(map(to_part, own)) for table, own in groupby(sats, key=attrgetter("table"))
    }
    return Round(
        number,
        {table: own for table, own in tables.items() if has_distinct_players(own)},
        sats[0].phase,
    )


def has_distinct_players(parts: Iterable[Part]) -> bool:
    # After a merge both seats of a table may belong to one player.
    own = [part.player for part in parts]
    return len(set(own)) == len(own)


def to_part(seat: PlayedSeat | SeatFacts | Result) -> Part:
    return Part(
        seat.player, seat.score, seat.bid, seat.outcome, seat.kind or "played", int(seat.timed_out)
    )


def members_on(day: date) -> set[int]:
    """Members by that day (BIG 2) who are neither excluded nor erased."""
    rows = Membership.objects.filter(member_on__lte=day)
    return set(filter_ranked(rows, day).values_list("player", flat=True))
