"""Stages played and closed as people do it: through the use-cases, with all that follows."""

from datetime import date
from typing import Any
from uuid import uuid4

from pergioco.ledger import publishing, relay
from pergioco.ledger.models import Outbox, Publication
from pergioco.players.models import Player, User
from pergioco.stages import closing, drafting, entering, facts
from pergioco.stages.entering import Typed
from pergioco.stages.models import Revision, Season, Stage, Table
from tests import factories

Pairs = list[tuple[Player, Player]]


def follow() -> None:
    """All that waits and is due, and what that promises in turn."""
    while relay.run_waiting():
        pass


def run(step: str) -> None:
    """Only steps of this kind."""
    for pk in list(Outbox.objects.filter(step=step, done_at=None).values_list("pk", flat=True)):
        assert relay.run_one(pk)


def drafted(pairs: Pairs, signs: str, *, on: date = date(2026, 2, 1), **fields: Any) -> Revision:
    """One round; each sign is the result of a table."""
    made = factories.drafted([list(pairs)], starts_on=on, ends_on=on, **fields)
    fill(made, signs)
    return made


def fill(draft: Revision, signs: str) -> None:
    user = User.objects.first() or factories.user()
    tables = Table.objects.filter(round__revision=draft).order_by("round__number", "number")
    for table, sign in zip(tables, signs, strict=True):
        entering.set_result(Typed(table.pk, sign, table.version, uuid4()), by=user)


def close(draft: Revision, *, by: User) -> Revision:
    return closing.close(draft.stage, by=by, revision=draft.pk, sha256=facts.sha256(facts.read(draft)))


def played(pairs: Pairs, signs: str, *, by: User, **fields: Any) -> Revision:
    revision = close(drafted(pairs, signs, **fields), by=by)
    follow()
    return revision


def correction(stage: Stage, signs: str, *, by: User, reason: str = "Table 1 was the wrong way round") -> Revision:
    draft = drafting.begin_correction(stage, by=by, reason=reason)
    fill(draft, signs)
    return close(draft, by=by)


def corrected(stage: Stage, signs: str, *, by: User, **more: Any) -> Revision:
    revision = correction(stage, signs, by=by, **more)
    follow()
    return revision


def public(season: Season) -> Publication:
    found = publishing.current(season)
    assert found is not None
    return found


def places(publication: Publication, kind: str) -> list[tuple[Player, int, str]]:
    computation = publication.computations.get(kind=kind)
    return [(line.player, line.rank, str(line.value)) for line in computation.lines.select_related("player")]
