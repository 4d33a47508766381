"""Typing the results a second time: nothing is stored but that it was done, and for which facts."""

from collections.abc import Mapping

from django.db import transaction

from pergioco.players import audit
from pergioco.players.models import User
from pergioco.stages import facts
from pergioco.stages.entering import locked_draft
from pergioco.stages.models import Revision, Table
from pergioco.stages.rules.results import EMPTY, sign_of, sign_typed


def is_wanted(draft: Revision) -> bool:
    """Race stages and finals, where somebody typed; what was read from a file is compared with the file."""
    stage = draft.stage
    return (stage.race or stage.final) and Table.objects.filter(round__revision=draft, source=None).exists()


def is_done(draft: Revision) -> bool:
    """For these very facts: a result changed afterwards has to be typed again."""
    return draft.verified_sha256 == facts.sha256(facts.read(draft))


@transaction.atomic
def compare(draft: Revision, typed: Mapping[int, str], *, by: User) -> dict[int, str]:
    """Table -> what the draft says, where it differs from what was typed. Without any, the draft is verified."""
    locked_draft(draft.pk)
    signs = signs_of(draft)
    differences = {table: sign for table, sign in signs.items() if sign_typed(typed.get(table, EMPTY)) != sign}
    if signs and not differences:
        Revision.objects.filter(pk=draft.pk).update(verified_sha256=facts.sha256(facts.read(draft)))
        audit.record("stage.verified", draft, by=by)
    return differences


def signs_of(draft: Revision) -> dict[int, str]:
    tables = Table.objects.filter(round__revision=draft).prefetch_related("seats")
    return {
        table.pk: sign_of(tuple((s.outcome, s.kind) for s in sorted(table.seats.all(), key=lambda s: s.position)))
        for table in tables
    }
