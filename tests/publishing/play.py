"""Stages played and closed as people do it: through the use-cases, with all that follows."""

from datetime import date
from typing import Any
from uuid import uuid4

from pergioco.core import jobs
from pergioco.core.models import Job, User
from pergioco.players.models import Player
from pergioco.publishing.models import Publication
from pergioco.publishing.services import publish
from pergioco.stages import facts
from pergioco.stages.models import Revision, Season, Stage, Table
from pergioco.stages.services import closing, drafting, entering
from pergioco.stages.services.entering import TypedResult
from tests import factories

Pairs = list[tuple[Player, Player]]


def follow() -> None:
    """All that waits and is due, and what that promises in turn."""
    while jobs.run_waiting():
        pass


def run(kind: str) -> None:
    """Only jobs of this kind."""
    for pk in list(Job.objects.filter(kind=kind, done_at=None).values_list("pk", flat=True)):
        assert jobs.run(pk)


def drafted(pairs: Pairs, signs: str, *, on: date = date(2026, 2, 1), **fields: Any) -> Revision:
    """One round; each sign is the result of a table."""
    made = factories.drafted([list(pairs)], starts_on=on, ends_on=on, **fields)
    fill(made, signs)
    return made


def fill(draft: Revision, signs: str) -> None:
    user = User.objects.first() or factories.user()
    tables = Table.objects.filter(round__revision=draft).order_by("round__number", "number")
    for table, sign in zip(tables, signs, strict=True):
        entering.set_result(TypedResult(table.pk, sign, table.version, uuid4()), by=user)


def close(draft: Revision, *, by: User) -> Revision:
    return closing.close_stage(
        draft.stage, by=by, revision=draft.pk, sha256=facts.hash_rounds(facts.read_rounds(draft))
    )


def played(pairs: Pairs, signs: str, *, by: User, **fields: Any) -> Revision:
    revision = close(drafted(pairs, signs, **fields), by=by)
    follow()
    return revision


def correction(
    stage: Stage, signs: str, *, by: User, reason: str = "Table 1 was the wrong way round"
) -> Revision:
    draft = drafting.begin_correction(stage, by=by, reason=reason)
    fill(draft, signs)
    return close(draft, by=by)


def corrected(stage: Stage, signs: str, *, by: User, **more: Any) -> Revision:
    revision = correction(stage, signs, by=by, **more)
    follow()
    return revision


def public(season: Season) -> Publication:
    found = publish.current_publication(season)
    assert found is not None
    return found


def places(publication: Publication, kind: str) -> list[tuple[Player, int, str]]:
    computation = publication.computations.get(kind=kind)
    return [
        (line.player, line.rank, str(line.value))
        for line in computation.lines.select_related("player")
    ]
