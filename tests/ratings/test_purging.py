"""PGM 28 (reading PG-20), carried out: listed by one, confirmed by a second person, destroyed
thirty days later."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Player, Registration
from pergioco.players.services import merging
from pergioco.publishing.models import Freeze, PgrChange, Publication
from pergioco.publishing.services import publish
from pergioco.stages.models import OpeningRating
from ratings import purging
from ratings.compute import recompute_all
from ratings.models import Purge, Purged
from tests import factories
from tests.ratings import play

pytestmark = pytest.mark.django_db
LAST_KEPT, FIRST_GONE = date(2022, 1, 1), date(2021, 12, 31)


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def go():
    return factories.game("go")


@pytest.fixture
def who():
    """A and B are registered; S and T never were."""
    return play.people("AB") | play.people("ST", registered=False)


def final(year=2025):
    """The year before is final; what it shows is another test's."""
    season = play.season(year)
    shown = publish.current_publication(season) or Publication.objects.create(
        season=season,
        number=1,
        as_of=date(year, 12, 31),
        is_current=True,
        published_at=timezone.now(),
    )
    return Freeze.objects.create(
        season=season, publication=shown, sha256="0" * 64, frozen_at=timezone.now()
    )


def two_people():
    return factories.user_with_role("staff"), factories.user_with_role("staff")


def confirmed(year=2026):
    one, other = two_people()
    return purging.confirm_purge(purging.propose_purge(year, by=one), by=other)


def carried_out(clock, year=2026):
    purge = confirmed(year)
    clock.shift(purging.WAIT)
    purging.destroy_due_purges()
    purge.refresh_from_db()
    return purge


def listed(year=2026):
    return [one.player for one in purging.list_purge(year)]


def kept_rows():
    return set(PgrChange.objects.values_list("player", flat=True))


# Whom it concerns


@pytest.mark.parametrize(("last", "goes"), [(LAST_KEPT, False), (FIRST_GONE, True)])
def test_pgm_28_of_1_january_2026(who, go, last, goes):
    play.settled(play.played("S 1 A", who=who, on=last, game=go))
    assert listed() == ([who["S"]] if goes else [])


def test_pgm_28_any_game_of_any_category_keeps_all_of_them(who, go):
    play.settled(play.played("S 1 A", who=who, on=FIRST_GONE, game=go))
    play.settled(play.played("S X B", who=who, on=date(2024, 5, 4), game=factories.game("hive")))
    assert listed() == []


def test_pgm_28_an_absence_is_no_game(who, go):
    play.settled(play.played("S 1 A; S 1 B", who=who, on=FIRST_GONE, game=go))
    play.settled(play.played("A 1 B; B 1 T; A + S", who=who, on=date(2024, 5, 4), game=go))
    assert who["S"] in listed()


@pytest.mark.parametrize(("on", "goes"), [(date(2025, 12, 31), False), (date(2026, 1, 1), True)])
def test_pgm_28_registered_before_1_january_is_never_touched(who, go, on, goes):
    play.settled(play.played("S 1 A", who=who, on=FIRST_GONE, game=go))
    Registration.objects.create(
        player=factories.person(who["S"]).player, registered_on=on, state="verified"
    )
    assert listed() == ([who["S"]] if goes else [])


def test_registered_players_are_not_on_the_list_however_long_they_sleep(who, go):
    play.settled(play.played("A 1 B", who=who, on=FIRST_GONE, game=go))
    assert listed() == []


def test_a_rating_brought_along_says_when_its_last_game_was(who, go):
    play.settled(play.played("S 1 A, T 1 B", who=who, on=FIRST_GONE, game=go))
    OpeningRating.objects.create(
        player=who["T"], game=factories.game("hive"), pgr=1100, last_played_on=date(2023, 6, 1)
    )
    assert listed() == [who["S"]]


def test_each_is_listed_with_the_number_of_games_and_the_last_day(who, go):
    play.settled(play.played("S 1 A", who=who, on=date(2021, 11, 6), game=go))
    play.settled(play.played("S 1 A", who=who, on=FIRST_GONE, game=factories.game("hive")))
    assert [(one.player, one.games, one.last_on) for one in purging.list_purge(2026)] == [
        (who["S"], 2, FIRST_GONE)
    ]


def test_the_list_asks_the_database_as_often_for_three_as_for_one(go):
    who = play.people("ABC") | play.people("STU", registered=False)
    factories.account(who["S"])
    play.settled(play.played("S 1 A", who=who, on=FIRST_GONE, game=go))
    with CaptureQueriesContext(connection) as one:
        purging.list_purge(2026)
    play.settled(play.played("T 1 A, U 1 B", who=who, on=FIRST_GONE, game=go))
    with CaptureQueriesContext(connection) as three:
        assert len(purging.list_purge(2026)) == 3
    assert len(three) == len(one)


# Two people


def test_before_the_year_is_final_there_is_no_purge(who, go, staff):
    play.settled(play.played("S 1 A", who=who, on=FIRST_GONE, game=go))
    Freeze.objects.create(season=play.season(2025), proposed_by=staff)
    with pytest.raises(Refused) as refused:
        purging.propose_purge(2026, by=staff)
    assert str(refused.value) == (
        "The purge of 1 January 2026 comes after the freeze: make the rankings of 2025 final first."
    )


@pytest.fixture
def one_listed(who, go):
    play.settled(play.played("S 1 A", who=who, on=FIRST_GONE, game=go))
    final()
    return who["S"]


def test_one_proposes_and_another_confirms(one_listed):
    one, other = two_people()
    purge = purging.confirm_purge(purging.propose_purge(2026, by=one), by=other)
    assert (purge.proposed_by, purge.confirmed_by, purge.listed) == (
        one,
        other,
        [one_listed.public_id],
    )
    log = AuditEntry.objects.filter(action__startswith="purge.").order_by("pk")
    assert [(entry.action, entry.actor) for entry in log] == [
        ("purge.proposed", one),
        ("purge.confirmed", other),
    ]


def test_the_same_person_does_not_do_both(one_listed, staff):
    purge = purging.propose_purge(2026, by=staff)
    with pytest.raises(Refused, match="You proposed this purge: a second person must confirm it"):
        purging.confirm_purge(purge, by=staff)


def test_proposed_or_confirmed_twice_is_refused(one_listed, staff):
    purge = confirmed()
    with pytest.raises(Refused, match="The purge of 1 January 2026 is proposed already"):
        purging.propose_purge(2026, by=staff)
    with pytest.raises(Refused, match="Somebody else confirmed this purge in the meantime"):
        purging.confirm_purge(purge, by=staff)


def test_a_purge_that_concerns_nobody_is_not_proposed(staff):
    final()
    with pytest.raises(Refused, match="The purge of 1 January 2026 concerns nobody"):
        purging.propose_purge(2026, by=staff)
    assert Purge.objects.count() == 0


def test_a_list_that_changed_is_not_confirmed(one_listed, who, go):
    one, other = two_people()
    purge = purging.propose_purge(2026, by=one)
    play.settled(play.played("T 1 B", who=who, on=FIRST_GONE, game=go))
    with pytest.raises(Outdated, match="The list changed since it was proposed"):
        purging.confirm_purge(purge, by=other)
    purging.take_back_purge(purge, by=other, reason="One more.")
    assert (
        purging.confirm_purge(purging.propose_purge(2026, by=one), by=other).confirmed_at
        == timezone.now()
    )


def test_within_the_thirty_days_it_can_be_taken_back(one_listed, staff, clock):
    purge = confirmed()
    purging.take_back_purge(purge, by=staff, reason="She wrote to us.")
    clock.shift(purging.WAIT)
    purging.destroy_due_purges()
    assert (one_listed.pk in kept_rows(), Purge.objects.count()) == (True, 0)
    assert AuditEntry.objects.get(action="purge.taken_back").reason == "She wrote to us."


def test_afterwards_it_cannot(one_listed, staff, clock):
    purge = carried_out(clock)
    with pytest.raises(Refused, match=r"This purge was carried out on 11 April 2026\."):
        purging.take_back_purge(purge, by=staff, reason="Too late.")


def test_what_was_taken_back_meanwhile_is_not_confirmed(one_listed, staff):
    purge = purging.propose_purge(2026, by=staff)
    Purge.objects.all().delete()
    with pytest.raises(Outdated, match="Somebody took this purge back in the meantime"):
        purging.confirm_purge(purge, by=factories.user_with_role("staff"))


# Thirty days later


def test_nothing_is_destroyed_before_the_thirty_days_are_over(one_listed, clock):
    confirmed()
    clock.shift(purging.WAIT - timedelta(seconds=1))
    purging.destroy_due_purges()
    assert one_listed.pk in kept_rows()
    clock.shift(timedelta(seconds=1))
    purging.destroy_due_purges()
    assert one_listed.pk not in kept_rows()


def test_nor_is_anything_without_the_second_person(one_listed, staff, clock):
    purging.propose_purge(2026, by=staff)
    clock.shift(timedelta(days=365))
    purging.destroy_due_purges()
    assert one_listed.pk in kept_rows()


def test_all_rows_go_also_those_no_longer_in_force_and_a_tombstone_stays_for_each_stage(
    one_listed, who, go, clock
):
    stage = PgrChange.objects.get(player=one_listed).stage
    play.write(stage, "S 2 A", who=who)
    play.settled(stage, "corrected")
    assert PgrChange.objects.filter(player=one_listed).count() == 2
    purge = carried_out(clock)
    assert PgrChange.objects.filter(player=one_listed).count() == 0
    assert list(Purged.objects.values_list("purge", "stage", "player", "before")) == [
        (purge.pk, stage.pk, one_listed.pk, 1_000_000)
    ]
    assert AuditEntry.objects.get(action="purge.destroyed").changes == {"count": ["", "2"]}


def test_rows_of_a_player_who_had_been_merged_into_them_go_too(who, go, clock, staff):
    play.settled(play.played("S 1 A, T 1 B", who=who, on=FIRST_GONE, game=go))
    merging.merge_players(who["S"], who["T"], by=staff, reason="One person.")
    play.done()
    final()
    carried_out(clock)
    assert kept_rows() == {who["A"].pk, who["B"].pk}


def test_a_second_round_does_nothing(one_listed, clock):
    purge = carried_out(clock)
    purging.destroy_due_purges()
    assert (Purge.objects.get().destroyed_at, Purged.objects.count()) == (purge.destroyed_at, 1)


def test_whoever_proves_to_have_been_registered_in_the_meantime_is_left_out(
    one_listed, who, clock, staff
):
    confirmed()
    merging.merge_players(who["B"], one_listed, by=staff, reason="It was her second account.")
    clock.shift(purging.WAIT)
    purging.destroy_due_purges()
    assert (Purged.objects.count(), Purge.objects.get().destroyed_at is None) == (0, False)


def test_whoever_registers_in_the_thirty_days_is_not_saved_the_purge_is_of_1_january(
    one_listed, who, go, clock
):
    confirmed()
    Registration.objects.create(
        player=factories.person(one_listed).player,
        registered_on=timezone.localdate(),
        state="verified",
    )
    play.changed(one_listed)
    play.settled(play.played("S 1 B", who=who, on=timezone.localdate(), game=go))
    assert (
        PgrChange.objects.current().get(player=one_listed, ended_on__year=2026).before == play.NEW
    )
    clock.shift(purging.WAIT)
    purging.destroy_due_purges()
    assert PgrChange.objects.get(player=one_listed).ended_on.year == 2026


def test_whoever_comes_back_in_january_keeps_what_was_earned_since(one_listed, who, go, clock):
    play.settled(play.played("S 1 B", who=who, on=date(2026, 1, 17), game=go))
    assert listed() == [one_listed]
    carried_out(clock)
    assert PgrChange.objects.get(player=one_listed).after == 1_010_000
    assert play.ledger() == play.recomputed()


# The others' numbers


@pytest.fixture
def history(who, go):
    """S beat A twice, five years ago; A and B played on."""
    first = play.played("S 1 A, T 1 B", who=who, on=date(2021, 11, 6), game=go)
    second = play.played("S 1 A, B 1 T", who=who, on=FIRST_GONE, game=go)
    last = play.played("A 1 B", who=who, on=date(2025, 3, 1), game=go)
    for stage in (first, second, last):
        play.settled(stage)
    final()
    return first, second, last


def of_others(who):
    rows = (
        PgrChange.objects.current()
        .filter(player__in=[who["A"], who["B"]])
        .order_by("ended_on", "player")
    )
    return list(rows.values_list("stage", "player", "before", "expected", "after", "games"))


def test_what_opponents_earned_against_them_stays_to_the_thousandth(history, who, clock):
    before = of_others(who)
    carried_out(clock)
    assert of_others(who) == before
    assert kept_rows() == {who["A"].pk, who["B"].pk}


def test_computing_everything_again_changes_nothing_and_brings_nothing_back(history, who, clock):
    carried_out(clock)
    assert recompute_all(cause="check") is False
    assert (play.ledger(), kept_rows()) == (play.recomputed(), {who["A"].pk, who["B"].pk})


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_correction_of_any_stage_afterwards_counts_as_if_nothing_had_been_destroyed(
    history, who, clock, at
):
    corrected = ["A 1 S, T 1 B", "A 1 S, B 1 T", "B 1 A"][at]
    control = whole_history_with(history[at], corrected, who)
    carried_out(clock)
    play.write(history[at], corrected, who=who)
    play.settled(history[at], "corrected")
    assert ([row[1:5] for row in of_others(who)], kept_rows()) == (
        control,
        {who["A"].pk, who["B"].pk},
    )
    assert play.ledger() == play.recomputed()


def whole_history_with(stage, corrected, who):
    """The control: the same correction while all rows are there; then it is taken back."""
    revision = stage.revisions.get(state="current")
    newer = play.write(stage, corrected, who=who)
    play.settled(stage, "corrected")
    rows = [row[1:5] for row in of_others(who)]
    stage.revisions.filter(pk=newer.pk).update(state="superseded")
    stage.revisions.filter(pk=revision.pk).update(state="current")
    play.settled(stage, "corrected")
    return rows


def test_a_result_that_comes_to_light_after_the_destruction_counts_as_the_facts_say(
    history, who, go, clock
):
    """S had played in 2023 after all: the old rating was not to be forgotten, and the later games
    stand on it."""
    carried_out(clock)
    play.settled(play.played("S 1 B", who=who, on=date(2026, 4, 18), game=go))
    play.settled(play.played("S 1 T", who=who, on=date(2023, 6, 3), game=factories.game("hive")))
    assert play.ledger() == play.recomputed()


def test_years_later_the_next_purge_takes_what_came_since(history, who, go, clock):
    carried_out(clock)
    play.settled(play.played("S 1 B", who=who, on=date(2026, 4, 18), game=go))
    clock.move_to(datetime(2031, 1, 2, 11, tzinfo=UTC))
    final(2030)
    assert listed(2031) == [who["S"]]
    carried_out(clock, 2031)
    assert kept_rows() == {who["A"].pk, who["B"].pk}
    assert recompute_all(cause="check") is False
    assert Player.objects.filter(purged__purge__year=2031).get() == who["S"]
