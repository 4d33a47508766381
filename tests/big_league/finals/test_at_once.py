"""Sixty-four people answer at the same moment: never more are seated than there are seats."""

import threading
from datetime import UTC, datetime
from functools import partial

import pytest
from django.db import connection

from big_league.models import Answer, Final
from big_league.services import convocations, final_seats
from big_league.services.final_seats import Reply
from pergioco.core.models import Job
from pergioco.core.refusal import Outdated
from pergioco.players.models import Player
from tests import factories
from tests.big_league.finals.hall import announced, championship, first_mail, seated, second_mail
from tests.publishing.test_publishing_race import Meeting, at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]


@pytest.fixture
def final() -> Final:
    """The second mail has left: whoever answers first has a seat."""
    championship(64)
    return second_mail(first_mail(announced()))


PLACES = threading.Semaphore(24)  # connections that the tests' server has for them at once


def answered(final: Final, player: Player, said: str) -> Final:
    with PLACES:
        try:
            return final_seats.record_reply(final, player, Reply(said))
        finally:
            connection.close()


def answers(final: Final, *, said: str = "yes") -> list[partial[Final]]:
    return [
        partial(answered, final, row.player, said) for row in final.called.select_related("player")
    ]


def test_of_64_at_once_exactly_32_are_seated_and_the_others_stand_in_the_line(final):
    results = at_once(*answers(final))
    assert {type(result) for result in results} == {Final}
    course = final_seats.replay_answers(final)
    assert (len(course.seated), len(course.waiting), course.free) == (32, 32, 0)
    assert [one.number for one in final.taken.order_by("number")] == list(range(1, 33))
    assert {player.pk for player in seated(final)} == set(course.seated)
    assert final.stage.entries.count() == 32
    # with the second mail
    assert [one.number for one in final.answers.order_by("number")] == list(range(1, 66))


def test_control_without_the_lock_two_take_the_same_number_and_one_answer_is_lost(
    final, monkeypatch
):
    """On SQLite a transaction lets nobody else write from its first moment, so there the control
    stays harmless."""
    meeting = Meeting(is_control=True)

    def unlocked(final: Final) -> Final:
        row = Final.objects.select_related("stage__game", "stage__season").get(pk=final.pk)
        row.answers.count()
        return row

    def append(final: Final, *rest: object, **more: object) -> Answer:
        last = final.answers.count()
        meeting.join()
        monkeypatch.undo()
        return Answer.objects.create(final=final, number=last + 1, player=rest[1], said=rest[0])

    monkeypatch.setattr(final_seats, "lock_final", unlocked)
    monkeypatch.setattr(final_seats, "append_answer", append)
    results = at_once(*answers(final)[:2])
    lost = [result for result in results if isinstance(result, Exception)]
    assert len(lost) == (1 if connection.vendor == "postgresql" else 0)


def test_two_who_send_the_first_mail_at_once_send_it_once():
    championship(4)
    final = announced()
    act = partial(
        convocations.send_first_mail, final, version=1, by=factories.user_with_role("staff")
    )
    results = at_once(act, act)
    assert {type(result) for result in results} == {Final, Outdated}
    assert final.called.count() == 4
    assert final.mails.count() == 4
    assert Job.objects.filter(kind="mail.send").count() in {
        0,
        4,
    }  # the tests' transport keeps no outbox


def test_a_seat_given_back_while_others_answer_is_taken_once(final):
    rows = [row.player for row in final.called.select_related("player")]
    for player in rows[:32]:
        final_seats.record_reply(final, player, Reply("yes"))
    leaving = answers(final, said="no")[:4]
    at_once(*leaving, *answers(final)[32:48])
    assert final.taken.count() == 32
    assert final.first_mail_at <= datetime(2026, 3, 12, 11, tzinfo=UTC)
