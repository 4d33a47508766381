"""Answers, seats and the line: who plays follows from what was said, in the order in which it was
said."""

from datetime import UTC, datetime

import pytest
from django.core import mail

from big_league import links
from big_league.models import Answer
from big_league.services import final_seats
from big_league.services.final_seats import CallStatus, Reply, build_call_list, find_call_row
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.models import Player
from pergioco.stages.models import Entry
from tests import factories
from tests.big_league.finals.hall import (
    announced,
    championship,
    first_mail,
    say,
    seated,
    second_mail,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def final():
    """Four seats, two reserves, two who were not called."""
    championship(8)
    return first_mail(announced(seats=4, reserves=2))


@pytest.fixture
def order(final) -> list[Player]:
    return [row.player for row in final.called.select_related("player__person__user")]


def outsiders(final) -> list[Player]:
    return list(
        Player.objects.filter(person__isnull=False, membership__isnull=False).exclude(
            called_to__final=final
        )
    )


def entered(final) -> set[int]:
    return set(Entry.objects.filter(stage=final.stage).values_list("player", flat=True))


def test_big_7_1_one_of_the_first_is_seated_at_once_and_entered(final, order):
    say(final, order[2], "yes", brings_box=True)
    assert seated(final) == [order[2]]
    assert entered(final) == {order[2].pk}
    assert find_call_row(final, order[2]).last.brings_box is True


def test_big_7_1_a_reserve_waits_for_the_second_mail(final, order):
    say(final, order[4], "yes")
    assert (seated(final), find_call_row(final, order[4]).standing) == ([], CallStatus.EARLY)
    second_mail(final)
    assert seated(final) == [order[4]]


def test_big_7_1_who_stays_away_gives_the_seat_to_the_next(final, order):
    for player in order[:5]:
        say(final, player, "yes")
    second_mail(final)
    mail.outbox.clear()
    say(final, order[0], "no")
    assert seated(final) == [order[4], *order[1:4]]  # the free seat is the first one
    assert entered(final) == {player.pk for player in order[1:5]}
    assert [one.to for one in mail.outbox] == [[order[4].person.user.email]]


def test_a_changed_mind_stands_in_the_line_when_all_seats_are_gone(final, order):
    for player in order[:5]:
        say(final, player, "yes")
    second_mail(final)
    say(final, order[0], "no")
    say(final, order[0], "yes")
    row = find_call_row(final, order[0])
    assert (row.standing, row.line) == (CallStatus.WAITING, 1)


def test_the_same_answer_twice_is_one(final, order):
    say(final, order[0], "yes")
    say(final, order[0], "yes")
    assert Answer.objects.count() == 1
    assert AuditEntry.objects.filter(action="big_final.answered").count() == 1


def test_the_box_may_be_changed_without_losing_the_seat(final, order):
    say(final, order[0], "yes", brings_box=False)
    say(final, order[0], "yes", brings_box=True)
    assert (seated(final), find_call_row(final, order[0]).last.brings_box) == ([order[0]], True)


def test_big_7_1_outsiders_come_last_and_only_where_seats_are_free(final, order):
    asking, other = outsiders(final)
    by = factories.user_with_role("staff")
    final_seats.ask_for_seat(final, asking, by=asking.person.user)
    assert find_call_row(final, asking).standing == CallStatus.ASKING
    with pytest.raises(Refused, match="second mail"):
        final_seats.grant_seat(final, asking, by=by, reason="asked first")
    for player in order[:3]:
        say(final, player, "yes")
    second_mail(final)
    final_seats.grant_seat(final, asking, by=by, reason="asked first")
    assert seated(final) == [*order[:3], asking]
    with pytest.raises(Refused, match="No seat is free"):
        final_seats.grant_seat(final, other, by=by, reason="asked too")


def test_whoever_was_called_is_not_let_in_by_another_door(final, order):
    by = factories.user_with_role("staff")
    with pytest.raises(Refused, match="link in your mail"):
        final_seats.ask_for_seat(final, order[0], by=by)
    with pytest.raises(Refused, match="is called"):
        final_seats.grant_seat(final, order[0], by=by, reason="no")


def test_big_7_1_only_who_has_played_the_game_may_ask(final):
    stranger = factories.registered()
    with pytest.raises(Refused, match="at least one tournament"):
        final_seats.ask_for_seat(final, stranger, by=stranger.person.user)


def test_after_the_last_day_the_link_answers_nothing_and_the_desk_still_does(final, order, clock):
    clock.move_to(datetime(2026, 4, 20, 22, 0, tzinfo=UTC))  # midnight in Rome
    with pytest.raises(Refused, match="time to answer is over"):
        say(final, order[0], "yes")
    staff = factories.user_with_role("staff")
    final_seats.record_reply(final, order[0], Reply("yes", by=staff, reason="on the phone"))
    assert seated(final) == [order[0]]
    assert AuditEntry.objects.get(action="big_final.answered").reason == "on the phone"


def test_on_the_last_day_it_still_answers(final, order, clock):
    clock.move_to(datetime(2026, 4, 20, 21, 59, tzinfo=UTC))
    say(final, order[0], "yes")
    assert seated(final) == [order[0]]


def test_before_the_first_mail_nobody_answers(order):
    later = announced()
    with pytest.raises(Refused, match="Nobody is called"):
        say(later, order[0], "yes")


def test_a_link_opens_for_its_own_final_and_player_only(final, order):
    token = links.convocation_token(final, order[0])
    assert links.find_convocation(token) == (final, order[0])
    assert links.find_convocation(token[:-1] + ("a" if token[-1] != "a" else "b")) is None
    assert links.find_convocation(links.convocation_signer.sign(f"{final.key}-nobody")) is None


def test_an_erased_player_has_no_link_any_more(final, order):
    token = links.convocation_token(final, order[0])
    Player.objects.filter(pk=order[0].pk).update(erased_at=datetime(2026, 3, 1, tzinfo=UTC))
    assert links.find_convocation(token) is None


def test_the_desk_sees_everybody_in_a_constant_number_of_queries(
    final, order, django_assert_num_queries
):
    say(final, order[0], "yes")
    with django_assert_num_queries(5):
        build_call_list(final)
    for player in order:
        say(final, player, "yes")
    with django_assert_num_queries(5):
        desk = build_call_list(final)
    assert [row.standing for row in desk.called] == [CallStatus.SEATED] * 4 + [CallStatus.EARLY] * 2
