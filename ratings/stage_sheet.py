"""The spreadsheet of PGM 22: every new PGR of a stage, recomputed by its own formulas."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from openpyxl import Workbook

from pergioco.core.exports import as_xlsx as sheets
from pergioco.core.exports.as_xlsx import Formula, Value, agreement_formula, cell_range
from pergioco.core.exports.sheet import Column
from pergioco.rulekit.numbers import to_points
from pergioco.stages.models import Stage
from ratings.stage_games import Side, StageSides

HALVES = 2
FIRST_ROW = 2


def stage_workbook(stage: Stage, games: StageSides) -> Workbook:
    book = sheets.new_book()
    sheets.add_explanation(book, _("Explanation"), stage_explanation(stage))
    sheets.add_table(book, _("Games"), games_columns(), games_rows(games))
    sheets.add_table(book, _("Players"), players_columns(), players_rows(games))
    return book


def stage_explanation(stage: Stage) -> list[str]:
    return [
        _("PGR after the stage: %(stage)s") % {"stage": stage},
        _("From %(first)s to %(last)s, %(system)s.")
        % {
            "first": date_format(stage.starts_on, "DATE_FORMAT"),
            "last": date_format(stage.ends_on, "DATE_FORMAT"),
            "system": stage.get_system_display(),
        },
        _(
            "New PGR = PGR before + K × (scored − expected), rounded to three decimals, once (PGM "
            "22, PG-1, PG-2)."
        ),
        _(
            "Expected from one game = 1 ÷ (1 + 10^((opponent − own) ÷ 400)). All PGRs are those "
            "before the stage; who "
            "has none begins with the starting one (PG-3)."
        ),
        _(
            "“Games” has one row for each player of a game. What does not count has no points "
            "there, and says why (PGM "
            "25 and 26)."
        ),
        _(
            "“Players” adds them up, computes the new PGR, and compares it with the one that the "
            "portal published."
        ),
        _("**** is a participant who is not registered."),
        _(
            "A spreadsheet computes with about fifteen digits; the portal with fifty where these "
            "could not tell."
        ),
    ]


def games_columns() -> list[Column[Any]]:
    return [
        Column(heading=_("No."), width=6),
        Column(heading=_("Player"), decimals=None, width=28),
        Column(heading=_("Round"), width=8),
        Column(heading=_("Table"), width=8),
        Column(heading=_("Opponent's no."), width=10),
        Column(heading=_("Opponent"), decimals=None, width=28),
        Column(heading=_("PGR before"), decimals=3, width=12),
        Column(heading=_("Opponent's PGR before"), decimals=3, width=12),
        Column(heading=_("Scored"), decimals=1, width=9),
        Column(heading=_("Expected"), decimals=6, width=11),
        Column(heading=_("Why"), decimals=None, width=50),
    ]


def games_rows(games: StageSides) -> Iterator[list[Value]]:
    for row, side in enumerate(games.in_order, FIRST_ROW):
        opponent = side.game.opponent
        yield [
            games.numbers[side.player],
            games.names[side.player],
            side.game.round,
            side.game.table,
            games.numbers[opponent] if opponent else None,
            games.names[opponent] if opponent else None,
            *(counted_cells(games, side, row) if side.game.counts else (None,) * 4),
            str(side.why),
        ]


def counted_cells(games: StageSides, side: Side, row: int) -> list[Value]:
    # PGRs refer to “Players”, so that a change there recomputes everything.
    assert side.game.half_points is not None
    return [
        before_formula(games, side.player),
        opponent_before_cell(games, side),
        Decimal(side.game.half_points) / HALVES,
        Formula(f"=1/(1+10^((H{row}-G{row})/400))"),
    ]


def before_formula(games: StageSides, player: int) -> Formula:
    return Formula("=" + cell_range(_("Players"), f"$C${FIRST_ROW + games.moved.index(player)}"))


def opponent_before_cell(games: StageSides, side: Side) -> Value:
    # An opponent whose rating did not change has no row in “Players”.
    assert side.game.opponent is not None
    assert side.game.opponent_before is not None
    own = games.changes.get(side.game.opponent)
    if own is not None and own.before == side.game.opponent_before:
        return before_formula(games, side.game.opponent)
    return to_points(side.game.opponent_before)


def players_columns() -> list[Column[Any]]:
    return [
        Column(heading=_("No."), width=6),
        Column(heading=_("Player"), decimals=None, width=28),
        Column(heading=_("PGR before"), decimals=3, width=12),
        Column(heading=_("Games that count"), width=10),
        Column(heading=_("Scored"), decimals=1, width=9),
        Column(heading=_("Expected"), decimals=6, width=11),
        Column(heading="K", width=6),
        Column(heading=_("New PGR, computed here"), decimals=3, width=14),
        Column(heading=_("New PGR, published"), decimals=3, width=14),
        Column(heading=_("Check"), decimals=None, width=12),
    ]


def players_rows(games: StageSides) -> Iterator[list[Value]]:
    last = FIRST_ROW + len(games.sides) - 1
    whose, scored, expected = (
        cell_range(_("Games"), f"${c}${FIRST_ROW}:${c}${last}") for c in "AIJ"
    )
    for row, player in enumerate(games.moved, FIRST_ROW):
        change = games.changes[player]
        yield [
            games.numbers[player],
            games.names[player],
            to_points(change.before),
            Formula(f'=COUNTIFS({whose},A{row},{scored},">=0")'),
            Formula(f"=SUMIF({whose},A{row},{scored})"),
            Formula(f"=SUMIF({whose},A{row},{expected})"),
            change.k,
            Formula(f"=ROUND(C{row}+G{row}*(E{row}-F{row}),3)"),
            to_points(change.after),
            agreement_formula(f"H{row}", f"I{row}"),
        ]
