"""Drafts: the one version of a stage that may be changed. Closed ones are copied, never edited."""

from collections.abc import Iterable, Sequence
from itertools import count
from uuid import uuid4

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import Player, User
from pergioco.players.refusal import Refused
from pergioco.stages import facts
from pergioco.stages.entering import locked_draft
from pergioco.stages.models import Entry, Revision, SourceFile, Stage
from pergioco.stages.rules.paper import Game
from pergioco.stages.rules.results import EMPTY, parts_of

State = Revision.State


def lock(stage: Stage) -> Stage:
    """Everything that begins, replaces or closes a revision goes through the row of its stage."""
    return Stage.objects.select_for_update().get(pk=stage.pk)


def draft_of(stage: Stage) -> Revision | None:
    return stage.revisions.filter(state=State.DRAFT).first()


def next_number(stage: Stage) -> int:
    return int(stage.revisions.aggregate(last=Max("number"))["last"] or 0) + 1


@transaction.atomic
def open_draft(stage: Stage, *, by: User) -> Revision:
    """The draft of a stage that was never closed; the first one opens the stage."""
    stage = lock(stage)
    draft = draft_of(stage)
    if draft is not None:
        return draft
    if stage.is_closed or stage.status == Stage.Status.CANCELLED:
        raise Refused(_("This stage is closed. To change its results, begin a correction."))
    Stage.objects.filter(pk=stage.pk).update(status=Stage.Status.OPEN)
    return Revision.objects.create(stage=stage, number=next_number(stage), made_by=by)


@transaction.atomic
def begin_correction(stage: Stage, *, by: User, reason: str) -> Revision:
    """A draft that starts as a copy of the current revision."""
    stage = lock(stage)
    if not reason.strip():
        raise Refused(_("Say why the results change: it will be read by everybody concerned."), "reason")
    if stage.revisions.filter(state__in=[State.DRAFT, State.WAITING]).exists():
        raise Refused(_("A correction of this stage is already under way."))
    current = stage.revisions.filter(state=State.CURRENT).first()
    if current is None:
        raise Refused(_("This stage was not closed yet: change its draft."))
    draft = Revision.objects.create(stage=stage, number=next_number(stage), made_by=by, reason=reason.strip())
    facts.write(draft, facts.read(current))
    audit.record("stage.correction_begun", draft, by=by, reason=reason)
    return draft


@transaction.atomic
def replace_draft(
    stage: Stage, rounds: Iterable[facts.RoundFacts], *, by: User, source: SourceFile | None, reason: str = ""
) -> Revision:
    """Another content for the draft, as a new revision: the one before is kept, and comes back by `take_back`."""
    old = open_draft(stage, by=by) if draft_of(stage) is None else draft_of(lock(stage))
    assert old is not None
    Revision.objects.filter(pk=old.pk).update(state=State.DROPPED)
    number, why = next_number(stage), reason or old.reason
    draft = Revision.objects.create(stage=stage, number=number, made_by=by, reason=why, replaces=old)
    facts.write(draft, rounds, source=source)
    audit.record("stage.draft_replaced", draft, by=by, changes={"revision": [str(old.number), str(draft.number)]})
    return draft


@transaction.atomic
def take_back(stage: Stage, *, by: User) -> Revision:
    """The draft before the last replacement, as it was."""
    stage = lock(stage)
    draft = draft_of(stage)
    before = draft.replaces if draft is not None else None
    if draft is None or before is None:
        raise Refused(_("There is no earlier draft to go back to."))
    Revision.objects.filter(pk=draft.pk).update(state=State.DROPPED)
    Revision.objects.filter(pk=before.pk).update(state=State.DRAFT)
    audit.record("stage.draft_taken_back", before, by=by, changes={"revision": [str(draft.number), str(before.number)]})
    return Revision.objects.get(pk=before.pk)


@transaction.atomic
def enter(stage: Stage, players: Iterable[Player], *, by: User | None) -> list[Entry]:
    """Adds players to a stage, up to its capacity; who is entered already stays as he is."""
    stage = lock(stage)
    there = set(stage.entries.values_list("player_id", flat=True))
    fresh = [player for player in dict.fromkeys(players) if player.pk not in there]
    if stage.capacity is not None and len(there) + len(fresh) > stage.capacity:
        free = max(stage.capacity - len(there), 0)
        raise Refused(
            _("This stage has %(capacity)s seats; %(free)s are free.") % {"capacity": stage.capacity, "free": free}
        )
    made = Entry.objects.bulk_create(Entry(stage=stage, player=player) for player in fresh)
    if made:
        audit.record("stage.entered", stage, by=by, changes={"entries": [str(len(there)), str(len(there) + len(made))]})
    return made


def add_round(revision: Revision, pairs: Sequence[tuple[int, ...]], *, by: User) -> None:
    """A new round of pairings (ids of players; one alone has a bye to be confirmed), all results still empty."""
    add_rounds(revision, [[Game(pair, EMPTY) for pair in pairs]], by=by)


@transaction.atomic
def add_rounds(revision: Revision, rounds: Sequence[Sequence[Game]], *, by: User) -> None:
    """After the last one."""
    locked_draft(revision.pk)
    last = int(revision.rounds.aggregate(last=Max("number"))["last"] or 0)
    made = [facts.RoundFacts(n, tuple(map(table_of, count(1), games))) for n, games in enumerate(rounds, last + 1)]
    append(revision, made, by=by)


@transaction.atomic
def append(revision: Revision, rounds: Sequence[facts.RoundFacts], *, by: User) -> None:
    """Rounds with numbers that are free."""
    locked_draft(revision.pk)
    facts.write(revision, rounds)
    numbers = ", ".join(str(one.number) for one in rounds)
    audit.record("stage.round_added", revision, by=by, changes={"round": ["", numbers]})


def table_of(number: int, game: Game) -> facts.TableFacts:
    parts = parts_of(game.sign, len(game.players))
    if parts is None:
        raise Refused(_("“%(sign)s” is not a result of this table.") % {"sign": game.sign})
    seats = (facts.SeatFacts(player, *part) for player, part in zip(game.players, parts, strict=True))
    return facts.TableFacts(number, tuple(seats))


@transaction.atomic
def remove_last_round(revision: Revision, *, by: User) -> None:
    locked_draft(revision.pk)
    last = revision.rounds.order_by("-number").first()
    if last is None:
        raise Refused(_("There is no round to remove."))
    replace_draft(revision.stage, [r for r in facts.read(revision) if r.number != last.number], by=by, source=None)


def new_submission() -> str:
    """Goes into each form, so that a form sent twice is written once."""
    return str(uuid4())
