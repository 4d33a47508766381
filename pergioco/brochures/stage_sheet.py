"""The spreadsheet that PGM 22 speaks of: every new PGR of a stage, computed again by the cells themselves."""

from collections.abc import Iterator
from decimal import Decimal

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from openpyxl import Workbook

from pergioco.brochures.book import agreement
from pergioco.brochures.stage_games import Side, StageGames
from pergioco.rulekit import workbook as sheets
from pergioco.rulekit.workbook import ONE, SIX, THREE, WHOLE, Column, Formula, Value, reference
from pergioco.stages.models import Stage

THOUSAND, HALVES = 1000, 2
FIRST_ROW = 2


def workbook(stage: Stage, games: StageGames) -> Workbook:
    book = sheets.new_book()
    sheets.add_explanation(book, _("Explanation"), explanation(stage))
    sheets.add_table(book, _("Games"), games_columns(), games_rows(games))
    sheets.add_table(book, _("Players"), players_columns(), players_rows(games))
    return book


def explanation(stage: Stage) -> list[str]:
    return [
        _("PGR after the stage: %(stage)s") % {"stage": stage},
        _("From %(first)s to %(last)s, %(system)s.")
        % {
            "first": date_format(stage.starts_on, "DATE_FORMAT"),
            "last": date_format(stage.ends_on, "DATE_FORMAT"),
            "system": stage.get_system_display(),
        },
        _("New PGR = PGR before + K × (scored − expected), rounded to three decimals, once (PGM 22, PG-1, PG-2)."),
        _(
            "Expected from one game = 1 ÷ (1 + 10^((opponent − own) ÷ 400)). All PGRs are those before the stage; who "
            "has none begins with the starting one (PG-3)."
        ),
        _(
            "“Games” has one row for each player of a game. What does not count has no points there, and says why (PGM "
            "25 and 26)."
        ),
        _("“Players” adds them up, computes the new PGR, and compares it with the one that the portal published."),
        _("**** is a participant who is not registered."),
        _("A spreadsheet computes with about fifteen digits; the portal with fifty where these could not tell."),
    ]


def games_columns() -> list[Column]:
    return [
        Column(_("No."), 6, WHOLE),
        Column(_("Player"), 28),
        Column(_("Round"), 8, WHOLE),
        Column(_("Table"), 8, WHOLE),
        Column(_("Opponent's no."), 10, WHOLE),
        Column(_("Opponent"), 28),
        Column(_("PGR before"), 12, THREE),
        Column(_("Opponent's PGR before"), 12, THREE),
        Column(_("Scored"), 9, ONE),
        Column(_("Expected"), 11, SIX),
        Column(_("Why"), 50),
    ]


def games_rows(games: StageGames) -> Iterator[list[Value]]:
    for row, side in enumerate(games.in_order, FIRST_ROW):
        opponent = side.opponent
        yield [
            games.numbers[side.player],
            games.names[side.player],
            side.round,
            side.table,
            games.numbers[opponent] if opponent else None,
            games.names[opponent] if opponent else None,
            *(counted(games, side, row) if side.half_points is not None else (None,) * 4),
            str(side.why),
        ]


def counted(games: StageGames, side: Side, row: int) -> list[Value]:
    """The PGRs before stand in “Players”: changed there, everything follows."""
    assert side.half_points is not None
    return [
        before_of(games, side.player),
        opponents_before(games, side),
        Decimal(side.half_points) / HALVES,
        Formula(f"=1/(1+10^((H{row}-G{row})/400))"),
    ]


def before_of(games: StageGames, player: int) -> Formula:
    return Formula("=" + reference(_("Players"), f"$C${FIRST_ROW + games.moved.index(player)}"))


def opponents_before(games: StageGames, side: Side) -> Value:
    """Whose rating did not move has no row in “Players”: then the number that was counted stands here."""
    assert side.opponent is not None
    assert side.opponent_before is not None
    own = games.changes.get(side.opponent)
    if own is not None and own.before == side.opponent_before:
        return before_of(games, side.opponent)
    return Decimal(side.opponent_before) / THOUSAND


def players_columns() -> list[Column]:
    return [
        Column(_("No."), 6, WHOLE),
        Column(_("Player"), 28),
        Column(_("PGR before"), 12, THREE),
        Column(_("Games that count"), 10, WHOLE),
        Column(_("Scored"), 9, ONE),
        Column(_("Expected"), 11, SIX),
        Column("K", 6, WHOLE),
        Column(_("New PGR, computed here"), 14, THREE),
        Column(_("New PGR, published"), 14, THREE),
        Column(_("Check"), 12),
    ]


def players_rows(games: StageGames) -> Iterator[list[Value]]:
    last = FIRST_ROW + len(games.sides) - 1
    whose, scored, expected = (reference(_("Games"), f"${c}${FIRST_ROW}:${c}${last}") for c in "AIJ")
    for row, player in enumerate(games.moved, FIRST_ROW):
        change = games.changes[player]
        yield [
            games.numbers[player],
            games.names[player],
            Decimal(change.before) / THOUSAND,
            Formula(f'=COUNTIFS({whose},A{row},{scored},">=0")'),
            Formula(f"=SUMIF({whose},A{row},{scored})"),
            Formula(f"=SUMIF({whose},A{row},{expected})"),
            change.k,
            Formula(f"=ROUND(C{row}+G{row}*(E{row}-F{row}),3)"),
            Decimal(change.after) / THOUSAND,
            agreement(f"H{row}", f"I{row}"),
        ]
