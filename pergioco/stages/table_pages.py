"""One table as its players see it, behind a signed address."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from pergioco.core.signed_links import LinkSigner
from pergioco.players.models import Player
from pergioco.players.models.people import naming_paths
from pergioco.players.naming import is_named, public_name
from pergioco.stages.forms import ScoreForm
from pergioco.stages.models import Revision, Stage, Table
from pergioco.stages.rules.table_state import State, TableState
from pergioco.stages.services import reporting
from pergioco.stages.services.reporting import Result

WITH_NAMES = ("player__merged_into", *naming_paths("player", "player__merged_into"))
# Signed: the address of another table cannot be guessed. It names stage, round and table by
# number, so it remains valid when the draft is replaced.
table_signer = LinkSigner("pergioco.stages.tables")


@dataclass(frozen=True)
class Sitter:
    """A player at the table: the public name, or the initials for those at the same table."""

    player: int
    position: int
    name: str


def name_at_table(player: Player, position: int, circuit: str) -> str:
    if is_named(player, circuit):
        return public_name(player, circuit)
    if hasattr(player, "person") and player.erased_at is None:
        return " ".join(
            f"{word[0]}." for word in (player.person.first_name, player.person.last_name) if word
        )
    return _("Seat %(number)s") % {"number": position}


class TablePage:
    """One table as its players see it. Each property runs its query once, on first use."""

    templates: ClassVar[str]  # the folder of its table.html, boxes.html and ties.html
    form_class: ClassVar[type[ScoreForm]]
    act_forms: ClassVar[dict[str, type[Any]]] = {}  # forms besides the scores

    def __init__(self, table: Table, token: str) -> None:
        self.table, self.token = table, token
        self.stage = table.round.revision.stage

    @cached_property
    def sitters(self) -> list[Sitter]:
        seats = list(self.table.seats.select_related(*WITH_NAMES).order_by("position"))
        players = [seat.player.merged_into or seat.player for seat in seats]
        return [
            Sitter(
                seat.player_id,
                seat.position,
                name_at_table(player, seat.position, self.stage.circuit),
            )
            for seat, player in zip(seats, players, strict=True)
        ]

    @cached_property
    def names(self) -> dict[int, str]:
        return {one.player: one.name for one in self.sitters}

    @cached_property
    def state(self) -> TableState:
        return reporting.table_states(self.table.round.revision)[self.table.pk]

    @cached_property
    def next_round(self) -> int | None:
        return reporting.next_round(self.table)

    @cached_property
    def standing(self) -> list[Result]:
        results = reporting.current_results(self.table)
        return (
            results
            if any(one.score is not None or one.outcome or one.objective_made for one in results)
            else []
        )

    @property
    def address(self) -> str:
        return reverse("table", args=[self.token])

    @property
    def may_send(self) -> bool:
        return not self.standing or self.next_round is None

    @property
    def is_ready_for_scores(self) -> bool:
        return not self.standing

    @property
    def waits_for_scores(self) -> bool:
        return self.is_ready_for_scores

    def form(self, data: Any = None) -> ScoreForm:
        return self.form_class(data, page=self)

    def values(self) -> dict[str, Any]:
        return {
            "page": self,
            "boxes": f"{self.templates}/boxes.html",
            "ties": f"{self.templates}/ties.html",
            "table": self.table,
            "stage": self.stage,
            "sitters": self.sitters,
            "state": self.state,
            "is_sent": self.state.sent is not None,
            "is_disputed": self.state.state == State.DISPUTED,
            "placings": self.form_class.placings(self, self.standing) if self.standing else [],
            "waiting": [one for one in self.sitters if one.player not in self.state.confirmed],
        }


_registered: dict[str, type[TablePage]] = {}


def register_table_page(circuit: str, page_class: type[TablePage]) -> None:
    _registered[circuit] = page_class


def find_page_class(circuit: str) -> type[TablePage] | None:
    return _registered.get(circuit)


class TableAddress(NamedTuple):
    stage: int
    round: int
    table: int


def make_table_token(stage: int, round_number: int, table_number: int) -> str:
    return table_signer.sign(f"{stage}-{round_number}-{table_number}")


def read_table_token(token: str) -> TableAddress | None:
    text = table_signer.read(token)
    return None if text is None else TableAddress(*map(int, text.split("-")))


def find_table_by_token(token: str) -> Table | None:
    """Returns None once the results are closed: a table cannot correct them."""
    place = read_table_token(token)
    return find_open_table(place) if place else None


def find_open_table(place: TableAddress) -> Table | None:
    found = Table.objects.filter(
        round__revision__stage=place.stage,
        round__revision__stage__status=Stage.Status.OPEN,
        round__revision__state=Revision.State.DRAFT,
        round__number=place.round,
        number=place.table,
    )
    return found.select_related(
        "round__revision__stage__season", "round__revision__stage__game"
    ).first()
