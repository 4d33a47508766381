"""Rating changes and Race points of a stage, and the summary of one player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.template.defaultfilters import floatformat

from pergioco.core.addresses import player_address_builder
from pergioco.core.formats import format_thousandths
from pergioco.core.templatetags.portal import signed
from pergioco.publishing.models import Line, PgrChange
from pergioco.publishing.queries.ranking_labels import why_addresses
from pergioco.stages.queries.stage_tables import MEDALS, Classified, People, PublicRound, TableRow
from pergioco.stages.queries.stage_view import Participant, StageView


@dataclass(frozen=True)
class RatedChange:
    who: Participant
    change: PgrChange
    why: str  # the address of the page that explains it

    @property
    def moved(self) -> Decimal:
        return self.change.moved

    @property
    def before(self) -> str:
        return format_thousandths(self.change.before)

    @property
    def signed(self) -> str:
        return signed(self.moved)

    @property
    def after(self) -> str:
        return format_thousandths(self.change.after)


@dataclass(frozen=True)
class RaceRow:
    who: Participant
    line: Line
    why: str

    @property
    def medal(self) -> int:
        return self.line.rank if self.line.rank <= MEDALS else 0

    @property
    def points(self) -> str:
        return floatformat(self.line.value, 0)


@dataclass(frozen=True)
class MarkedPlayer:
    """The summary for the reader, or for the player searched by name."""

    who: Participant
    place: Classified | None
    change: RatedChange | None
    race: RaceRow | None
    table: TableRow | None  # the next one
    round: int | None


def list_rating_changes(
    view: StageView, people: People, order: Sequence[Classified]
) -> list[RatedChange]:
    # Merged players are left out: their ratings appear with the remaining player.
    ranks = {row.who.player.pk: place for place, row in enumerate(order)}
    why = player_address_builder("why-change", view.stage.slug)
    found = [
        RatedChange(people[pk], change, why(people[pk].player))
        for pk, change in view.changes.items()
        if pk in people
    ]
    return sorted(
        found, key=lambda row: (ranks.get(row.who.player.pk, len(ranks)), row.who.in_order)
    )


def list_race_rows(view: StageView, people: People) -> list[RaceRow]:
    lines = [line for line in view.race_lines if line.player_id in people]
    why = why_addresses("race", view.stage.season)
    return [
        RaceRow(people[line.player_id], line, why(people[line.player_id].player)) for line in lines
    ]


def mark_players(values: Mapping[str, Any], people: People) -> list[MarkedPlayer]:
    marked = sorted((who for who in people.values() if who.is_marked), key=lambda who: who.in_order)
    return [mark_player(values, who) for who in marked]


def mark_player(values: Mapping[str, Any], who: Participant) -> MarkedPlayer:
    round_, table = find_next_table(values["rounds"], who)
    return MarkedPlayer(
        who,
        row_of_player(values["order"], who),
        row_of_player(values["changes"], who),
        row_of_player(values["race"], who),
        table,
        round_,
    )


def row_of_player(rows: Sequence[Any], who: Participant) -> Any:
    return next((row for row in rows if row.who is who), None)


def find_next_table(
    rounds: Sequence[PublicRound], who: Participant
) -> tuple[int | None, TableRow | None]:
    in_order = sorted(rounds, key=lambda one: one.number)
    tables = [(one.number, row) for one in in_order for row in one.rows if who in row.who]
    return next(
        (pair for pair in tables if not pair[1].sign), tables[-1] if tables else (None, None)
    )
