"""Deletes unconfirmed registrations and old codes when their time is over, in batches."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from pergioco.core import audit
from pergioco.core.guards import Door, pass_guards
from pergioco.players.models import (
    Claim,
    Consent,
    EventCode,
    Person,
    PlatformAccount,
    Player,
    Registration,
)
from pergioco.players.services import erasing, proofs
from pergioco.players.services.personal_data import owner_of

BATCH_SIZE = 50
UNCONFIRMED_KEPT_FOR = timedelta(days=14)
EVENT_CODES_KEPT_FOR = timedelta(days=365)
# Rows that a registration creates. Any other relation means that the player has a history.
REGISTRATION_RELATIONS = {"registration", "person", "accounts", "consents", "claims", "audit"}


def expire_registrations(now: datetime) -> int:
    """Returns the number of deleted registrations. Only that number is logged."""
    waiting = Registration.objects.filter(
        state=Registration.State.WAITING_FOR_MAIL, created_at__lt=now - UNCONFIRMED_KEPT_FOR
    ).select_related("player")
    gone = sum(
        expire_registration(registration, now)
        for registration in waiting.order_by("pk")[:BATCH_SIZE]
    )
    if gone:
        audit.record(
            "registrations.expired", Registration(), by=None, changes={"count": ["", str(gone)]}
        )
    return gone


@transaction.atomic
def expire_registration(registration: Registration, now: datetime) -> bool:
    """False if it was confirmed in the meantime.

    The audit log is append-only and points to the player: its values are destroyed, and the player
    stays as an erased number. A player with results stays as it was before the registration."""
    still_waiting = Registration.objects.filter(
        pk=registration.pk, state=Registration.State.WAITING_FOR_MAIL
    )
    if not still_waiting.delete()[0]:
        return False
    player = registration.player
    owner = owner_of(player)
    with pass_guards(Door.ERASING):
        erasing.shred_logs(owner)
        Consent.objects.filter(player=player).delete()
    erasing.forget_addresses(erasing.list_addresses(owner))
    Claim.objects.filter(player=player).delete()
    delete_person(player)
    if not has_history(player):
        PlatformAccount.objects.filter(player=player).delete()
        Player.objects.filter(pk=player.pk).update(erased_at=now)
    return True


def delete_person(player: Player) -> None:
    person = Person.objects.filter(player=player).select_related("user").first()
    if person is not None:
        person.delete()
        if person.user is not None:
            person.user.delete()


def has_history(player: Player) -> bool:
    relations = [
        one
        for one in Player._meta.related_objects
        if one.get_accessor_name() not in REGISTRATION_RELATIONS
    ]
    return any(
        one.related_model._default_manager.filter(**{one.field.name: player}).exists()  # noqa: SLF001 - documented
        for one in relations
    )


def expire_event_codes(now: datetime) -> int:
    old = EventCode.objects.filter(valid_to__lt=now - EVENT_CODES_KEPT_FOR)
    return old.filter(pk__in=list(old.values_list("pk", flat=True)[:BATCH_SIZE])).delete()[0]


def delete_expired_data() -> None:
    """One batch of each kind. The next run continues."""
    now = timezone.now()
    expire_registrations(now)
    proofs.delete_old_codes(now)
    expire_event_codes(now)
