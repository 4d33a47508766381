"""Saying that one comes, or cannot come after all. Whoever gets a seat, or loses it to a box, reads it in a mail."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from big_league.events import links
from big_league.events.models import Event, SignUp
from big_league.events.standing import takes_signups
from big_league.rules.seats import Asked, Line, in_line
from pergioco.players import audit
from pergioco.players.letters import write_at
from pergioco.players.models import Player, User
from pergioco.players.refusal import Refused
from pergioco.players.registering import refuse_impossible_birth_date
from pergioco.rulekit.folding import fold


@dataclass(frozen=True)
class Wanted:
    """What came from the form; `person` by the names in `SignUp.PERSONAL`, empty for a player who is signed in."""

    person: Mapping[str, Any]
    brings_box: bool
    submission: UUID
    language: str


def line_of(event: Event) -> Line:
    rows = event.signups.coming().values_list("pk", "brings_box", "signed_up_at")
    return in_line((Asked(*row) for row in rows), event.capacity)


def join(event: Event, wanted: Wanted, *, player: Player | None, by: User | None) -> SignUp:
    try:
        with transaction.atomic():
            return write(event, wanted, player=player, by=by)
    except IntegrityError:  # twice at the same moment
        return SignUp.objects.get(submission=wanted.submission)


def write(event: Event, wanted: Wanted, *, player: Player | None, by: User | None) -> SignUp:
    event = locked_open(event)
    there = SignUp.objects.filter(submission=wanted.submission).first() or same_one(event, wanted, player)
    if there is not None:
        remind(there, wanted)
        return there
    if player is None:
        refuse_impossible_birth_date(wanted.person["birth_date"], timezone.localdate())
    before = line_of(event)
    made = SignUp.objects.create(
        event=event,
        player=player,
        brings_box=wanted.brings_box,
        submission=wanted.submission,
        language=wanted.language,
        **({} if player else wanted.person),
    )
    log("big_event.signed_up", made, by=by, changes={"brings_box": ["", str(made.brings_box)]})
    after = line_of(event)
    tell(made, after, cause="joined")
    tell_moved(event, before, after)
    return made


def remind(signup: SignUp, wanted: Wanted) -> None:
    """Another form about a guest may be somebody else's: only the address on file gets the link, once more."""
    if signup.player is None and signup.submission != wanted.submission:
        tell(signup, line_of(signup.event), cause="joined")


def same_one(event: Event, wanted: Wanted, player: Player | None) -> SignUp | None:
    """Who is signed up already is so once; a guest is known by address, name and birth date together."""
    coming = event.signups.coming()
    if player is not None:
        return coming.filter(player=player).first()
    typed = wanted.person
    rows = coming.filter(email__iexact=typed["email"], birth_date=typed["birth_date"])
    names = fold(f"{typed['first_name']} {typed['last_name']}")
    return next((row for row in rows if fold(f"{row.first_name} {row.last_name}") == names), None)


def locked_open(event: Event) -> Event:
    """Two who want the last seat come one after the other."""
    event = locked(event)
    if not takes_signups(event, timezone.now()):
        raise Refused(_("Signing up is over. Write to the organizer, or ask at the entrance."))
    return event


def locked(event: Event) -> Event:
    Event.objects.select_for_update().get(pk=event.pk)
    return Event.objects.homologated().get(pk=event.pk)


@transaction.atomic
def change_box(signup: SignUp, *, brings_box: bool, by: User | None) -> SignUp:
    return changed(signup, "big_event.box_changed", by=by, brings_box=brings_box)


@transaction.atomic
def leave(signup: SignUp, *, by: User | None) -> SignUp:
    """Said twice, it is said once. What a guest had typed is forgotten with it."""
    row = changed(signup, "big_event.signed_off", by=by, left_at=timezone.now())
    forget_person(row)
    return row


def forget_person(signup: SignUp) -> None:
    """Nobody needs it any more, or it stands with the person."""
    blank: dict[str, Any] = dict.fromkeys(SignUp.PERSONAL, "") | {"birth_date": None}
    SignUp.objects.filter(pk=signup.pk).update(**blank)


def changed(signup: SignUp, action: str, *, by: User | None, **values: Any) -> SignUp:
    event = locked_open(signup.event)
    row = SignUp.objects.select_for_update().get(pk=signup.pk)
    changes = {name: [str(getattr(row, name) or ""), str(value or "")] for name, value in values.items()}
    if row.left_at is not None or all(old == new for old, new in changes.values()):
        return row
    before = line_of(event)
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))
    log(action, row, by=by, changes=changes)
    tell_moved(event, before, line_of(event))
    return row


def log(action: str, signup: SignUp, *, by: User | None, changes: Mapping[str, Any]) -> None:
    role = "" if by else audit.BY_LINK
    audit.record(action, signup, by=by, role=role, player=signup.player, changes=changes)


def tell_moved(event: Event, before: Line, after: Line) -> None:
    """Those who got a seat, and those who lost theirs to somebody with a box."""
    promoted = [number for number in after.seated if number in before.waiting]
    displaced = [number for number in after.waiting if number in before.seated]
    rows = event.signups.select_related("player__person__user").in_bulk([*promoted, *displaced])
    for number in (*promoted, *displaced):
        tell(rows[number], after, cause="promoted" if number in promoted else "displaced")


def tell(signup: SignUp, line: Line, *, cause: str) -> None:
    """In the language of whoever signed up."""
    address, language, name = reached_at(signup)
    if address:
        values = {"event": signup.event, "name": name, "cause": cause, "place": line.place_of(signup.pk)}
        write_at(address, language, "big_signup", **values, link=lambda: links.link_of_signup(signup))


def reached_at(signup: SignUp) -> tuple[str, str, str]:
    """Address, language and name: the person's own, if there is one by now."""
    person = getattr(signup.player, "person", None)
    if person is None:
        return signup.email, signup.language, signup.first_name
    return person.email, person.user.language if person.user else signup.language, person.first_name
