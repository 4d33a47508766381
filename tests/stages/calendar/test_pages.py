"""The calendar's pages: what comes next, what is over, a month as a grid, and what was asked
for."""

import re
from datetime import date, time

import pytest

from pergioco.stages.models import DateChange, Entry, Stage
from pergioco.stages.queries import calendar
from tests import factories
from tests.office.desk.counting import queries_of
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
CALENDAR, MARCH = "/en/calendar/", "/en/calendar/2026/3/"
MOST_QUERIES = 12
TODAY = date(2026, 3, 12)


def on(first: date, last: date | None = None, **fields) -> Stage:
    return factories.stage(starts_on=first, ends_on=last or first, **fields)


def titled(name: str, first: date = date(2026, 3, 20), **fields) -> Stage:
    return on(first, game=factories.game(name), **fields)


def games(client, address: str = CALENDAR) -> list[str]:
    """In the order of the page."""
    page = client.get(address)
    return [f.stage.game.slug for _first, fixtures in page.context["months"] for f in fixtures]


# The list


def test_next_stages_come_first_under_their_months(client):
    titled("over", date(2026, 3, 11))
    titled("late", date(2026, 5, 2))
    titled("soon", date(2026, 3, 12))

    _filter, _show, page = main(client.get(CALENDAR)).partition("Show")

    assert games(client) == ["soon", "late"]
    assert (
        page.index("March 2026") < page.index("soon") < page.index("May 2026") < page.index("late")
    )
    assert "Stages of 2026 that are over" in page


def test_what_is_over_stands_on_its_own_page_the_latest_first(client):
    titled("first", date(2026, 2, 1))
    titled("second", date(2026, 3, 1), status="closed")
    titled("coming")

    page = main(client.get(f"{CALENDAR}?when=past"))

    assert games(client, f"{CALENDAR}?when=past") == ["second", "first"]
    assert "waiting for its results" in page
    assert "Results : second" in page


def test_a_whole_season_is_one_page_to_print(client):
    old = factories.season(2025)
    titled("old", date(2025, 5, 1), of=old)
    titled("coming", of=factories.season(2026))
    titled("first", date(2026, 2, 1))

    assert games(client, f"{CALENDAR}?when=season") == ["first", "coming"]
    assert games(client, f"{CALENDAR}?when=season&season=2025") == ["old"]
    assert "Calendar 2025" in main(client.get(f"{CALENDAR}?when=season&season=2025"))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("?game=hive", ["hive"]),
        ("?platform=bga", ["bga"]),
        ("?circuit=rkm", ["master"]),
        ("?race=on", ["race"]),
        ("?city=Napoli", ["master"]),
        ("?game=hive&race=on", []),
        ("?game=zzz", ["hive", "bga", "master", "race"]),
        ("?when=zzz&season=x", ["hive", "bga", "master", "race"]),
    ],
)
def test_it_can_be_filtered(client, asked, found):
    titled("hive")
    titled("bga", platform="bga")
    titled("master", circuit="rkm", platform="", city="Napoli")
    titled("race", race=True)

    assert games(client, CALENDAR + asked) == found


def test_the_file_below_holds_what_was_asked_for(client):
    titled("hive")

    page = client.get(f"{CALENDAR}?game=hive&race=on&when=past").content.decode()

    assert 'href="/en/calendar/stages.ics?game=hive&amp;race=on"' in page
    assert "webcal://" in page


def test_a_question_that_makes_no_sense_is_told(client):
    assert "There is no such thing to choose" in main(client.get(f"{CALENDAR}?game=zzz"))


def test_moved_cancelled_and_full_stages_say_so(client):
    moved, full = titled("moved"), titled("full", race=True)
    titled("off", status="cancelled")
    old = {"old_starts_on": "2026-03-13", "old_ends_on": "2026-03-13"}
    DateChange.objects.create(
        stage=moved,
        reason="Maintenance",
        new_starts_on="2026-03-20",
        new_ends_on="2026-03-20",
        **old,
    )
    Entry.objects.bulk_create(
        Entry(stage=full, player=factories.player()) for _ in range(Stage.RACE_CAPACITY)
    )

    page = client.get(CALENDAR)

    assert "<s>13/03/2026</s>" in page.content.decode()
    assert "Moved from 13/03/2026 : Maintenance" in main(page)
    assert "Full: all 64 seats are taken." in main(page)
    assert "<s>off</s>" in page.content.decode()
    assert "Add to my calendar : off" not in main(page)


def test_place_and_hour_stand_on_the_list_with_the_instant_for_the_readers_own_clock(client):
    titled(
        "master",
        circuit="rkm",
        platform="",
        place="Palazzo Reale",
        city="Napoli",
        begins_at=time(10, 30),
    )

    page = client.get(CALENDAR).content.decode()

    assert "Palazzo Reale, Napoli" in main(client.get(CALENDAR))
    assert "10:30 in Rome" in main(client.get(CALENDAR))
    assert 'datetime="2026-03-20T10:30:00+01:00"' in page


def test_a_stage_with_seats_left_is_not_full(client):
    Entry.objects.create(stage=titled("race", race=True), player=factories.player())

    assert "Full:" not in main(client.get(CALENDAR))


def test_race_stages_wear_their_number(client):
    for day in (1, 2):
        on(date(2026, 4, day), race=True)

    assert re.findall(r"Race \d+/12", main(client.get(CALENDAR))) == ["Race 1/12", "Race 2/12"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("", "No stage is on the calendar from today on."),
        ("?when=past", "No stage of 2026 is over yet."),
        ("?race=on", "No stage like that here."),
    ],
)
def test_an_empty_list_says_why(client, asked, words):
    factories.season(2026)

    assert words in main(client.get(CALENDAR + asked))


def test_without_a_season_it_says_so(client):
    assert "The federation has not announced a season yet." in main(client.get(CALENDAR))


# A month


def lanes(first: date) -> list[list[list[str]]]:
    """Week by week, lane by lane: the names of the bars with their days, and nothing for a free
    day."""
    grid = calendar.build_month(first, TODAY, Stage.objects.all())
    return [
        [
            [f"{b.fixture.stage.game.slug} {b.days}" if b.fixture else "" for b in lane]
            for lane in week.lanes
        ]
        for week in grid.weeks
    ]


def test_a_stage_is_a_bar_over_its_days():
    titled("go", date(2026, 3, 12))
    on(date(2026, 3, 7), date(2026, 3, 10), game=factories.game("hive"))

    weeks = lanes(date(2026, 3, 1))

    assert len(weeks) == 6
    assert weeks[1] == [["", "", "", "", "", "hive 2"]]
    assert weeks[2] == [["hive 2", "", "go 1", "", "", ""]]


def test_stages_of_the_same_days_stand_below_each_other():
    for name in ("a", "b"):
        titled(name, date(2026, 3, 12))

    assert lanes(date(2026, 3, 1))[2] == [
        ["", "", "", f"{name} 1", "", "", ""] for name in ("a", "b")
    ]


def test_every_row_of_the_table_has_seven_days(client):
    for first, last in ((1, 31), (12, 12), (10, 14), (15, 16)):
        on(date(2026, 3, first), date(2026, 3, last))

    rows = re.findall(r"<tr[ >].*?</tr>", client.get(MARCH).content.decode(), re.DOTALL)
    widths = [
        sum(int(n or 1) for n in re.findall(r'<t[hd](?:[^>]*?colspan="(\d+)")?[^>]*>', row))
        for row in rows
    ]

    assert len(rows) > 7
    assert set(widths) == {7}


def test_a_month_leads_to_those_beside_it_inside_the_seasons(client):
    factories.season(2026)

    page = client.get(MARCH).content.decode()

    assert 'href="/en/calendar/2026/2/"' in page
    assert 'href="/en/calendar/2026/4/"' in page
    assert "2025/12" not in client.get("/en/calendar/2026/1/").content.decode()
    assert "No stage in this month." in page


@pytest.mark.parametrize("address", ["2026/0/", "2026/13/", "2025/3/", "9999/12/", "0/1/"])
def test_months_outside_the_seasons_do_not_exist(client, address):
    factories.season(2026)

    assert client.get(CALENDAR + address).status_code == 404


def test_the_grid_is_filtered_like_the_list(client):
    titled("hive")
    titled("go")

    page = main(client.get(f"{MARCH}?game=go"))

    assert "go Friday 20 March 2026" in page
    assert "hive Friday" not in page
    assert "/en/calendar/2026/4/?game=go" in client.get(f"{MARCH}?game=go").content.decode()


# For everybody


@pytest.mark.parametrize("address", [CALENDAR, f"{CALENDAR}?when=season", MARCH])
def test_the_queries_do_not_grow_with_the_calendar(client, address, uncached):
    titled("one", race=True)
    titled("hall", place="Casa del Gioco", city="Torino")
    few = queries_of(client, address)
    for number in range(5):
        titled(f"more-{number}", race=True)
        titled(f"hall-{number}", place="Casa del Gioco", city="Torino")

    assert queries_of(client, address) == few <= MOST_QUERIES
