"""A tournament of BIG of thirteen players and three rounds in a real browser: from the entrance to
the league table."""

import pytest

from big_league.day_facts import load_day
from big_league.models import Event, SignUp
from big_league.services import sign_ups
from pergioco.core import jobs
from pergioco.publishing.models import Line
from pergioco.stages import table_pages
from pergioco.stages.models import Stage, Table
from tests import factories
from tests.big_league.day import NAMES, event_for, guest
from tests.browser.axe import problems

pytestmark = pytest.mark.browser
LATE = {
    "first_name": "Olga",
    "last_name": "Neri",
    "email": "olga@example.net",
    "birth_date_0": "17",
    "birth_date_1": "5",
    "birth_date_2": "1990",
}


@pytest.fixture
def by(portal):
    return factories.user_with_role("big_organizer")


@pytest.fixture
def event(by) -> Event:
    made = event_for(by)
    for name in NAMES[:12]:
        sign_ups.sign_up(made, guest(name), player=None, by=None)
    return made


def laptop(visit, by, event, **window):
    visitor = visit(**window)
    visitor.sign_in(by)
    assert visitor.open("desk-big-check-in", event.pk) == 200
    return visitor


def check_in_everybody(visitor):
    for row in SignUp.objects.order_by("pk"):
        visitor.press(f"#s{row.pk} button[value=present]")


def let_in_late(visitor, event):
    visitor.open("desk-big-walk-in", event.pk)
    for name, text in LATE.items():
        visitor.do(lambda page, name=name, text=text: page.fill(f"[name={name}]", text))
    visitor.do(lambda page: page.check("[name=agrees]"))
    visitor.press("main .form .button")
    assert "Neri Olga is in." in visitor.text("body")


def open_round(visitor, event):
    visitor.open("desk-big-draw", event.pk)
    visitor.press("button:has-text('Open round')")


def tables(event, round_):
    revision = load_day(event.stage).revision
    rows = Table.objects.filter(round__revision=revision, round__number=round_).order_by("number")
    return [(table, table.seats.count()) for table in rows]


def type_scores(visitor, event, round_, number, scores):
    """On the page of the table at the desk."""
    visitor.open("desk-big-table", event.pk, round_, number)
    for at, score in enumerate(scores, 1):
        visitor.do(lambda page, at=at, score=score: page.fill(f"[name='{at}-score']", str(score)))
    visitor.press("button:has-text('Save the table')")
    assert f"Table {number} is saved." in visitor.text("body")


def type_round(visitor, event, round_, *, but=()):
    """The first seat of each table wins."""
    for table, seats in tables(event, round_):
        if table.number not in but:
            type_scores(visitor, event, round_, table.number, [40 - 10 * at for at in range(seats)])


def sizes(event, round_):
    return [seats for _table, seats in tables(event, round_)]


def close(visitor, event):
    visitor.open("desk-big-close", event.pk)
    visitor.press("button:has-text('Close and publish')")
    while jobs.run_waiting():
        pass


@pytest.mark.parametrize("javascript", [True, False], ids=["with scripts", "without scripts"])
def test_from_the_entrance_to_the_league_table(visit, by, event, javascript):
    visitor = laptop(visit, by, event, javascript=javascript)
    check_in_everybody(visitor)
    open_round(visitor, event)
    assert sizes(event, 1) == [4, 4, 4]
    swap_two(visitor, event)
    type_round(visitor, event, 1)
    let_in_late(visitor, event)
    open_round(visitor, event)
    assert sizes(event, 2) == [4, 3, 3, 3]  # three of them with a ghost
    type_round(visitor, event, 2)
    correct_a_table(visitor, event)
    open_round(visitor, event)
    type_round(visitor, event, 3)
    assert "All scores are there" in visitor.text()
    close(visitor, event)
    assert Stage.objects.get(pk=event.stage_id).status == "closed"
    of_the_event = Line.objects.filter(computation__kind=f"big-event:{event.stage.slug}")
    assert (of_the_event.count(), of_the_event.filter(position=1).get().rank) == (13, 1)
    assert Line.objects.filter(
        computation__kind="big:catan", computation__shown__publication__is_current=True
    ).exists()
    visitor.open("big-event", event.stage.slug)
    assert "Final order" in visitor.text()


def swap_two(visitor, event):
    first, second = (
        table.seats.get(position=1).player_id for table, _seats in tables(event, 1)[:2]
    )
    visitor.open("desk-big-swap", event.pk)
    visitor.do(lambda page: page.select_option("[name=first]", str(first)))
    visitor.do(lambda page: page.select_option("[name=second]", str(second)))
    visitor.do(lambda page: page.fill("[name=reason]", "brothers"))
    visitor.press("main .form .button")
    assert tables(event, 1)[0][0].seats.get(position=1).player_id == second


def correct_a_table(visitor, event):
    """Of the first round, while the second is played: only the referee does, with a reason."""
    visitor.open("desk-big-table", event.pk, 1, 1)
    visitor.do(lambda page: page.fill("[name='1-score']", "5"))
    visitor.press("button:has-text('Save the table')")
    assert "Say why" in visitor.text()
    visitor.do(lambda page: page.fill("[name=reason]", "the slip was misread"))
    visitor.press("button:has-text('Save the table')")
    visitor.troubles[:] = [trouble for trouble in visitor.troubles if "422" not in trouble]
    assert str(tables(event, 1)[0][0].seats.get(position=1).score) == "5.00"


def test_three_phones_report_their_tables_and_the_laptop_sees_what_is_missing(visit, by, event):
    visitor = laptop(visit, by, event)
    check_in_everybody(visitor)
    open_round(visitor, event)
    assert "3 tables are missing" in visitor.text()
    for table, _seats in tables(event, 1):
        phone = visit(width=360)
        phone.go(
            phone.address("table", table_pages.make_table_token(event.stage_id, 1, table.number))
        )
        report(phone, table)
    visitor.open("desk-big-day", event.pk)
    assert "All scores are there" in visitor.text()
    assert visitor.text("#t1").count("confirmed") == 1
    assert problems(visitor) == []


def report(phone, table):
    players = list(table.seats.order_by("position").values_list("player", flat=True))
    for at, player in enumerate(players):
        phone.do(
            lambda page, at=at, player=player: page.fill(
                f"[name='score-{player}']", str(40 - 10 * at)
            )
        )
    phone.do(lambda page: page.click("button[value=send]"))
    for player in players:
        phone.do(lambda page, player=player: page.click(f".confirm button[value='{player}']"))
        phone.do(
            lambda page, player=player: page.wait_for_selector(
                f".confirm button[value='{player}']", state="detached"
            )
        )


def test_on_a_phone_the_entrance_has_buttons_for_a_thumb(visit, by, event):
    visitor = laptop(visit, by, event, width=360)
    boxes = visitor.do(
        lambda page: [b.bounding_box() for b in page.locator(".card button:visible").all()]
    )
    assert len(boxes) == 24
    assert min(box["height"] for box in boxes) >= 44
    assert problems(visitor) == []


def test_a_guest_signs_up_on_a_phone_and_signs_off_again(visit, by, event):
    visitor = visit(width=360)
    visitor.open("big-event", event.stage.slug)
    visitor.press("#sign-up ~ .actions a, a:has-text('Sign up')")
    for name, text in LATE.items():
        visitor.do(lambda page, name=name, text=text: page.fill(f"[name={name}]", text))
    visitor.do(lambda page: page.check("[name=agrees]"))
    visitor.press("main .form .button")
    assert "A seat is yours." in visitor.text()
    assert problems(visitor) == []
    visitor.press("button[name=leave]")
    assert "You are not coming" in visitor.text()
