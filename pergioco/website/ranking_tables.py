"""The columns of each ranking, told once: the page and its files show the same ones in the same order."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache

from django.db.models import Q
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from pergioco.ledger.models import Line
from pergioco.ledger.published import Ranking
from pergioco.players.models import Player
from pergioco.players.naming import public_name
from pergioco.stages.models import Season, Stage
from pergioco.website.ranking_words import kind_of
from race.labels import dropped_stages
from rankings.labels import exact_average, leader_points

Value = Decimal | int | date | None


@dataclass(frozen=True)
class Column:
    key: str  # how programs call it
    heading: str | Promise
    value: Callable[[Line], Value]
    decimals: int = 0
    is_grouped: bool = False  # thousands stand apart on the page
    is_struck: Callable[[Line], bool] = lambda _line: False
    second: str = ""  # a second line of the heading
    address: str = ""  # of what the heading names

    def shown(self, line: Line, language: str) -> str:
        """As people write it whose language it is, which is the one in force."""
        value = self.value(line)
        return "" if value is None else written(value, self.decimals, language, is_grouped=self.is_grouped)


@lru_cache(maxsize=20_000)
def written(value: Decimal | int | date, decimals: int, _language: str, *, is_grouped: bool) -> str:
    """The same few numbers stand in hundreds of rows, and most stay from one version to the next."""
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    return number_format(value, decimals, use_l10n=True, force_grouping=is_grouped)


@dataclass(frozen=True)
class Table:
    """The number that decides, and what stands before and after it."""

    before: tuple[Column, ...]
    value: Column
    after: tuple[Column, ...] = ()
    games: Mapping[str, str] = field(default_factory=dict)  # of the tournaments of which a line is made, if of several

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.before, self.value, *self.after)


@dataclass(frozen=True)
class Cell:
    column: Column
    text: str
    is_struck: bool


@dataclass(frozen=True)
class Row:
    line: Line
    moved: int | None
    name: str
    is_named: bool
    has_page: bool
    is_own: bool
    before: list[Cell]
    value: str
    after: list[Cell]
    why: str  # the address of the page that explains it


def no_address(_player: Player) -> str:
    return ""


def detail(name: str) -> Callable[[Line], int]:
    return lambda line: int(line.detail[name])


def last_played(line: Line) -> date:
    return date.fromisoformat(line.detail["last_valid_on"])


def value(line: Line) -> Decimal:
    return line.value


def how_many(name: str) -> Callable[[Line], int]:
    return lambda line: len(line.detail[name])


def nth_best(place: int) -> Callable[[Line], Decimal | None]:
    """Of the results that count; only files have room for them."""

    def best(line: Line) -> Decimal | None:
        counted = line.detail["counted"]
        return Decimal(line.detail["results"][counted[place - 1]]) if place <= len(counted) else None

    return best


def last_move(line: Line) -> Decimal:
    return Decimal(line.detail["moved"]).scaleb(-3)


ACTIVE = Column("active_pgrs", _("Active PGRs"), detail("active_pgrs"))
GAMES = Column("games", _("Games"), detail("games"))
LEADER_POINTS = Column("leader_points", _("Leader points"), leader_points, 1)
GROSS = Column("gross", _("Sum"), detail("gross"))
NET = Column("net", _("After drops"), detail("net"))
MOST_POSSIBLE = Column("most_possible", _("Most possible"), detail("most_possible"))
BEST_OF_A_GAME = 5
EVENTS = Column("events", _("Tournaments"), how_many("results"))
COUNTED = Column("counted", pgettext_lazy("how many results", "Count"), how_many("counted"))
BIG_EVENTS = Column("events", _("Tournaments"), detail("events"))
BIG_TABLES = Column("tables", pgettext_lazy("of players", "Tables"), detail("games"))
LAST_MOVE = Column("moved", _("Last change"), last_move, 3)
TABLES = {
    "red": Table(
        (ACTIVE, GAMES, Column("exact_average", _("Exact average"), exact_average, 3)),
        Column("overall_pgr", _("Overall PGR"), value),
    ),
    "blue": Table((ACTIVE, GAMES), Column("sum", _("Sum"), value, 3, is_grouped=True)),
    "green": Table(
        (
            Column("blue_points", _("Blue points"), detail("blue_points")),
            Column("red_points", _("Red points"), detail("red_points")),
            LEADER_POINTS,
            GAMES,
        ),
        Column("points", _("Points"), value, 1),
    ),
    "game": Table(
        (GAMES, Column("last_played", _("Last played"), last_played), LEADER_POINTS),
        Column("pgr", pgettext_lazy("a player's rating", "PGR"), value, 3),
    ),
    "big": Table((EVENTS, COUNTED), Column("points", _("Points"), value, 2, is_grouped=True)),
    "big-game": Table(
        (EVENTS,),
        Column("points", _("Points"), value, 2, is_grouped=True),
        tuple(Column(f"best_{n}", f"{n}.", nth_best(n), 2) for n in range(1, BEST_OF_A_GAME + 1)),
    ),
    "big-elo": Table((BIG_EVENTS, BIG_TABLES, LAST_MOVE), Column("elo", _("Elo"), value, 3)),
    "big-event": Table((), Column("points", _("Points"), value, 2, is_grouped=True)),
}


def table_of(ranking: Ranking, season: Season) -> Table:
    if ranking.kind == "race":
        return race_table(ranking, season)
    if ranking.kind == "big":
        return replace(TABLES["big"], games=games_of(ranking.read["events"]))
    return TABLES[kind_of(ranking.kind)]


def games_of(slugs: Iterable[str]) -> dict[str, str]:
    stages = Stage.objects.filter(slug__in=slugs).select_related("game").only("slug", "game")
    return {stage.slug: stage.game.name for stage in stages}


def race_table(ranking: Ranking, season: Season) -> Table:
    """The sums, then a column for each stage that was held in this version, or is on the calendar."""
    held = ranking.read["stages"]
    stages = Stage.objects.filter(Q(slug__in=held) | Q(season=season, race=True)).select_related("game", "season")
    shown = [s for s in stages.order_by("ends_on", "slug") if s.slug in held or not s.is_cancelled]
    columns = tuple(stage_column(number, stage) for number, stage in enumerate(shown, 1))
    if ranking.read["is_over"]:
        return Table((), NET, (GROSS, *columns))
    return Table((), GROSS, (NET, MOST_POSSIBLE, *columns))


def value_shown(kind: str, line: Line) -> str:
    """The number that decides, where it stands alone."""
    return (Column("", "", value) if kind == "race" else TABLES[kind].value).shown(line, get_language() or "")


def stage_column(number: int, stage: Stage) -> Column:
    slug = stage.slug
    return Column(
        f"stage:{slug}",
        f"{number}. {stage.game}",
        lambda line: line.detail["results"].get(slug),
        is_struck=lambda line: slug in dropped_stages(line),
        second=date_format(stage.ends_on, "d/m"),
        address=stage.get_absolute_url(),
    )


def rows_of(
    table: Table,
    lines: Iterable[Line],
    *,
    moves: Mapping[int, int | None],
    own: int | None = None,
    why: Callable[[Player], str] = no_address,
) -> Iterator[Row]:
    language = get_language() or ""
    for line in lines:
        yield Row(
            line,
            moves.get(line.player_id),
            public_name(line.player),
            line.player.is_named_in_public,
            line.player.has_public_page,
            line.player_id == own,
            [Cell(c, c.shown(line, language), c.is_struck(line)) for c in table.before],
            table.value.shown(line, language),
            [Cell(c, c.shown(line, language), c.is_struck(line)) for c in table.after],
            why(line.player),
        )
