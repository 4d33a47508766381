"""Columns and rows of each ranking, the same on pages, in files and in print."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cache

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django_countries import countries

from big_league import explanations
from pergioco.core.addresses import player_address_builder
from pergioco.core.exports import sheet
from pergioco.core.templatetags.portal import movement
from pergioco.players.listed import list_players_by_key
from pergioco.players.naming import AnyPlayer, name_on_page
from pergioco.players.rules.people import PGM
from pergioco.publishing.models import Line
from pergioco.publishing.published import Ranking
from pergioco.publishing.queries.ranking_labels import family_of
from pergioco.rulekit.numbers import to_points
from pergioco.stages.models import Season, Stage
from race.labels import dropped_stages
from rankings.labels import exact_average, leader_points

BEST_OF_A_GAME = 5
MEDALS = 3
SHOWS_RESULTS = ("big", "big-game")


@dataclass(frozen=True)
class Column(sheet.Column[Line]):
    is_struck: Callable[[Line], bool] = lambda _line: False
    second: str = ""  # a second line of the heading
    address: str = ""  # of what the heading names


@dataclass(frozen=True)
class Table:
    """The deciding number, and the columns before and after it."""

    before: tuple[Column, ...]
    value: Column
    after: tuple[Column, ...] = ()
    # slug -> game, if a line sums up several tournaments
    games: Mapping[str, str] = field(default_factory=dict)
    circuit: str = PGM  # whose pages name the players
    has_moves: bool = False
    lists_results: bool = False  # those that count, below the name

    @property
    def columns(self) -> tuple[Column, ...]:
        return (*self.before, self.value, *self.after)


@dataclass(frozen=True, slots=True)
class Cell:
    heading: str
    text: str
    is_struck: bool


@dataclass(frozen=True, slots=True)
class Row:
    line: Line
    player: AnyPlayer
    moved: int | None
    movement: str  # `moved` as the page shows it
    name: str
    is_named: bool
    is_own: bool
    address: str  # of the player's page, if there is one
    home: str
    before: list[Cell]
    value: str
    after: list[Cell]
    why: str  # the address of the page that explains it, of players that are named
    results: str  # those that count for the line, where the ranking lists them

    @property
    def medal(self) -> int:
        """Zero below the third place."""
        return self.line.rank if self.line.rank <= MEDALS else 0


def no_address(_player: AnyPlayer) -> str:
    return ""


def detail_number(name: str) -> Callable[[Line], int]:
    return lambda line: int(line.detail[name])


def last_played_on(line: Line) -> date:
    return date.fromisoformat(line.detail["last_valid_on"])


def line_value(line: Line) -> Decimal:
    return line.value


def count_detail(name: str) -> Callable[[Line], int]:
    return lambda line: len(line.detail[name])


def nth_best(place: int) -> Callable[[Line], Decimal | None]:

    def best(line: Line) -> Decimal | None:
        counted = line.detail["counted"]
        return (
            Decimal(line.detail["results"][counted[place - 1]]) if place <= len(counted) else None
        )

    return best


def last_rating_move(line: Line) -> Decimal:
    return to_points(line.detail["moved"])


ACTIVE = Column("active_pgrs", _("Active PGRs"), detail_number("active_pgrs"))
GAMES = Column("games", _("Games"), detail_number("games"))
LEADER_POINTS = Column("leader_points", _("Leader points"), leader_points, 1)
GROSS = Column("gross", _("Sum"), detail_number("gross"))
NET = Column("net", _("After drops"), detail_number("net"))
MOST_POSSIBLE = Column("most_possible", _("Most possible"), detail_number("most_possible"))
EVENTS = Column("events", _("Tournaments"), count_detail("results"))
COUNTED = Column("counted", pgettext_lazy("how many results", "Count"), count_detail("counted"))
BIG_EVENTS = Column("events", _("Tournaments"), detail_number("events"))
BIG_TABLES = Column("tables", pgettext_lazy("of players", "Tables"), detail_number("games"))
LAST_MOVE = Column("moved", _("Last change"), last_rating_move, 3)
TABLES = {
    "red": Table(
        (ACTIVE, GAMES, Column("exact_average", _("Exact average"), exact_average, 3)),
        Column("overall_pgr", _("Overall PGR"), line_value),
    ),
    "blue": Table((ACTIVE, GAMES), Column("sum", _("Sum"), line_value, 3, is_grouped=True)),
    "green": Table(
        (
            Column("blue_points", _("Blue points"), detail_number("blue_points")),
            Column("red_points", _("Red points"), detail_number("red_points")),
            LEADER_POINTS,
            GAMES,
        ),
        Column("points", _("Points"), line_value, 1),
    ),
    "game": Table(
        (GAMES, Column("last_played", _("Last played"), last_played_on), LEADER_POINTS),
        Column("pgr", pgettext_lazy("a player's rating", "PGR"), line_value, 3),
    ),
    "big": Table((EVENTS, COUNTED), Column("points", _("Points"), line_value, 2, is_grouped=True)),
    "big-game": Table(
        (EVENTS,),
        Column("points", _("Points"), line_value, 2, is_grouped=True),
        tuple(Column(f"best_{n}", f"{n}.", nth_best(n), 2) for n in range(1, BEST_OF_A_GAME + 1)),
    ),
    "big-elo": Table((BIG_EVENTS, BIG_TABLES, LAST_MOVE), Column("elo", _("Elo"), line_value, 3)),
    "big-event": Table((), Column("points", _("Points"), line_value, 2, is_grouped=True)),
}


def ranking_table(ranking: Ranking, season: Season) -> Table:
    family = family_of(ranking.kind)
    return replace(
        race_table(ranking, season) if family == "race" else TABLES[family],
        games=game_names(ranking.read["events"]) if ranking.kind == "big" else {},
        circuit=ranking.circuit,
        has_moves=ranking.before is not None,
        lists_results=family in SHOWS_RESULTS,
    )


def game_names(slugs: Iterable[str]) -> dict[str, str]:
    stages = Stage.objects.filter(slug__in=slugs).select_related("game").only("slug", "game")
    return {stage.slug: stage.game.name for stage in stages}


def race_table(ranking: Ranking, season: Season) -> Table:
    """The sums, then a column for each stage held in this version or on the calendar."""
    held = ranking.read["stages"]
    stages = Stage.objects.filter(Q(slug__in=held) | Q(season=season, race=True)).select_related(
        "game", "season"
    )
    shown = [s for s in stages.order_by("ends_on", "slug") if s.slug in held or not s.is_cancelled]
    columns = tuple(stage_column(number, stage) for number, stage in enumerate(shown, 1))
    if ranking.read["is_over"]:
        return Table((), NET, (GROSS, *columns))
    return Table((), GROSS, (NET, MOST_POSSIBLE, *columns))


def shown_line_value(kind: str, line: Line) -> str:
    return (Column("", "", line_value) if kind == "race" else TABLES[kind].value).shown(
        line, get_language() or ""
    )


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


def with_players(lines: Iterable[Line]) -> list[tuple[Line, AnyPlayer]]:
    """For long pages: the players of all lines in one small query."""
    rows = list(lines)
    players = list_players_by_key(line.player_id for line in rows)
    return [(line, players[line.player_id]) for line in rows]


def build_rows(
    table: Table,
    lines: Iterable[tuple[Line, AnyPlayer]],
    *,
    moves: Mapping[int, int | None],
    own: int | None = None,
    why: Callable[[AnyPlayer], str] = no_address,
) -> Iterator[Row]:
    language = get_language() or ""
    address = player_address_builder("player")
    move = cache(movement) if table.has_moves else lambda _places: ""
    country = cache(countries.name)
    headings = {column.key: str(column.heading) for column in table.columns}

    def cells(columns: Iterable[Column], line: Line) -> list[Cell]:
        return [Cell(headings[c.key], c.shown(line, language), c.is_struck(line)) for c in columns]

    for line, player in lines:
        name = name_on_page(player, table.circuit)
        moved = moves.get(line.player_id)
        yield Row(
            line=line,
            player=player,
            moved=moved,
            movement=move(moved),
            name=name.text,
            is_named=name.is_public,
            is_own=line.player_id == own,
            address=address(player) if name.has_page else "",
            home=home_of(player, country) if name.is_public else "",
            before=cells(table.before, line),
            value=table.value.shown(line, language),
            after=cells(table.after, line),
            why=why(player) if name.is_public else "",
            results=explanations.results_html(line, table.games) if table.lists_results else "",
        )


def home_of(player: AnyPlayer, country_name: Callable[[str], str]) -> str:
    person = player.person
    return ", ".join(filter(None, (person.city, country_name(person.country.code))))
