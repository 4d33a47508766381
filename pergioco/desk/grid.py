"""The results of a draft as rows to type in, and what stands beside them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Prefetch

from pergioco.players.models import Player
from pergioco.players.naming import name_for_staff
from pergioco.stages import closing, entering, facts
from pergioco.stages.finding_words import Worded, in_words
from pergioco.stages.models import Change, Revision, Round, Seat, Stage
from pergioco.stages.result_words import READ_AS, WINNER
from pergioco.stages.rules import results
from pergioco.stages.rules.results import EMPTY, POINTS, points_of, sign_of

FIRST_CHOICES = frozenset("1X2BHZ")  # the others stand under “more”
LATEST = 10


@dataclass(frozen=True)
class Choice:
    sign: str
    reading: str
    chosen: bool
    comes_first: bool


@dataclass(frozen=True)
class Row:
    table: int
    number: int
    version: int
    sign: str
    names: tuple[str, ...]
    players: tuple[int, ...]
    strangers: tuple[str, ...] = ()  # nobody is known behind these nicknames
    typed: str | None = None  # not saved: somebody else was faster, or it has no meaning
    trouble: str = ""

    @property
    def choices(self) -> list[Choice]:
        shown = self.sign if self.typed is None else self.typed
        return [
            Choice(sign, str(READ_AS[sign]), sign == shown, sign in FIRST_CHOICES)
            for sign in results.signs_for(len(self.names))
        ]

    @property
    def signs(self) -> str:
        return "".join(results.signs_for(len(self.names)))

    @property
    def reading(self) -> str:
        return str(READ_AS[self.sign]) if self.sign else ""

    @property
    def typed_reading(self) -> str:
        return str(READ_AS.get(self.typed or EMPTY, self.typed))

    @property
    def winner(self) -> int | None:
        return WINNER.get(self.sign)


@dataclass(frozen=True)
class RoundRows:
    number: int
    rows: tuple[Row, ...]
    points: Decimal

    @property
    def is_full(self) -> bool:
        return all(row.sign for row in self.rows)


@dataclass(frozen=True)
class NotSaved:
    """What somebody typed into one cell, and why it was not saved."""

    typed: str
    trouble: str


def rounds_of(revision: Revision, not_saved: Mapping[int, NotSaved] | None = None) -> list[RoundRows]:
    seats = Seat.objects.order_by("position").select_related("player__person", "player__merged_into__person")
    named = seats.prefetch_related("player__accounts__nicknames", "player__merged_into__accounts__nicknames")
    rounds = revision.rounds.order_by("number").prefetch_related("tables", Prefetch("tables__seats", named))
    return [round_rows(round_, not_saved or {}) for round_ in rounds]


def round_rows(round_: Round, not_saved: Mapping[int, NotSaved]) -> RoundRows:
    rows = []
    points = Decimal(0)
    for table in sorted(round_.tables.all(), key=lambda table: table.number):
        seats = list(table.seats.all())
        failed = not_saved.get(table.pk)
        row = Row(
            table=table.pk,
            number=table.number,
            version=table.version,
            sign=sign_of(tuple((seat.outcome, seat.kind) for seat in seats)),
            names=tuple(called(seat.player) for seat in seats),
            players=tuple(seat.player_id for seat in seats),
            strangers=tuple(called(seat.player) for seat in seats if is_stranger(seat.player)),
            typed=failed.typed if failed else None,
            trouble=failed.trouble if failed else "",
        )
        rows.append(row)
        points += sum((POINTS[seat.outcome] for seat in seats), Decimal(0))
    return RoundRows(round_.number, tuple(rows), points)


def is_stranger(player: Player) -> bool:
    return not hasattr(player.merged_into or player, "person")


def called(player: Player) -> str:
    """As the organizer knows them: the person's name, else the nickname."""
    player = player.merged_into or player
    if hasattr(player, "person") or player.erased_at is not None:
        return name_for_staff(player)
    return ", ".join(account.nickname for account in player.accounts.all()) or player.public_id


@dataclass(frozen=True)
class Panel:
    """Before you close: what is there, what is missing, and what can be taken back."""

    games: int
    done: int
    rounds: list[RoundRows]
    players: int
    known: int
    unknown: list[str]
    findings: list[Worded]
    changes: list[Change]
    redo: Change | None
    has_earlier_draft: bool


def panel_of(stage: Stage, draft: Revision, rounds: list[RoundRows]) -> Panel:
    rows = [row for round_ in rounds for row in round_.rows]
    names = names_in(rounds)
    strangers = sorted({name for row in rows for name in row.strangers})
    untouched = {round_.number for round_ in rounds if not any(row.sign for row in round_.rows)}
    found = [f for f in closing.check(draft) if f.code != "results_missing" or f.values["round"] not in untouched]
    return Panel(
        games=len(rows),
        done=sum(row.sign != EMPTY for row in rows),
        rounds=rounds,
        players=len(names),
        known=len(names) - len(strangers),
        unknown=strangers,
        findings=in_words(found, names | names_of_entrants(stage)),
        changes=latest_changes(draft),
        redo=entering.earliest_undone(draft),
        has_earlier_draft=draft.replaces_id is not None,
    )


def names_of_entrants(stage: Stage) -> dict[int, str]:
    players = Player.objects.filter(entries__stage=stage).select_related("person", "merged_into__person")
    named = players.prefetch_related("accounts__nicknames", "merged_into__accounts__nicknames")
    return {player.pk: called(player) for player in named}


def latest_changes(draft: Revision) -> list[Change]:
    rows = draft.changes.filter(undone=False).select_related("table__round", "by__person")
    return list(rows.order_by("-id")[:LATEST])


def tables_by_place(rounds: Iterable[RoundRows]) -> dict[tuple[int, int], int]:
    """(round, table number) -> id of the row, for links."""
    return {(round_.number, row.number): row.table for round_ in rounds for row in round_.rows}


def names_in(rounds: Iterable[RoundRows]) -> dict[int, str]:
    rows = (row for round_ in rounds for row in round_.rows)
    return {player: name for row in rows for player, name in zip(row.players, row.names, strict=True)}


def points_in(revision: Revision, names: dict[int, str]) -> list[tuple[str, Decimal]]:
    """Name and points as scored, the best first; the order of the stage is computed after it is closed."""
    tables = [table for round_ in facts.read(revision) for table in round_.tables]
    points = points_of((seat.player, seat.outcome) for table in tables for seat in table.seats)
    return sorted(((names[player], total) for player, total in points.items()), key=lambda row: (-row[1], row[0]))
