"""The public page of a BIG event, its poster, and its place on the calendar."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from pergioco.stages.models import Stage
from pergioco.stages.services import scheduling
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
STARTS = datetime(2026, 4, 12, 13, 0, tzinfo=UTC)


@pytest.fixture
def event(staff):
    game = factories.game("catan")
    values = {"starts_at": STARTS, "capacity": 16, "criterion": "Four tables", "bring_box": True}
    return factories.homologated(
        factories.big_event(game, notes="only for BIG", **values), by=staff
    )


def read(address):
    return " ".join(Client().get(address).content.decode().split())


def page_of(event):
    return f"/en/big/events/{event.stage.slug}/"


def test_place_time_seats_and_contact_are_public_and_notes_are_not(event):
    page = read(page_of(event))
    for words in (
        "Ludoteca Centrale",
        "Via Roma 1, Modena",
        "15:00",
        "16",
        "Four tables",
        "Carla Verdi",
    ):
        assert words in page
    assert 'href="mailto:carla@example.net"' in page
    assert 'href="tel:+39059123456"' in page
    assert 'href="https://www.openstreetmap.org/search?query=Via+Roma+1%2C+Modena"' in page
    assert "only for BIG" not in page
    assert "Everybody may come and play." in page


def test_it_started_it_is_over_it_was_called_off(event, clock, staff):
    clock.move_to(STARTS)
    assert "Whoever comes now asks the organizer." in read(page_of(event))
    Stage.objects.update(status="closed")
    assert "This tournament is over." in read(page_of(event))
    Stage.objects.update(status="planned")
    scheduling.cancel_stage(event.stage, by=staff)
    assert "This tournament does not take place." in read(page_of(event))


def test_big_7_1_to_a_national_final_nobody_is_asked_in_who_was_not_called(event, clock):
    Stage.objects.update(final=True)
    for _moment in ("before", "begun"):
        page = read(page_of(event))
        assert "To a national final one is called: whoever has a seat plays." in page
        assert "Everybody may come" not in page
        assert "asks the organizer" not in page
        clock.move_to(STARTS)


def test_only_what_was_homologated_has_a_page(event):
    factories.big_event()
    other = factories.stage()
    assert Client().get(f"/en/big/events/{other.slug}/").status_code == 404
    assert Client().get(f"/en/big/events/{other.slug}/poster/").status_code == 404


def test_a_year_later_the_contact_is_gone_and_the_page_stays(event):
    type(event).objects.update(organizer_name="", organizer_phone="", organizer_email="")
    page = read(page_of(event))
    assert "Ludoteca Centrale" in page
    assert "mailto:" not in page


def test_the_poster_holds_all_that_matters_and_a_code_that_leads_to_the_page(event):
    page = read(page_of(event) + "poster/")
    assert "<svg" in page
    assert f"<code>http://127.0.0.1:8000{page_of(event)}</code>" in page
    assert "Ludoteca Centrale, Via Roma 1, Modena" in page


def test_the_calendar_shows_where_and_when(event):
    page = read("/en/calendar/")
    assert f'<a href="{page_of(event)}">Ludoteca Centrale, Via Roma 1, Modena</a>' in page
    assert "15:00 in Rome" in page


def test_the_file_for_calendar_apps_has_place_and_time(event):
    text = (
        Client()
        .get(f"/en/calendar/2026/{event.stage.slug}.ics")
        .content.decode()
        .replace("\r\n ", "")
    )
    assert r"LOCATION:Ludoteca Centrale\, Via Roma 1\, Modena" in text
    assert "Start: 15:00\\, the time of Rome" in text
    assert f"http://127.0.0.1:8000{page_of(event)}" in text


def test_the_page_of_the_stage_leads_there(event):
    assert f'href="{page_of(event)}"' in read(f"/en/stages/2026/{event.stage.slug}/")


def test_each_page_asks_few_questions(event, django_assert_max_num_queries):
    with django_assert_max_num_queries(5):
        Client().get(page_of(event))
