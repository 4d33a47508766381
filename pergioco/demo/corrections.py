"""What happens to stages after they were closed, and before they are played."""

from datetime import date, timedelta
from uuid import NAMESPACE_URL, uuid5

from pergioco.players.models import User
from pergioco.stages import drafting, facts, scheduling
from pergioco.stages.closing import close
from pergioco.stages.entering import Typed, set_result
from pergioco.stages.models import DateChange, Revision, Stage, Table
from pergioco.stages.rules.results import DRAW

WEEK = timedelta(days=7)


def write_corrections(closed: list[Stage], *, by: User) -> None:
    """One is done; one of a Race stage waits for the second person."""
    for race in (False, True):
        for stage in [stage for stage in closed if stage.race == race][-1:]:
            correct(stage, by=by)


def correct(stage: Stage, *, by: User) -> Revision:
    draft = drafting.begin_correction(stage, by=by, reason="I due giocatori dicono che la partita è finita in parità.")
    table = Table.objects.filter(round__revision=draft, seats__kind="played").order_by("round__number", "number")[0]
    set_result(Typed(table.pk, DRAW, table.version, uuid5(NAMESPACE_URL, stage.slug)), by=by)
    return close(stage, by=by, revision=draft.pk, sha256=facts.sha256(facts.read(draft)))


def write_changes_of_the_calendar(today: date, *, by: User) -> None:
    """Of the stages to come that count for nothing else, the first was moved by a week, the second is off."""
    coming = Stage.objects.filter(starts_on__gt=today, race=False).order_by("starts_on", "id")[:2]
    for stage in coming[:1]:
        DateChange.objects.create(
            stage=stage,
            old_starts_on=stage.starts_on - WEEK,
            old_ends_on=stage.ends_on - WEEK,
            new_starts_on=stage.starts_on,
            new_ends_on=stage.ends_on,
            reason="Il primo giorno la piattaforma è in manutenzione.",
            by=by,
        )
    for stage in coming[1:2]:
        scheduling.cancel(stage, by=by)
