"""Records what a decision changed in public numbers, and writes to the players concerned."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.text import format_lazy

from pergioco.core import jobs
from pergioco.core.addresses import absolute_url
from pergioco.core.database import lock_pk
from pergioco.players.models import Player, Registration
from pergioco.players.services import letters
from pergioco.publishing import difference
from pergioco.publishing.computed import Contents
from pergioco.publishing.decisions import GRACE, Decision
from pergioco.publishing.difference import LinePlace, Move
from pergioco.publishing.models import Erratum, Freeze, Line, PgrChange, Publication
from pergioco.rulekit.numbers import to_text
from pergioco.stages.models import Revision, Season

Changes = dict[str, Any]
MOST_MOVES = 2000  # beyond it, list only leading places among players passed by others
LEADING = 100
TELL_ERRATUM = jobs.declare("errata.tell")
CAN_BE_WITHDRAWN = ("closed", "corrected")


@transaction.atomic
def note_erratum(publication: Publication | None, decision: Decision | None) -> Erratum | None:
    """Compares what was public at the time of the decision with what is public now.

    A publication in between therefore loses nothing.
    """
    if publication is None or decision is None or not decision.corrects:
        return None
    against = public_at(decision, publication)
    if against is None:
        return None
    moves = difference.diff_publications(against, publication)
    changes = changes_as_json(moves, list_pgr_changes(against.ratings, publication.ratings))
    if not any(changes.values()):
        return None
    return write_erratum(
        decision, changes, season=publication.season, against=against, publication=publication
    )


def public_at(decision: Decision, publication: Publication) -> Publication | None:
    rows = Publication.objects.filter(season=publication.season_id, number__lte=publication.number)
    rows = rows.filter(published_at__lte=decision.at).exclude(withdrawn_at__lte=decision.at)
    its_own = Q(cause=decision.cause, revision=decision.revision, published_at__gte=decision.at)
    return rows.exclude(its_own).order_by("-number").first()


@transaction.atomic
def note_against_final(season: Season, decision: Decision, now: Contents) -> Erratum | None:
    # Final rankings stay. Each erratum lists all that would be different today: the latest is
    # complete.
    frozen = (
        Freeze.objects.select_related("publication")
        .get(season=season, frozen_at__isnull=False)
        .publication
    )
    assert frozen is not None
    moves = difference.list_moves(*unlike_places(frozen, now))
    changes = changes_as_json(moves, list_pgr_changes(frozen.ratings, now.ratings))
    if changes == last_said_of_final(season):
        return None
    return write_erratum(decision, changes, season=season, against=frozen, is_against_final=True)


def unlike_places(
    frozen: Publication, now: Contents
) -> tuple[Mapping[difference.Who, LinePlace], Mapping[difference.Who, LinePlace]]:
    same = {one.sha256 for one in now.rankings}
    lines = Line.objects.filter(computation__shown__publication=frozen).exclude(
        computation__sha256__in=same
    )
    before = difference.read_places(lines)
    known = set(frozen.computations.values_list("kind", "sha256"))
    other = (one for one in now.rankings if (one.kind, one.sha256) not in known)
    return before, {
        (one.kind, row.player): LinePlace(row.rank, row.value) for one in other for row in one.rows
    }


def last_said_of_final(season: Season, *, before: int | None = None) -> Changes:
    rows = Erratum.objects.filter(season=season, is_against_final=True)
    latest = (rows.filter(pk__lt=before) if before else rows).order_by("pk").last()
    said: Changes = latest.changes if latest else {"moves": [], "pgr": []}
    return said


def changes_as_json(moves: Sequence[Move], pgr: list[dict[str, Any]]) -> Changes:
    listed = [
        move
        for move in moves
        if len(moves) <= MOST_MOVES or not move.is_only_pushed or move.best <= LEADING
    ]
    said = [{name: value_as_text(value) for name, value in asdict(move).items()} for move in listed]
    unlisted = Counter(move.kind for move in moves) - Counter(move.kind for move in listed)
    return {"moves": said, "pgr": pgr} | ({"unlisted": dict(unlisted)} if unlisted else {})


def value_as_text(value: Any) -> Any:
    return f"{value:.3f}" if isinstance(value, Decimal) else value


def list_pgr_changes(before: Mapping[str, int], after: Mapping[str, int]) -> list[dict[str, Any]]:
    """PGR that differ before or after one of the stages that counted, in one query."""
    stages = {stage for stage, computation in before.items() if after.get(stage) != computation}
    old = {before[stage] for stage in stages}
    new = {after[stage] for stage in stages if stage in after}
    rows = PgrChange.objects.filter(computation__in=old | new).order_by(
        "ended_on", "stage__slug", "player"
    )
    found: dict[tuple[int, int], dict[str, list[str]]] = {}
    for computation, stage, player, *pair in rows.values_list(
        "computation", "stage", "player", "before", "after"
    ):
        side = "after" if computation in new else "before"
        found.setdefault((stage, player), {})[side] = [to_text(pgr) for pgr in pair]
    return [
        {
            "stage": stage,
            "player": player,
            "before": pairs.get("before"),
            "after": pairs.get("after"),
        }
        for (stage, player), pairs in found.items()
        if pairs.get("before") != pairs.get("after")
    ]


def write_erratum(decision: Decision, changes: Changes, **about: Any) -> Erratum | None:
    """Returns None if this decision already has an erratum in that season."""
    said = {
        "cause": decision.cause,
        "revision": decision.revision,
        "reason": decision.reason,
        "decided_by": decision.decided_by,
        "approved_by": decision.approved_by,
        "changes": changes,
    }
    made, is_new = Erratum.objects.get_or_create(
        season=about.pop("season"), decision=decision.key, defaults=said | about
    )
    if not is_new:
        return None
    if decision.cause != "withdrawn":  # no letter had been sent yet
        jobs.enqueue(TELL_ERRATUM, not_before=timezone.now() + GRACE, erratum=made.pk)
    return made


def players_concerned(erratum: Erratum) -> QuerySet[Player]:
    """Players whose own numbers changed. Players who were only passed by others get no letter."""
    changes = new_changes(erratum)
    own = {one["player"] for one in changes["moves"] if one["value_before"] != one["value_after"]}
    own |= {one["player"] for one in changes["pgr"]}
    registered = Player.objects.current().filter(
        pk__in=own, registration__in=Registration.objects.counting()
    )
    return registered.filter(Q(person__user__email__gt="") | Q(person__contact_email__gt=""))


def new_changes(erratum: Erratum) -> Changes:
    changes: Changes = erratum.changes
    if not erratum.is_against_final:
        return changes
    before = last_said_of_final(erratum.season, before=erratum.pk)
    said = {change_key(one) for name in ("moves", "pgr") for one in before[name]}
    return {
        name: [one for one in changes[name] if change_key(one) not in said]
        for name in ("moves", "pgr")
    }


def change_key(said: dict[str, Any]) -> str:
    return json.dumps(said, sort_keys=True)


@transaction.atomic
def tell_players(erratum: int) -> None:
    """The job: one letter to each player concerned, unless the publication was withdrawn
    meanwhile."""
    row = lock_pk(Erratum, erratum, "season", "revision__stage__game")
    if row.told_at is not None or was_withdrawn(row):
        return
    Erratum.objects.filter(pk=row.pk).update(told_at=timezone.now())
    page = format_lazy("{}{}", absolute_url(), reverse_lazy("erratum", args=[row.pk]))
    for player in players_concerned(row):
        letters.send_letter(player, "erratum", erratum=row, page=page)


def was_withdrawn(erratum: Erratum) -> bool:
    # Locks the revision: waits for a withdrawal in progress.
    if erratum.cause not in CAN_BE_WITHDRAWN or erratum.revision_id is None:
        return False
    revision = lock_pk(Revision, erratum.revision_id)
    return revision.state == Revision.State.DROPPED
