"""Drafts: the only editable version of a stage. Closed revisions are copied, never edited.

Starting, replacing or closing a revision locks the row of its stage first.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from uuid import uuid4

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.stages import facts
from pergioco.stages.models import Entry, Revision, SourceFile, Stage
from pergioco.stages.rules.pairing import PaperGame
from pergioco.stages.rules.results import parts_of_sign
from pergioco.stages.services.entering import lock_draft

State = Revision.State


def find_draft(stage: Stage) -> Revision | None:
    return stage.revisions.filter(state=State.DRAFT).first()


def next_revision_number(stage: Stage) -> int:
    return int(stage.revisions.aggregate(last=Max("number"))["last"] or 0) + 1


@transaction.atomic
def open_draft(stage: Stage, *, by: User) -> Revision:
    """Returns the draft of a stage that was never closed; the first one opens the stage."""
    stage = lock_row(stage)
    draft = find_draft(stage)
    if draft is not None:
        return draft
    if stage.is_closed or stage.status == Stage.Status.CANCELLED:
        raise Refused(
            _("This stage is closed. To change its results, begin a correction."),
            rule="drafting.open_draft",
        )
    Stage.objects.filter(pk=stage.pk).update(status=Stage.Status.OPEN)
    return Revision.objects.create(stage=stage, number=next_revision_number(stage), made_by=by)


@transaction.atomic
def begin_correction(stage: Stage, *, by: User, reason: str) -> Revision:
    stage = lock_row(stage)
    if not reason.strip():
        raise Refused(
            _("Say why the results change: it will be read by everybody concerned."),
            "reason",
            rule="drafting.begin_correction",
        )
    if stage.revisions.filter(state__in=[State.DRAFT, State.WAITING]).exists():
        raise Refused(
            _("A correction of this stage is already under way."), rule="drafting.begin_correction"
        )
    current = stage.revisions.filter(state=State.CURRENT).first()
    if current is None:
        raise Refused(
            _("This stage was not closed yet: change its draft."), rule="drafting.begin_correction"
        )
    draft = Revision.objects.create(
        stage=stage, number=next_revision_number(stage), made_by=by, reason=reason.strip()
    )
    facts.write_rounds(draft, facts.read_rounds(current))
    audit.record("stage.correction_begun", draft, by=by, reason=reason)
    return draft


@transaction.atomic
def replace_draft(
    stage: Stage,
    rounds: Iterable[facts.RoundFacts],
    *,
    by: User,
    source: SourceFile | None,
    reason: str = "",
) -> Revision:
    old = open_draft(stage, by=by) if find_draft(stage) is None else find_draft(lock_row(stage))
    assert old is not None
    Revision.objects.filter(pk=old.pk).update(state=State.DROPPED)
    number, why = next_revision_number(stage), reason or old.reason
    draft = Revision.objects.create(
        stage=stage, number=number, made_by=by, reason=why, replaces=old
    )
    facts.write_rounds(draft, rounds, source=source)
    audit.record(
        "stage.draft_replaced",
        draft,
        by=by,
        changes={"revision": [str(old.number), str(draft.number)]},
    )
    return draft


@transaction.atomic
def restore_earlier_draft(stage: Stage, *, by: User) -> Revision:
    stage = lock_row(stage)
    draft = find_draft(stage)
    before = draft.replaces if draft is not None else None
    if draft is None or before is None:
        raise Refused(
            _("There is no earlier draft to go back to."), rule="drafting.restore_earlier_draft"
        )
    Revision.objects.filter(pk=draft.pk).update(state=State.DROPPED)
    Revision.objects.filter(pk=before.pk).update(state=State.DRAFT)
    audit.record(
        "stage.draft_taken_back",
        before,
        by=by,
        changes={"revision": [str(draft.number), str(before.number)]},
    )
    return Revision.objects.get(pk=before.pk)


@transaction.atomic
def enter_players(stage: Stage, players: Iterable[Player], *, by: User | None) -> list[Entry]:
    """Adds players up to the stage's capacity; skips those already entered."""
    stage = lock_row(stage)
    there = set(stage.entries.values_list("player_id", flat=True))
    fresh = [player for player in dict.fromkeys(players) if player.pk not in there]
    if stage.capacity is not None and len(there) + len(fresh) > stage.capacity:
        free = max(stage.capacity - len(there), 0)
        raise Refused(
            _("This stage has %(capacity)s seats; %(free)s are free.")
            % {"capacity": stage.capacity, "free": free},
            rule="drafting.enter_players",
        )
    made = Entry.objects.bulk_create(Entry(stage=stage, player=player) for player in fresh)
    if made:
        audit.record(
            "stage.entered",
            stage,
            by=by,
            changes={"entries": [str(len(there)), str(len(there) + len(made))]},
        )
    return made


@transaction.atomic
def add_rounds(revision: Revision, rounds: Sequence[Sequence[PaperGame]], *, by: User) -> None:
    lock_draft(revision.pk)
    last = int(revision.rounds.aggregate(last=Max("number"))["last"] or 0)
    made = [
        facts.RoundFacts(n, tuple(map(read_paper_table, count(1), games)))
        for n, games in enumerate(rounds, last + 1)
    ]
    append_rounds(revision, made, by=by)


@transaction.atomic
def append_rounds(revision: Revision, rounds: Sequence[facts.RoundFacts], *, by: User) -> None:
    lock_draft(revision.pk)
    facts.write_rounds(revision, rounds)
    numbers = ", ".join(str(one.number) for one in rounds)
    audit.record("stage.round_added", revision, by=by, changes={"round": ["", numbers]})


def read_paper_table(number: int, game: PaperGame) -> facts.TableFacts:
    parts = parts_of_sign(game.sign, len(game.players))
    if parts is None:
        raise Refused(
            _("“%(sign)s” is not a result of this table.") % {"sign": game.sign},
            rule="drafting.read_paper_table",
        )
    seats = (
        facts.SeatFacts(player, *part) for player, part in zip(game.players, parts, strict=True)
    )
    return facts.TableFacts(number, tuple(seats))


@transaction.atomic
def remove_last_round(revision: Revision, *, by: User) -> None:
    lock_draft(revision.pk)
    last = revision.rounds.order_by("-number").first()
    if last is None:
        raise Refused(_("There is no round to remove."), rule="drafting.remove_last_round")
    replace_draft(
        revision.stage,
        [r for r in facts.read_rounds(revision) if r.number != last.number],
        by=by,
        source=None,
    )


def new_submission() -> str:
    """A key for each form, so that a form sent twice is written once."""
    return str(uuid4())
