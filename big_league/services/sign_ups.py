"""Sign-ups for an event: status, waiting list, mails, and the retention of personal data."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from big_league import links
from big_league.models import Event, SignUp
from big_league.rules.events import Applicant, WaitingLine, order_applicants
from pergioco.core import audit
from pergioco.core.database import lock_row
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.players.services.letters import send_letter_for_stranger
from pergioco.players.services.registering import refuse_impossible_birth_date
from pergioco.rulekit.text import fold


class EventStatus(models.TextChoices):
    OPEN = "open", pgettext_lazy("event", "Open")
    STARTED = "started", gettext_lazy("Started")
    CLOSED = "closed", pgettext_lazy("event", "Closed")
    CANCELLED = "cancelled", gettext_lazy("Cancelled")


def event_status(event: Event, now: datetime) -> EventStatus:
    stage = event.stage
    if stage is None or stage.is_cancelled:
        return EventStatus.CANCELLED
    if stage.is_closed:
        return EventStatus.CLOSED
    return (
        EventStatus.STARTED
        if event.starts_at <= now or stage.status == stage.Status.OPEN
        else EventStatus.OPEN
    )


def takes_signups(event: Event, now: datetime) -> bool:
    # National finals are by convocation only.
    return (
        event_status(event, now) == EventStatus.OPEN
        and event.stage is not None
        and not event.stage.final
    )


@dataclass(frozen=True)
class SignUpData:
    """A cleaned form; `person` has the fields of `SignUp.PERSONAL`, empty for a signed-in
    player."""

    person: Mapping[str, Any]
    brings_box: bool
    submission: UUID
    language: str


def read_waiting_line(event: Event) -> WaitingLine:
    rows = event.signups.coming().values_list("pk", "brings_box", "signed_up_at")
    return order_applicants((Applicant(*row) for row in rows), event.capacity)


def sign_up(event: Event, wanted: SignUpData, *, player: Player | None, by: User | None) -> SignUp:
    try:
        with transaction.atomic():
            return write_sign_up(event, wanted, player=player, by=by)
    except IntegrityError:  # twice at the same moment
        return SignUp.objects.get(submission=wanted.submission)


def write_sign_up(
    event: Event, wanted: SignUpData, *, player: Player | None, by: User | None
) -> SignUp:
    event = lock_open_event(event)
    there = SignUp.objects.filter(submission=wanted.submission).first() or find_same_sign_up(
        event, wanted, player
    )
    if there is not None:
        mail_link_again(there, wanted)
        return there
    if player is None:
        refuse_impossible_birth_date(wanted.person["birth_date"], timezone.localdate())
    before = read_waiting_line(event)
    own = {"player": player} if player else wanted.person
    made = create_sign_up(event, wanted, **own)
    log_sign_up(
        "big_event.signed_up", made, by=by, changes={"brings_box": ["", str(made.brings_box)]}
    )
    after = read_waiting_line(event)
    mail_sign_up(made, after, cause="joined")
    mail_moved(event, before, after)
    return made


def create_sign_up(event: Event, wanted: SignUpData, **own: Any) -> SignUp:
    return SignUp.objects.create(
        event=event,
        brings_box=wanted.brings_box,
        submission=wanted.submission,
        language=wanted.language,
        **own,
    )


def mail_link_again(signup: SignUp, wanted: SignUpData) -> None:
    # The sender may not be the guest: the link goes only to the address on file.
    if signup.player is None and signup.submission != wanted.submission:
        mail_sign_up(signup, read_waiting_line(signup.event), cause="joined")


def find_same_sign_up(event: Event, wanted: SignUpData, player: Player | None) -> SignUp | None:
    """A player is known by id, a guest by e-mail, name and birth date together."""
    coming = event.signups.coming()
    if player is not None:
        return coming.filter(player=player).first()
    typed = wanted.person
    rows = coming.filter(email__iexact=typed["email"], birth_date=typed["birth_date"])
    names = fold(f"{typed['first_name']} {typed['last_name']}")
    return next((row for row in rows if fold(f"{row.first_name} {row.last_name}") == names), None)


def lock_open_event(event: Event) -> Event:
    # Two sign-ups for the last seat come one after the other.
    event = lock_event(event)
    if not takes_signups(event, timezone.now()):
        raise Refused(
            _("Signing up is over. Write to the organizer, or ask at the entrance."),
            rule="sign_ups.lock_open_event",
        )
    return event


def lock_event(event: Event) -> Event:
    lock_row(event)
    return Event.objects.homologated().get(pk=event.pk)


@transaction.atomic
def change_box(signup: SignUp, *, brings_box: bool, by: User | None) -> SignUp:
    return change_sign_up(signup, "big_event.box_changed", by=by, brings_box=brings_box)


@transaction.atomic
def sign_off(signup: SignUp, *, by: User | None) -> SignUp:
    """Idempotent; also deletes a guest's personal data."""
    row = change_sign_up(signup, "big_event.signed_off", by=by, left_at=timezone.now())
    forget_person(row)
    return row


def forget_person(signup: SignUp) -> None:
    blank: dict[str, Any] = dict.fromkeys(SignUp.PERSONAL, "") | {"birth_date": None}
    SignUp.objects.filter(pk=signup.pk).update(**blank)


def change_sign_up(signup: SignUp, action: str, *, by: User | None, **values: Any) -> SignUp:
    event = lock_open_event(signup.event)
    row = lock_row(signup)
    changes = {
        name: [str(getattr(row, name) or ""), str(value or "")] for name, value in values.items()
    }
    if row.left_at is not None or all(old == new for old, new in changes.values()):
        return row
    before = read_waiting_line(event)
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))
    log_sign_up(action, row, by=by, changes=changes)
    mail_moved(event, before, read_waiting_line(event))
    return row


def log_sign_up(
    action: str, signup: SignUp, *, by: User | None, changes: Mapping[str, Any]
) -> None:
    role = "" if by else audit.BY_LINK
    audit.record(action, signup, by=by, role=role, player=signup.player, changes=changes)


def mail_moved(event: Event, before: WaitingLine, after: WaitingLine) -> None:
    promoted = [number for number in after.seated if number in before.waiting]
    displaced = [number for number in after.waiting if number in before.seated]
    rows = event.signups.select_related("player__person__user").in_bulk([*promoted, *displaced])
    for number in (*promoted, *displaced):
        mail_sign_up(rows[number], after, cause="promoted" if number in promoted else "displaced")


def mail_sign_up(signup: SignUp, line: WaitingLine, *, cause: str) -> None:
    address, language, name = contact_of(signup)
    if address:
        values = {
            "event": signup.event,
            "name": name,
            "cause": cause,
            "place": line.place_of(signup.pk),
        }
        # Others move a person up and down, too, by their own boxes and signing off
        send_letter_for_stranger(
            address, language, "big_signup", **values, link=lambda: links.signup_link(signup)
        )


def contact_of(signup: SignUp) -> tuple[str, str, str]:
    """Address, language and name; prefers the data of the person."""
    person = getattr(signup.player, "person", None)
    if person is None:
        return signup.email, signup.language, signup.first_name
    return person.email, person.user.language if person.user else signup.language, person.first_name


CONTACTS_KEPT = timedelta(days=365)
SIGNUPS_KEPT = timedelta(days=30)


def forget_old_events() -> None:
    forget_contacts()
    forget_signups()


def forget_contacts() -> None:
    """A year after the day; what was played, where and when stays."""
    over = Event.objects.filter(starts_at__lt=timezone.now() - CONTACTS_KEPT).exclude(
        organizer_email=""
    )
    over.update(organizer_name="", organizer_phone="", organizer_email="", notes="", answer="")


def forget_signups() -> None:
    """A month after the day; players and members are stored elsewhere by then."""
    SignUp.objects.filter(event__starts_at__lt=timezone.now() - SIGNUPS_KEPT).delete()
