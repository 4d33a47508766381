"""Who is in the hall: checked in at the desk or by the own phone, until the first draw closes the doors."""

from dataclasses import asdict, dataclass

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pergioco.players import audit
from pergioco.players.models import Person, Player, User
from pergioco.players.refusal import Refused
from pergioco.stages import entrants
from pergioco.stages.drafting import lock
from pergioco.stages.models import Entry, Stage
from risiko_master import drawing
from risiko_master.models import Commitment, Draw, Presence
from risiko_master.rules.replay import FIRST
from risiko_master.rules.tables import is_possible, nearest_possible, table_sizes

signer = Signer(sep=".", salt="risiko_master.presence")  # the code on the wall: who has it is in the hall
NEVER_CAME = 0


@dataclass(frozen=True)
class Count:
    """How many are there, and whether tables of four and five seat them."""

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
        """So many would have to stay out; 0 where no smaller number can be seated."""
        below = [count for count in nearest_possible(self.present) if count < self.present]
        return self.present - below[0] if below else 0

    @property
    def more(self) -> int:
        return nearest_possible(self.present)[-1] - self.present


@dataclass(frozen=True)
class WalkIn:
    """Somebody whom nobody entered before, in the words of the desk."""

    first_name: str
    last_name: str
    city: str
    country: str


def count(stage: Stage) -> Count:
    rows = Entry.objects.filter(stage=stage)
    return Count(rows.count(), rows.exclude(presence=None).count())


def is_announced(stage: Stage) -> bool:
    return Commitment.objects.filter(stage=stage, number=FIRST).exists()


def is_drawn(stage: Stage, number: int = FIRST) -> bool:
    return Draw.objects.filter(commitment__stage=stage, commitment__number=number).exists()


def token(stage: Stage) -> str:
    return signer.sign(stage.slug)


def stage_behind(token: str) -> Stage | None:
    try:
        slug = signer.unsign(token)
    except BadSignature:
        return None
    rows = Stage.objects.filter(circuit=Stage.Circuit.RKM).exclude(status=Stage.Status.CANCELLED)
    return rows.select_related("game", "season").filter(slug=slug).first()


@transaction.atomic
def announce(stage: Stage, *, by: User) -> None:
    """Opens the doors: from here on everybody can be checked in, and the hashes of all three seeds are public."""
    for number in Commitment.Number:
        drawing.commit(stage, number, by=by)


def guard_doors(stage: Stage) -> None:
    if not is_announced(stage):
        raise Refused(_("Open the check-in first: it publishes the hashes of the draws."))
    entrants.guard_open(stage)


@transaction.atomic
def check_in(entry: Entry, *, by: User) -> Presence:
    """Said twice, it is so once. Who was held for absent is back."""
    stage = lock(entry.stage)
    guard_doors(stage)
    entry = Entry.objects.select_for_update().get(pk=entry.pk)
    if entrants.barred(stage, [entry.player]):
        raise Refused(_("This player is under a sanction on that day and may not play."))
    if entry.withdrew_after_round is not None:
        entrants.withdraw(entry, by=by, after_round=None)
    made, is_new = Presence.objects.get_or_create(entry=entry, defaults={"by": by})
    if is_new:
        audit.record("risiko.checked_in", entry, by=by, player=entry.player)
    return made


@transaction.atomic
def take_back(entry: Entry, *, by: User) -> None:
    stage = lock(entry.stage)
    if is_drawn(stage):
        raise Refused(_("The tables are drawn: write after which game the player leaves instead."))
    gone, _rows = Presence.objects.filter(entry=entry).delete()
    if gone:
        audit.record("risiko.check_in_taken_back", entry, by=by, player=entry.player)


@transaction.atomic
def enter(stage: Stage, player: Player, *, by: User) -> Entry:
    """Somebody who stands in front of the desk: entered, and there. Refused with the reason where he may not play."""
    guard_doors(lock(stage))
    done = entrants.add(stage, [player], by=by)
    for _player, reason in done.kept_out:
        raise Refused(_("Not entered: %(reason)s.") % {"reason": reason})
    entry = Entry.objects.get(stage=stage, player=player)
    check_in(entry, by=by)
    return entry


@transaction.atomic
def walk_in(stage: Stage, who: WalkIn, *, by: User) -> Entry:
    """Somebody who is not on file: a person known to the desk alone, who has not registered."""
    guard_doors(lock(stage))
    person = Person.objects.create(player=Player.objects.create(), **asdict(who))
    audit.record("risiko.walked_in", person, by=by, player=person.player)
    return enter(stage, person.player, by=by)


@transaction.atomic
def close(stage: Stage, *, by: User) -> Draw:
    """The doors close: who never came is written down, the seed is revealed, everybody else has a table."""
    stage = lock(stage)
    guard_doors(stage)
    if is_drawn(stage):
        return drawing.draw(stage, FIRST, by=by)
    for entry in Entry.objects.filter(stage=stage, presence=None, withdrew_after_round=None).select_related("stage"):
        entrants.withdraw(entry, by=by, after_round=NEVER_CAME)
    return drawing.draw(stage, FIRST, by=by)
