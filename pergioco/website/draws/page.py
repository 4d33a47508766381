"""One draw of a Master as everybody may see it: what was promised, what came of it, and whether it is true."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils.functional import Promise

from pergioco.players.models import Player, User
from pergioco.stages.models import Stage
from pergioco.website.stages.people import Participant, participants
from risiko_master.labels import BY_THE_CHECKER, FINDINGS, PROOFS, Measured, measured
from risiko_master.models import Commitment, Draw
from risiko_master.rules.tables import FIVE

Reader = User | AnonymousUser


@dataclass(frozen=True)
class Seated:
    number: int
    who: tuple[Participant | str, ...]

    @property
    def is_of_five(self) -> bool:
        return len(self.who) == FIVE


class Shown:
    """An attempt, with those before and after it."""

    def __init__(self, stage: Stage, number: int, attempt: str) -> None:
        self.stage, self.number = stage, number
        made = Commitment.objects.filter(stage=stage, number=number).order_by("attempt")
        self.attempts = list(made.select_related("draw", "superseded_by"))
        self.commitment = self.chosen(attempt)

    def chosen(self, attempt: str) -> Commitment | None:
        """The last one, unless an earlier one is asked for."""
        if not attempt:
            return self.attempts[-1] if self.attempts else None
        found = [one for one in self.attempts if str(one.attempt) == attempt]
        if not found:
            raise Http404
        return found[0]

    @property
    def name(self) -> str:
        return str(Commitment.Number(self.number).label)

    @property
    def numbers(self) -> list[tuple[int, str]]:
        return [(number.value, str(number.label)) for number in Commitment.Number]

    @cached_property
    def draw(self) -> Draw | None:
        return getattr(self.commitment, "draw", None)

    @property
    def draw_id(self) -> int:
        if self.draw is None:
            raise Http404
        return self.draw.pk

    @cached_property
    def result(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.draw.result) if self.draw else {}
        return found

    @property
    def proof(self) -> Promise:
        return PROOFS[self.result["proof"]]

    @property
    def is_proven(self) -> bool:
        return bool(self.result["proof"] != "open")

    @property
    def measures(self) -> list[Measured]:
        return measured(self.result)

    def tables(self, reader: Reader) -> list[Seated]:
        """Named as on the pages of the stage, and not more."""
        ids = {player for table in self.result["tables"] for player in table}
        people = participants(Player.objects.with_names().filter(public_id__in=ids), reader=reader)
        named = {one.player.public_id: one for one in people.values()}
        return [
            Seated(number, tuple(named.get(player, player) for player in table))
            for number, table in enumerate(self.result["tables"], 1)
        ]

    @cached_property
    def document(self) -> dict[str, Any]:
        """What the page hands out; the seed was secret until the draw."""
        if self.draw is None or self.commitment is None:
            raise Http404
        return {
            "seed_sha256": self.commitment.seed_sha256,
            "seed_published_at": self.commitment.at.isoformat(),
            "attempt": self.commitment.attempt,
            "reason": self.commitment.reason,
            "drawn_at": self.draw.at.isoformat(),
            "seed": self.draw.seed,
            "inputs": json.loads(self.draw.inputs),
            "inputs_sha256": self.draw.inputs_sha256,
            "result": self.result,
            "result_sha256": self.draw.result_sha256,
        }


def faults(codes: Iterable[str]) -> list[str]:
    return [str(FINDINGS.get(code) or BY_THE_CHECKER % {"code": code}) for code in codes]
