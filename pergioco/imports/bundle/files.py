"""The files of a bundle: each row is a table of column names, types and parsers, in the order of writing."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, get_type_hints

from pergioco.imports.bundle.cells import (
    Column,
    country,
    day,
    decimal,
    email,
    flag,
    json_object,
    names,
    needed,
    one_of,
    slug,
    text,
    whole,
)
from pergioco.players.models import Disqualification
from pergioco.players.models.accounts import Platform
from pergioco.stages.models import Seat, Stage

LONGEST_ID, LONGEST_SLUG, LONGEST_NICKNAME = 32, 60, 60
LONGEST_RANKING = 80
SMALL = 32767  # what the database keeps in a small number
PHASES = ("qualification", "final_8", "final_4", "semifinal", "final")
STATUSES = (Stage.Status.PLANNED, Stage.Status.OPEN, Stage.Status.CLOSED, Stage.Status.CANCELLED)
points = decimal(digits=10, places=2)
pgr = decimal(digits=10, places=3)


class PlayerRow(NamedTuple):
    line: int
    id: Annotated[str, needed(slug(LONGEST_ID))]
    first_name: Annotated[str, text(100)]
    last_name: Annotated[str, text(100)]
    city: Annotated[str, text(100)]
    country: Annotated[str, country]
    birth_date: Annotated[date | None, day]
    email: Annotated[str, email]
    registered_on: Annotated[date | None, day]
    big_member_on: Annotated[date | None, day]
    clubs: Annotated[tuple[str, ...] | None, names]
    sanctioned_from: Annotated[date | None, day]
    sanctioned_to: Annotated[date | None, day]
    disqualified_on: Annotated[date | None, day]
    disqualification: Annotated[str, one_of(*Disqualification.Kind.values)]
    # Ours: 0 = registered, and the consent to be named in public was taken back
    publication: Annotated[bool | None, flag]
    # Ours: the player that this one was found to be; results stay under the name under which they were made
    merged_into: Annotated[str, slug(LONGEST_ID)]
    # Ours: who had his data erased stands in no ranking, though his registration is kept
    erased_on: Annotated[date | None, day]


class AccountRow(NamedTuple):
    line: int
    player: Annotated[str, needed(slug(LONGEST_ID))]
    platform: Annotated[str, needed(one_of(*Platform.values))]
    platform_id: Annotated[str, text(80)]
    nickname: Annotated[str, text(LONGEST_NICKNAME)]
    valid_from: Annotated[date | None, day]
    valid_to: Annotated[date | None, day]


class GameRow(NamedTuple):
    line: int
    slug: Annotated[str, needed(slug(LONGEST_SLUG))]
    name_it: Annotated[str, text(80)]
    name_en: Annotated[str, text(80)]
    name_es: Annotated[str, text(80)]
    variants: Annotated[tuple[str, ...] | None, names]


class SeasonRow(NamedTuple):
    line: int
    year: Annotated[int, needed(whole(1000, 9999))]
    starts_on: Annotated[date, needed(day)]
    ends_on: Annotated[date, needed(day)]
    settings: Annotated[dict[str, Any] | None, json_object]


class StageRow(NamedTuple):
    line: int
    slug: Annotated[str, needed(slug(LONGEST_SLUG))]
    circuit: Annotated[str, needed(one_of(*Stage.Circuit.values))]
    season: Annotated[int, needed(whole(1000, 9999))]
    game: Annotated[str, needed(slug(LONGEST_SLUG))]
    platform: Annotated[str, one_of(*Platform.values)]
    system: Annotated[str, one_of(*Stage.System.values)]
    pace: Annotated[str, one_of(*Stage.Pace.values)]
    starts_on: Annotated[date, needed(day)]
    ends_on: Annotated[date, needed(day)]
    race: Annotated[bool | None, flag]
    final: Annotated[bool | None, flag]
    seed: Annotated[str, text(64)]
    status: Annotated[str, needed(one_of(*STATUSES))]


class EntryRow(NamedTuple):
    line: int
    stage: Annotated[str, needed(slug(LONGEST_SLUG))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    withdrew_after_round: Annotated[int | None, whole(0, SMALL)]


class SeatRow(NamedTuple):
    line: int
    stage: Annotated[str, needed(slug(LONGEST_SLUG))]
    round: Annotated[int, needed(whole(1, SMALL))]
    table: Annotated[int, needed(whole(1, SMALL))]
    seat: Annotated[int, needed(whole(1, 7))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    outcome: Annotated[str, one_of(*Seat.Outcome.values)]
    kind: Annotated[str, one_of(*Seat.Kind.values)]
    score: Annotated[Decimal | None, points]
    bid: Annotated[Decimal | None, points]
    off_objective: Annotated[Decimal | None, points]
    objective_made: Annotated[bool | None, flag]
    timed_out: Annotated[bool | None, flag]
    played_on: Annotated[date | None, day]
    phase: Annotated[str, one_of(*PHASES)]


class OpeningRow(NamedTuple):
    line: int
    player: Annotated[str, needed(slug(LONGEST_ID))]
    game: Annotated[str, needed(slug(LONGEST_SLUG))]
    pgr: Annotated[Decimal, needed(decimal(digits=9, places=3, negative=False))]
    games: Annotated[int | None, whole(0, 999_999)]
    last_played_on: Annotated[date | None, day]


class PgrChangeRow(NamedTuple):
    line: int
    stage: Annotated[str, needed(slug(LONGEST_SLUG))]
    game: Annotated[str, needed(slug(LONGEST_SLUG))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    before: Annotated[Decimal, needed(pgr)]
    scored: Annotated[Decimal, needed(decimal(digits=6, places=1))]
    expected: Annotated[Decimal, needed(decimal(digits=11, places=6))]
    games: Annotated[int, needed(whole(0, SMALL))]
    after: Annotated[Decimal, needed(pgr)]


class RankingRow(NamedTuple):
    line: int
    ranking: Annotated[str, needed(text(LONGEST_RANKING))]
    as_of: Annotated[date, needed(day)]
    rank: Annotated[int, needed(whole(1, 10**8))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    value: Annotated[Decimal, needed(decimal(digits=12, places=3))]
    active_pgrs: Annotated[int | None, whole(0, SMALL)]
    games: Annotated[int | None, whole(0, 10**8)]
    decided_by: Annotated[str, text(20)]
    detail: Annotated[dict[str, Any] | None, json_object]


class RacePointsRow(NamedTuple):
    line: int
    stage: Annotated[str, needed(slug(LONGEST_SLUG))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    position: Annotated[int, needed(whole(1, SMALL))]
    players: Annotated[int, needed(whole(1, SMALL))]
    points: Annotated[int, needed(whole(0, 100))]


class RkmScoreRow(NamedTuple):
    line: int
    stage: Annotated[str, needed(slug(LONGEST_SLUG))]
    round: Annotated[int, needed(whole(1, SMALL))]
    table: Annotated[int, needed(whole(1, SMALL))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    place: Annotated[int, needed(whole(1, 7))]
    thousandths: Annotated[Decimal, needed(decimal(digits=10, places=0))]


class RkmStandingRow(NamedTuple):
    line: int
    stage: Annotated[str, needed(slug(LONGEST_SLUG))]
    phase: Annotated[str, needed(one_of("round_1", "qualification", "final"))]
    rank: Annotated[int, needed(whole(1, 10**8))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    thousandths: Annotated[Decimal, needed(decimal(digits=10, places=0))]


class BigResultRow(NamedTuple):
    line: int
    stage: Annotated[str, needed(slug(LONGEST_SLUG))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    place: Annotated[int, needed(whole(1, SMALL))]
    table_points: Annotated[Decimal, needed(points)]
    base: Annotated[Decimal, needed(points)]
    bonus: Annotated[Decimal, needed(points)]
    multiplier: Annotated[Decimal, needed(decimal(digits=7, places=6))]
    league_points: Annotated[Decimal, needed(points)]


class BigEloChangeRow(NamedTuple):
    line: int
    stage: Annotated[str, needed(slug(LONGEST_SLUG))]
    game: Annotated[str, needed(slug(LONGEST_SLUG))]
    player: Annotated[str, needed(slug(LONGEST_ID))]
    before: Annotated[Decimal, needed(pgr)]
    after: Annotated[Decimal, needed(pgr)]


R = TypeVar("R")  # one of the rows above


@dataclass(frozen=True)
class File(Generic[R]):
    """`optional` columns are written only when a row has something to say there."""

    name: str
    row: Callable[..., R]
    optional: frozenset[str] = frozenset()

    @cached_property
    def columns(self) -> dict[str, Column]:
        hints = get_type_hints(self.row, include_extras=True)
        return {name: hint.__metadata__[0] for name, hint in hints.items() if name != "line"}


PLAYERS = File("players.csv", PlayerRow, frozenset({"publication", "merged_into", "erased_on"}))
ACCOUNTS = File("accounts.csv", AccountRow)
GAMES = File("games.csv", GameRow)
SEASONS = File("seasons.csv", SeasonRow)
STAGES = File("stages.csv", StageRow)
ENTRIES = File("entries.csv", EntryRow)
SEATS = File("seats.csv", SeatRow, frozenset({"phase"}))
OPENINGS = File("opening_ratings.csv", OpeningRow)
FACTS: tuple[File[Any], ...] = (PLAYERS, ACCOUNTS, GAMES, SEASONS, STAGES, ENTRIES, SEATS, OPENINGS)
PGR_CHANGES = File("pgr_changes.csv", PgrChangeRow)
RANKINGS = File("rankings.csv", RankingRow)
RACE_POINTS = File("race_points.csv", RacePointsRow)
RKM_SCORES = File("rkm_scores.csv", RkmScoreRow)
RKM_STANDINGS = File("rkm_standings.csv", RkmStandingRow)
BIG_RESULTS = File("big_results.csv", BigResultRow)
BIG_ELO_CHANGES = File("big_elo_changes.csv", BigEloChangeRow)
COMPUTED: tuple[File[Any], ...] = (
    PGR_CHANGES,
    RANKINGS,
    RACE_POINTS,
    RKM_SCORES,
    RKM_STANDINGS,
    BIG_RESULTS,
    BIG_ELO_CHANGES,
)
