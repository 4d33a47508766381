"""What the clock throws away."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import User
from pergioco.players.models import (
    Claim,
    Consent,
    EventCode,
    Nickname,
    Person,
    PlatformAccount,
    Player,
    Registration,
)
from pergioco.players.services import retention
from pergioco.players.services.retention import delete_expired_data
from tests import factories
from tests.players.test_registering import newcomer

pytestmark = [pytest.mark.django_db]


def test_a_registration_that_nobody_confirmed_vanishes_after_14_days(clock):
    past = factories.player()
    factories.account(past, "Kasp77", platform="bga", platform_id="1")
    registration = newcomer()
    Claim.objects.create(player=registration.player, target=past, state="offered")
    clock.shift(timedelta(days=14))
    delete_expired_data()
    assert Registration.objects.count() == 1
    clock.shift(timedelta(seconds=1))
    delete_expired_data()
    for model in (Registration, Person, User, EmailAddress, Consent, Claim):
        assert (model.__name__, model.objects.count()) == (model.__name__, 0)
    assert list(PlatformAccount.objects.values_list("player", flat=True)) == [past.pk]
    assert Nickname.objects.count() == 1


def test_the_log_keeps_the_facts_without_the_values_and_the_player_as_an_erased_number(clock):
    player = newcomer().player
    before = AuditEntry.objects.about(player).count()
    clock.shift(timedelta(days=15))
    delete_expired_data()
    log = AuditEntry.objects.about(player)
    assert log.count() == before
    assert set(log.values_list("shredded", "actor")) == {(True, None)}
    assert all(entry.changes == {} for entry in log)
    player.refresh_from_db()
    assert player.erased_at == timezone.now()
    count = AuditEntry.objects.get(action="registrations.expired")
    assert (count.changes, count.player, count.object_id, count.role) == (
        {"count": ["", "1"]},
        None,
        "",
        "system",
    )


def test_a_second_round_finds_nothing_to_do(clock):
    newcomer()
    clock.shift(timedelta(days=15))
    delete_expired_data()
    delete_expired_data()
    assert AuditEntry.objects.filter(action="registrations.expired").count() == 1


def test_what_was_confirmed_stays_whatever_its_age(clock):
    player = factories.registered()
    clock.shift(timedelta(days=400))
    delete_expired_data()
    assert Registration.objects.get().player == player
    assert User.objects.count() == 1
    assert AuditEntry.objects.count() == 0


def test_a_confirmation_in_the_last_moment_wins(clock):
    registration = newcomer()
    Registration.objects.update(state="new")
    assert retention.expire_registration(registration, timezone.now()) is False
    assert Person.objects.count() == 1


def test_a_player_with_a_past_goes_back_to_being_an_unregistered_participant(clock):
    player = newcomer().player
    claimant = factories.registered(last_name="Verdi")
    Claim.objects.create(player=claimant, target=player)
    clock.shift(timedelta(days=15))
    delete_expired_data()
    player.refresh_from_db()
    assert player.erased_at is None
    assert not Person.objects.filter(player=player).exists()
    assert [str(account) for account in player.accounts.all()] == ["PlayStrategy: Kasp77"]


def test_one_round_is_bounded(clock, monkeypatch):
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    for _ in range(3):
        newcomer()
    clock.shift(timedelta(days=15))
    assert [retention.expire_registrations(timezone.now()) for _ in range(3)] == [2, 1, 0]
    assert Player.objects.filter(erased_at=None).count() == 0


def test_an_event_code_is_kept_for_one_year_after_its_end(clock):
    now = timezone.now()
    staff = factories.user_with_role("staff")
    EventCode.objects.create(
        code="old", valid_from=now - timedelta(days=1), valid_to=now, created_by=staff
    )
    clock.shift(timedelta(days=365))
    delete_expired_data()
    assert EventCode.objects.count() == 1
    clock.shift(timedelta(seconds=1))
    delete_expired_data()
    assert EventCode.objects.count() == 0
