"""Calling the best of a championship to its final: 32 and 32, as the ranking stands when the first
mail leaves."""

from datetime import date
from uuid import uuid4

import pytest
from django.core import mail
from django.db import DatabaseError, transaction

from big_league.models import CalledPlayer, Convocation, Final
from big_league.services import convocations
from big_league.services.convocations import preview_call
from big_league.services.final_seats import find_heads_of_series, first_round_shape
from pergioco.core.models import User
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.models import Person
from pergioco.stages.models import Entry, Game, Stage
from tests import factories
from tests.big_league.finals.hall import (
    VALUES,
    announced,
    championship,
    first_mail,
    say,
    seated,
    second_mail,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


def test_a_final_stands_on_the_calendar_as_a_stage_of_its_game():
    championship(4)
    stage = announced().stage
    assert (stage.slug, stage.circuit, stage.final, stage.by_invitation) == (
        "2026-04-final-catan",
        "big",
        True,
        True,
    )
    assert stage.starts_on == date(2026, 4, 25)


def test_the_same_form_twice_announces_one_final():
    championship(4)
    by, submission, game = (
        factories.user_with_role("staff"),
        uuid4(),
        Game.objects.get(slug="catan"),
    )
    made = {
        convocations.announce_final(VALUES, game, submission=submission, by=by).pk for _ in range(2)
    }
    assert made == {Final.objects.get().pk}
    assert Stage.objects.filter(final=True).count() == 1


def test_days_that_cannot_be_are_refused():
    championship(4)
    for name, value in (
        ("starts_at", VALUES["starts_at"].replace(year=2025)),
        ("answers_until", date(2026, 4, 26)),
    ):
        with pytest.raises(Refused) as refusal:
            announced(**{name: value})
        assert refusal.value.field == name
    assert Final.objects.count() == 0


def test_big_7_1_the_first_mail_calls_32_and_32_and_freezes_the_ranking():
    players = championship(70)
    final = announced()
    coming = preview_call(final)
    first_mail(final)
    rows = list(CalledPlayer.objects.order_by("position"))
    assert [row.player_id for row in rows] == [one.player for one in coming.called]
    assert [row.is_reserve for row in rows] == [False] * 32 + [True] * 32
    assert {row.player_id for row in rows} <= {player.pk for player in players}
    assert rows[0].points == preview_call(final).ranked[rows[0].player_id].points


def test_big_7_1_seats_may_be_others_than_32():
    championship(30)
    final = first_mail(announced(seats=16, reserves=8))
    assert [row.is_reserve for row in final.called.all()] == [False] * 16 + [True] * 8


def test_who_was_called_is_never_changed():
    championship(4)
    final = first_mail(announced())
    for act in (lambda: final.called.update(points=0), lambda: final.called.all().delete()):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()
    assert final.called.count() == 4


def test_everybody_who_is_called_gets_one_mail_in_the_own_language():
    players = championship(4)
    User.objects.filter(person__player=players[0]).update(language="es")
    final = first_mail(announced())
    assert len(mail.outbox) == 4
    assert Convocation.objects.filter(final=final, mail=1, is_sent=True).count() == 4
    letter = next(one for one in mail.outbox if one.to == [players[0].person.user.email])
    assert "Traed un jersey" in letter.body
    assert "/es/f/" in letter.body


def test_sent_twice_nobody_gets_a_second_mail():
    championship(4)
    final = announced()
    first_mail(final)
    with pytest.raises(Outdated):
        first_mail(final)
    with pytest.raises(Outdated):  # also by who looks at it as it is now
        first_mail(Final.objects.get())
    assert len(mail.outbox) == 4


def test_whoever_has_no_address_is_named_to_the_desk():
    players = championship(4)
    Person.objects.filter(player=players[0]).update(user=None, contact_email="")
    final = first_mail(announced())
    assert [one.player for one in final.mails.filter(is_sent=False)] == [players[0]]


def test_without_a_ranking_nobody_is_called():
    factories.game_sheet(factories.game("catan"))
    factories.season(2026)
    with pytest.raises(Refused, match="there is nobody to call"):
        first_mail(announced())


def test_the_second_mail_goes_to_those_who_have_not_settled_it():
    players = championship(6)
    final = first_mail(announced(seats=4))
    order = [row.player for row in final.called.all()]
    say(final, order[0], "yes")
    say(final, order[1], "no")
    mail.outbox.clear()
    second_mail(final)
    assert {one.to[0] for one in mail.outbox} == {player.person.user.email for player in order[2:]}
    assert len(players) == 6


def test_the_second_mail_needs_the_first():
    championship(4)
    with pytest.raises(Outdated):
        second_mail(announced())


def test_a_reserve_who_got_a_seat_is_told_and_not_asked_again():
    championship(6)
    final = first_mail(announced(seats=4))
    reserve = final.called.get(position=5).player
    say(final, reserve, "yes")
    mail.outbox.clear()
    second_mail(final)
    theirs = [one.subject for one in mail.outbox if one.to == [reserve.person.user.email]]
    assert len(theirs) == 1
    assert seated(final) == [reserve]


def test_two_who_change_a_final_at_once_hear_of_each_other():
    championship(4)
    final, by = announced(), factories.user_with_role("staff")
    convocations.change_final(final, VALUES | {"city": "Pisa"}, version=1, by=by)
    with pytest.raises(Outdated):
        convocations.change_final(final, VALUES | {"city": "Lucca"}, version=1, by=by)
    assert Final.objects.get().city == "Pisa"


def test_after_the_first_mail_seats_only_become_more():
    championship(6)
    final, by = first_mail(announced(seats=2)), factories.user_with_role("staff")
    with pytest.raises(Refused) as refusal:
        convocations.change_final(final, VALUES | {"seats": 1 + 1 - 1}, version=2, by=by)
    assert refusal.value.field == "seats"
    with pytest.raises(Refused) as refusal:
        convocations.change_final(final, VALUES | {"seats": 3, "reserves": 9}, version=2, by=by)
    assert refusal.value.field == "reserves"
    assert convocations.change_final(final, VALUES | {"seats": 3}, version=2, by=by).seats == 3


def test_more_seats_let_in_who_stands_in_the_line():
    championship(6)
    final, by = first_mail(announced(seats=2)), factories.user_with_role("staff")
    order = [row.player for row in final.called.all()]
    for player in order[:3]:
        say(final, player, "yes")
    final = second_mail(final)
    assert seated(final) == order[:2]
    convocations.change_final(final, VALUES | {"seats": 3}, version=final.version, by=by)
    assert seated(final) == order[:3]
    assert Entry.objects.filter(stage=final.stage).count() == 3


def test_big_7_heads_of_series_are_the_first_who_have_a_seat_one_a_table():
    championship(12)
    final = first_mail(announced(seats=8))
    order = [row.player for row in final.called.all()]
    for player in order[1:8]:
        say(final, player, "yes")
    assert find_heads_of_series(final, shape=(4, 3)) == order[1:3]
    Final.objects.update(champion=order[7])
    assert find_heads_of_series(Final.objects.get(), shape=(4, 3)) == [order[7], order[1]]
    Final.objects.update(heads=1)
    assert find_heads_of_series(Final.objects.get(), shape=(4, 3)) == [order[7]]
    assert sum(first_round_shape(final)) == 7


def test_a_settled_list_takes_no_answers():
    championship(4)
    final = first_mail(announced())
    convocations.close_final_list(
        final, version=final.version, by=factories.user_with_role("staff")
    )
    with pytest.raises(Refused, match="settled"):
        say(final, final.called.all()[0].player, "yes")
