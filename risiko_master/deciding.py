"""What the regulation leaves to the referee: how many go straight to the final, how many semifinals are played."""

from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import User
from pergioco.players.refusal import Refused
from pergioco.stages.drafting import draft_of, lock
from pergioco.stages.models import Round, Stage
from risiko_master import today
from risiko_master.drawing import guard
from risiko_master.models import RefereeDecision
from risiko_master.rules.day import GAMES, Day
from risiko_master.rules.semifinals import before_the_semifinals
from risiko_master.rules.structure import AT_A_TABLE, Structure


@dataclass(frozen=True)
class Open:
    """`proposed` is what the portal would play; `other` the second choice where the regulation leaves two (RK-13)."""

    proposed: Structure
    other: Structure | None
    there: int


def open_to_the_referee(day: Day) -> Open | None:
    """Nothing where the regulation decides by itself."""
    undecided = replace(day, decided=None)
    played, there = undecided.played, len(day.order) - len(day.renounced)
    if played.case == "direct_finalist_renounced":
        other = before_the_semifinals(day.structure, day.order, day.renounced, keep_direct=True)
        return Open(played, other if other.direct else None, there)
    return Open(played, None, there) if played.proposed else None


@transaction.atomic
def decide(stage: Stage, *, direct: int, semifinals: int, reason: str, by: User) -> RefereeDecision:
    stage = lock(stage)
    guard(stage, by)
    draft = draft_of(stage)
    day = today.after_both_games(stage, draft)
    question = open_to_the_referee(day) if day else None
    if question is None:
        raise Refused(_("The regulation says how many semifinals there are: nothing is left to decide."))
    if Round.objects.filter(revision=draft, number__gt=GAMES).exists():
        raise Refused(_("The next tables are drawn already: this is decided before."))
    refuse_unplayable(question, direct, semifinals)
    if not reason.strip():
        raise Refused(_("Say why: everybody will read it."), "reason")
    made = RefereeDecision.objects.create(
        stage=stage, direct=direct, semifinals=semifinals, reason=reason.strip(), by=by
    )
    changes = {"direct": ["", str(direct)], "semifinals": ["", str(semifinals)]}
    audit.record("risiko.decided", made, by=by, changes=changes, reason=made.reason)
    return made


def begin_again(stage: Stage, follows: Structure, *, by: User) -> None:
    """A direct finalist renounced after the decision: what it was made about is no more, the regulation goes first."""
    reason = _("Another direct finalist renounced: what was decided before no longer holds.")
    RefereeDecision.objects.create(
        stage=stage, direct=follows.direct, semifinals=follows.semifinals, reason=str(reason), by=by
    )


def refuse_unplayable(question: Open, direct: int, semifinals: int) -> None:
    if not 1 < direct + semifinals <= AT_A_TABLE:
        raise Refused(_("A final has two to four players: those who go straight there and the winners of semifinals."))
    needed = direct + semifinals * AT_A_TABLE
    if needed > question.there:
        values = {"needed": needed, "there": question.there}
        raise Refused(_("That takes %(needed)s players with both games; there are %(there)s.") % values)
