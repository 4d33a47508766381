"""One table as those who sit at it see it, whatever the circuit."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from django.urls import reverse
from django.utils.translation import gettext as _

from pergioco.players.models import Player
from pergioco.players.models.people import naming
from pergioco.players.naming import public_name, shown_by
from pergioco.stages import reporting
from pergioco.stages.models import Table
from pergioco.stages.reporting import Result
from pergioco.stages.rules.table_state import State, TableState
from pergioco.website.tables.score_form import ScoreForm

WITH_NAMES = ("player__merged_into", *naming("player", "player__merged_into"))


@dataclass(frozen=True)
class Sitter:
    """Somebody at the table. Who agreed to be named is; of others those who sit there know the initials."""

    player: int
    position: int
    name: str


def called(player: Player, position: int) -> str:
    if player.is_named_in_public:
        return public_name(player)
    if hasattr(player, "person") and player.erased_at is None:
        return " ".join(f"{word[0]}." for word in (player.person.first_name, player.person.last_name) if word)
    return _("Seat %(number)s") % {"number": position}


class TablePage:
    """Everything is asked for once, and only when it is needed."""

    kind: ClassVar[str]
    form_class: ClassVar[type[ScoreForm]]

    def __init__(self, table: Table, token: str) -> None:
        self.table, self.token = table, token
        self.stage = table.round.revision.stage

    @cached_property
    def sitters(self) -> list[Sitter]:
        seats = list(self.table.seats.select_related(*WITH_NAMES).order_by("position"))
        players = [seat.player.merged_into or seat.player for seat in seats]
        shown_by(self.stage.circuit, players)
        return [
            Sitter(seat.player_id, seat.position, called(player, seat.position))
            for seat, player in zip(seats, players, strict=True)
        ]

    @cached_property
    def names(self) -> dict[int, str]:
        return {one.player: one.name for one in self.sitters}

    @cached_property
    def state(self) -> TableState:
        return reporting.states_of(self.table.round.revision)[self.table.pk]

    @cached_property
    def next_round(self) -> int | None:
        return reporting.next_round(self.table)

    @cached_property
    def standing(self) -> list[Result]:
        """What the seats say; nothing, as long as nothing was sent."""
        results = reporting.standing(self.table)
        return results if any(one.score is not None or one.outcome or one.objective_made for one in results) else []

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
        """There is nothing else to do at this table."""
        return self.is_ready_for_scores

    def form(self, data: Any = None) -> ScoreForm:
        return self.form_class(data, page=self)

    def values(self) -> dict[str, Any]:
        return {
            "page": self,
            "boxes": f"website/tables/boxes_{self.kind}.html",
            "ties": f"website/tables/ties_{self.kind}.html",
            "table": self.table,
            "stage": self.stage,
            "sitters": self.sitters,
            "state": self.state,
            "is_sent": self.state.sent is not None,
            "is_disputed": self.state.state == State.DISPUTED,
            "placings": self.form_class.placings(self, self.standing) if self.standing else [],
            "waiting": [one for one in self.sitters if one.player not in self.state.confirmed],
        }
