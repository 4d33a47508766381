"""Who is there. Whoever comes in becomes a player, a member of BIG (BIG 2), and an entry of the stage."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from big_league.events.models import Event, SignUp
from big_league.events.signing_up import Wanted, forget_person, locked
from pergioco.players import accounts, audit
from pergioco.players.membership import join_big
from pergioco.players.models import Person, Player, User
from pergioco.players.models.accounts import Platform
from pergioco.players.references import read_reference
from pergioco.players.refusal import Refused
from pergioco.players.registering import refuse_impossible_birth_date
from pergioco.rulekit.folding import fold
from pergioco.stages import entrants
from pergioco.stages.drafting import enter, open_draft
from pergioco.stages.models import Seat, Stage

Presence = SignUp.Presence
NEW = "new"


@dataclass(frozen=True)
class Seen:
    """What the organizer says of somebody. `who`: a player's public id, “new”, or nothing where nobody is alike."""

    presence: str
    brings_box: bool
    who: str = ""


@transaction.atomic
def open_doors(event: Event, *, by: User) -> None:
    """The stage is open, and signing up from home is over."""
    open_draft(stage_of(locked(event)), by=by)


def stage_of(event: Event) -> Stage:
    if event.stage is None:
        raise Refused(_("This tournament is not homologated."))
    return event.stage


@transaction.atomic
def mark(signup: SignUp, seen: Seen, *, by: User) -> SignUp:
    """Said again it changes nothing; present after absent, and back, as long as no table knows the player."""
    stage = stage_of(locked(signup.event))
    entrants.guard_open(stage)
    row = SignUp.objects.select_for_update().get(pk=signup.pk)
    before = (row.presence, row.brings_box)
    row.presence, row.brings_box = seen.presence, seen.brings_box
    if row.presence == Presence.PRESENT:
        let_in(stage, row, seen.who, by=by)
    elif row.player is not None:
        send_away(stage, row.player, by=by)
    row.save(update_fields=["presence", "brings_box", "player"])
    if before != (row.presence, row.brings_box):
        changes = {"presence": [before[0], row.presence], "brings_box": [str(before[1]), str(row.brings_box)]}
        audit.record("big_event.checked_in", row, by=by, player=row.player, changes=changes)
    return row


def let_in(stage: Stage, signup: SignUp, who: str, *, by: User) -> None:
    if signup.player is None:
        signup.player = known(signup, who) or made(signup, by=by)
        forget_person(signup)
    player = signup.player.merged_into or signup.player
    if SignUp.objects.coming().filter(event=signup.event_id, player=player).exclude(pk=signup.pk).exists():
        raise Refused(_("This player is in already, or signed up under another entry of the list."))
    join_big(player, by=by)
    enter(stage, [player], by=by)


def send_away(stage: Stage, player: Player, *, by: User) -> None:
    entry = stage.entries.filter(player=player).first()
    if entry is not None:
        entrants.take_out(entry, by=by)


def known(signup: SignUp, who: str) -> Player | None:
    """Somebody on file with the same name and birth date may be the same: the organizer has asked."""
    alike = alike_to([signup])[signup.pk]
    if alike and not who:
        raise Refused(_("Somebody with this name and birth date is on file. Ask, then say who it is."), "who")
    return next((person.player for person in alike if person.player.public_id == who), None)


def alike_to(signups: Iterable[SignUp]) -> dict[int, list[Person]]:
    """For each guest, people on file with the same name and birth date. One query for all of them."""
    guests = [row for row in signups if row.player_id is None]
    keys = {row.pk: fold(f"{row.first_name} {row.last_name}") for row in guests}
    people = Person.objects.filter(search_key__in=set(keys.values()), player__merged_into=None)
    on_file = list(people.select_related("player"))
    return {
        row.pk: [p for p in on_file if p.search_key == keys[row.pk] and p.birth_date == row.birth_date]
        for row in guests
    }


def made(signup: SignUp, *, by: User) -> Player:
    """A player with the data of chapter 2.1, without a login; city and country are not asked there."""
    player = Player.objects.create()
    Person.objects.create(
        player=player,
        first_name=signup.first_name,
        last_name=signup.last_name,
        birth_date=signup.birth_date,
        contact_email=signup.email,
        phone=signup.phone,
    )
    audit.record("player.made_at_check_in", player, by=by, player=player)
    keep_nickname(player, signup.nickname, by=by)
    return player


def keep_nickname(player: Player, nickname: str, *, by: User) -> None:
    """An account that somebody has already is nobody's affair at the entrance."""
    try:
        reference = read_reference(Platform.BGA, nickname) if nickname else None
    except Refused:
        return
    if reference is not None and accounts.holder_of(Platform.BGA, reference) is None:
        accounts.add(player, Platform.BGA, reference, by=by, on=timezone.localdate())


@transaction.atomic
def walk_in(event: Event, wanted: Wanted, *, by: User, who: str = "") -> SignUp:
    """Somebody who did not sign up, with the same data (BIG 2.1). The same form sent twice lets in one."""
    event = locked(event)
    there = SignUp.objects.filter(submission=wanted.submission).first()
    if there is not None:
        return there
    refuse_impossible_birth_date(wanted.person["birth_date"], timezone.localdate())
    row = SignUp.objects.create(
        event=event,
        at_the_door=True,
        brings_box=wanted.brings_box,
        submission=wanted.submission,
        language=wanted.language,
        **wanted.person,
    )
    return mark(row, Seen(Presence.PRESENT, wanted.brings_box, who), by=by)


@transaction.atomic
def leave_after(event: Event, player: Player, *, round_: int | None, by: User) -> None:
    """No more tables for the player after that round; `None`: the player is back."""
    entry = stage_of(locked(event)).entries.filter(player=player).first()
    if entry is None:
        raise Refused(_("This player is not entered."))
    if round_ is not None and has_sat_after(entry.stage, player, round_):
        raise Refused(_("The player sits at a table of a later round: remove that round, or say who was absent."))
    entrants.withdraw(entry, by=by, after_round=round_)


def has_sat_after(stage: Stage, player: Player, round_: int) -> bool:
    seats = Seat.objects.filter(table__round__revision__stage=stage, table__round__revision__state="draft")
    return seats.filter(player=player, table__round__number__gt=round_).exists()
