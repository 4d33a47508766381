"""Rounds of stages that the federation runs itself: drawn, looked at, then saved; or typed from paper."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.rulekit.chance import drawn_order
from pergioco.stages import facts
from pergioco.stages.drafting import add_rounds, lock, open_draft, replace_draft
from pergioco.stages.models import Revision, Stage
from pergioco.stages.rules import berger, paper, swiss
from pergioco.stages.rules.berger import Pair
from pergioco.stages.rules.results import points_of

FEWEST = 2
SEED_BYTES = 16


Seats = Sequence[facts.SeatFacts]


@dataclass(frozen=True)
class Proposal:
    """What would be saved, and what it was drawn from: the same facts and seed give the same pairs to anybody."""

    first_round: int
    rounds: tuple[tuple[Pair, ...], ...]
    rematches: tuple[Pair, ...]
    sha256: str


@transaction.atomic
def draw_seed(stage: Stage, *, by: User) -> Stage:
    """Once for the whole stage, before any pairing: who draws cannot try until the pairs please."""
    stage = lock(stage)
    if not stage.seed:
        stage.seed = secrets.token_hex(SEED_BYTES)
        stage.save(update_fields=["seed"])
        audit.record("stage.seed_drawn", stage, by=by, changes={"seed": ["", stage.seed]})
    return stage


def propose(stage: Stage, draft: Revision | None) -> Proposal:
    """The next round of a Swiss, or all rounds of a round robin. Writes nothing."""
    played = facts.read(draft) if draft else ()
    number = len(played) + 1
    players = field(stage, number)
    if not stage.seed:
        raise Refused(_("Draw the seed first: the pairings follow from it."))
    if len(players) < FEWEST:
        raise Refused(_("Enter the players first: there must be two at least."))
    if stage.system == Stage.System.ROUND_ROBIN:
        return round_robin(stage, players, played)
    if stage.system == Stage.System.SWISS:
        return swiss_round(stage, players, played)
    raise Refused(_("The portal pairs round robins and Swiss stages. Type the pairings of this one."))


def field(stage: Stage, round_: int) -> dict[int, str]:
    """Who is still there in that round, in the order of entry, with the public ids from which lots are drawn."""
    entries = stage.entries.order_by("id").values_list("player_id", "player__public_id", "withdrew_after_round")
    return {player: public_id for player, public_id, after in entries if after is None or after >= round_}


def round_robin(stage: Stage, players: Mapping[int, str], played: Sequence[facts.RoundFacts]) -> Proposal:
    if played:
        raise Refused(_("A round robin is paired all at once, and this one has rounds already."))
    rounds = berger.rounds(drawn_order(stage.seed, players))
    return Proposal(1, tuple(map(tuple, rounds)), (), seen(stage, players, played))


def swiss_round(stage: Stage, players: Mapping[int, str], played: Sequence[facts.RoundFacts]) -> Proposal:
    if any(not seat.outcome for round_ in played for table in round_.tables for seat in table.seats):
        raise Refused(_("Results are missing: without them the next round cannot be paired."))
    lots = drawn_order(f"{stage.seed}:{len(played) + 1}", players)
    drawn = swiss.pair(standings(players, played), lots)
    return Proposal(len(played) + 1, (drawn.pairs,), drawn.rematches, seen(stage, players, played))


def seen(stage: Stage, players: Iterable[int], played: Sequence[facts.RoundFacts]) -> str:
    return facts.sha256([*played, facts.RoundFacts(0, (), f"{stage.seed} {sorted(players)}")])


def standings(players: Collection[int], played: Sequence[facts.RoundFacts]) -> list[swiss.Standing]:
    """Who came late has no points for the rounds before."""
    tables = [table.seats for round_ in played for table in round_.tables]
    late = dict.fromkeys(players, "").items()
    points = points_of(late) | points_of((seat.player, seat.outcome) for seats in tables for seat in seats)
    met, firsts = opponents(tables), times_first(tables)
    rested = {seats[0].player for seats in tables if len(seats) == 1}
    return [swiss.Standing(p, points[p], frozenset(met[p]), p in rested, firsts[p]) for p in players]


def opponents(tables: Iterable[Seats]) -> dict[int, set[int]]:
    met: dict[int, set[int]] = defaultdict(set)
    for seats in tables:
        there = {seat.player for seat in seats}
        for player in there:
            met[player] |= there - {player}
    return met


def times_first(tables: Iterable[Seats]) -> Counter[int]:
    """Those as the second are taken off."""
    firsts: Counter[int] = Counter()
    for seats in tables:
        if len(seats) > 1:
            firsts[seats[0].player] += 1
            firsts.subtract(seat.player for seat in seats[1:])
    return firsts


@transaction.atomic
def accept(stage: Stage, *, by: User, sha256: str) -> Revision:
    """Saves what was shown; if anything it was drawn from changed meanwhile, nothing is saved (409)."""
    stage = lock(stage)
    draft = open_draft(stage, by=by)
    proposal = propose(stage, draft)
    if proposal.sha256 != sha256:
        raise Outdated(_("Players or results changed while you were looking. These are the new pairings."))
    add_rounds(draft, [[paper.Game(pair, "") for pair in pairs] for pairs in proposal.rounds], by=by)
    return draft


@transaction.atomic
def type_rounds(stage: Stage, rounds: Sequence[Sequence[paper.Game]], *, by: User) -> Revision:
    """Rounds read from paper, after those that are there."""
    draft = open_draft(lock(stage), by=by)
    add_rounds(draft, rounds, by=by)
    return draft


@transaction.atomic
def swap(draft: Revision, *, round_: int, players: tuple[int, int], by: User, reason: str) -> Revision:
    """Two players of a round change places; the results of their tables are empty again."""
    if not reason.strip():
        raise Refused(_("Say why the pairing changes: the players will ask."), "reason")
    there = facts.read(draft)
    seated = {seat.player for r in there if r.number == round_ for table in r.tables for seat in table.seats}
    if players[0] == players[1] or not seated.issuperset(players):
        raise Refused(_("Choose two players who sit in this round."), "second")
    exchanged = [swapped(r, players) if r.number == round_ else r for r in there]
    new = replace_draft(draft.stage, exchanged, by=by, source=None)
    audit.record("stage.swapped", new, by=by, reason=reason.strip(), changes={"round": [str(round_), str(round_)]})
    return new


def swapped(round_: facts.RoundFacts, players: tuple[int, int]) -> facts.RoundFacts:
    other = {players[0]: players[1], players[1]: players[0]}
    return facts.RoundFacts(round_.number, tuple(reseated(table, other) for table in round_.tables), round_.phase)


def reseated(table: facts.TableFacts, other: dict[int, int]) -> facts.TableFacts:
    if not any(seat.player in other for seat in table.seats):
        return table
    return facts.TableFacts(
        table.number, tuple(facts.SeatFacts(other.get(seat.player, seat.player)) for seat in table.seats)
    )
