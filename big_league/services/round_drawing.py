"""The next round: proposed, then opened only if nothing changed since the proposal."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from big_league.day_facts import Day, count_byes, load_day
from big_league.models import Final, SignUp
from big_league.rules import elimination, seating
from big_league.rules.elimination import Over
from big_league.rules.phases import NoShape
from big_league.rules.seating import CannotSeat, Seating
from big_league.rules.table import TWO_PLAYERS
from big_league.services import final_seats
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.rulekit.ordering import seeded_order
from pergioco.stages import facts
from pergioco.stages.models import Revision, Seat, Stage
from pergioco.stages.services import pairing
from pergioco.stages.services.drafting import append_rounds, open_draft, remove_last_round

FEWEST = 2


@dataclass(frozen=True)
class Wish:
    """Table size; `qualified` players start the final phases with this round (0: they do not)."""

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


def propose_round(day: Day, wish: Wish) -> Proposal:
    refuse_unready(day)
    seal = seal_inputs(day, wish)
    if day.is_eliminating or wish.qualified:
        phase = draw_next_phase(day, wish)
        return Proposal(day.next_number, phase.code, phase.tables, phase.waiting, (), (), seal)
    try:
        drawn, heads = draw_swiss_round(day, wish.size)
    except CannotSeat:
        raise Refused(
            _("So many players do not fit at tables of this size. Choose another one."),
            "size",
            rule="round_drawing.propose_round",
        ) from None
    return Proposal(day.next_number, "", drawn.tables, (), drawn.repeated, heads, seal)


def refuse_unready(day: Day) -> None:
    if not day.stage.seed:
        raise Refused(
            _("Draw the seed first: the tables follow from it."),
            rule="round_drawing.refuse_unready",
        )
    if len(day.field) < FEWEST:
        raise Refused(
            _("Check the players in first: there must be two at least."),
            rule="round_drawing.refuse_unready",
        )
    if not day.facts and (expected := count_not_seen(day)):
        raise Refused(
            _("%(n)s players are still expected: note at the check-in who is there and who is not.")
            % {"n": expected},
            rule="round_drawing.refuse_unready",
        )
    if day.facts and (missing := day.missing(len(day.facts))):
        tables = ", ".join(map(str, missing))
        raise Refused(
            _("Scores are missing at these tables: %(tables)s.") % {"tables": tables},
            rule="round_drawing.refuse_unready",
        )


def count_not_seen(day: Day) -> int:
    # Finals have entries before check-in: absent players must not be seated.
    rows = SignUp.objects.coming().filter(event__stage=day.stage, presence="")
    return rows.filter(player__in=day.field).count()


def seal_inputs(day: Day, wish: Wish) -> str:
    """Hash of all that the draw depends on: players, results, seed and wish."""
    wanted = f"{day.stage.seed} {sorted(day.field)} {wish}"
    return facts.hash_rounds([*day.facts, facts.RoundFacts(0, (), wanted)])


def draw_swiss_round(day: Day, size: int) -> tuple[Seating, tuple[int, ...]]:
    # A late player simply has no points for the rounds before.
    sheet = day.sheet
    shape = seating.sizes_of_tables(
        len(day.field), size, most=sheet.most if sheet and size != TWO_PLAYERS else None
    )
    if not day.rounds:
        apart = heads_present(day, shape)
        lots = seeded_order(f"{day.stage.seed}:1", day.field)
        return seating.draw_first_round(lots, shape, apart), apart
    if size != TWO_PLAYERS:
        return seating.seat_by_standings(day.qualification, shape), ()
    last = [tuple(part.player for part in table) for table in day.rounds[-1].tables.values()]
    return seating.pair_players(day.qualification, last, count_byes(day.rounds)), ()


def heads_present(day: Day, shape: Sequence[int]) -> tuple[int, ...]:
    """Of a convened national final, among the players present (BIG 7)."""
    final = Final.objects.filter(stage=day.stage).first()
    found = (
        final_seats.find_heads_of_series(final, shape=shape, there=day.field.keys())
        if final
        else []
    )
    return tuple(player.pk for player in found)


def draw_next_phase(day: Day, wish: Wish) -> elimination.Phase:
    try:
        if not day.is_eliminating:
            return elimination.begin_phase(choose_qualified(day, wish.qualified), wish.size)
        left = elimination.players_still_in(day.rounds, day.qualification, day.edition)
        size = len(day.rounds[-1].tables[1])
        return elimination.begin_phase([player for player in left if player in day.field], size)
    except Over:
        raise Refused(
            _("There is nothing more to play: close the tournament."),
            rule="round_drawing.draw_next_phase",
        ) from None
    except NoShape:
        raise Refused(
            _("So many qualified players cannot be brought to a final at tables of this size."),
            "qualified",
            rule="round_drawing.draw_next_phase",
        ) from None


def choose_qualified(day: Day, wanted: int) -> Sequence[int]:
    if not day.rounds:
        raise Refused(
            _("The final phases come after the first rounds: play one at least."),
            "qualified",
            rule="round_drawing.choose_qualified",
        )
    if wanted > len(day.qualification):
        raise Refused(
            _("Only %(n)s players are here.") % {"n": len(day.qualification)},
            "qualified",
            rule="round_drawing.choose_qualified",
        )
    return day.qualification[:wanted]


@transaction.atomic
def open_drawn_round(stage: Stage, wish: Wish, *, by: User, sha256: str) -> Revision:
    """Raises `Outdated` if the draw would differ from the proposal that was shown."""
    draft = open_draft(lock_row(stage), by=by)
    proposal = propose_round(load_day(stage), wish)
    if proposal.sha256 != sha256:
        raise Outdated(
            _("Players or results changed while you were looking. These are the new tables."),
            rule="round_drawing.open_drawn_round",
        )
    tables = tuple(
        facts.TableFacts(n, seat_facts(players)) for n, players in enumerate(proposal.tables, 1)
    )
    append_rounds(draft, [facts.RoundFacts(proposal.number, tables, proposal.phase)], by=by)
    return draft


def seat_facts(players: Sequence[int]) -> tuple[facts.SeatFacts, ...]:
    """A bye is worth a win (BIG-5)."""
    if len(players) == 1:
        return (facts.SeatFacts(players[0], outcome="win", kind="bye"),)
    return tuple(facts.SeatFacts(player) for player in players)


@transaction.atomic
def swap_seated(stage: Stage, *, players: tuple[int, int], by: User, reason: str) -> Revision:
    """In the last round; a bye that moves stays a bye."""
    draft = open_draft(lock_row(stage), by=by)
    last = draft.rounds.order_by("-number").first()
    if last is None:
        raise Refused(_("No round is open."), rule="round_drawing.swap_seated")
    new = pairing.swap_players(draft, round_=last.number, players=players, by=by, reason=reason)
    moved = Seat.objects.filter(
        table__round__revision=new, table__round__number=last.number, player__in=players
    )
    for seat in moved.select_related("table"):
        if seat.table.seats.count() == 1:
            Seat.objects.filter(pk=seat.pk).update(outcome="win", kind="bye")
    return new


@transaction.atomic
def remove_played_round(stage: Stage, *, number: int, by: User) -> None:
    """`number` makes it idempotent; the draft before is kept."""
    draft = open_draft(lock_row(stage), by=by)
    if draft.rounds.order_by("-number").values_list("number", flat=True).first() == number:
        remove_last_round(draft, by=by)
