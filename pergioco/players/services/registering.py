"""Registration in PerGioco Masters: the conditions, and what it writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.core import audit, events
from pergioco.core.models import User
from pergioco.core.refusal import Refused
from pergioco.players.models import Claim, EventCode, Person, PlatformAccount, Player, Registration
from pergioco.players.references import find_account_on_file
from pergioco.players.rules.people import age_on, may_register, sixteenth_birthday
from pergioco.players.services import accounts, editing
from pergioco.players.services.accounts import TAKEN, Reference, lock_present_player
from pergioco.players.services.claims import find_last_claim
from pergioco.players.services.consents import Kind, Way, record_consent

OLDEST_AGE = 120
State = Registration.State


@dataclass(frozen=True)
class RegistrationData:
    """What the registration form collected. The first two consents are required, so they have no
    field."""

    person: Mapping[str, Any]  # by the names in `editing.FIELDS`
    accounts: Mapping[str, Reference]  # by platform
    newsletter: bool
    language: str
    on: date


@transaction.atomic
def register_player(
    user: User, sent: RegistrationData, *, address_is_confirmed: bool, code: EventCode | None = None
) -> Registration:
    """Writes player, person, registration, accounts, consents and audit rows in one transaction."""
    refuse_unfit_birth_date(sent.person["birth_date"], sent.on)
    use_event_code(code)
    player = get_or_create_player(user, sent.person)
    if Registration.objects.filter(player=player).exists():
        raise Refused(_("You are registered already."), rule="registering.register_player")
    state = State.NEW if address_is_confirmed else State.WAITING_FOR_MAIL
    registration = Registration.objects.create(player=player, registered_on=sent.on, state=state)
    audit.record(
        "registration.sent",
        registration,
        by=user,
        player=player,
        changes={"state": ["", str(state)]},
    )
    record_registration_consents(player, sent, by=user)
    for platform, reference in sent.accounts.items():
        take_account(player, platform, reference, by=user, on=sent.on)
    if address_is_confirmed:
        events.emit("player.changed", player=player.pk, cause="registered")
    return registration


def refuse_impossible_birth_date(birth_date: date, today: date) -> None:
    if birth_date > today:
        raise Refused(
            _("This day is still to come. Check the year."),
            "birth_date",
            rule="registering.refuse_impossible_birth_date",
        )
    if age_on(today, birth_date) > OLDEST_AGE:
        raise Refused(
            _("That is more than %(years)s years ago. Check the year.") % {"years": OLDEST_AGE},
            "birth_date",
            rule="registering.refuse_impossible_birth_date",
        )


def refuse_unfit_birth_date(birth_date: date, today: date) -> None:
    refuse_impossible_birth_date(birth_date, today)
    if not may_register(birth_date=birth_date, today=today):
        raise Refused(
            _("Players are at least 16 years old (PGM 3). You can register from %(day)s on.")
            % {"day": date_format(sixteenth_birthday(birth_date))},
            "birth_date",
            rule="registering.refuse_unfit_birth_date",
        )


def get_or_create_player(user: User, values: Mapping[str, Any]) -> Player:
    person = Person.objects.filter(user=user).select_related("player").first()
    if person is None:
        return Person.objects.create(player=Player.objects.create(), user=user, **values).player
    # A member of BIG already has a player: the data on file are updated.
    editing.edit_person(person, values, version=editing.person_version(person), by=user)
    return person.player


def record_registration_consents(player: Player, sent: RegistrationData, *, by: User) -> None:
    # An empty box is no act: only ticked ones are recorded.
    for kind in (Kind.RULES, Kind.PUBLICATION, *([Kind.NEWSLETTER] if sent.newsletter else [])):
        record_consent(
            player, kind, given=True, language=sent.language, way=Way.REGISTRATION, by=by
        )


def take_account(
    player: Player, platform: str, reference: Reference, *, by: User, on: date
) -> None:
    """Adds the account. If an unregistered participant played with it, it is offered as a claim
    instead (PG-4)."""
    holder = accounts.find_account_on_file(platform, reference)
    if holder is not None and holder.player_id == player.pk:
        return
    if holder is not None and is_unregistered(holder.player):
        offer_claim(player, holder)
        return
    if holder is not None:
        release_unconfirmed_account(holder, platform, by=by)
    try:
        accounts.add_account(player, platform, reference, by=by, on=on)
    except Refused as refusal:
        raise Refused(refusal.sentence, platform, rule="registering.take_account") from refusal


def offer_claim(player: Player, account: PlatformAccount) -> None:
    # The player answers once, after confirming the address.
    claim = find_last_claim(player, account.player)
    if claim is None:
        Claim.objects.create(
            player=player, target=account.player, state=Claim.State.OFFERED, account=account
        )
    elif claim.state not in {Claim.State.OFFERED, Claim.State.OPEN}:
        raise Refused(TAKEN, account.platform, rule="registering.offer_claim")


def refuse_account_of_another(player: Player | None, platform: str, reference: Reference) -> None:
    """For the form, which shows all errors at once."""
    holder = accounts.find_account_on_file(platform, reference)
    if holder is None or holder.player == player:
        return
    if not (is_unregistered(holder.player) or is_unconfirmed(holder.player)):
        raise Refused(TAKEN, platform, rule="registering.refuse_account_of_another")


def release_unconfirmed_account(holder: PlatformAccount, platform: str, *, by: User) -> None:
    # A second registration after a mistyped address: an unconfirmed one does not block the account.
    if not is_unconfirmed(holder.player):
        raise Refused(TAKEN, platform, rule="registering.release_unconfirmed_account")
    was = {"platform": [platform, ""], "nickname": [holder.nickname, ""]}
    audit.record("account.released", holder, by=by, player=holder.player, changes=was)
    holder.delete()


def is_unregistered(player: Player) -> bool:
    """A participant known only from results: no registration, and no login."""
    with_login = Person.objects.filter(player=player).exclude(user=None)
    return not (Registration.objects.filter(player=player).exists() or with_login.exists())


def is_unconfirmed(player: Player) -> bool:
    return Registration.objects.filter(player=player, state=State.WAITING_FOR_MAIL).exists()


@transaction.atomic
def confirm_registration(user: User) -> None:
    """The registration counts from the day it was sent."""
    waiting = Registration.objects.filter(player__person__user=user, state=State.WAITING_FOR_MAIL)
    registration = waiting.select_related("player").first()
    if registration is None or not waiting.update(state=State.NEW, version=F("version") + 1):
        return
    changes = {"state": [str(State.WAITING_FOR_MAIL), str(State.NEW)]}
    audit.record(
        "registration.confirmed", registration, by=user, player=registration.player, changes=changes
    )
    events.emit("player.changed", player=registration.player_id, cause="registered")


def find_open_event_code(text: str, now: datetime) -> EventCode:
    code = EventCode.objects.filter(code__iexact=text).first()
    if code is None:
        raise Refused(
            _("No event has this code. Check it, or leave the box empty."),
            "event_code",
            rule="registering.find_open_event_code",
        )
    if not code.is_open(now):
        raise Refused(
            _("This code is not in force any more, or not yet. Leave the box empty."),
            "event_code",
            rule="registering.find_open_event_code",
        )
    return code


def use_event_code(code: EventCode | None) -> None:
    if code is None:
        return
    # Conditional UPDATE: of two people at once, one gets the last use.
    if not EventCode.objects.filter(pk=code.pk, uses_left__gt=0).update(
        uses_left=F("uses_left") - 1
    ):
        raise Refused(
            _("The last use of this code has just gone. Leave the box empty."),
            "event_code",
            rule="registering.use_event_code",
        )


@transaction.atomic
def declare_account(
    player: Player, platform: str, reference: Reference, *, by: User, on: date
) -> bool:
    """From the account page. False if an unregistered participant played with it: the player is
    asked (PG-4)."""
    player = lock_present_player(player)
    holder = find_account_on_file(platform, reference)
    is_claimable = holder is not None and holder.player != player and is_unregistered(holder.player)
    if holder is not None and is_claimable:
        refuse_closed_question(player, holder.player)
    take_account(player, platform, reference, by=by, on=on)
    return not is_claimable


def refuse_closed_question(player: Player, target: Player) -> None:
    """Only registered players can claim a past, and each question comes once."""
    claim = find_last_claim(player, target)
    if claim is not None and claim.state == Claim.State.OPEN:
        raise Refused(
            _("You said that this was you: the staff are looking into it."),
            "reference",
            rule="registering.refuse_closed_question",
        )
    answered = claim is not None and claim.state != Claim.State.OFFERED
    if answered or not Registration.objects.filter(player=player).exists():
        raise Refused(TAKEN, "reference", rule="registering.refuse_closed_question")
