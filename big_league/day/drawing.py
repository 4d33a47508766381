"""The next round: proposed, looked at, opened. What is saved is what was shown, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from big_league.day.reading import Day, byes, day_of
from big_league.events.models import SignUp
from big_league.finals import heads
from big_league.finals.models import Final
from big_league.rules import elimination, seating
from big_league.rules.elimination import Over
from big_league.rules.phases import PAIR, NoShape
from big_league.rules.seating import CannotSeat, Seating
from pergioco.players.models import User
from pergioco.players.refusal import Outdated, Refused
from pergioco.rulekit.chance import drawn_order
from pergioco.stages import facts, pairing
from pergioco.stages.drafting import append, lock, open_draft, remove_last_round
from pergioco.stages.models import Revision, Seat, Stage

FEWEST = 2


@dataclass(frozen=True)
class Wish:
    """Players at a table; how many go on to the final phases, if they begin with this round (0: they do not)."""

    size: int
    qualified: int = 0


@dataclass(frozen=True)
class Proposal:
    number: int
    phase: str
    tables: tuple[tuple[int, ...], ...]
    waiting: tuple[int, ...]  # of the final phases: who goes straight to the one after
    repeated: tuple[tuple[int, ...], ...]
    heads: tuple[int, ...]  # of series, apart in the first round of a final
    sha256: str


def propose(day: Day, wish: Wish) -> Proposal:
    """Writes nothing."""
    refuse_unready(day)
    seal = sealed(day, wish)
    if day.is_eliminating or wish.qualified:
        phase = next_phase(day, wish)
        return Proposal(day.next_number, phase.code, phase.tables, phase.waiting, (), (), seal)
    try:
        drawn, heads = swiss(day, wish.size)
    except CannotSeat:
        raise Refused(_("So many players do not fit at tables of this size. Choose another one."), "size") from None
    return Proposal(day.next_number, "", drawn.tables, (), drawn.repeated, heads, seal)


def refuse_unready(day: Day) -> None:
    if not day.stage.seed:
        raise Refused(_("Draw the seed first: the tables follow from it."))
    if len(day.field) < FEWEST:
        raise Refused(_("Check the players in first: there must be two at least."))
    if not day.facts and (expected := not_seen(day)):
        raise Refused(
            _("%(n)s players are still expected: note at the check-in who is there and who is not.") % {"n": expected}
        )
    if day.facts and (missing := day.missing(len(day.facts))):
        tables = ", ".join(map(str, missing))
        raise Refused(_("Scores are missing at these tables: %(tables)s.") % {"tables": tables})


def not_seen(day: Day) -> int:
    """Of those entered beforehand, as in a final: nobody is seated who has not come."""
    rows = SignUp.objects.coming().filter(event__stage=day.stage, presence="")
    return rows.filter(player__in=day.field).count()


def sealed(day: Day, wish: Wish) -> str:
    """Of all that the round is drawn from: players, results, seed, and what was wished."""
    wanted = f"{day.stage.seed} {sorted(day.field)} {wish}"
    return facts.sha256([*day.facts, facts.RoundFacts(0, (), wanted)])


def swiss(day: Day, size: int) -> tuple[Seating, tuple[int, ...]]:
    """By lots in the first round, then from the standings; who comes late has no points for the rounds before."""
    sheet = day.sheet
    shape = seating.sizes(len(day.field), size, most=sheet.most if sheet and size != PAIR else None)
    if not day.rounds:
        apart = heads_of(day, shape)
        lots = drawn_order(f"{day.stage.seed}:1", day.field)
        return seating.first_round(lots, shape, apart), apart
    if size != PAIR:
        return seating.by_standings(day.qualification, shape), ()
    last = [tuple(part.player for part in table) for table in day.rounds[-1].tables.values()]
    return seating.pairs(day.qualification, last, byes(day.rounds)), ()


def heads_of(day: Day, shape: Sequence[int]) -> tuple[int, ...]:
    """Of a national final that was convened, among those who are here (BIG 7)."""
    final = Final.objects.filter(stage=day.stage).first()
    found = heads.heads_of(final, shape=shape, there=day.field.keys()) if final else []
    return tuple(player.pk for player in found)


def next_phase(day: Day, wish: Wish) -> elimination.Phase:
    try:
        if not day.is_eliminating:
            return elimination.begins(qualified(day, wish.qualified), wish.size)
        left = elimination.still_in(day.rounds, day.qualification, day.edition)
        size = len(day.rounds[-1].tables[1])
        return elimination.begins([player for player in left if player in day.field], size)
    except Over:
        raise Refused(_("There is nothing more to play: close the tournament.")) from None
    except NoShape:
        raise Refused(
            _("So many qualified players cannot be brought to a final at tables of this size."), "qualified"
        ) from None


def qualified(day: Day, wanted: int) -> Sequence[int]:
    if not day.rounds:
        raise Refused(_("The final phases come after the first rounds: play one at least."), "qualified")
    if wanted > len(day.qualification):
        raise Refused(_("Only %(n)s players are here.") % {"n": len(day.qualification)}, "qualified")
    return day.qualification[:wanted]


@transaction.atomic
def accept(stage: Stage, wish: Wish, *, by: User, sha256: str) -> Revision:
    """Opens the round that was shown; if anything it was drawn from changed meanwhile, nothing is saved (409)."""
    draft = open_draft(lock(stage), by=by)
    proposal = propose(day_of(stage), wish)
    if proposal.sha256 != sha256:
        raise Outdated(_("Players or results changed while you were looking. These are the new tables."))
    tables = tuple(facts.TableFacts(n, seats(players)) for n, players in enumerate(proposal.tables, 1))
    append(draft, [facts.RoundFacts(proposal.number, tables, proposal.phase)], by=by)
    return draft


def seats(players: Sequence[int]) -> tuple[facts.SeatFacts, ...]:
    """Alone at the table: a bye, worth a win (BIG-5)."""
    if len(players) == 1:
        return (facts.SeatFacts(players[0], outcome="win", kind="bye"),)
    return tuple(facts.SeatFacts(player) for player in players)


@transaction.atomic
def swap(stage: Stage, *, players: tuple[int, int], by: User, reason: str) -> Revision:
    """In the last round, which is the one that is played; a bye that moves stays a bye."""
    draft = open_draft(lock(stage), by=by)
    last = draft.rounds.order_by("-number").first()
    if last is None:
        raise Refused(_("No round is open."))
    new = pairing.swap(draft, round_=last.number, players=players, by=by, reason=reason)
    moved = Seat.objects.filter(table__round__revision=new, table__round__number=last.number, player__in=players)
    for seat in moved.select_related("table"):
        if seat.table.seats.count() == 1:
            Seat.objects.filter(pk=seat.pk).update(outcome="win", kind="bye")
    return new


@transaction.atomic
def remove_last(stage: Stage, *, number: int, by: User) -> None:
    """`number` names the round that is meant: pressed twice, it removes one. The draft before is kept."""
    draft = open_draft(lock(stage), by=by)
    if draft.rounds.order_by("-number").values_list("number", flat=True).first() == number:
        remove_last_round(draft, by=by)
