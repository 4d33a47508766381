"""The tables of the finals: winners of semifinals, direct finalists, and who stands in for somebody."""

from collections.abc import Iterator, Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.refusal import Refused
from pergioco.stages import facts
from pergioco.stages.drafting import draft_of, lock, replace_draft
from pergioco.stages.models import Entry, Revision, Stage
from risiko_master import today
from risiko_master.drawing import guard
from risiko_master.rules.day import FINAL, GAMES, SEMIFINAL, Day
from risiko_master.rules.structure import AT_A_TABLE
from risiko_master.rules.substitutes import Place, finalists

WAIT = _("Results of the semifinals are missing: the finals follow from them.")


def places(day: Day, renounced: frozenset[int]) -> list[Place]:
    """Whose seats they are; `renounced` said so after the semifinals had begun."""
    tables = [[one.player for one in table] for table in day.tables(SEMIFINAL)]
    return finalists(day.field.direct, tables, ranking=day.order, renounced=renounced)


def renounced_final(stage: Stage) -> frozenset[int]:
    rows = Entry.objects.filter(stage=stage, withdrew_after_round__gt=GAMES)
    return frozenset(rows.values_list("player", flat=True))


def tables(found: Sequence[Place]) -> Iterator[tuple[int, ...]]:
    """One final, or one for each four semifinals."""
    for first in range(0, len(found), AT_A_TABLE):
        yield tuple(place.player for place in found[first : first + AT_A_TABLE] if place.player is not None)


@transaction.atomic
def seat(stage: Stage, *, by: User) -> Revision:
    """Seats the finals, or seats them anew after a renunciation, as long as none of them has results."""
    stage = lock(stage)
    guard(stage, by)
    draft = draft_of(stage)
    day = today.after_semifinals(stage, draft)
    if draft is None or day is None:
        raise Refused(WAIT)
    there = facts.read(draft)
    before = [one for one in there if today.phase_of(one) != FINAL]
    round_ = final_round(before[-1].number + 1, list(tables(places(day, renounced_final(stage)))))
    seated = today.of_phase(there, FINAL)
    if [players_at(one) for one in seated] == [players_at(round_)]:
        return draft
    refuse_to_reseat(seated)
    audit.record("risiko.finals_seated", draft, by=by, changes={"tables": ["", str(len(round_.tables))]})
    if not seated:
        facts.write(draft, [round_])
        return draft
    return replace_draft(stage, [*before, round_], by=by, source=None)


def final_round(number: int, seated: Sequence[Sequence[int]]) -> facts.RoundFacts:
    made = (facts.TableFacts(at, tuple(map(facts.SeatFacts, own))) for at, own in enumerate(seated, 1))
    return facts.RoundFacts(number, tuple(made), FINAL)


def players_at(one: facts.RoundFacts) -> list[tuple[int, ...]]:
    return [tuple(sorted(seat.player for seat in table.seats)) for table in one.tables]


def refuse_to_reseat(seated: Sequence[facts.RoundFacts]) -> None:
    seats = [seat for one in seated for table in one.tables for seat in table.seats]
    if any(seat.score is not None or seat.objective_made for seat in seats):
        raise Refused(_("A final has results already: its players stay."))
