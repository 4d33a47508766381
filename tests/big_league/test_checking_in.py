"""The entrance: from a name on a list to a player, a member and an entry; the use-cases."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from big_league.models import SignUp
from big_league.services import attendance, sign_ups
from big_league.services.attendance import NEW_PLAYER, CheckInMark
from pergioco.core.refusal import Refused
from pergioco.players.models import Membership, Person, PlatformAccount, Player
from pergioco.players.naming import is_named
from pergioco.players.rules.people import PGM
from tests import factories
from tests.big_league.day import come, draw, event_for, guest

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
HERE, AWAY = CheckInMark("present", brings_box=False), CheckInMark("absent", brings_box=False)


@pytest.fixture
def by(db):
    return factories.user_with_role("big_organizer")


@pytest.fixture
def event(by):
    return event_for(by)


def signed_up(event, name="Ada", **person):
    wanted = guest(name)
    return sign_ups.sign_up(
        event,
        sign_ups.SignUpData({**wanted.person, **person}, False, wanted.submission, "en"),
        player=None,
        by=None,
    )


def entered(event):
    return [entry.player.person.first_name for entry in event.stage.entries.order_by("id")]


def test_a_guest_who_comes_in_is_a_person_a_member_and_an_entry(event, by):
    row = attendance.mark_presence(signed_up(event, phone="+39 333 123456"), HERE, by=by)
    person = row.player.person
    assert (str(person), person.contact_email, person.birth_date) == (
        "Ada Neri",
        "ada@example.net",
        date(1990, 5, 17),
    )
    assert (person.phone, person.user, is_named(row.player, PGM)) == ("+39 333 123456", None, False)
    assert Membership.objects.get().player == row.player
    assert entered(event) == ["Ada"]
    row.refresh_from_db()
    assert (row.first_name, row.email, row.birth_date, row.phone) == ("", "", None, "")


def test_said_twice_it_is_done_once(event, by):
    row = signed_up(event)
    for _ in range(2):
        attendance.mark_presence(row, HERE, by=by)
    assert (Player.objects.count(), Membership.objects.count(), entered(event)) == (1, 1, ["Ada"])


def test_whoever_is_absent_after_all_is_no_entry_and_may_still_come(event, by):
    row = attendance.mark_presence(signed_up(event), HERE, by=by)
    attendance.mark_presence(row, AWAY, by=by)
    assert entered(event) == []
    attendance.mark_presence(row, HERE, by=by)
    assert (entered(event), Player.objects.count()) == (["Ada"], 1)


def test_a_player_with_a_login_comes_in_as_who_he_is(event, by, player_user):
    player = player_user.person.player
    row = sign_ups.sign_up(event, guest("x"), player=player, by=player_user)
    assert attendance.mark_presence(row, HERE, by=by).player == player
    assert Person.objects.count() == 1


def test_somebody_on_file_with_the_same_name_and_birth_date_is_asked_about(event, by):
    known = factories.person(
        first_name="Ada", last_name="Neri", birth_date=date(1990, 5, 17)
    ).player
    row = signed_up(event)
    with pytest.raises(Refused, match="on file"):
        attendance.mark_presence(row, HERE, by=by)
    assert (
        attendance.mark_presence(row, CheckInMark("present", False, known.public_id), by=by).player
        == known
    )
    assert Person.objects.count() == 1


def test_a_namesake_of_another_day_is_nobody_and_somebody_else_may_be_new(event, by):
    factories.person(first_name="Ada", last_name="Neri", birth_date=date(1971, 1, 1))
    attendance.mark_presence(signed_up(event), HERE, by=by)
    twin = signed_up(event, email="twin@example.net")
    attendance.mark_presence(twin, CheckInMark("present", False, NEW_PLAYER), by=by)
    assert Person.objects.count() == 3


def test_a_walk_in_is_in_at_once_and_the_same_form_lets_in_one(event, by):
    wanted = guest("Bea", box=True)
    row = attendance.record_walk_in(event, wanted, by=by)
    assert attendance.record_walk_in(event, wanted, by=by) == row
    assert (row.presence, row.at_the_door, row.brings_box, entered(event)) == (
        "present",
        True,
        True,
        ["Bea"],
    )


def test_a_guest_who_signed_up_from_home_is_no_walk_in(event, by):
    there = signed_up(event, "Bea")
    person = {name: getattr(there, name) for name in SignUp.PERSONAL}
    again = replace(guest("Bea"), person=person)
    with pytest.raises(Refused, match="under another entry of the list"):
        attendance.record_walk_in(event, again, by=by)
    assert SignUp.objects.count() == 1


def test_with_all_seats_taken_nobody_more_comes_in_and_nothing_is_left_behind(by):
    event = event_for(by, capacity=1, criterion="one box")
    come(event, ["Ada"], by=by)
    with pytest.raises(Refused, match="1 seats"):
        attendance.record_walk_in(event, guest("Bea"), by=by)
    assert (SignUp.objects.count(), Person.objects.count()) == (1, 1)


def test_a_nickname_is_kept_unless_somebody_has_it(event, by):
    attendance.mark_presence(signed_up(event, nickname="ada77"), HERE, by=by)
    attendance.mark_presence(signed_up(event, "Bea", nickname="ada77"), HERE, by=by)
    attendance.mark_presence(signed_up(event, "Carl", nickname="x" * 59 + "\u200b"), HERE, by=by)
    assert [account.player.person.first_name for account in PlatformAccount.objects.all()][:1] == [
        "Ada"
    ]


def test_open_doors_end_signing_up(event, by):
    attendance.open_doors(event, by=by)
    with pytest.raises(Refused, match="Signing up is over"):
        signed_up(event)


def test_whoever_leaves_sits_at_no_more_tables_and_may_come_back(event, by):
    players = come(event, ("Ada", "Bea", "Carl", "Dan"), by=by)
    draw(event, by=by)
    attendance.withdraw_after(event, players[0], round_=1, by=by)
    entry = event.stage.entries.get(player=players[0])
    assert entry.withdrew_after_round == 1
    with pytest.raises(Refused, match="later round"):
        attendance.withdraw_after(event, players[1], round_=0, by=by)
    attendance.withdraw_after(event, players[0], round_=None, by=by)
    entry.refresh_from_db()
    assert entry.withdrew_after_round is None


def test_whoever_sits_at_a_table_cannot_be_said_absent(event, by):
    come(event, ("Ada", "Bea", "Carl"), by=by)
    draw(event, by=by, size=3)
    with pytest.raises(Refused, match="paired already"):
        attendance.mark_presence(SignUp.objects.first(), AWAY, by=by)


def test_a_birth_date_to_come_is_refused_at_the_entrance_too(event, by):
    wanted = guest("Bea")
    wanted.person["birth_date"] = date(2026, 3, 12) + timedelta(days=1)
    with pytest.raises(Refused, match="still to come"):
        attendance.record_walk_in(event, wanted, by=by)
