"""The draws of a Master: commit to a seed, then draw the tables from it.

The seed's hash is published before the draw, the seed after. Neither is replaced: a repeated draw
needs a reason.
"""

import json
import secrets
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.policy import Role, has_role
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.stages import facts
from pergioco.stages.models import Revision, Seat, Stage
from pergioco.stages.services.drafting import find_draft, open_draft, replace_draft
from pergioco.stages.services.pairing import draw_seed
from risiko_master.draft_facts import Titles, draw_document
from risiko_master.models import Commitment, Draw
from risiko_master.rules import replay
from risiko_master.rules.checker import check_draw
from risiko_master.rules.draw_facts import VERSION

SEED_BYTES = 16
SHORTEST_SEED = 16  # a shorter one could be found out from its hash
PHASES = {
    replay.FIRST: "qualification",
    replay.SECOND: "qualification",
    replay.SEMIFINALS: "semifinal",
}


@dataclass(frozen=True)
class DrawTexts:
    """The texts that are hashed and stored."""

    inputs: str
    result: str


@transaction.atomic
def commit_seed(
    stage: Stage, number: int, *, by: User, reason: str = "", seed: str = ""
) -> Commitment:
    """Publishes the hash of a seed. Returns the pending commitment if there is one."""
    stage = lock_row(stage)
    guard_director(stage, by)
    last = latest_commitment(stage, number)
    if last is not None and not hasattr(last, "draw"):
        return last
    why = reason.strip() if last else ""
    if last is not None:
        refuse_redraw(last, why)
    draw_seed(stage, by=by)  # the ranking may need lots: their seed too is fixed before play
    seed = choose_seed(seed)
    made = Commitment.objects.create(
        stage=stage,
        number=number,
        attempt=last.attempt + 1 if last else 1,
        algorithm=VERSION,
        seed=seed,
        seed_sha256=replay.sha256_of(seed),
        by=by,
        reason=why,
        supersedes=last,
    )
    audit.record(
        "risiko.committed",
        made,
        by=by,
        changes={"seed_sha256": ["", made.seed_sha256]},
        reason=made.reason,
    )
    return made


def guard_director(stage: Stage, by: User) -> None:
    runs_it = has_role(by, Role.RISIKO_DIRECTOR) and stage.organizers.filter(pk=by.pk).exists()
    if not runs_it and not has_role(by, Role.STAFF):
        raise Refused(
            _("Only the director of this Master and staff draw its tables."),
            rule="drawing.guard_director",
        )
    if stage.circuit != Stage.Circuit.RKM:
        raise Refused(_("Only RisiKo! Masters are drawn here."), rule="drawing.guard_director")


def latest_commitment(stage: Stage, number: int) -> Commitment | None:
    made = Commitment.objects.filter(stage=stage, number=number)
    return made.select_related("stage", "draw").order_by("attempt").last()


def refuse_redraw(last: Commitment, why: str) -> None:
    if not why:
        raise Refused(
            _("Say why it is drawn again: everybody will read it."),
            "reason",
            rule="drawing.refuse_redraw",
        )
    draft = find_draft(last.stage)
    seats = Seat.objects.filter(table__round__revision=draft, table__round__number__gte=last.number)
    if draft is None or seats.exclude(score=None, objective_made=False).exists():
        raise Refused(
            _("This game has results already: its tables stay as they were drawn."),
            rule="drawing.refuse_redraw",
        )


def choose_seed(seed: str) -> str:
    # A random seed, or the director's own: thrown dice, a sentence said in the hall.
    if seed and len(seed) < SHORTEST_SEED:
        raise Refused(
            _("A seed of fewer than 16 characters could be guessed from its hash."),
            "seed",
            rule="drawing.choose_seed",
        )
    return seed or secrets.token_hex(SEED_BYTES)


@transaction.atomic
def draw_game(stage: Stage, number: int, *, by: User, titles: Titles = ()) -> Draw:
    """Reveals the seed and seats the players in the draft. A second call returns the first draw.

    `titles` are the bands of the semifinals if the referee decided, else they follow from the
    ranking.
    """
    stage = lock_row(stage)
    guard_director(stage, by)
    commitment = latest_commitment(stage, number)
    if commitment is None:
        raise Refused(
            _("Publish the hash of the seed first: a draw without it cannot be verified."),
            rule="drawing.draw_game",
        )
    if hasattr(commitment, "draw"):
        return commitment.draw
    draft = open_draft(stage, by=by)
    drawn = draw_and_check(draw_document(stage, number, draft, titles), commitment.seed)
    made = Draw.objects.create(
        commitment=commitment,
        seed=commitment.seed,
        inputs=drawn.inputs,
        inputs_sha256=replay.sha256_of(drawn.inputs),
        result=drawn.result,
        result_sha256=replay.sha256_of(drawn.result),
        by=by,
    )
    seat_drawn_round(draft, made, by=by)
    audit.record(
        "risiko.drawn", made, by=by, changes={"seed": ["", made.seed]}, reason=commitment.reason
    )
    return made


def draw_and_check(inputs: replay.Document, seed: str) -> DrawTexts:
    # Runs the independent checker before the tables are stored: a faulty draw is never shown.
    result = replay.draw_result(replay.run_draw(inputs, seed))
    found = check_draw(inputs, seed, result)
    if found:
        raise AssertionError(found)
    return DrawTexts(replay.canonical_json(inputs), replay.canonical_json(result))


def seat_drawn_round(draft: Revision, draw: Draw, *, by: User) -> None:
    # A repeated draw replaces its own earlier tables.
    number = draw.commitment.number
    before = [round_ for round_ in facts.read_rounds(draft) if round_.number < number]
    if len(before) != number - 1:
        raise Refused(
            _("The games before this one are not all there."), rule="drawing.seat_drawn_round"
        )
    round_ = facts.RoundFacts(number, drawn_tables(draw), PHASES[number])
    if draft.rounds.count() > len(before):
        replace_draft(
            draft.stage, [*before, round_], by=by, source=None, reason=draw.commitment.reason
        )
    else:
        facts.write_rounds(draft, [round_])


def drawn_tables(draw: Draw) -> tuple[facts.TableFacts, ...]:
    tables = json.loads(draw.result)["tables"]
    players = dict(
        Player.objects.filter(public_id__in=[p for table in tables for p in table]).values_list(
            "public_id", "pk"
        )
    )
    return tuple(
        facts.TableFacts(number, tuple(facts.SeatFacts(players[public_id]) for public_id in table))
        for number, table in enumerate(tables, 1)
    )
