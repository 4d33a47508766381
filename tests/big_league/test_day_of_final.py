"""The day of a national final: those with a seat are expected, heads of series sit apart."""

import pytest

from big_league.day_facts import load_day
from big_league.models import Final, SignUp
from big_league.services import attendance, round_drawing
from big_league.services.attendance import CheckInMark
from big_league.services.round_drawing import Wish
from pergioco.core.refusal import Refused
from pergioco.stages.services import pairing
from tests import factories
from tests.big_league.finals.hall import announced, championship, first_mail, say, seated

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


@pytest.fixture
def by(db):
    return factories.user_with_role("staff")


@pytest.fixture
def final(by) -> Final:
    championship(12)
    made = first_mail(announced(seats=8))
    for row in list(made.called.all())[:8]:
        say(made, row.player, "yes", brings_box=row.position == 1)
    return made


def test_big_7_2_those_with_a_seat_are_expected_with_their_boxes(final, by):
    event = attendance.open_final_day(final, by=by)
    assert attendance.open_final_day(final, by=by) == event
    rows = SignUp.objects.filter(event=event)
    assert ({row.player for row in rows}, rows.filter(brings_box=True).count()) == (
        set(seated(final)),
        1,
    )
    assert (event.stage, event.city) == (final.stage, final.city)


def test_big_7_2_nobody_is_seated_before_it_is_known_who_came(final, by):
    event = attendance.open_final_day(final, by=by)
    pairing.draw_seed(event.stage, by=by)
    with pytest.raises(Refused, match="8 players are still expected"):
        round_drawing.propose_round(load_day(event.stage), Wish(4))


def test_big_7_heads_of_series_are_of_those_who_came(final, by):
    event = attendance.open_final_day(final, by=by)
    order = [row.player.pk for row in final.called.all()]
    pairing.draw_seed(event.stage, by=by)
    for row in SignUp.objects.filter(event=event):
        presence = "absent" if row.player_id == order[0] else "present"
        attendance.mark_presence(row, CheckInMark(presence, row.brings_box), by=by)
    proposal = round_drawing.propose_round(load_day(event.stage), Wish(4))
    assert proposal.heads == (order[1], order[2])
    assert [sum(player in proposal.heads for player in table) for table in proposal.tables] == [
        1,
        1,
    ]
