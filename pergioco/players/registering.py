"""Registering in PerGioco Masters: who may, and what is written when somebody does."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from pergioco.players import accounts, afterwards, audit, editing
from pergioco.players.accounts import TAKEN, Reference
from pergioco.players.claims import last_between
from pergioco.players.consenting import Kind, Way, record_consent
from pergioco.players.models import Claim, EventCode, Person, PlatformAccount, Player, Registration, User
from pergioco.players.refusal import Refused
from pergioco.players.rules.age import age_on, may_register, sixteenth_birthday

OLDEST = 120
State = Registration.State


@dataclass(frozen=True)
class Sent:
    """What somebody sent from the registration page. Without the first two consents there is no registration."""

    person: Mapping[str, Any]  # by the names in `editing.FIELDS`
    accounts: Mapping[str, Reference]  # by platform
    newsletter: bool
    language: str
    on: date


@transaction.atomic
def register(user: User, sent: Sent, *, address_is_confirmed: bool, code: EventCode | None = None) -> Registration:
    """One transaction: the player, the person, the registration, the accounts, the consents and the audit log."""
    refuse_unfit_birth_date(sent.person["birth_date"], sent.on)
    use(code)
    player = player_of(user, sent.person)
    if Registration.objects.filter(player=player).exists():
        raise Refused(_("You are registered already."))
    state = State.NEW if address_is_confirmed else State.WAITING_FOR_MAIL
    registration = Registration.objects.create(player=player, registered_on=sent.on, state=state)
    audit.record("registration.sent", registration, by=user, player=player, changes={"state": ["", str(state)]})
    record_consents(player, sent, by=user)
    for platform, reference in sent.accounts.items():
        take(player, platform, reference, by=user, on=sent.on)
    if address_is_confirmed:
        afterwards.tell("player.changed", player=player.pk, cause="registered")
    return registration


def refuse_impossible_birth_date(birth_date: date, today: date) -> None:
    if birth_date > today:
        raise Refused(_("This day is still to come. Check the year."), "birth_date")
    if age_on(today, birth_date) > OLDEST:
        raise Refused(_("That is more than %(years)s years ago. Check the year.") % {"years": OLDEST}, "birth_date")


def refuse_unfit_birth_date(birth_date: date, today: date) -> None:
    refuse_impossible_birth_date(birth_date, today)
    if not may_register(birth_date=birth_date, today=today):
        raise Refused(
            _("Players are at least 16 years old (PGM 3). You can register from %(day)s on.")
            % {"day": date_format(sixteenth_birthday(birth_date))},
            "birth_date",
        )


def player_of(user: User, values: Mapping[str, Any]) -> Player:
    """A member of BIG has a player already, and mends the data on file; a newcomer gets one."""
    person = Person.objects.filter(user=user).select_related("player").first()
    if person is None:
        return Person.objects.create(player=Player.objects.create(), user=user, **values).player
    editing.edit(person, values, version=editing.version_of(person), by=user)
    return person.player


def record_consents(player: Player, sent: Sent, *, by: User) -> None:
    """A box that was left empty is no act: only ticked ones are recorded."""
    for kind in (Kind.RULES, Kind.PUBLICATION, *([Kind.NEWSLETTER] if sent.newsletter else [])):
        record_consent(player, kind, given=True, language=sent.language, way=Way.REGISTRATION, by=by)


def take(player: Player, platform: str, reference: Reference, *, by: User, on: date) -> None:
    """Adds the account; one that an unregistered participant played with is offered as a claim instead (PG-4)."""
    holder = accounts.holder_of(platform, reference)
    if holder is not None and holder.player_id == player.pk:
        return
    if holder is not None and is_unregistered(holder.player):
        offer(player, holder)
        return
    if holder is not None:
        release(holder, platform, by=by)
    try:
        accounts.add(player, platform, reference, by=by, on=on)
    except Refused as refusal:
        raise Refused(refusal.sentence, platform) from refusal


def offer(player: Player, account: PlatformAccount) -> None:
    """Asked after the address is confirmed: “is this you?” The question is put once."""
    asked = last_between(player, account.player)
    if asked is None:
        Claim.objects.create(player=player, target=account.player, state=Claim.State.OFFERED, account=account)
    elif asked.state not in {Claim.State.OFFERED, Claim.State.OPEN}:
        raise Refused(TAKEN, account.platform)


def refuse_taken(player: Player | None, platform: str, reference: Reference) -> None:
    """For the form, which says all that is wrong at once."""
    holder = accounts.holder_of(platform, reference)
    if holder is None or holder.player == player:
        return
    if not (is_unregistered(holder.player) or is_unconfirmed(holder.player)):
        raise Refused(TAKEN, platform)


def release(holder: PlatformAccount, platform: str, *, by: User) -> None:
    """Who mistyped the address registers once more: an unconfirmed registration keeps no account from anybody."""
    if not is_unconfirmed(holder.player):
        raise Refused(TAKEN, platform)
    was = {"platform": [platform, ""], "nickname": [holder.nickname, ""]}
    audit.record("account.released", holder, by=by, player=holder.player, changes=was)
    holder.delete()


def is_unregistered(player: Player) -> bool:
    """Somebody who was seen playing: no registration, and no login that could speak for the account."""
    with_login = Person.objects.filter(player=player).exclude(user=None)
    return not (Registration.objects.filter(player=player).exists() or with_login.exists())


def is_unconfirmed(player: Player) -> bool:
    return Registration.objects.filter(player=player, state=State.WAITING_FOR_MAIL).exists()


@transaction.atomic
def confirm(user: User) -> None:
    """The address is confirmed: the registration counts, from the day on which it was sent."""
    waiting = Registration.objects.filter(player__person__user=user, state=State.WAITING_FOR_MAIL)
    registration = waiting.select_related("player").first()
    if registration is None or not waiting.update(state=State.NEW, version=F("version") + 1):
        return
    changes = {"state": [str(State.WAITING_FOR_MAIL), str(State.NEW)]}
    audit.record("registration.confirmed", registration, by=user, player=registration.player, changes=changes)
    afterwards.tell("player.changed", player=registration.player_id, cause="registered")


def open_code(text: str, now: datetime) -> EventCode:
    code = EventCode.objects.filter(code__iexact=text).first()
    if code is None:
        raise Refused(_("No event has this code. Check it, or leave the box empty."), "event_code")
    if not code.is_open(now):
        raise Refused(_("This code is not in force any more, or not yet. Leave the box empty."), "event_code")
    return code


def use(code: EventCode | None) -> None:
    """One conditional UPDATE: of two people at once, one gets the last use."""
    if code is None:
        return
    if not EventCode.objects.filter(pk=code.pk, uses_left__gt=0).update(uses_left=F("uses_left") - 1):
        raise Refused(_("The last use of this code has just gone. Leave the box empty."), "event_code")
