"""What a decision changed of numbers that were public: noted once, and those concerned are told."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.text import format_lazy

from pergioco.ledger import difference
from pergioco.ledger.content import Contents
from pergioco.ledger.decisions import GRACE, Decision
from pergioco.ledger.difference import Move, Place
from pergioco.ledger.models import Erratum, Freeze, Line, PgrChange, Publication
from pergioco.ledger.outbox import promise
from pergioco.players import letters
from pergioco.players.models import Player, Registration
from pergioco.stages.models import Revision, Season

Changes = dict[str, Any]
THOUSAND = 1000
MOST_MOVES = 2000  # of more than these, who was only pushed is counted, but for the leading places
LEADING = 100
CAN_BE_WITHDRAWN = ("closed", "corrected")


@transaction.atomic
def note(publication: Publication | None, decision: Decision | None) -> Erratum | None:
    """After a publication. What was public when the decision was taken is compared with what is public now, so that
    nothing is lost if something else was published in between."""
    if publication is None or decision is None or not decision.corrects:
        return None
    against = public_at(decision, publication)
    if against is None:
        return None
    moves = difference.between(against, publication)
    changes = as_json(moves, pgr_changes(against.ratings, publication.ratings))
    if not any(changes.values()):
        return None
    return write(decision, changes, season=publication.season, against=against, publication=publication)


def public_at(decision: Decision, publication: Publication) -> Publication | None:
    """The version that the decision found, up to this one."""
    rows = Publication.objects.filter(season=publication.season_id, number__lte=publication.number)
    rows = rows.filter(published_at__lte=decision.at).exclude(withdrawn_at__lte=decision.at)
    its_own = Q(cause=decision.cause, revision=decision.revision, published_at__gte=decision.at)
    return rows.exclude(its_own).order_by("-number").first()


@transaction.atomic
def against_final(season: Season, decision: Decision, now: Contents) -> Erratum | None:
    """Final rankings stay as they are. Their errata say all that would be different today, the latest everything."""
    frozen = Freeze.objects.select_related("publication").get(season=season, frozen_at__isnull=False).publication
    assert frozen is not None
    moves = difference.moves(*unlike(frozen, now))
    changes = as_json(moves, pgr_changes(frozen.ratings, now.ratings))
    if changes == said_of_final(season):
        return None
    return write(decision, changes, season=season, against=frozen, is_against_final=True)


def unlike(frozen: Publication, now: Contents) -> tuple[Mapping[difference.Who, Place], Mapping[difference.Who, Place]]:
    """Of rankings with another content, all places as they were frozen and as they would be."""
    same = {one.sha256 for one in now.rankings}
    lines = Line.objects.filter(computation__shown__publication=frozen).exclude(computation__sha256__in=same)
    before = difference.places(lines)
    known = set(frozen.computations.values_list("kind", "sha256"))
    other = (one for one in now.rankings if (one.kind, one.sha256) not in known)
    return before, {(one.kind, row.player): Place(row.rank, row.value) for one in other for row in one.rows}


def said_of_final(season: Season, *, before: int | None = None) -> Changes:
    rows = Erratum.objects.filter(season=season, is_against_final=True)
    latest = (rows.filter(pk__lt=before) if before else rows).order_by("pk").last()
    said: Changes = latest.changes if latest else {"moves": [], "pgr": []}
    return said


def as_json(moves: Sequence[Move], pgr: list[dict[str, Any]]) -> Changes:
    listed = [move for move in moves if len(moves) <= MOST_MOVES or not move.is_only_pushed or move.best <= LEADING]
    said = [{name: as_text(value) for name, value in asdict(move).items()} for move in listed]
    unlisted = Counter(move.kind for move in moves) - Counter(move.kind for move in listed)
    return {"moves": said, "pgr": pgr} | ({"unlisted": dict(unlisted)} if unlisted else {})


def as_text(value: Any) -> Any:
    return f"{value:.3f}" if isinstance(value, Decimal) else value


def pgr_changes(before: Mapping[str, int], after: Mapping[str, int]) -> list[dict[str, Any]]:
    """Of the stages that counted before: who has another PGR before or after one of them. One query."""
    stages = {stage for stage, computation in before.items() if after.get(stage) != computation}
    old = {before[stage] for stage in stages}
    new = {after[stage] for stage in stages if stage in after}
    rows = PgrChange.objects.filter(computation__in=old | new).order_by("ended_on", "stage__slug", "player")
    found: dict[tuple[int, int], dict[str, list[str]]] = {}
    for computation, stage, player, *pair in rows.values_list("computation", "stage", "player", "before", "after"):
        side = "after" if computation in new else "before"
        found.setdefault((stage, player), {})[side] = [f"{Decimal(pgr) / THOUSAND:.3f}" for pgr in pair]
    return [
        {"stage": stage, "player": player, "before": pairs.get("before"), "after": pairs.get("after")}
        for (stage, player), pairs in found.items()
        if pairs.get("before") != pairs.get("after")
    ]


def write(decision: Decision, changes: Changes, **about: Any) -> Erratum | None:
    """None if this decision has its erratum in that season already."""
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
    if decision.cause != "withdrawn":  # of what was withdrawn nobody had been told
        promise("errata.tell", not_before=timezone.now() + GRACE, erratum=made.pk)
    return made


def concerned(erratum: Erratum) -> QuerySet[Player]:
    """Whose own numbers are others now. Who was only pushed down or up by others reads of it on the page."""
    changes = fresh(erratum)
    own = {one["player"] for one in changes["moves"] if one["value_before"] != one["value_after"]}
    own |= {one["player"] for one in changes["pgr"]}
    registered = Player.objects.current().filter(pk__in=own, registration__in=Registration.objects.counting())
    return registered.filter(Q(person__user__email__gt="") | Q(person__contact_email__gt=""))


def fresh(erratum: Erratum) -> Changes:
    """What the erratum before it did not say yet."""
    changes: Changes = erratum.changes
    if not erratum.is_against_final:
        return changes
    before = said_of_final(erratum.season, before=erratum.pk)
    said = {as_key(one) for name in ("moves", "pgr") for one in before[name]}
    return {name: [one for one in changes[name] if as_key(one) not in said] for name in ("moves", "pgr")}


def as_key(said: dict[str, Any]) -> str:
    return json.dumps(said, sort_keys=True)


@transaction.atomic
def tell(erratum: int) -> None:
    """The step: one letter to each of those concerned, unless the publication was withdrawn in the meantime."""
    row = (
        Erratum.objects.select_for_update(of=("self",))
        .select_related("season", "revision__stage__game")
        .get(pk=erratum)
    )
    if row.told_at is not None or was_withdrawn(row):
        return
    Erratum.objects.filter(pk=row.pk).update(told_at=timezone.now())
    home = settings.PUBLIC_URL.geturl().rstrip("/")
    page = format_lazy("{}{}", home, reverse_lazy("erratum", args=[row.pk]))
    for player in concerned(row):
        letters.write_to(player, "erratum", erratum=row, page=page)


def was_withdrawn(erratum: Erratum) -> bool:
    """The revision's row is held: a withdrawal that is under way is waited for."""
    if erratum.cause not in CAN_BE_WITHDRAWN or erratum.revision_id is None:
        return False
    revision = Revision.objects.select_for_update().get(pk=erratum.revision_id)
    return revision.state == Revision.State.DROPPED
