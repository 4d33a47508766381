"""The rows of the results grid, the panel beside it, and the findings of the checks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from pergioco.players.models import Player
from pergioco.players.naming import name_for_staff
from pergioco.stages import facts
from pergioco.stages.labels import RESULT_LABELS, WINNING_SEAT
from pergioco.stages.models import Change, Revision, Round, Seat, Stage
from pergioco.stages.rules import results
from pergioco.stages.rules.checking import Finding
from pergioco.stages.rules.results import EMPTY, POINTS, sum_points
from pergioco.stages.services import closing, entering

Names = Mapping[int, str]
FIRST_CHOICES = frozenset("1X2BHZ")  # the others are under “more”
LATEST = 10


@dataclass(frozen=True)
class WordedFinding:
    weight: str
    sentence: str
    round: int | None = None
    tables: tuple[int, ...] = ()


def describe_findings(findings: Iterable[Finding], names: Names) -> list[WordedFinding]:
    return [describe_finding(finding, names) for finding in findings]


def describe_finding(finding: Finding, names: Names) -> WordedFinding:
    values: dict[str, Any] = finding.values
    tables, players = values.get("tables", ()), values.get("players", ())
    shown = {name: show_finding_value(name, value, names) for name, value in values.items()}
    shown["n"] = len(tables or players)
    sentence = FINDING_SENTENCES[finding.code] % shown
    return WordedFinding(finding.weight.value, sentence, values.get("round"), tuple(tables))


def show_finding_value(name: str, value: Any, names: Names) -> Any:
    if name in {"player", "players"}:
        players = value if name == "players" else [value]
        return join_words(names.get(player, player) for player in players)
    return join_words(value) if name == "tables" else value


def join_words(words: Iterable[object]) -> str:
    """“2, 5 and 8”."""
    *first, last = map(str, words)
    return (
        _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last
    )


FINDING_SENTENCES = {
    "nothing_played": gettext_lazy(
        "There is no round yet. Add the pairings, or import the results."
    ),
    "too_many": gettext_lazy("%(entered)s players are entered; the stage has %(capacity)s seats."),
    "not_entered": gettext_lazy(
        "%(player)s plays in round %(round)s but is not entered in the stage."
    ),
    "results_missing": ngettext_lazy(
        "Round %(round)s: %(n)s result is missing, table %(tables)s. Your draft is saved.",
        "Round %(round)s: %(n)s results are missing, tables %(tables)s. Your draft is saved.",
        "n",
    ),
    "seated_twice": gettext_lazy(
        "%(player)s plays twice in round %(round)s: tables %(tables)s. Which is right?"
    ),
    "met_twice": gettext_lazy("%(players)s meet %(times)s times. Is it right?"),
    "without_table": ngettext_lazy(
        "Round %(round)s: %(players)s has neither a table nor a bye. Is it right?",
        "Round %(round)s: %(players)s have neither a table nor a bye. Is it right?",
        "n",
    ),
}


@dataclass(frozen=True)
class ResultChoice:
    sign: str
    reading: str
    chosen: bool
    comes_first: bool


@dataclass(frozen=True)
class GridRow:
    table: int
    number: int
    version: int
    sign: str
    names: tuple[str, ...]
    players: tuple[int, ...]
    strangers: tuple[str, ...] = ()  # nicknames of unregistered players
    typed: str | None = None  # not saved: a conflicting edit, or an invalid sign
    trouble: str = ""

    @property
    def choices(self) -> list[ResultChoice]:
        shown = self.sign if self.typed is None else self.typed
        return [
            ResultChoice(sign, str(RESULT_LABELS[sign]), sign == shown, sign in FIRST_CHOICES)
            for sign in results.signs_for(len(self.names))
        ]

    @property
    def signs(self) -> str:
        return "".join(results.signs_for(len(self.names)))

    @property
    def reading(self) -> str:
        return str(RESULT_LABELS[self.sign]) if self.sign else ""

    @property
    def typed_reading(self) -> str:
        return str(RESULT_LABELS.get(self.typed or EMPTY, self.typed))

    @property
    def winner(self) -> int | None:
        return WINNING_SEAT.get(self.sign)


@dataclass(frozen=True)
class GridRound:
    number: int
    rows: tuple[GridRow, ...]
    points: Decimal

    @property
    def is_full(self) -> bool:
        return all(row.sign for row in self.rows)


@dataclass(frozen=True)
class NotSaved:
    """The typed value of one cell, and why it was not saved."""

    typed: str
    trouble: str


def grid_rounds(
    revision: Revision, not_saved: Mapping[int, NotSaved] | None = None
) -> list[GridRound]:
    seats = Seat.objects.order_by("position").select_related(
        "player__person", "player__merged_into__person"
    )
    named = seats.prefetch_related(
        "player__accounts__nicknames", "player__merged_into__accounts__nicknames"
    )
    rounds = revision.rounds.order_by("number").prefetch_related(
        "tables", Prefetch("tables__seats", named)
    )
    return [grid_round(round_, not_saved or {}) for round_ in rounds]


def grid_round(round_: Round, not_saved: Mapping[int, NotSaved]) -> GridRound:
    rows = []
    points = Decimal(0)
    for table in sorted(round_.tables.all(), key=lambda table: table.number):
        seats = list(table.seats.all())
        failed = not_saved.get(table.pk)
        row = GridRow(
            table=table.pk,
            number=table.number,
            version=table.version,
            sign=facts.read_sign(seats),
            names=tuple(name_for_desk(seat.player) for seat in seats),
            players=tuple(seat.player_id for seat in seats),
            strangers=tuple(
                name_for_desk(seat.player) for seat in seats if is_stranger(seat.player)
            ),
            typed=failed.typed if failed else None,
            trouble=failed.trouble if failed else "",
        )
        rows.append(row)
        points += sum((POINTS[seat.outcome] for seat in seats), Decimal(0))
    return GridRound(round_.number, tuple(rows), points)


def is_stranger(player: Player) -> bool:
    return not hasattr(player.merged_into or player, "person")


def name_for_desk(player: Player) -> str:
    """The person's name, else the nickname: for organizers only."""
    player = player.merged_into or player
    if hasattr(player, "person") or player.erased_at is not None:
        return name_for_staff(player)
    return ", ".join(account.nickname for account in player.accounts.all()) or player.public_id


@dataclass(frozen=True)
class ResultsPanel:
    """What is complete, what is missing and what can be undone, shown before closing."""

    games: int
    done: int
    rounds: list[GridRound]
    players: int
    known: int
    unknown: list[str]
    findings: list[WordedFinding]
    changes: list[Change]
    redo: Change | None
    has_earlier_draft: bool


def build_panel(stage: Stage, draft: Revision, rounds: list[GridRound]) -> ResultsPanel:
    rows = [row for round_ in rounds for row in round_.rows]
    names = player_names(rounds)
    strangers = sorted({name for row in rows for name in row.strangers})
    untouched = {round_.number for round_ in rounds if not any(row.sign for row in round_.rows)}
    found = [
        f
        for f in closing.check_revision(draft)
        if f.code != "results_missing" or f.values["round"] not in untouched
    ]
    return ResultsPanel(
        games=len(rows),
        done=sum(row.sign != EMPTY for row in rows),
        rounds=rounds,
        players=len(names),
        known=len(names) - len(strangers),
        unknown=strangers,
        findings=describe_findings(found, names | entrant_names(stage)),
        changes=latest_draft_changes(draft),
        redo=entering.earliest_undone(draft),
        has_earlier_draft=draft.replaces_id is not None,
    )


def entrant_names(stage: Stage) -> dict[int, str]:
    return {
        player.pk: name_for_desk(player)
        for player in with_desk_names(Player.objects.filter(entries__stage=stage))
    }


def with_desk_names(players: QuerySet[Player]) -> QuerySet[Player]:
    return players.select_related("person", "merged_into__person").prefetch_related(
        "accounts__nicknames", "merged_into__accounts__nicknames"
    )


def latest_draft_changes(draft: Revision) -> list[Change]:
    rows = draft.changes.filter(undone=False).select_related("table__round", "by__person")
    return list(rows.order_by("-id")[:LATEST])


def tables_by_place(rounds: Iterable[GridRound]) -> dict[tuple[int, int], int]:
    return {(round_.number, row.number): row.table for round_ in rounds for row in round_.rows}


def player_names(rounds: Iterable[GridRound]) -> dict[int, str]:
    rows = (row for round_ in rounds for row in round_.rows)
    return {
        player: name for row in rows for player, name in zip(row.players, row.names, strict=True)
    }


def list_points(revision: Revision, names: dict[int, str]) -> list[tuple[str, Decimal]]:
    """Names with points as scored, the best first; the final order is computed after closing."""
    tables = [table for round_ in facts.read_rounds(revision) for table in round_.tables]
    points = sum_points((seat.player, seat.outcome) for table in tables for seat in table.seats)
    return sorted(
        ((names[player], total) for player, total in points.items()),
        key=lambda row: (-row[1], row[0]),
    )
