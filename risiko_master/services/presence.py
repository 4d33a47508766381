"""Check-in for a Master, at the desk or by phone, until the first draw."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.core.signed_links import LinkSigner
from pergioco.players.models import Person, Player
from pergioco.stages.models import Entry, Stage
from pergioco.stages.services import entrants
from risiko_master.models import Commitment, Draw, Presence
from risiko_master.rules.draw_facts import is_possible, nearest_possible, table_sizes
from risiko_master.rules.replay import FIRST
from risiko_master.services import drawing
from risiko_master.services.planning import all_masters

signer = LinkSigner("risiko_master.presence")  # the code on the wall: who has it is in the hall
NEVER_CAME = 0


@dataclass(frozen=True)
class PresenceCount:
    """How many are checked in, and whether tables of four and five seat them."""

    entered: int
    present: int

    @property
    def is_possible(self) -> bool:
        return is_possible(self.present)

    @property
    def sizes(self) -> tuple[int, ...]:
        return table_sizes(self.present)

    @property
    def less(self) -> int:
        """How many would have to leave; 0 if no smaller number can be seated."""
        below = [count for count in nearest_possible(self.present) if count < self.present]
        return self.present - below[0] if below else 0

    @property
    def more(self) -> int:
        return nearest_possible(self.present)[-1] - self.present


def count_presences(stage: Stage) -> PresenceCount:
    rows = Entry.objects.filter(stage=stage)
    return PresenceCount(rows.count(), rows.exclude(presence=None).count())


def is_announced(stage: Stage) -> bool:
    return Commitment.objects.filter(stage=stage, number=FIRST).exists()


def is_drawn(stage: Stage, number: int = FIRST) -> bool:
    return Draw.objects.filter(commitment__stage=stage, commitment__number=number).exists()


def presence_token(stage: Stage) -> str:
    return signer.sign(stage.slug)


def find_stage_by_token(token: str) -> Stage | None:
    rows = all_masters().exclude(status=Stage.Status.CANCELLED)
    return signer.find_row(token, rows, field="slug")


@transaction.atomic
def open_doors(stage: Stage, *, by: User) -> None:
    # Publishes the hashes of all three seeds.
    for number in Commitment.Number:
        drawing.commit_seed(stage, number, by=by)


def guard_doors(stage: Stage) -> None:
    if not is_announced(stage):
        raise Refused(
            _("Open the check-in first: it publishes the hashes of the draws."),
            rule="presence.guard_doors",
        )
    entrants.guard_entries_open(stage)


@transaction.atomic
def check_in_entry(entry: Entry, *, by: User) -> Presence:
    """Idempotent. A player marked absent is present again."""
    stage = lock_row(entry.stage)
    guard_doors(stage)
    entry = lock_row(entry)
    if entrants.barred_players(stage, [entry.player]):
        raise Refused(
            _("This player is under a sanction on that day and may not play."),
            rule="presence.check_in_entry",
        )
    if entry.withdrew_after_round is not None:
        entrants.withdraw_player(entry, by=by, after_round=None)
    made, is_new = Presence.objects.get_or_create(entry=entry, defaults={"by": by})
    if is_new:
        audit.record("risiko.checked_in", entry, by=by, player=entry.player)
    return made


@transaction.atomic
def undo_check_in(entry: Entry, *, by: User) -> None:
    stage = lock_row(entry.stage)
    if is_drawn(stage):
        raise Refused(
            _("The tables are drawn: write after which game the player leaves instead."),
            rule="presence.undo_check_in",
        )
    gone, _rows = Presence.objects.filter(entry=entry).delete()
    if gone:
        audit.record("risiko.check_in_taken_back", entry, by=by, player=entry.player)


@transaction.atomic
def enter_player(stage: Stage, player: Player, *, by: User) -> Entry:
    guard_doors(lock_row(stage))
    done = entrants.add_players(stage, [player], by=by)
    for _player, reason in done.kept_out:
        raise Refused(
            _("Not entered: %(reason)s.") % {"reason": reason}, rule="presence.enter_player"
        )
    entry = Entry.objects.get(stage=stage, player=player)
    check_in_entry(entry, by=by)
    return entry


@transaction.atomic
def enter_walk_in(stage: Stage, *, by: User, **names: str) -> Entry:
    """Creates a person known to the desk alone, who has not registered."""
    guard_doors(lock_row(stage))
    person = Person.objects.create(player=Player.objects.create(), **names)
    audit.record("risiko.walked_in", person, by=by, player=person.player)
    return enter_player(stage, person.player, by=by)


@transaction.atomic
def close_doors(stage: Stage, *, by: User) -> Draw:
    stage = lock_row(stage)
    guard_doors(stage)
    if is_drawn(stage):
        return drawing.draw_game(stage, FIRST, by=by)
    for entry in Entry.objects.filter(
        stage=stage, presence=None, withdrew_after_round=None
    ).select_related("stage"):
        entrants.withdraw_player(entry, by=by, after_round=NEVER_CAME)
    return drawing.draw_game(stage, FIRST, by=by)
