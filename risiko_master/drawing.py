"""The draws of a Master: a seed promised, then the tables drawn from it.

The hash of the seed is public before; the seed after. Neither is ever chosen twice: to draw again takes a reason.
"""

import json
import secrets
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import Player, User
from pergioco.players.policy import Role, has_role
from pergioco.players.refusal import Refused
from pergioco.stages import facts
from pergioco.stages.drafting import draft_of, lock, open_draft, replace_draft
from pergioco.stages.models import Revision, Seat, Stage
from pergioco.stages.pairing import draw_seed
from risiko_master.draw_inputs import Titles, document
from risiko_master.models import Commitment, Draw
from risiko_master.rules import replay
from risiko_master.rules.checker import check
from risiko_master.rules.draw_facts import VERSION

SEED_BYTES = 16
SHORTEST_SEED = 16  # a shorter one could be found out from its hash
PHASES = {replay.FIRST: "qualification", replay.SECOND: "qualification", replay.SEMIFINALS: "semifinal"}


@dataclass(frozen=True)
class Drawn:
    """The texts that are hashed and kept."""

    inputs: str
    result: str


@transaction.atomic
def commit(stage: Stage, number: int, *, by: User, reason: str = "", seed: str = "") -> Commitment:
    """Publishes the hash of a seed. While one waits to be drawn, asking again gives the same one."""
    stage = lock(stage)
    guard(stage, by)
    last = latest(stage, number)
    if last is not None and not hasattr(last, "draw"):
        return last
    why = reason.strip() if last else ""
    if last is not None:
        refuse_to_repeat(last, why)
    draw_seed(stage, by=by)  # of the lots that the ranking may need: fixed before anybody plays, too
    seed = chosen(seed)
    made = Commitment.objects.create(
        stage=stage,
        number=number,
        attempt=last.attempt + 1 if last else 1,
        algorithm=VERSION,
        seed=seed,
        seed_sha256=replay.sha256(seed),
        by=by,
        reason=why,
        supersedes=last,
    )
    audit.record("risiko.committed", made, by=by, changes={"seed_sha256": ["", made.seed_sha256]}, reason=made.reason)
    return made


def guard(stage: Stage, by: User) -> None:
    """Directors draw the Masters that they run; staff may draw all."""
    runs_it = has_role(by, Role.RISIKO_DIRECTOR) and stage.organizers.filter(pk=by.pk).exists()
    if not runs_it and not has_role(by, Role.STAFF):
        raise Refused(_("Only the director of this Master and staff draw its tables."))
    if stage.circuit != Stage.Circuit.RKM:
        raise Refused(_("Only RisiKo! Masters are drawn here."))


def latest(stage: Stage, number: int) -> Commitment | None:
    made = Commitment.objects.filter(stage=stage, number=number)
    return made.select_related("stage", "draw").order_by("attempt").last()


def refuse_to_repeat(last: Commitment, why: str) -> None:
    if not why:
        raise Refused(_("Say why it is drawn again: everybody will read it."), "reason")
    draft = draft_of(last.stage)
    seats = Seat.objects.filter(table__round__revision=draft, table__round__number__gte=last.number)
    if draft is None or seats.exclude(score=None, objective_made=False).exists():
        raise Refused(_("This game has results already: its tables stay as they were drawn."))


def chosen(seed: str) -> str:
    """Drawn by the machine, or brought along by the director: thrown dice, a sentence said in the hall."""
    if seed and len(seed) < SHORTEST_SEED:
        raise Refused(_("A seed of fewer than 16 characters could be guessed from its hash."), "seed")
    return seed or secrets.token_hex(SEED_BYTES)


@transaction.atomic
def draw(stage: Stage, number: int, *, by: User, titles: Titles = ()) -> Draw:
    """Reveals the seed and seats everybody in the draft. Asked twice, it answers with what was drawn the first time.
    `titles` are the bands of the semifinals where the referee decided, else they follow from the ranking."""
    stage = lock(stage)
    guard(stage, by)
    commitment = latest(stage, number)
    if commitment is None:
        raise Refused(_("Publish the hash of the seed first: a draw without it cannot be verified."))
    if hasattr(commitment, "draw"):
        return commitment.draw
    draft = open_draft(stage, by=by)
    drawn = drawn_from(document(stage, number, draft, titles), commitment.seed)
    made = Draw.objects.create(
        commitment=commitment,
        seed=commitment.seed,
        inputs=drawn.inputs,
        inputs_sha256=replay.sha256(drawn.inputs),
        result=drawn.result,
        result_sha256=replay.sha256(drawn.result),
        by=by,
    )
    seat(draft, made, by=by)
    audit.record("risiko.drawn", made, by=by, changes={"seed": ["", made.seed]}, reason=commitment.reason)
    return made


def drawn_from(inputs: replay.Document, seed: str) -> Drawn:
    """Looked at by the checker before anybody sees it: tables that break a rule are never shown."""
    result = replay.result_of(replay.run(inputs, seed))
    found = check(inputs, seed, result)
    if found:
        raise AssertionError(found)
    return Drawn(replay.canonical(inputs), replay.canonical(result))


def seat(draft: Revision, draw: Draw, *, by: User) -> None:
    """The round of the draw, after those before it or instead of its own earlier tables."""
    number = draw.commitment.number
    before = [round_ for round_ in facts.read(draft) if round_.number < number]
    if len(before) != number - 1:
        raise Refused(_("The games before this one are not all there."))
    round_ = facts.RoundFacts(number, tables_of(draw), PHASES[number])
    if draft.rounds.count() > len(before):
        replace_draft(draft.stage, [*before, round_], by=by, source=None, reason=draw.commitment.reason)
    else:
        facts.write(draft, [round_])


def tables_of(draw: Draw) -> tuple[facts.TableFacts, ...]:
    tables = json.loads(draw.result)["tables"]
    players = dict(
        Player.objects.filter(public_id__in=[p for table in tables for p in table]).values_list("public_id", "pk")
    )
    return tuple(
        facts.TableFacts(number, tuple(facts.SeatFacts(players[public_id]) for public_id in table))
        for number, table in enumerate(tables, 1)
    )
