"""Check-in: present players become members of BIG (BIG 2) and entries of the stage."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from big_league.models import Event, Final, SignUp
from big_league.services import final_seats
from big_league.services.sign_ups import (
    SignUpData,
    create_sign_up,
    find_same_sign_up,
    forget_person,
    lock_event,
)
from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Person, Player
from pergioco.players.models.accounts import Platform
from pergioco.players.references import read_reference
from pergioco.players.services import accounts
from pergioco.players.services.memberships import join_big
from pergioco.players.services.registering import refuse_impossible_birth_date
from pergioco.rulekit.text import fold
from pergioco.stages.models import Seat, Stage
from pergioco.stages.services import entrants
from pergioco.stages.services.drafting import enter_players, open_draft

Presence = SignUp.Presence
NEW_PLAYER = "new"
ON_THE_LIST = gettext_lazy(
    "This player is in already, or signed up under another entry of the list."
)


@dataclass(frozen=True)
class CheckInMark:
    """`who`: a player's public id, "new", or empty if there is no similar person on file."""

    presence: str
    brings_box: bool
    who: str = ""


@transaction.atomic
def open_doors(event: Event, *, by: User) -> None:
    # An open stage takes no more sign-ups from home.
    open_draft(homologated_stage(lock_event(event)), by=by)


def homologated_stage(event: Event) -> Stage:
    if event.stage is None:
        raise Refused(_("This tournament is not homologated."), rule="attendance.homologated_stage")
    return event.stage


@transaction.atomic
def mark_presence(signup: SignUp, seen: CheckInMark, *, by: User) -> SignUp:
    """Idempotent; presence can change until the player sits at a table."""
    stage = homologated_stage(lock_event(signup.event))
    entrants.guard_entries_open(stage)
    row = lock_row(signup)
    before = (row.presence, row.brings_box)
    row.presence, row.brings_box = seen.presence, seen.brings_box
    if row.presence == Presence.PRESENT:
        let_in(stage, row, seen.who, by=by)
    elif row.player is not None:
        send_away(stage, row.player, by=by)
    row.save(update_fields=["presence", "brings_box", "player"])
    if before != (row.presence, row.brings_box):
        changes = {
            "presence": [before[0], row.presence],
            "brings_box": [str(before[1]), str(row.brings_box)],
        }
        audit.record("big_event.checked_in", row, by=by, player=row.player, changes=changes)
    return row


def let_in(stage: Stage, signup: SignUp, who: str, *, by: User) -> None:
    if signup.player is None:
        signup.player = find_known_player(signup, who) or create_player(signup, by=by)
        forget_person(signup)
    player = signup.player.merged_into or signup.player
    if (
        SignUp.objects.coming()
        .filter(event=signup.event_id, player=player)
        .exclude(pk=signup.pk)
        .exists()
    ):
        raise Refused(ON_THE_LIST, rule="attendance.let_in")
    join_big(player, by=by)
    enter_players(stage, [player], by=by)


def send_away(stage: Stage, player: Player, *, by: User) -> None:
    entry = stage.entries.filter(player=player).first()
    if entry is not None:
        entrants.remove_entry(entry, by=by)


def find_known_player(signup: SignUp, who: str) -> Player | None:
    # A guest with a namesake of the same birth date is either that person or a new one: ask.
    alike = find_alike([signup])[signup.pk]
    if alike and not who:
        raise Refused(
            _("Somebody with this name and birth date is on file. Ask, then say who it is."),
            "who",
            rule="attendance.find_known_player",
        )
    return next((person.player for person in alike if person.player.public_id == who), None)


def find_alike(signups: Iterable[SignUp]) -> dict[int, list[Person]]:
    guests = [row for row in signups if row.player_id is None]
    keys = {row.pk: fold(f"{row.first_name} {row.last_name}") for row in guests}
    people = Person.objects.filter(search_key__in=set(keys.values()), player__merged_into=None)
    on_file = list(people.select_related("player"))
    return {
        row.pk: [
            p for p in on_file if p.search_key == keys[row.pk] and p.birth_date == row.birth_date
        ]
        for row in guests
    }


def create_player(signup: SignUp, *, by: User) -> Player:
    """With the data of BIG 2.1 and without a login; no city or country there."""
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
    # An account of another player is settled at the desk, not at the entrance.
    try:
        reference = read_reference(Platform.BGA, nickname) if nickname else None
    except Refused:
        return
    if reference is not None and accounts.find_account_on_file(Platform.BGA, reference) is None:
        accounts.add_account(player, Platform.BGA, reference, by=by, on=timezone.localdate())


@transaction.atomic
def record_walk_in(event: Event, wanted: SignUpData, *, by: User, who: str = "") -> SignUp:
    """Idempotent by `submission`."""
    event = lock_event(event)
    there = SignUp.objects.filter(submission=wanted.submission).first()
    if there is not None:
        return there
    if find_same_sign_up(event, wanted, None) is not None:
        raise Refused(ON_THE_LIST, rule="attendance.record_walk_in")
    refuse_impossible_birth_date(wanted.person["birth_date"], timezone.localdate())
    row = create_sign_up(event, wanted, at_the_door=True, **wanted.person)
    return mark_presence(row, CheckInMark(Presence.PRESENT, wanted.brings_box, who), by=by)


@transaction.atomic
def withdraw_after(event: Event, player: Player, *, round_: int | None, by: User) -> None:
    """`round_` None brings the player back."""
    entry = homologated_stage(lock_event(event)).entries.filter(player=player).first()
    if entry is None:
        raise Refused(_("This player is not entered."), rule="attendance.withdraw_after")
    if round_ is not None and has_sat_after(entry.stage, player, round_):
        raise Refused(
            _(
                "The player sits at a table of a later round: remove that round, or say who was "
                "absent."
            ),
            rule="attendance.withdraw_after",
        )
    entrants.withdraw_player(entry, by=by, after_round=round_)


def has_sat_after(stage: Stage, player: Player, round_: int) -> bool:
    seats = Seat.objects.filter(
        table__round__revision__stage=stage, table__round__revision__state="draft"
    )
    return seats.filter(player=player, table__round__number__gt=round_).exists()


SHARED_FIELDS = ("place", "address", "city", "starts_at", "how")


@transaction.atomic
def open_final_day(final: Final, *, by: User) -> Event:
    """A second call adds players who got a seat since."""
    final = final_seats.lock_final(final)
    event = Event.objects.filter(stage=final.stage).first() or create_final_event(final, by=by)
    there = set(event.signups.coming().values_list("player", flat=True))
    boxes = dict(final.answers.order_by("number").values_list("player", "brings_box"))
    SignUp.objects.bulk_create(
        SignUp(event=event, player_id=player, brings_box=bool(boxes.get(player)))
        for player in final.taken.order_by("number").values_list("player", flat=True)
        if player not in there
    )
    return event


def create_final_event(final: Final, *, by: User) -> Event:
    same = {name: getattr(final, name) for name in SHARED_FIELDS}
    event = Event.objects.create(
        **same,
        organizer_email=final.contact,
        bring_box=final.asks_box,
        state=Event.State.HOMOLOGATED,
        stage=final.stage,
        decided_by=by,
        decided_at=timezone.now(),
    )
    event.games.add(final.stage.game)
    audit.record("big_event.homologated", event, by=by, changes={"state": ["", event.state]})
    return event
