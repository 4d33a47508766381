"""Merging two players who are one person, and taking it back."""

from datetime import date

import pytest
from django.utils import timezone
from django.utils.translation import override

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.models import (
    Club,
    ClubMember,
    Consent,
    Disqualification,
    Membership,
    Merge,
    PlatformAccount,
    Player,
    Registration,
    Sanction,
)
from pergioco.players.services import merging
from tests import factories
from tests.emptying import unguarded

pytestmark = pytest.mark.django_db
JANUARY, MARCH = date(2026, 1, 10), date(2026, 3, 1)


@pytest.fixture(autouse=True)
def _in_english():
    with override("en"):
        yield


def now(player: Player) -> Player:
    return Player.objects.get(pk=player.pk)


def merge(kept, absorbed, by):
    return merging.merge_players(kept, absorbed, by=by, reason="same person")


def undo(merged, by):
    return merging.undo_merge(merged, by=by, reason="two people after all")


def test_accounts_and_sanctions_move_and_the_absorbed_player_no_longer_counts(staff):
    kept, shadow = factories.registered(), factories.player()
    account = factories.account(shadow, "Kasp77")
    sanction = Sanction.objects.create(
        player=shadow, starts_on=JANUARY, ends_on=MARCH, reason="-", decided_by=staff
    )
    merged = merge(kept, shadow, staff)
    assert PlatformAccount.objects.get().player == kept
    assert Sanction.objects.get().player == kept
    assert now(shadow).merged_into == kept
    assert list(Player.objects.current()) == [kept]
    assert merged.moved == {
        "players.PlatformAccount.player": [account.pk],
        "players.Sanction.player": [sanction.pk],
    }


def test_the_preview_names_exactly_what_the_merge_then_moves(staff):
    kept, other = factories.registered(login=False), factories.registered(login=False)
    factories.account(other)
    Membership.objects.create(player=other, member_on=JANUARY)
    seen = merging.preview_merge(kept, other)
    assert seen.refusal == ""
    assert [(part.relation, len(part.moving)) for part in seen.moving] == [
        ("players.PlatformAccount.player", 1),
        ("players.Membership.player", 1),
    ]
    assert [(part.relation, len(part.staying)) for part in seen.staying] == [
        ("players.Person.player", 1),
        ("players.Registration.player", 1),
        ("players.Consent.player", 2),
    ]
    assert not Merge.objects.exists()
    assert merge(kept, other, staff).moved == {part.relation: part.moving for part in seen.moving}


def met(kept, other, **fields):
    return factories.drafted([[(kept, other)]], **fields)


@pytest.mark.parametrize("state", ["draft", "waiting", "current"])
def test_two_who_sat_at_one_table_are_two(staff, state):
    kept, other = factories.player(), factories.player()
    met(kept, other).stage.revisions.update(state=state)
    with pytest.raises(Refused) as refused:
        merge(kept, other, staff)
    assert refused.value.sentence == (
        "These two sat at one table: nobody plays against himself. If the table is wrong, correct "
        "its stage."
    )
    assert now(other).merged_into is None


@pytest.mark.parametrize("state", ["superseded", "dropped"])
def test_two_whose_table_was_a_mistake_since_corrected_may_be_one(staff, state):
    kept, other = factories.player(), factories.player()
    met(kept, other).stage.revisions.update(state=state)
    assert merge(kept, other, staff).kept == kept


def test_two_at_different_tables_of_a_stage_may_be_one(staff):
    kept, other, third, fourth = (factories.player() for _ in range(4))
    factories.drafted([[(kept, third), (other, fourth)]])
    assert merge(kept, other, staff).kept == kept


def test_who_met_a_name_that_was_merged_since_met_the_one_that_stays(staff):
    kept, past, other = (factories.player() for _ in range(3))
    met(past, other)
    merge(kept, past, staff)
    assert merging.preview_merge(kept, other).refusal.startswith("These two sat at one table")


def test_person_registration_and_consents_move_when_the_one_that_stays_has_none(staff):
    kept, other = factories.player(), factories.registered(MARCH)
    merge(kept, other, staff)
    kept = Player.objects.with_names().get(pk=kept.pk)
    assert kept.registration.registered_on == MARCH
    assert kept.person.user.is_active is True
    assert set(Consent.objects.values_list("player", flat=True)) == {kept.pk}


def test_pgm_6_of_two_registrations_the_one_of_the_player_that_stays_counts(staff):
    kept, other = (
        factories.registered(MARCH, login=False),
        factories.registered(JANUARY, login=False),
    )
    assert merging.preview_merge(kept, other).notes == [
        "Both have personal data. Those of Marta Rossi stay in use, the others are kept hidden.",
        (
            "Both are registered. The registration of 1 March 2026 counts, the one of 10 January "
            "2026 is kept hidden."
        ),
    ]
    merge(kept, other, staff)
    assert Registration.objects.get(player=kept).registered_on == MARCH
    assert Registration.objects.get(player=other).registered_on == JANUARY


def test_two_histories_of_consents_never_mix(staff):
    kept, other = factories.registered(), factories.registered()
    with unguarded():
        Consent.objects.filter(player=kept, kind="publication").update(given=False)
    merge(kept, other, staff)
    assert Consent.objects.get(player=kept, kind="publication").given is False
    assert Consent.objects.filter(player=other).count() == 2


def test_of_two_logins_the_absorbed_one_is_closed_and_opens_again(staff):
    kept, other = factories.registered(), factories.registered()
    assert (
        merging.preview_merge(kept, other).notes[-1]
        == "Both can sign in. The login of Marta Rossi is closed."
    )
    merged = merge(kept, other, staff)
    assert [now(player).person.user.is_active for player in (kept, other)] == [True, False]
    undo(merged, staff)
    assert [now(player).person.user.is_active for player in (kept, other)] == [True, True]


def test_a_login_that_was_closed_before_stays_closed_after_the_merge_is_taken_back(staff):
    kept, other = factories.registered(), factories.registered()
    other.person.user.is_active = False
    other.person.user.save()
    undo(merge(kept, other, staff), staff)
    assert now(other).person.user.is_active is False


def test_a_club_of_both_is_kept_once(staff):
    kept, other = factories.player(), factories.player()
    both, only_other = Club.objects.create(name="Torri"), Club.objects.create(name="Alfieri")
    for club, player in ((both, kept), (both, other), (only_other, other)):
        ClubMember.objects.create(club=club, player=player)
    merge(kept, other, staff)
    assert sorted(ClubMember.objects.filter(player=kept).values_list("club__name", flat=True)) == [
        "Alfieri",
        "Torri",
    ]
    assert ClubMember.objects.get(player=other).club == both


def disqualified(player, by, **fields):
    return Disqualification.objects.create(
        player=player, kind="ranking", effective_on=MARCH, reason="-", proposed_by=by, **fields
    )


def test_pgm_7_a_disqualification_moves_with_the_player(staff):
    kept, other = factories.player(), factories.player()
    disqualified(other, staff)
    merge(kept, other, staff)
    assert Disqualification.objects.get().player == kept


def test_pgm_7_of_two_open_disqualifications_the_one_of_the_player_that_stays_holds(staff):
    kept, other = factories.registered(), factories.player()
    mine, theirs = disqualified(kept, staff), disqualified(other, staff)
    past = disqualified(other, staff, withdrawn_at=timezone.now())
    assert merging.preview_merge(kept, other).notes == [
        "Both are disqualified. The decision about Marta Rossi stays in force."
    ]
    merge(kept, other, staff)
    assert set(Disqualification.objects.filter(player=kept)) == {mine, past}
    assert Disqualification.objects.get(player=other) == theirs


def test_both_players_find_the_merge_in_their_history(staff):
    kept, other = factories.player(), factories.player()
    factories.account(other)
    merge(kept, other, staff)
    rows = AuditEntry.objects.filter(action="player.merged")
    assert {row.player for row in rows} == {kept, other}
    assert {(row.actor, row.reason) for row in rows} == {(staff, "same person")}
    changes = {"kept": ["", kept.public_id], "absorbed": ["", other.public_id], "moved": ["", "1"]}
    assert [row.changes for row in rows] == [changes, changes]


# Refusals


def sentence(kept, absorbed, by):
    with pytest.raises(Refused) as refusal:
        merge(kept, absorbed, by)
    assert merging.preview_merge(kept, absorbed).refusal == str(refusal.value)
    assert not Merge.objects.filter(kept=kept, absorbed=absorbed).exists()
    return str(refusal.value)


def test_a_player_is_not_merged_with_itself(staff):
    one = factories.player()
    assert sentence(one, one, staff) == "This is one and the same player."


def test_there_are_no_chains(staff):
    first, second, third = (factories.player() for _ in range(3))
    merge(second, third, staff)
    used = (
        f"not registered: {third.public_id} was already merged into another player. Use that one."
    )
    assert sentence(first, now(third), staff) == used
    assert sentence(now(third), first, staff) == used
    assert sentence(first, now(second), staff) == (
        f"Others were merged into not registered: {second.public_id} before: let this one stay."
    )
    assert merge(now(second), first, staff).kept == second


def test_an_erased_player_is_never_merged(staff):
    one, erased = factories.player(), factories.player()
    Player.objects.filter(pk=erased.pk).update(erased_at=timezone.now())
    said = f"Removed player {erased.public_id} was erased: nobody can tell any more who that was."
    assert sentence(one, now(erased), staff) == said
    assert sentence(now(erased), one, staff) == said


def test_who_alone_can_sign_in_must_stay(staff):
    kept, other = factories.registered(login=False), factories.registered(first_name="Ada")
    assert sentence(kept, other, staff) == "Only Ada Rossi can sign in: let this one stay."


# Taking it back


def test_what_moved_moves_back(staff):
    kept, other = factories.player(), factories.registered()
    factories.account(other)
    Membership.objects.create(player=other, member_on=JANUARY)
    merged = undo(merge(kept, other, staff), staff)
    for model in (PlatformAccount, Membership, Registration):
        assert model.objects.get().player == other
    assert set(Consent.objects.values_list("player", flat=True)) == {other.pk}
    assert now(other).merged_into is None
    assert (merged.undone_by, merged.undone_at is None) == (staff, False)
    assert (
        AuditEntry.objects.filter(action="player.unmerged", reason="two people after all").count()
        == 2
    )


def test_only_what_still_is_where_the_merge_put_it_moves_back(staff):
    kept, other, third = factories.player(), factories.player(), factories.player()
    stays, given_on, deleted = (factories.account(other) for _ in range(3))
    added = factories.account(kept)
    merged = merge(kept, other, staff)
    PlatformAccount.objects.filter(pk=given_on.pk).update(player=third)
    deleted.delete()
    undo(merged, staff)
    assert dict(PlatformAccount.objects.values_list("pk", "player")) == {
        stays.pk: other.pk,
        given_on.pk: third.pk,
        added.pk: kept.pk,
    }


def undo_refused(merged, by):
    with pytest.raises(Refused) as refusal:
        undo(merged, by)
    return str(refusal.value)


def test_a_merge_is_taken_back_once(staff):
    merged = merge(factories.player(), factories.player(), staff)
    undo(merged, staff)
    assert undo_refused(merged, staff) == "This merge was already taken back."


@pytest.mark.parametrize("which", ["kept", "absorbed"])
def test_a_merge_is_not_taken_back_after_an_erasure(staff, which):
    merged = merge(factories.player(), factories.player(), staff)
    Player.objects.filter(pk=getattr(merged, which).pk).update(erased_at=timezone.now())
    assert undo_refused(merged, staff) == (
        "The personal data were erased since: this merge can no longer be taken back."
    )


def test_a_merge_is_not_taken_back_while_the_player_is_merged_further(staff):
    kept = factories.registered()
    merged = merge(kept, factories.player(), staff)
    Player.objects.filter(pk=kept.pk).update(merged_into=factories.player())
    assert (
        undo_refused(merged, staff) == "Marta Rossi was merged further since: take that back first."
    )


def test_a_place_that_was_taken_since_stops_the_whole_undoing(staff):
    kept, other = factories.player(), factories.registered()
    factories.account(other)
    merged = merge(kept, other, staff)
    Registration.objects.create(player=other, registered_on=MARCH)
    assert undo_refused(merged, staff) == (
        "Marta Rossi has other rows of “registrations” since: settle these first."
    )
    assert PlatformAccount.objects.get().player == kept
    assert now(other).merged_into == kept


def test_after_it_was_taken_back_it_can_be_done_again(staff):
    kept, other = factories.player(), factories.player()
    undo(merge(kept, other, staff), staff)
    assert merge(now(other), now(kept), staff).kept == other
