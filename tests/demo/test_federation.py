"""What a visitor of the demo finds: every state and every kind of case at least once."""

from collections import Counter
from datetime import date, timedelta

import pytest
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.players.models import (
    Claim,
    Club,
    Consent,
    Disqualification,
    EventCode,
    Membership,
    Merge,
    Nickname,
    PlatformAccount,
    Player,
    Registration,
    Sanction,
)
from pergioco.players.models.accounts import Platform, Proof
from pergioco.players.naming import UNNAMED, public_name
from pergioco.players.references import read_reference
from pergioco.players.rules.people import BIG, PGM
from pergioco.players.services.consents import latest_consents
from pergioco.publishing.models import Line

pytestmark = pytest.mark.usefixtures("demo")
Kind = Consent.Kind


def test_about_120_players():
    assert Player.objects.count() == 126
    assert Registration.objects.count() == 112


def test_accounts_on_three_platforms_in_every_state_of_proof():
    seen = Counter(PlatformAccount.objects.values_list("platform", "proof"))

    assert set(seen) == {
        (Platform.BGA, Proof.CLAIMED),
        (Platform.BGA, Proof.PERSON),
        (Platform.PLAYSTRATEGY, Proof.CLAIMED),
        (Platform.PLAYSTRATEGY, Proof.CODE),
        (Platform.ABSTRACT_PLAY, Proof.CLAIMED),
        (Platform.ABSTRACT_PLAY, Proof.CODE),
    }


def test_nicknames_are_such_as_the_platforms_allow_and_keys_such_as_the_portal_writes():
    for account in PlatformAccount.objects.prefetch_related("nicknames"):
        reference = read_reference(account.platform, account.nickname)
        assert reference.nickname == account.nickname
        assert account.id_is_known or account.platform_id == reference.key
        assert account.platform != Platform.PLAYSTRATEGY or account.platform_id == reference.key


def test_pgm_7_old_nicknames_ended_between_two_seasons():
    ends = set(Nickname.objects.exclude(valid_to=None).values_list("valid_to", flat=True))

    assert ends == {date(2026, 1, 1)}


def test_pg_4_unregistered_participants_have_a_nickname_and_no_name():
    nobody_yet = Player.objects.filter(person=None, merged_into=None)

    assert nobody_yet.count() == 9
    assert {public_name(player, BIG) for player in nobody_yet} == {UNNAMED}
    assert PlatformAccount.objects.filter(player__in=nobody_yet).count() == 9


def test_a_claim_waits_for_staff():
    claim = Claim.objects.get()

    assert claim.state == Claim.State.OPEN
    assert hasattr(claim.player, "registration")
    assert not hasattr(claim.target, "person")


def test_a_merge_moved_the_account_of_a_participant_to_the_player():
    merge = Merge.objects.get()

    assert merge.absorbed.merged_into == merge.kept
    assert [
        account.nickname for account in merge.kept.accounts.filter(platform=Platform.PLAYSTRATEGY)
    ] == ["hexwanderer"]


def test_pg_26_one_staff_member_proposed_a_disqualification_and_a_second_one_is_awaited():
    decision = Disqualification.objects.get()

    assert (decision.proposed_by.email, decision.confirmed_by) == ("staff@example.org", None)


def test_one_sanction_of_risiko_is_in_force():
    assert Sanction.objects.get().is_in_force(date(2026, 3, 12))


def test_pgm_12_one_player_withdrew_publication_and_is_not_named_any_more():
    hidden = Player.objects.with_names().get(registration__publication_allowed=False)

    assert public_name(hidden, PGM) == UNNAMED
    assert [act.given for act in hidden.consents.filter(kind=Kind.PUBLICATION).order_by("at")] == [
        True,
        False,
    ]


def test_consents_date_from_the_registration_and_newsletters_were_given_and_taken_back():
    for registration in Registration.objects.select_related("player")[:30]:
        rules = latest_consents(registration.player)[Kind.RULES]
        assert rules.at.date() == registration.registered_on
    acts = Consent.objects.filter(kind=Kind.NEWSLETTER)
    assert acts.filter(given=True).count() > 30
    assert acts.filter(given=False).count() == 1


def test_members_of_big_are_players_of_pergioco_and_others():
    assert Membership.objects.filter(player__registration=None).count() == 4
    assert Membership.objects.exclude(player__registration=None).count() == 92


def test_members_of_big_alone_are_named_where_big_is_spoken_of_and_nowhere_else():
    alone = Player.objects.filter(membership__isnull=False, registration=None)
    assert {public_name(player, PGM) for player in alone.with_names()} == {UNNAMED}
    assert UNNAMED not in {public_name(player, BIG) for player in alone.with_names()}
    assert Line.objects.filter(computation__kind="big", player__in=alone).exists()


def test_clubs_and_families_have_members():
    sizes = {club.name: club.members.count() for club in Club.objects.all()}

    assert sizes["Famiglia Galli"] == sizes["Famiglia Moretti"] == 2
    assert sum(sizes.values()) == 21


def test_an_event_code_is_open_all_year():
    assert EventCode.objects.get(code="DEMO-2026").is_open(timezone.now())


def test_hall_mode_was_switched_on_for_the_day_of_the_demo():
    hall = EventCode.objects.get(note="Sala del torneo")

    assert hall.valid_to - hall.valid_from < timedelta(days=1)
    assert AuditEntry.objects.filter(action="event_code.hall_opened", object_id=hall.pk).exists()
