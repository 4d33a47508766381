"""The files of a bundle: one declaration each, used by reading, checking, writing, dumping and
comparing.

A row class lists the columns in the order of the file: type, kind of cell, whether it is needed,
which file it refers to, and where the database keeps it (a lookup from the model of the file's
query)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, get_type_hints

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from pergioco.imports.bundle import cells
from pergioco.imports.bundle.cells import (
    Kind,
    choice_cell,
    day,
    decimal_cell,
    slug,
    text_cell,
    whole_cell,
)
from pergioco.players.models import Disqualification, PlatformAccount, Player, Registration
from pergioco.players.models.accounts import Platform
from pergioco.publishing.models import PgrChange
from pergioco.stages.models import Entry, Game, OpeningRating, Revision, Round, Season, Seat, Stage

AsOf = date | None
SMALL = 32767  # what the database keeps in a small number
PHASES = ("qualification", "final_8", "final_4", "semifinal", "final")
STATUSES = (Stage.Status.PLANNED, Stage.Status.OPEN, Stage.Status.CLOSED, Stage.Status.CANCELLED)


@dataclass(frozen=True)
class Column:
    """`at` is the lookup of its value, by default its own name; None if several rows make it."""

    kind: Kind
    needed: bool = False
    refers: str = ""
    at: str | None = ""

    def write(self, value: Any) -> str:
        return "" if value is None else self.kind.write(value)


def needed_column(kind: Kind, at: str = "") -> Column:
    return Column(kind, needed=True, at=at)


def linked_column(file: str, longest: int, at: str) -> Column:
    return Column(slug(longest), needed=True, refers=file, at=at)


points = decimal_cell(10, 2)
pgr = decimal_cell(10, 3, write=cells.from_thousandths)
from_half_points = decimal_cell(6, 1, write=lambda number: cells.plain_text(Decimal(number) / 2))
PlayerId = Annotated[str, linked_column("players.csv", 32, "player__public_id")]
StageSlug = Annotated[str, linked_column("stages.csv", 60, "stage__slug")]
GameSlug = Annotated[str, linked_column("games.csv", 60, "game__slug")]
Year = Annotated[int, needed_column(whole_cell(1000, 9999))]
Day = Annotated[date, needed_column(day)]
MaybeDay = Annotated[date | None, day]
MadeDay = Annotated[date | None, Column(day, at=None)]
Score = Annotated[Decimal | None, points]
Count = Annotated[int, needed_column(whole_cell(1, SMALL))]
Place = Annotated[int, needed_column(whole_cell(1, SMALL), at="rank")]
Rank = Annotated[int, needed_column(whole_cell(1, 10**8))]
Points = Annotated[Decimal, needed_column(points)]


class PlayerRow(NamedTuple):
    line: int
    id: Annotated[str, needed_column(slug(32), at="public_id")]
    first_name: Annotated[str, Column(text_cell(100), at="person__first_name")]
    last_name: Annotated[str, Column(text_cell(100), at="person__last_name")]
    city: Annotated[str, Column(text_cell(100), at="person__city")]
    country: Annotated[str, Column(cells.country, at="person__country")]
    birth_date: Annotated[date | None, Column(day, at="person__birth_date")]
    email: Annotated[str, cells.email]
    registered_on: Annotated[date | None, day]
    big_member_on: Annotated[date | None, Column(day, at="membership__member_on")]
    clubs: Annotated[tuple[str, ...] | None, Column(cells.names, at=None)]
    sanctioned_from: MadeDay
    sanctioned_to: MadeDay
    disqualified_on: MadeDay
    disqualification: Annotated[str, Column(choice_cell(*Disqualification.Kind.values), at=None)]
    # 0 = registered, and the consent to be named in public was taken back
    publication: Annotated[bool | None, cells.objection]
    # The player that this one was found to be; results stay under the id under which they were made
    merged_into: Annotated[str, Column(slug(32), refers="players.csv", at="merged_into__public_id")]
    # An erased player is in no ranking, though the registration is kept
    erased_on: Annotated[date | None, Column(day, at="erased_at")]


class AccountRow(NamedTuple):
    line: int
    player: PlayerId
    platform: Annotated[str, needed_column(choice_cell(*Platform.values))]
    platform_id: Annotated[str, text_cell(80)]
    nickname: Annotated[str, Column(text_cell(60), at="nicknames__name")]
    valid_from: Annotated[date | None, Column(day, at="nicknames__valid_from")]
    valid_to: Annotated[date | None, Column(day, at="nicknames__valid_to")]


class GameRow(NamedTuple):
    line: int
    slug: Annotated[str, needed_column(slug(60))]
    name_it: Annotated[str, text_cell(80)]
    name_en: Annotated[str, text_cell(80)]
    name_es: Annotated[str, text_cell(80)]
    variants: Annotated[tuple[str, ...] | None, Column(cells.names, at=None)]


class SeasonRow(NamedTuple):
    line: int
    year: Year
    starts_on: Day
    ends_on: Day
    settings: Annotated[dict[str, Any] | None, cells.differences]


class StageRow(NamedTuple):
    line: int
    slug: Annotated[str, needed_column(slug(60))]
    circuit: Annotated[str, needed_column(choice_cell(*Stage.Circuit.values))]
    season: Annotated[
        int, Column(whole_cell(1000, 9999), needed=True, refers="seasons.csv", at="season__year")
    ]
    game: GameSlug
    platform: Annotated[str, choice_cell(*Platform.values)]
    system: Annotated[str, choice_cell(*Stage.System.values)]
    pace: Annotated[str, choice_cell(*Stage.Pace.values)]
    starts_on: Day
    ends_on: Day
    race: Annotated[bool | None, cells.flag]
    final: Annotated[bool | None, cells.flag]
    seed: Annotated[str, text_cell(64)]
    status: Annotated[str, needed_column(choice_cell(*STATUSES))]


class EntryRow(NamedTuple):
    line: int
    stage: StageSlug
    player: PlayerId
    withdrew_after_round: Annotated[int | None, whole_cell(0, SMALL)]


class SeatRow(NamedTuple):
    line: int
    stage: Annotated[str, linked_column("stages.csv", 60, "table__round__revision__stage__slug")]
    round: Annotated[int, needed_column(whole_cell(1, SMALL), at="table__round__number")]
    table: Annotated[int, needed_column(whole_cell(1, SMALL), at="table__number")]
    seat: Annotated[int, needed_column(whole_cell(1, 7), at="position")]
    player: PlayerId
    outcome: Annotated[str, choice_cell(*Seat.Outcome.values)]
    kind: Annotated[str, choice_cell(*Seat.Kind.values)]
    score: Score
    bid: Score
    off_objective: Score
    objective_made: Annotated[bool | None, cells.rare_flag]
    timed_out: Annotated[bool | None, cells.rare_flag]
    played_on: MaybeDay
    phase: Annotated[str, Column(choice_cell(*PHASES), at="table__round__phase")]


class OpeningRow(NamedTuple):
    line: int
    player: PlayerId
    game: GameSlug
    pgr: Annotated[
        Decimal, needed_column(decimal_cell(9, 3, negative=False, write="{:.3f}".format))
    ]
    games: Annotated[int | None, whole_cell(0, 999_999)]
    last_played_on: MaybeDay


class PgrChangeRow(NamedTuple):
    line: int
    stage: StageSlug
    game: GameSlug
    player: PlayerId
    before: Annotated[Decimal, needed_column(pgr)]
    scored: Annotated[Decimal, needed_column(from_half_points, at="half_points")]
    expected: Annotated[Decimal, needed_column(decimal_cell(11, 6, write="{:.6f}".format))]
    games: Annotated[int, needed_column(whole_cell(0, SMALL), at="valid_games")]
    after: Annotated[Decimal, needed_column(pgr)]


# The columns of the rows that follow are found in a line of a ranking, or in its detail


class RankingRow(NamedTuple):
    line: int
    ranking: Annotated[str, needed_column(text_cell(80))]
    as_of: Day
    rank: Rank
    player: PlayerId
    value: Annotated[Decimal, needed_column(decimal_cell(12, 3), at="value_with_zeros")]
    active_pgrs: Annotated[int | None, whole_cell(0, SMALL)]
    games: Annotated[int | None, whole_cell(0, 10**8)]
    decided_by: Annotated[str, text_cell(20)]
    detail: Annotated[dict[str, Any] | None, cells.json_object]


class RacePointsRow(NamedTuple):
    line: int
    stage: StageSlug
    player: PlayerId
    position: Place
    players: Count
    points: Annotated[int, needed_column(whole_cell(0, 100), at="value")]


thousandths = decimal_cell(10, 0, write=lambda value: str(int(value.scaleb(3))))
Thousandths = Annotated[Decimal, needed_column(thousandths, at="value")]


class RkmScoreRow(NamedTuple):
    line: int
    stage: StageSlug
    round: Count
    table: Count
    player: PlayerId
    place: Annotated[int, needed_column(whole_cell(1, 7), at="rank")]
    thousandths: Thousandths


class RkmStandingRow(NamedTuple):
    line: int
    stage: StageSlug
    phase: Annotated[str, needed_column(choice_cell("round_1", "qualification", "final"))]
    rank: Rank
    player: PlayerId
    thousandths: Thousandths


class BigResultRow(NamedTuple):
    line: int
    stage: StageSlug
    player: PlayerId
    place: Place
    table_points: Points
    base: Points
    bonus: Points
    multiplier: Annotated[Decimal, needed_column(decimal_cell(7, 6))]
    league_points: Annotated[
        Decimal, needed_column(decimal_cell(10, 2, write="{:.2f}".format), at="value")
    ]


class BigEloChangeRow(NamedTuple):
    line: int
    stage: StageSlug
    game: GameSlug
    player: PlayerId
    before: Annotated[Decimal, needed_column(pgr, at="elo_before")]
    after: Annotated[Decimal, needed_column(pgr, at="elo_after")]


R = TypeVar("R")  # one of the rows above


@dataclass(frozen=True)
class File(Generic[R]):
    name: str
    row: Callable[..., R]
    key: str  # the columns that tell its rows apart
    query: Callable[[AsOf], QuerySet[Any]] | None = None
    rankings: str = ""  # a pattern: the rankings whose lines are its rows
    # Columns that are written only if there are such rows
    optional: dict[str, Callable[[], QuerySet[Any]]] = field(default_factory=dict)

    @cached_property
    def columns(self) -> dict[str, Column]:
        hints = get_type_hints(self.row, include_extras=True)
        said = {name: hint.__metadata__[0] for name, hint in hints.items() if name != "line"}
        return {name: Column(one) if isinstance(one, Kind) else one for name, one in said.items()}

    @cached_property
    def sources(self) -> dict[str, str]:
        return {
            name: column.at or name
            for name, column in self.columns.items()
            if column.at is not None
        }

    @cached_property
    def empty(self) -> dict[str, Any]:
        return {name: column.kind.empty for name, column in self.columns.items()}

    def key_of(self, row: R) -> tuple[Any, ...]:
        return tuple(getattr(row, name) for name in self.key.split())


def up_to(as_of: AsOf, lookup: str) -> Q:
    return Q(**{f"{lookup}__lte": as_of}) if as_of else Q()


def query_players(as_of: AsOf) -> QuerySet[Any]:
    # A registration that does not count leaves the player unregistered.
    counting = Registration.objects.counting().filter(
        up_to(as_of, "registered_on"), player=OuterRef("pk")
    )
    return Player.objects.annotate(
        email=Coalesce("person__user__email", "person__contact_email"),
        registered_on=Subquery(counting.values("registered_on")),
        publication=Subquery(counting.values("publication_allowed")),
    ).order_by("pk")


def query_accounts(as_of: AsOf) -> QuerySet[Any]:
    return PlatformAccount.objects.order_by("pk", "nicknames__valid_from", "nicknames__pk")


def query_seasons(as_of: AsOf) -> QuerySet[Any]:
    return Season.objects.filter(Q(year__lte=as_of.year) if as_of else Q()).order_by("pk")


def query_stages(as_of: AsOf) -> QuerySet[Any]:
    return Stage.objects.filter(up_to(as_of, "starts_on")).order_by("pk")


def query_entries(as_of: AsOf) -> QuerySet[Any]:
    return Entry.objects.filter(up_to(as_of, "stage__starts_on")).order_by("stage_id", "pk")


def query_changes(as_of: AsOf) -> QuerySet[Any]:
    return PgrChange.objects.current().filter(up_to(as_of, "ended_on")).in_order()


def query_seats(as_of: AsOf) -> QuerySet[Any]:
    """The current results of closed stages, the draft of open ones."""
    revision = "table__round__revision__"
    current = Q(**{f"{revision}state": Revision.State.CURRENT})
    draft = Q(
        **{f"{revision}state": Revision.State.DRAFT, f"{revision}stage__status": Stage.Status.OPEN}
    )
    rows = Seat.objects.filter(current | draft, up_to(as_of, f"{revision}stage__ends_on"))
    return rows.order_by(f"{revision}stage_id", "table__round__number", "table__number", "position")


PLAYERS = File(
    "players.csv",
    PlayerRow,
    "id",
    query_players,
    optional={
        "publication": lambda: Registration.objects.counting().filter(publication_allowed=False),
        "merged_into": lambda: Player.objects.exclude(merged_into=None),
        "erased_on": lambda: Player.objects.filter(merged_into=None).exclude(erased_at=None),
    },
)
ACCOUNTS = File(
    "accounts.csv", AccountRow, "player platform platform_id nickname valid_from", query_accounts
)
GAMES = File("games.csv", GameRow, "slug", lambda as_of: Game.objects.order_by("pk"))
SEASONS = File("seasons.csv", SeasonRow, "year", query_seasons)
STAGES = File("stages.csv", StageRow, "slug", query_stages)
ENTRIES = File("entries.csv", EntryRow, "stage player", query_entries)
SEATS = File(
    "seats.csv",
    SeatRow,
    "stage round table seat",
    query_seats,
    optional={
        "phase": lambda: Round.objects.exclude(phase="").filter(
            revision__state=Revision.State.CURRENT
        )
    },
)
OPENINGS = File(
    "opening_ratings.csv",
    OpeningRow,
    "player game",
    lambda as_of: OpeningRating.objects.order_by("pk"),
)
FACTS: tuple[File[Any], ...] = (PLAYERS, ACCOUNTS, GAMES, SEASONS, STAGES, ENTRIES, SEATS, OPENINGS)
PGR_CHANGES = File("pgr_changes.csv", PgrChangeRow, "stage player", query_changes)
RANKINGS = File(
    "rankings.csv", RankingRow, "ranking as_of player", rankings="(?!race:|rkm:|big-event:)"
)
RACE_POINTS = File("race_points.csv", RacePointsRow, "stage player", rankings="race:")
RKM_SCORES = File("rkm_scores.csv", RkmScoreRow, "stage round player", rankings="rkm:[^:]+:game:")
RKM_STANDINGS = File(
    "rkm_standings.csv", RkmStandingRow, "stage phase player", rankings="rkm:[^:]+:(?!game:)"
)
BIG_RESULTS = File("big_results.csv", BigResultRow, "stage player", rankings="big-event:")
BIG_ELO_CHANGES = File(
    "big_elo_changes.csv", BigEloChangeRow, "stage player", rankings="big-event:"
)
OF_RANKINGS: tuple[File[Any], ...] = (
    RANKINGS,
    RACE_POINTS,
    RKM_SCORES,
    RKM_STANDINGS,
    BIG_RESULTS,
    BIG_ELO_CHANGES,
)
COMPUTED: tuple[File[Any], ...] = (PGR_CHANGES, *OF_RANKINGS)
