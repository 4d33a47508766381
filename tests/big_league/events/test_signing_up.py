"""Signing up for an event of BIG, and off again: the use-cases."""

import re
from datetime import date, timedelta
from importlib import import_module
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from big_league import links
from big_league.models import FinalSeat, OnlineEntry, OnlineTournament, SignUp
from big_league.services import sign_ups
from big_league.services.sign_ups import SignUpData
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.refusal import Refused
from pergioco.players.services import erasing
from pergioco.stages.models import Entry, Stage
from risiko_master.models import Presence
from tests import factories
from tests.big_league.finals.hall import convened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]


def wanted(name="Bea", *, box=False, submission=None, **changed):
    person = {
        "first_name": name,
        "last_name": "Neri",
        "email": f"{name.lower()}@example.net",
        "birth_date": date(1990, 5, 17),
        "phone": "",
        "nickname": "",
        **changed,
    }
    return SignUpData(person, box, submission or uuid4(), "en")


def join(event, name="Bea", **fields):
    return sign_ups.sign_up(event, wanted(name, **fields), player=None, by=None)


@pytest.fixture
def event(staff):
    made = factories.homologated(by=staff, capacity=2, criterion="two boxes")
    mail.outbox.clear()
    return made


def names(numbers):
    by_number = {row.pk: row.first_name for row in SignUp.objects.all()}
    return [by_number[number] for number in numbers]


def letters():
    return [(message.to[0].partition("@")[0], message.subject) for message in mail.outbox]


def test_a_guest_gets_a_seat_and_a_letter_with_the_link(event):
    made = join(event)
    assert (made.first_name, made.player, made.presence) == ("Bea", None, "")
    assert letters() == [("bea", "Your seat at the BIG tournament")]
    link = re.search(r"/en/big/signup/(\S+)/", mail.outbox[0].body)
    assert link is not None
    assert links.find_signup(link[1]) == made
    entry = AuditEntry.objects.get(action="big_event.signed_up")
    assert (entry.role, entry.changes) == ("link", {"brings_box": ["", "False"]})


def test_a_player_signs_up_with_nothing_typed_and_once(event, player_user):
    player = player_user.person.player
    nothing = SignUpData({}, True, uuid4(), "en")
    made = sign_ups.sign_up(event, nothing, player=player, by=player_user)
    again = sign_ups.sign_up(
        event, SignUpData({}, False, uuid4(), "en"), player=player, by=player_user
    )
    assert (again, SignUp.objects.count()) == (made, 1)
    assert (made.player, made.first_name, made.brings_box) == (player, "", True)
    assert mail.outbox[0].to == [player_user.email]


def test_the_same_form_sent_twice_is_one_sign_up_and_so_is_the_same_guest(event):
    key = uuid4()
    made = join(event, submission=key)
    assert join(event, submission=key) == made
    assert join(event, email="BEA@example.net") == made
    assert join(event, birth_date=date(1991, 1, 1)) != made


def test_before_the_database_refuses_a_guest_twice_those_that_are_there_are_named(event):
    migration = import_module("big_league.migrations.0002_one_guest_sign_up")
    made = join(event)
    migration.refuse_doubles(apps, None)
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX guest_signs_up_once_an_event")
    rows = SignUp.objects.filter(pk=made.pk)
    (values,) = rows.values()
    twin = SignUp.objects.create(
        **values | {"id": None, "key": "twin", "submission": uuid4(), "email": "BEA@example.net"}
    )
    with pytest.raises(ValueError, match=f"sign-ups {made.pk} and {twin.pk} are the same"):
        migration.refuse_doubles(apps, None)


def test_box_bringers_come_first_and_whoever_moves_reads_it(event):
    for name in ("Ada", "Bea"):
        join(event, name)
    mail.outbox.clear()
    join(event, "Carl", box=True)
    line = sign_ups.read_waiting_line(event)
    assert (names(line.seated), names(line.waiting)) == (["Carl", "Ada"], ["Bea"])
    assert letters() == [
        ("carl", "Your seat at the BIG tournament"),
        ("bea", "You are on the waiting list now"),
    ]
    assert "you are number 1 of those who wait" in mail.outbox[1].body


def test_whoever_leaves_makes_room_and_is_forgotten(event):
    first, *_others = (join(event, name) for name in ("Ada", "Bea", "Carl", "Dan"))
    mail.outbox.clear()
    sign_ups.sign_off(first, by=None)
    line = sign_ups.read_waiting_line(event)
    assert (names(line.seated), names(line.waiting)) == (["Bea", "Carl"], ["Dan"])
    assert letters() == [("carl", "A seat has become free: it is yours")]
    first.refresh_from_db()
    assert (first.first_name, first.email, first.birth_date) == ("", "", None)
    sign_ups.sign_off(first, by=None)
    assert AuditEntry.objects.filter(action="big_event.signed_off").count() == 1


def test_a_box_promised_later_moves_up(event):
    rows = [join(event, name) for name in ("Ada", "Bea", "Carl")]
    mail.outbox.clear()
    sign_ups.change_box(rows[2], brings_box=True, by=None)
    assert letters() == [
        ("carl", "A seat has become free: it is yours"),
        ("bea", "You are on the waiting list now"),
    ]
    sign_ups.change_box(rows[2], brings_box=True, by=None)
    assert len(mail.outbox) == 2


def test_whoever_left_may_come_back_at_the_end_of_the_line(event):
    first = join(event, "Ada")
    sign_ups.sign_off(first, by=None)
    assert join(event, "Ada") != first


@pytest.mark.parametrize("state", ["cancelled", "closed", "open"])
def test_nobody_signs_up_for_what_is_off_over_or_begun(event, state):
    Stage.objects.filter(pk=event.stage_id).update(status=state)
    with pytest.raises(Refused, match="Signing up is over"):
        join(event)


def test_nobody_signs_up_after_the_start_nor_for_a_final(event, clock):
    Stage.objects.filter(pk=event.stage_id).update(final=True)
    with pytest.raises(Refused):
        join(event)
    Stage.objects.filter(pk=event.stage_id).update(final=False)
    clock.shift(timedelta(days=31))
    with pytest.raises(Refused):
        join(event)


def test_a_birth_date_to_come_is_refused_and_a_child_is_welcome(event):
    with pytest.raises(Refused, match="still to come"):
        join(event, birth_date=date(2030, 1, 1))
    assert join(event, birth_date=date(2018, 1, 1)).pk


def test_sign_ups_are_forgotten_a_month_after_the_day(event, clock):
    join(event)
    clock.shift(timedelta(days=30 + 30))
    sign_ups.forget_old_events()
    assert SignUp.objects.count() == 1
    clock.shift(timedelta(hours=1))
    sign_ups.forget_old_events()
    assert SignUp.objects.count() == 0


def test_an_erased_player_is_not_expected(event, player_user):
    player = player_user.person.player
    sign_ups.sign_up(event, SignUpData({}, False, uuid4(), "en"), player=player, by=player_user)
    erasing.erase_player(player, by=None, asked_at=timezone.now())
    assert SignUp.objects.count() == 0


def another_row(table: str, **changed: object) -> None:
    """By plain SQL: the same row again, with another number."""
    columns = [field.column for field in MODELS[table]._meta.concrete_fields if field.name != "id"]
    values = ", ".join("%s" if name in changed else f'"{name}"' for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {values} FROM {table}",
            [changed[name] for name in columns if name in changed],
        )


MODELS = {
    model._meta.db_table: model for model in (SignUp, Entry, Presence, FinalSeat, OnlineEntry)
}
UNIQUE_ANYWAY = {
    SignUp._meta.db_table: lambda: {"key": uuid4().hex, "submission": uuid4().hex},
    FinalSeat._meta.db_table: lambda: {"number": 2},
}


def sign_up_everywhere(event, player):
    join(event)
    entry = Entry.objects.create(stage=event.stage, player=player)
    Presence.objects.create(entry=entry, by=event.sent_by)
    final = convened(event.stage, player)
    FinalSeat.objects.create(final=final, number=1, player=player, why="called")
    online = OnlineTournament.objects.create(stage=event.stage, fee=500)
    OnlineEntry.objects.create(tournament=online, player=player, paid=500, by=event.sent_by)


@pytest.mark.parametrize("table", MODELS)
def test_the_database_itself_takes_each_player_once(event, player_user, table):
    sign_up_everywhere(event, player_user.person.player)
    changed = UNIQUE_ANYWAY.get(table, dict)
    with pytest.raises(IntegrityError, match=r"(?i)unique"):
        another_row(table, **changed())
    assert MODELS[table].objects.count() == 1


def test_who_withdrew_may_sign_up_again_also_by_plain_sql(event, player_user):
    table = SignUp._meta.db_table
    sign_ups.sign_up(event, wanted(), player=player_user.person.player, by=player_user)
    with pytest.raises(IntegrityError):
        another_row(table, **UNIQUE_ANYWAY[table]())
    SignUp.objects.update(left_at=timezone.now())
    another_row(table, **UNIQUE_ANYWAY[table](), left_at=None)
    assert SignUp.objects.coming().count() == 1


def test_guests_of_one_address_are_several_people(event):
    join(event)
    join(event, "Ada", email="bea@example.net")
    assert SignUp.objects.coming().count() == 2
    SignUp.objects.filter(first_name="Ada").update(birth_date=date(1991, 5, 17))
    with pytest.raises(IntegrityError, match=r"(?i)unique"), transaction.atomic():
        SignUp.objects.update(first_name="BEA", birth_date=date(1990, 5, 17))
