"""What the portal may not keep for longer: registrations that nobody confirmed, old codes. In batches, by the clock."""

from datetime import datetime, timedelta

from django.db import transaction

from pergioco.players import audit, emptying
from pergioco.players.holdings import owner_of
from pergioco.players.models import Claim, Consent, EventCode, Person, PlatformAccount, Player, Registration

AT_ONCE = 50
UNCONFIRMED = timedelta(days=14)
EVENT_CODES = timedelta(days=365)
# What a registration brings with it. Anything else that points to the player is a past of its own.
BROUGHT = {"registration", "person", "accounts", "consents", "claims", "audit"}


def expire_registrations(now: datetime) -> int:
    """Returns how many went. The log keeps their number, not whose they were."""
    waiting = Registration.objects.filter(
        state=Registration.State.WAITING_FOR_MAIL, created_at__lt=now - UNCONFIRMED
    ).select_related("player")
    gone = sum(expire(registration, now) for registration in waiting.order_by("pk")[:AT_ONCE])
    if gone:
        audit.record("registrations.expired", Registration(), by=None, changes={"count": ["", str(gone)]})
    return gone


@transaction.atomic
def expire(registration: Registration, now: datetime) -> bool:
    """False if it was confirmed in the meantime.

    The audit log is append-only and points to the player: its values are destroyed, and the player stays as an
    erased number, unless there are results too: then the player stays what it would be without the registration.
    """
    still_waiting = Registration.objects.filter(pk=registration.pk, state=Registration.State.WAITING_FOR_MAIL)
    if not still_waiting.delete()[0]:
        return False
    player = registration.player
    owner = owner_of(player)
    emptying.empty_logs(owner)
    emptying.forget_addresses(emptying.addresses_of(owner))
    Claim.objects.filter(player=player).delete()
    Consent.objects.filter(player=player).delete()
    delete_person(player)
    if not has_a_past(player):
        PlatformAccount.objects.filter(player=player).delete()
        Player.objects.filter(pk=player.pk).update(erased_at=now)
    return True


def delete_person(player: Player) -> None:
    person = Person.objects.filter(player=player).select_related("user").first()
    if person is not None:
        person.delete()
        if person.user is not None:
            person.user.delete()


def has_a_past(player: Player) -> bool:
    relations = [one for one in Player._meta.related_objects if one.get_accessor_name() not in BROUGHT]
    return any(
        one.related_model._default_manager.filter(**{one.field.name: player}).exists()  # noqa: SLF001 - documented
        for one in relations
    )


def expire_event_codes(now: datetime) -> int:
    old = EventCode.objects.filter(valid_to__lt=now - EVENT_CODES)
    return old.filter(pk__in=list(old.values_list("pk", flat=True)[:AT_ONCE])).delete()[0]
