"""Semifinals and finals: the referee's decision, seating the finals, renunciations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.stages import facts
from pergioco.stages.models import Entry, Revision, Round, Seat, Stage
from pergioco.stages.services import entrants
from pergioco.stages.services.drafting import find_draft, replace_draft
from risiko_master import draft_facts
from risiko_master.models import RefereeDecision
from risiko_master.rules.day import FINAL, GAMES, SEMIFINAL, Day
from risiko_master.rules.playoffs import (
    AT_A_TABLE,
    Place,
    Structure,
    find_finalists,
    structure_after_renunciations,
)
from risiko_master.services import clock
from risiko_master.services.drawing import guard_director


@dataclass(frozen=True)
class OpenQuestion:
    """`proposed` would be played without a decision; `other` is the second choice, if there is one
    (RK-13)."""

    proposed: Structure
    other: Structure | None
    there: int


def open_question(day: Day) -> OpenQuestion | None:
    undecided = replace(day, decided=None)
    played, there = undecided.played, len(day.order) - len(day.renounced)
    if played.case == "direct_finalist_renounced":
        other = structure_after_renunciations(
            day.structure, day.order, day.renounced, keep_direct=True
        )
        return OpenQuestion(played, other if other.direct else None, there)
    return OpenQuestion(played, None, there) if played.proposed else None


@transaction.atomic
def record_decision(
    stage: Stage, *, direct: int, semifinals: int, reason: str, by: User
) -> RefereeDecision:
    stage = lock_row(stage)
    guard_director(stage, by)
    draft = find_draft(stage)
    day = draft_facts.day_after_both_games(stage, draft)
    question = open_question(day) if day else None
    if question is None:
        raise Refused(
            _("The regulation says how many semifinals there are: nothing is left to decide."),
            rule="finals.record_decision",
        )
    if Round.objects.filter(revision=draft, number__gt=GAMES).exists():
        raise Refused(
            _("The next tables are drawn already: this is decided before."),
            rule="finals.record_decision",
        )
    refuse_unplayable(question, direct, semifinals)
    if not reason.strip():
        raise Refused(
            _("Say why: everybody will read it."), "reason", rule="finals.record_decision"
        )
    made = RefereeDecision.objects.create(
        stage=stage, direct=direct, semifinals=semifinals, reason=reason.strip(), by=by
    )
    changes = {"direct": ["", str(direct)], "semifinals": ["", str(semifinals)]}
    audit.record("risiko.decided", made, by=by, changes=changes, reason=made.reason)
    return made


def reset_decision(stage: Stage, follows: Structure, *, by: User) -> None:
    # The decision was about other direct finalists: the regulation applies again.
    reason = _("Another direct finalist renounced: what was decided before no longer holds.")
    RefereeDecision.objects.create(
        stage=stage, direct=follows.direct, semifinals=follows.semifinals, reason=str(reason), by=by
    )


def refuse_unplayable(question: OpenQuestion, direct: int, semifinals: int) -> None:
    if not 1 < direct + semifinals <= AT_A_TABLE:
        raise Refused(
            _(
                "A final has two to four players: those who go straight there and the winners of "
                "semifinals."
            ),
            rule="finals.refuse_unplayable",
        )
    needed = direct + semifinals * AT_A_TABLE
    if needed > question.there:
        values = {"needed": needed, "there": question.there}
        raise Refused(
            _("That takes %(needed)s players with both games; there are %(there)s.") % values,
            rule="finals.refuse_unplayable",
        )


WAIT = _("Results of the semifinals are missing: the finals follow from them.")


def final_places(day: Day, renounced: frozenset[int]) -> list[Place]:
    """`renounced`: players who renounced after the semifinals had begun."""
    tables = [[one.player for one in table] for table in day.tables(SEMIFINAL)]
    return find_finalists(day.field.direct, tables, ranking=day.order, renounced=renounced)


def renounced_final(stage: Stage) -> frozenset[int]:
    rows = Entry.objects.filter(stage=stage, withdrew_after_round__gt=GAMES)
    return frozenset(rows.values_list("player", flat=True))


def final_tables(found: Sequence[Place]) -> Iterator[tuple[int, ...]]:
    # One final, or one for each four semifinals.
    for first in range(0, len(found), AT_A_TABLE):
        yield tuple(
            place.player for place in found[first : first + AT_A_TABLE] if place.player is not None
        )


@transaction.atomic
def seat_finals(stage: Stage, *, by: User) -> Revision:
    """Seats the finals, or reseats them after a renunciation while none has results."""
    stage = lock_row(stage)
    guard_director(stage, by)
    draft = find_draft(stage)
    day = draft_facts.day_after_semifinals(stage, draft)
    if draft is None or day is None:
        raise Refused(WAIT, rule="finals.seat_finals")
    there = facts.read_rounds(draft)
    before = [one for one in there if draft_facts.round_phase(one) != FINAL]
    round_ = final_round(
        before[-1].number + 1, list(final_tables(final_places(day, renounced_final(stage))))
    )
    seated = draft_facts.rounds_of_phase(there, FINAL)
    if [seated_players(one) for one in seated] == [seated_players(round_)]:
        return draft
    refuse_to_reseat(seated)
    audit.record(
        "risiko.finals_seated", draft, by=by, changes={"tables": ["", str(len(round_.tables))]}
    )
    if not seated:
        facts.write_rounds(draft, [round_])
        return draft
    return replace_draft(stage, [*before, round_], by=by, source=None)


def final_round(number: int, seated: Sequence[Sequence[int]]) -> facts.RoundFacts:
    made = (
        facts.TableFacts(at, tuple(map(facts.SeatFacts, own))) for at, own in enumerate(seated, 1)
    )
    return facts.RoundFacts(number, tuple(made), FINAL)


def seated_players(one: facts.RoundFacts) -> list[tuple[int, ...]]:
    return [tuple(sorted(seat.player for seat in table.seats)) for table in one.tables]


def refuse_to_reseat(seated: Sequence[facts.RoundFacts]) -> None:
    seats = [seat for one in seated for table in one.tables for seat in table.seats]
    if any(seat.score is not None or seat.objective_made for seat in seats):
        raise Refused(
            _("A final has results already: its players stay."), rule="finals.refuse_to_reseat"
        )


SEMIFINALS = GAMES + 1


@dataclass(frozen=True)
class BeforeSemifinals:
    """A renunciation before the semifinals: who moves up, and the resulting structure."""

    moves_up: tuple[int, ...]
    no_longer_direct: tuple[int, ...]
    structure: Structure
    is_drawn: bool


@dataclass(frozen=True)
class AfterSemifinals:
    """A renunciation once the semifinals have begun: who takes the seat."""

    place: Place
    is_known: bool  # not before the semifinals are played


def have_semifinals_begun(stage: Stage) -> bool:
    # By the clock, or because a table has sent results.
    seats = Seat.objects.filter(
        table__round__revision__stage=stage,
        table__round__revision__state="draft",
        table__round__number=SEMIFINALS,
    )
    return (
        clock.has_clock_started(stage, SEMIFINALS)
        or seats.exclude(score=None, objective_made=False).exists()
    )


def may_renounce(stage: Stage, day: Day) -> list[int]:
    # Before the semifinals all who go on; then direct finalists, and winners once they are known.
    field = day.field
    if not have_semifinals_begun(stage):
        return [*field.direct, *(player for group in field.groups for player in group.players)]
    played = draft_facts.day_after_semifinals(stage, find_draft(stage))
    if played is None:
        return list(field.direct)
    found = final_places(played, renounced_final(stage))
    return [place.player for place in found if place.player is not None]


def renunciation_consequence(
    stage: Stage, day: Day, player: int
) -> BeforeSemifinals | AfterSemifinals:
    if not have_semifinals_begun(stage):
        return consequence_before_semifinals(stage, day, player)
    played = draft_facts.day_after_semifinals(stage, find_draft(stage))
    renounced = renounced_final(stage) | {player}
    if played is None:
        (place,) = (one for one in final_places(day, renounced) if one.entitled == player)
        return AfterSemifinals(place, is_known=False)
    return AfterSemifinals(place_left(played, player, renounced), is_known=True)


def place_left(played: Day, player: int, renounced: frozenset[int]) -> Place:
    found = final_places(played, renounced)
    return next(place for place in found if any(step.player == player for step in place.chain))


def consequence_before_semifinals(stage: Stage, day: Day, player: int) -> BeforeSemifinals:
    now, then = day.field, replace(day, withdrew=frozenset({*day.withdrew, player})).field
    playing = {one for group in now.groups for one in group.players}
    to_play = tuple(one for group in then.groups for one in group.players if one not in playing)
    demoted = tuple(one for one in to_play if one in now.direct)
    drawn = Round.objects.filter(revision=find_draft(stage), number=SEMIFINALS).exists()
    return BeforeSemifinals(
        tuple(p for p in to_play if p not in demoted), demoted, then.structure, drawn
    )


@transaction.atomic
def renounce_seat(stage: Stage, player: int, *, by: User) -> Entry:
    stage = lock_row(stage)
    guard_director(stage, by)
    day = draft_facts.day_after_both_games(stage, find_draft(stage))
    if day is None or player not in may_renounce(stage, day):
        raise Refused(_("This player has no seat to renounce."), rule="finals.renounce_seat")
    after = SEMIFINALS if have_semifinals_begun(stage) else GAMES
    if after == GAMES and day.decided is not None and player in day.field.direct:
        reset_decision(
            stage,
            consequence_before_semifinals(stage, replace(day, decided=None), player).structure,
            by=by,
        )
    entry = entrants.withdraw_player(
        Entry.objects.get(stage=stage, player=player), by=by, after_round=after
    )
    if (
        after == SEMIFINALS
        and draft_facts.day_after_semifinals(stage, find_draft(stage)) is not None
    ):
        seat_finals(stage, by=by)
    return entry
