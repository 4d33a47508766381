"""Worked examples, computed by the rules when the page is shown."""

from collections.abc import Callable, Iterable
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pergioco.core.formats import format_thousandths
from pergioco.rulekit.numbers import PER_POINT
from pergioco.stages.rules.standings import Part
from pergioco.website.regulations.text import Example
from race import rules as race_editions
from race.rules import StageScore, race_points, season_total, stage_points
from rankings import rules as ranking_editions
from rankings.rules import (
    Active,
    Ingredients,
    Standing,
    is_active,
    overall_standing,
    overall_standings,
    rank_blue,
    rank_green,
    rank_red,
)
from ratings import rules as rating_editions
from ratings.rules import counted_games, expected_share, is_purged, new_rating

HALVES = 2
LETTERS = "ABCDEFGH"


def yes_or_no(answer: bool) -> str:  # noqa: FBT001 - the one argument
    return _("yes") if answer else _("no")


def format_half_points(half_points: int) -> str:
    return number_format(Decimal(half_points) / HALVES, 1)


def format_day(value: date) -> str:
    return date_format(value, "DATE_FORMAT")


def rating_example(year: int) -> Example:
    edition = rating_editions.EDITIONS.in_force(year)
    results = {0: _("loss"), 1: _("draw"), 2: _("win")}
    games = (
        (1000, 1000, 2),
        (1000, 1000, 0),
        (1070, 960, 2),
        (960, 1070, 0),
        (1100, 1000, 1),
        (1000, 1100, 1),
    )
    rows = []
    for own, opponent, half_points in games:
        before, other = own * PER_POINT, opponent * PER_POINT
        expected = expected_share(before, other).quantize(Decimal("0.001"), ROUND_HALF_UP)
        pgrs = number_format(own), number_format(opponent)
        new = format_thousandths(new_rating(before, [other], half_points, edition.k))
        rows.append((*pgrs, results[half_points], number_format(expected), new))
    headings = (_("Own PGR"), _("Opponent's"), _("Result"), _("Points expected"), _("New PGR"))
    return Example(_("A stage of one game"), headings, rows)


def overall_example(year: int) -> Example:
    edition = ranking_editions.EDITIONS.in_force(year)
    rows = []
    for pgrs in ((1_000_500, 1_019_300), (1_010_000, 1_010_000, 1_012_997)):
        made = overall_standing(Active(0, pgrs, 0), edition)
        shown = " · ".join(map(format_thousandths, pgrs))
        rows.append((shown, number_format(made.average, 3), number_format(made.overall)))
    return Example(_("Averages"), (_("Active PGRs"), _("Average"), _("Overall PGR")), rows)


GAME_SIGNS = {
    "-": ("loss", "no_show"),
    "1": ("win", "played"),
    "0": ("loss", "played"),
    "+": ("win", "walkover"),
    "q": ("loss", "quit"),
    "b": ("win", "bye"),
}


def make_parts(signs: str) -> list[Part]:
    return [
        Part(round_, 1, 0, None if sign == "b" else round_, *GAME_SIGNS[sign])
        for round_, sign in enumerate(signs, start=1)
    ]


def counted_games_example(caption: str, played: Iterable[str]) -> Example:
    words = {
        "-": _("absent"),
        "1": _("win"),
        "0": _("loss"),
        "+": _("opponent absent"),
        "q": _("gives up"),
        "b": "BYE",
    }
    rows = []
    for signs in played:
        counted = counted_games(make_parts(signs), is_swiss=True).get(0, [])
        scored = format_half_points(sum(game.half_points for game in counted))
        played_rounds = ", ".join(words[sign] for sign in signs)
        rows.append((played_rounds, number_format(len(counted)), scored))
    headings = (_("Rounds of a player"), _("Games that count"), _("Points from them"))
    return Example(caption, headings, rows)


def absences_example(_year: int) -> Example:
    return counted_games_example(
        _("Absences in three rounds"), ("---", "-11", "b--", "1--", "1-1", "1-0")
    )


def walkovers_example(_year: int) -> Example:
    return counted_games_example(_("Games that were not played out"), ("+", "q", "b", "b+"))


def activity_example(year: int) -> Example:
    days = (date(year - 1, 1, 1), date(year - 2, 12, 31))
    active = [yes_or_no(is_active(last_valid_game=last, year=year)) for last in days]
    rows = list(zip(map(format_day, days), active, strict=True))
    caption = _("In the rankings of %(year)s") % {"year": year}
    return Example(caption, (_("Last valid game"), _("Active")), rows)


def purge_example(year: int) -> Example:
    rows = []
    for last in (date(year - 4, 1, 1), date(year - 5, 12, 31)):
        purged = (
            yes_or_no(is_purged(is_registered=known, last_game_of_any=last, new_year=year))
            for known in (False, True)
        )
        rows.append((format_day(last), *purged))
    headings = (
        _("Last game of any title"),
        _("Deleted if not registered"),
        _("Deleted if registered"),
    )
    return Example(_("On %(day)s") % {"day": format_day(date(year, 1, 1))}, headings, rows)


TEN_PGRS = (*[1_010_250] * 10,)
PLAYERS = ((TEN_PGRS, 60), ((1_200_000,), 5), ((1_100_000, 1_060_500), 11))
TIED_PLAYERS = (((1_050_900,) * 4, 30), ((1_050_200,) * 5, 24), ((1_050_500,) * 5, 31))


def example_standings(players: Iterable[tuple[tuple[int, ...], int]], year: int) -> list[Standing]:
    rows = [Active(number, pgrs, games) for number, (pgrs, games) in enumerate(players)]
    return overall_standings(rows, ranking_editions.EDITIONS.in_force(year))


def show_place(one: Any) -> tuple[str, str]:
    """Rank and player of a line in a ranking."""
    return number_format(one.rank), LETTERS[one.row.player]


def red_example(caption: str, players: Iterable[tuple[tuple[int, ...], int]], year: int) -> Example:
    shown = [
        (
            *show_place(one),
            number_format(one.row.overall),
            number_format(one.row.active_pgrs),
            number_format(one.row.games),
        )
        for one in rank_red(example_standings(players, year))
    ]
    headings = (_("Place"), _("Player"), _("Overall PGR"), _("Active PGRs"), _("Games"))
    return Example(caption, headings, shown)


def red_by_average_example(year: int) -> Example:
    return red_example(_("Ten ratings stand before one high one"), PLAYERS, year)


def red_tie_example(year: int) -> Example:
    return red_example(_("Three players with the same overall PGR"), TIED_PLAYERS, year)


def blue_example(year: int) -> Example:
    shown = [
        (*show_place(one), format_thousandths(one.row.total), number_format(one.row.active_pgrs))
        for one in rank_blue(example_standings(PLAYERS, year))
    ]
    headings = (_("Place"), _("Player"), _("Sum"), _("Active PGRs"))
    return Example(_("The same players as above"), headings, shown)


def green_example(year: int) -> Example:
    # A is second in Blue, shares the 15th place in Red, leads one game and is third in
    # another
    edition = ranking_editions.EDITIONS.in_force(year)
    places, tenths = edition.place_points, edition.leader_tenths
    of = Ingredients(
        blue={0: places[1]},
        red={0: places[14], 1: places[14], 2: places[0]},
        leaders=[{0: tenths[0], 2: tenths[1]}, {0: tenths[2]}],
        games={0: 40, 1: 12, 2: 55},
    )
    shown = [
        (
            *show_place(one),
            number_format(one.row.blue_points),
            number_format(one.row.red_points),
            number_format(Decimal(one.row.leader_tenths) / 10, 1),
            number_format(one.row.points, 1),
        )
        for one in rank_green(of)
    ]
    headings = (
        _("Place"),
        _("Player"),
        _("Blue Points"),
        _("Red Points"),
        _("Leader Points"),
        _("Green points"),
    )
    caption = _(
        "A: second in Blue, shares the 15th place of Red with B, first in one game, third in "
        "another"
    )
    return Example(caption, headings, shown)


def race_stage_example(year: int) -> Example:
    scored = (10, 7, 5, 4, 4, 0)
    scores = [StageScore(number, half_points) for number, half_points in enumerate(scored)]
    shown = [
        (
            LETTERS[one.player],
            format_half_points(scored[one.player]),
            number_format(one.position),
            number_format(one.points),
        )
        for one in stage_points(scores, race_editions.EDITIONS.in_force(year))
    ]
    headings = (
        _("Player"),
        _("Points scored"),
        _("Place"),
        pgettext("points of the Race", "Race points"),
    )
    return Example(_("The example of the regulation, a stage of six players"), headings, shown)


def race_total_example(year: int) -> Example:
    edition = race_editions.EDITIONS.in_force(year)
    best = race_points(players=edition.most_players, position=1, edition=edition)
    rows = []
    for results in ((43, 27, 21, 18, 15), (43,), (best,) * edition.most_stages):
        made = season_total(0, results, stages=edition.most_stages)
        given, dropped = (" · ".join(map(number_format, p)) for p in (results, made.dropped))
        rows.append((given, number_format(made.gross), dropped, number_format(made.net)))
    headings = (_("Points of the stages"), _("Sum"), _("Dropped"), _("Total"))
    return Example(_("Three seasons of a player"), headings, rows)


EXAMPLES: dict[str, Callable[[int], Example]] = {
    "rating": rating_example,
    "overall": overall_example,
    "absences": absences_example,
    "no_absences": walkovers_example,
    "activity": activity_example,
    "purge": purge_example,
    "by_average": red_by_average_example,
    "level_in_red": red_tie_example,
    "by_sum": blue_example,
    "trophy": green_example,
    "race_stage": race_stage_example,
    "race_total": race_total_example,
}
