"""Pairs the rounds of stages run by the federation: propose, check, then save."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.rulekit.ordering import seeded_order
from pergioco.stages import facts
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules import pairing
from pergioco.stages.rules.pairing import Pair
from pergioco.stages.rules.results import sum_points
from pergioco.stages.services.drafting import add_rounds, open_draft, replace_draft

FEWEST_PLAYERS = 2
SEED_BYTES = 16


Seats = Sequence[facts.SeatFacts]


@dataclass(frozen=True)
class Proposal:
    """Pairings to be saved and the hash of their inputs: the same facts and seed give the same
    pairs."""

    first_round: int
    rounds: tuple[tuple[Pair, ...], ...]
    rematches: tuple[Pair, ...]
    sha256: str


@transaction.atomic
def draw_seed(stage: Stage, *, by: User) -> Stage:
    """Draws once for the whole stage, before any pairing, so that draws cannot be repeated until
    they suit."""
    stage = lock_row(stage)
    if not stage.seed:
        stage.seed = secrets.token_hex(SEED_BYTES)
        stage.save(update_fields=["seed"])
        audit.record("stage.seed_drawn", stage, by=by, changes={"seed": ["", stage.seed]})
    return stage


def propose_rounds(stage: Stage, draft: Revision | None) -> Proposal:
    """The next Swiss round, or all rounds of a round robin. Writes nothing."""
    played = facts.read_rounds(draft) if draft else ()
    number = len(played) + 1
    players = players_in_round(stage, number)
    if not stage.seed:
        raise Refused(_("Draw the seed first: the pairings follow from it."))
    if len(players) < FEWEST_PLAYERS:
        raise Refused(_("Enter the players first: there must be two at least."))
    if stage.system == Stage.System.ROUND_ROBIN:
        return propose_round_robin(stage, players, played)
    if stage.system == Stage.System.SWISS:
        return propose_swiss_round(stage, players, played)
    raise Refused(
        _("The portal pairs round robins and Swiss stages. Type the pairings of this one.")
    )


def players_in_round(stage: Stage, round_: int) -> dict[int, str]:
    entries = stage.entries.order_by("id").values_list(
        "player_id", "player__public_id", "withdrew_after_round"
    )
    return {
        player: public_id
        for player, public_id, after in entries
        if after is None or after >= round_
    }


def propose_round_robin(
    stage: Stage, players: Mapping[int, str], played: Sequence[facts.RoundFacts]
) -> Proposal:
    if played:
        raise Refused(_("A round robin is paired all at once, and this one has rounds already."))
    rounds = pairing.round_robin_rounds(seeded_order(stage.seed, players))
    return Proposal(1, tuple(map(tuple, rounds)), (), hash_inputs(stage, players, played))


def propose_swiss_round(
    stage: Stage, players: Mapping[int, str], played: Sequence[facts.RoundFacts]
) -> Proposal:
    if any(
        not seat.outcome for round_ in played for table in round_.tables for seat in table.seats
    ):
        raise Refused(_("Results are missing: without them the next round cannot be paired."))
    lots = seeded_order(f"{stage.seed}:{len(played) + 1}", players)
    drawn = pairing.pair_swiss_round(swiss_standings(players, played), lots)
    return Proposal(
        len(played) + 1, (drawn.pairs,), drawn.rematches, hash_inputs(stage, players, played)
    )


def hash_inputs(stage: Stage, players: Iterable[int], played: Sequence[facts.RoundFacts]) -> str:
    return facts.hash_rounds([*played, facts.RoundFacts(0, (), f"{stage.seed} {sorted(players)}")])


def swiss_standings(
    players: Collection[int], played: Sequence[facts.RoundFacts]
) -> list[pairing.SwissStanding]:
    # Late entrants have no points for earlier rounds.
    tables = [table.seats for round_ in played for table in round_.tables]
    late = dict.fromkeys(players, "").items()
    points = sum_points(late) | sum_points(
        (seat.player, seat.outcome) for seats in tables for seat in seats
    )
    met, firsts = opponents_met(tables), count_first_seats(tables)
    rested = {seats[0].player for seats in tables if len(seats) == 1}
    return [
        pairing.SwissStanding(p, points[p], frozenset(met[p]), p in rested, firsts[p])
        for p in players
    ]


def opponents_met(tables: Iterable[Seats]) -> dict[int, set[int]]:
    met: dict[int, set[int]] = defaultdict(set)
    for seats in tables:
        there = {seat.player for seat in seats}
        for player in there:
            met[player] |= there - {player}
    return met


def count_first_seats(tables: Iterable[Seats]) -> Counter[int]:
    # Second seats are subtracted.
    firsts: Counter[int] = Counter()
    for seats in tables:
        if len(seats) > 1:
            firsts[seats[0].player] += 1
            firsts.subtract(seat.player for seat in seats[1:])
    return firsts


@transaction.atomic
def accept_proposal(stage: Stage, *, by: User, sha256: str) -> Revision:
    """Saves the proposal shown; refuses if its inputs have changed (409)."""
    stage = lock_row(stage)
    draft = open_draft(stage, by=by)
    proposal = propose_rounds(stage, draft)
    if proposal.sha256 != sha256:
        raise Outdated(
            _("Players or results changed while you were looking. These are the new pairings.")
        )
    add_rounds(
        draft, [[pairing.PaperGame(pair, "") for pair in pairs] for pairs in proposal.rounds], by=by
    )
    return draft


@transaction.atomic
def add_typed_rounds(
    stage: Stage, rounds: Sequence[Sequence[pairing.PaperGame]], *, by: User
) -> Revision:
    draft = open_draft(lock_row(stage), by=by)
    add_rounds(draft, rounds, by=by)
    return draft


@transaction.atomic
def swap_players(
    draft: Revision, *, round_: int, players: tuple[int, int], by: User, reason: str
) -> Revision:
    if not reason.strip():
        raise Refused(_("Say why the pairing changes: the players will ask."), "reason")
    there = facts.read_rounds(draft)
    seated = {
        seat.player
        for r in there
        if r.number == round_
        for table in r.tables
        for seat in table.seats
    }
    if players[0] == players[1] or not seated.issuperset(players):
        raise Refused(_("Choose two players who sit in this round."), "second")
    exchanged = [swapped_round(r, players) if r.number == round_ else r for r in there]
    new = replace_draft(draft.stage, exchanged, by=by, source=None)
    audit.record(
        "stage.swapped",
        new,
        by=by,
        reason=reason.strip(),
        changes={"round": [str(round_), str(round_)]},
    )
    return new


def swapped_round(round_: facts.RoundFacts, players: tuple[int, int]) -> facts.RoundFacts:
    other = {players[0]: players[1], players[1]: players[0]}
    return facts.RoundFacts(
        round_.number, tuple(swapped_table(table, other) for table in round_.tables), round_.phase
    )


def swapped_table(table: facts.TableFacts, other: dict[int, int]) -> facts.TableFacts:
    if not any(seat.player in other for seat in table.seats):
        return table
    return facts.TableFacts(
        table.number,
        tuple(facts.SeatFacts(other.get(seat.player, seat.player)) for seat in table.seats),
    )
