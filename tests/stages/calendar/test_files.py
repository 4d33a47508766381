"""The calendar as iCalendar files, read back by the rules of RFC 5545."""

from datetime import UTC, date, datetime, time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import assume, given
from hypothesis import strategies as st

from pergioco.core import audit
from pergioco.players.models import CalendarLink, Person, Player
from pergioco.players.services import calendar_links, erasing
from pergioco.stages.models import DateChange, Entry, Stage
from pergioco.stages.queries.calendar_files import build_event
from pergioco.stages.services import scheduling
from pergioco.stages.views.calendar import write_calendar
from tests import factories
from tests.conftest import signed_in
from tests.ratings import play
from tests.stages.calendar import ical

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
ALL = "/en/calendar/stages.ics"


def read(client, address: str = ALL) -> ical.Component:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return ical.read(answer.content)


def summaries(client, address: str = ALL) -> list[str]:
    return [event.text("SUMMARY") for event in read(client, address).events]


def only(client, address: str = ALL) -> ical.Component:
    [event] = read(client, address).events
    return event


# One event


def test_a_stage_is_an_event_of_whole_days(client):
    stage = factories.stage(
        game=factories.game("hive"), starts_on=date(2026, 4, 25), ends_on=date(2026, 4, 26)
    )

    event = only(client)

    assert (event.value("DTSTART"), event.value("DTEND")) == ("20260425", "20260427")
    assert event.parameters("DTSTART") == event.parameters("DTEND") == ";VALUE=DATE"
    assert event.text("SUMMARY") == "hive · PerGioco Masters"
    assert event.text("LOCATION") == "PlayStrategy"
    assert event.value("STATUS") == "CONFIRMED"
    assert event.value("URL").endswith(f"/en/stages/2026/{stage.slug}/")


def test_one_day_with_an_hour_begins_at_that_hour_in_rome(client):
    factories.stage(begins_at=time(21), starts_on=date(2026, 4, 25), ends_on=date(2026, 4, 25))

    event = only(client)

    assert (event.value("DTSTART"), event.parameters("DTSTART")) == (
        "20260425T210000",
        ";TZID=Europe/Rome",
    )
    assert "DTEND" not in [name for name, *_rest in event.properties]
    assert "Start: 21:00, the time of Rome" in event.text("DESCRIPTION").splitlines()


def test_several_days_with_an_hour_stay_whole_days_and_tell_the_hour(client):
    factories.stage(begins_at=time(21), starts_on=date(2026, 4, 25), ends_on=date(2026, 4, 26))

    event = only(client)

    assert event.parameters("DTSTART") == ";VALUE=DATE"
    assert "Start: 21:00, the time of Rome" in event.text("DESCRIPTION").splitlines()


def test_whoever_wants_is_reminded_a_day_before_or_the_evening_before_whole_days(client):
    days = {"starts_on": date(2026, 4, 25), "ends_on": date(2026, 4, 25)}
    factories.stage(slug="at-nine", begins_at=time(21), **days)
    factories.stage(slug="all-day", **days)
    for slug, trigger in (("at-nine", "-P1D"), ("all-day", "-PT6H")):
        plain, reminding = (
            only(client, f"/en/calendar/2026/{slug}.ics{query}") for query in ("", "?remind=1")
        )
        [alarm] = reminding.parts
        assert (alarm.name, alarm.value("ACTION"), alarm.value("TRIGGER")) == (
            "VALARM",
            "DISPLAY",
            trigger,
        )
        assert alarm.text("DESCRIPTION") == reminding.text("SUMMARY")
        assert (plain.parts, plain.properties) == ([], reminding.properties)
        page = client.get("/en/calendar/").content.decode()
        assert f'<a href="/en/calendar/2026/{slug}.ics?remind=1">Remind me the day before' in page


def test_nobody_is_reminded_of_what_was_called_off_nor_of_all_that_he_subscribes_to(client):
    factories.stage(slug="off", status="cancelled")
    assert only(client, "/en/calendar/2026/off.ics?remind=1").parts == []
    Stage.objects.update(status="planned")
    assert only(client, f"{ALL}?remind=1").parts == []


def test_where_people_meet_stands_in_the_event(client):
    factories.stage(platform="", place="Biblioteca, Via Oriuolo 24", city="Firenze")

    assert only(client).text("LOCATION") == "Biblioteca, Via Oriuolo 24, Firenze"


def test_a_stage_without_platform_and_place_has_no_location(client):
    factories.stage(platform="")

    assert "LOCATION" not in [name for name, *_rest in only(client).properties]


def test_another_hour_raises_the_sequence(client, staff):
    stage = factories.stage(begins_at=time(21))
    before = only(client)
    Stage.objects.update(begins_at=time(22))
    audit.record("stage.changed", stage, by=staff, changes={"begins_at": ["21:00", "22:00"]})

    assert (before.value("SEQUENCE"), only(client).value("SEQUENCE")) == ("0", "1")


def test_a_race_stage_says_which_one_it_is(client):
    factories.stage(game=factories.game("hive"), race=True)

    assert summaries(client) == ["hive · PerGioco Masters · Race 1/12"]


def test_a_move_keeps_the_uid_and_raises_the_sequence(client, clock, staff):
    stage = factories.stage()
    before = only(client)
    clock.move_to("2026-03-14T09:30:00+01:00")
    old = {"old_starts_on": stage.starts_on, "old_ends_on": stage.ends_on}
    Stage.objects.update(starts_on=date(2026, 3, 27), ends_on=date(2026, 3, 27))
    DateChange.objects.create(
        stage=stage,
        reason="Maintenance; sorry",
        new_starts_on="2026-03-27",
        new_ends_on="2026-03-27",
        **old,
    )

    after = only(client)

    assert after.value("UID") == before.value("UID")
    assert (before.value("SEQUENCE"), after.value("SEQUENCE")) == ("0", "1")
    assert after.value("DTSTAMP") == "20260314T083000Z"
    assert "Moved from 20/03/2026: Maintenance; sorry" in after.text("DESCRIPTION").splitlines()


def test_a_cancelled_stage_stays_and_says_so_and_one_that_is_put_back_too(client, staff):
    stage = factories.stage()
    scheduling.cancel_stage(stage, by=staff)
    cancelled = only(client)
    scheduling.restore_stage(stage, by=staff)
    back = only(client)

    assert (cancelled.value("STATUS"), cancelled.value("SEQUENCE")) == ("CANCELLED", "1")
    assert "Cancelled." in cancelled.text("DESCRIPTION")
    assert (back.value("STATUS"), back.value("SEQUENCE")) == ("CONFIRMED", "2")


def test_results_change_nothing_in_the_calendar(client):
    stage = factories.stage()
    before = client.get(ALL).content
    Stage.objects.filter(pk=stage.pk).update(status=Stage.Status.CLOSED)

    assert client.get(ALL).content == before


# A whole file


def test_the_same_facts_are_the_same_bytes_whatever_the_time(client, clock):
    factories.stage(race=True)
    first = client.get(ALL)
    clock.move_to("2026-08-01T12:00:00+02:00")
    again = client.get(ALL)

    assert first.content == again.content
    assert client.get(ALL, headers={"If-None-Match": first["ETag"]}).status_code == 304
    factories.stage()
    assert client.get(ALL, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_a_calendar_without_stages_is_well_formed_all_the_same(client):
    assert read(client).events == []


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("?game=hive", ["a"]),
        ("?platform=bga", ["b"]),
        ("?circuit=big", ["c"]),
        ("?race=on", ["d"]),
        ("?city=Pisa", ["c"]),
        ("", list("abcd")),
    ],
)
def test_it_can_be_asked_for_as_the_page_can(client, asked, found):
    factories.stage(game=factories.game("hive"), slug="a")
    factories.stage(platform="bga", slug="b")
    factories.stage(circuit="big", slug="c", city="Pisa")
    factories.stage(race=True, slug="d")

    assert [
        event.value("URL").split("/")[-2] for event in read(client, ALL + asked).events
    ] == found


def test_a_game_that_does_not_exist_has_no_calendar(client):
    assert client.get(f"{ALL}?game=zzz").status_code == 404


def test_seasons_of_long_ago_are_left_out(client):
    for year in (2023, 2025, 2026):
        day = date(year, 3, 1)
        factories.stage(of=factories.season(year), starts_on=day, ends_on=day, slug=f"s{year}")

    assert [event.value("DTSTART") for event in read(client).events] == ["20250301", "20260301"]


def test_one_stage_alone_is_a_file_to_keep(client):
    stage = factories.stage()
    factories.stage()

    answer = client.get(f"/en/calendar/2026/{stage.slug}.ics")

    assert len(ical.read(answer.content).events) == 1
    assert answer["Content-Disposition"] == f'attachment; filename="{stage.slug}.ics"'
    assert client.get(f"/en/calendar/2025/{stage.slug}.ics").status_code == 404


def test_the_queries_do_not_grow_with_the_calendar(client):
    counts = []
    for _ in range(2):
        for _stage in range(3):
            factories.stage(race=True)
        with CaptureQueriesContext(connection) as seen:
            client.get(ALL)
        counts.append(len(seen))

    assert counts[0] == counts[1] <= 8


@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_it_speaks_each_language_and_the_events_stay_the_same(client, language):
    stage = factories.stage()
    Stage.objects.filter(pk=stage.pk).update(by_invitation=True)

    assert (
        only(client, f"/{language}/calendar/stages.ics")
        .value("UID")
        .startswith(f"stage-{stage.pk}@")
    )


# Writing


def written(**properties: str) -> ical.Component:
    day = datetime(2026, 1, 1, tzinfo=UTC)
    event = build_event({"uid": "u@x", "dtstamp": day, "dtstart": date(2026, 1, 1), **properties})
    [back] = ical.read(write_calendar("n", [event])).events
    return back


@given(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\\;,\n:\t\"'"),
        max_size=300,
    )
)
def test_any_text_comes_back_as_it_was(value):
    assume(r"\N" not in value)  # the library takes it for a line break
    back = written(summary=value, description=value)

    assert (back.text("SUMMARY"), back.text("DESCRIPTION")) == (value, value)


def test_control_characters_are_left_out_and_line_breaks_are_all_alike():
    assert written(summary="a\x00b\x07c\x7f\td").text("SUMMARY") == "abc\td"
    assert written(summary="a\rb\r\nc\nd").text("SUMMARY") == "a\nb\nc\nd"


def test_the_name_of_a_calendar_is_escaped():
    calendar = ical.read(write_calendar('La "mia"; a, b', []))

    assert (calendar.text("NAME"), calendar.text("X-WR-CALNAME")) == ('La "mia"; a, b',) * 2


def test_lines_are_folded_at_75_octets_and_not_inside_a_character():
    event = build_event({"summary": "è" * 100})
    lines = write_calendar("n", [event]).split(b"\r\n")
    start = next(i for i, line in enumerate(lines) if line.startswith(b"SUMMARY"))
    folded = lines[start : start + 3]

    assert all(len(line) <= 75 for line in folded)
    assert [line[:1] for line in folded[1:]] == [b" ", b" "]
    assert "".join(line.decode().removeprefix(" ") for line in folded) == "SUMMARY:" + "è" * 100


# My own


def link_of(player: Player) -> str:
    link = calendar_links.make_calendar_link(player, by=player.person.user)
    return f"/en/calendar/mine/{calendar_links.sign_calendar_link(link)}.ics"


def test_mine_holds_my_stages_and_the_next_ones_of_my_games(client):
    anna = factories.registered()
    hive, go = factories.game("hive"), factories.game("go")
    play.played(
        "A 1 B",
        who={"A": anna, "B": factories.player()},
        on=date(2026, 2, 1),
        game=hive,
        slug="played",
    )
    Entry.objects.get_or_create(stage=Stage.objects.get(slug="played"), player=anna)
    factories.stage(game=hive, slug="next-of-mine")
    factories.stage(game=go, slug="of-others")
    Entry.objects.create(stage=factories.stage(game=go, slug="entered"), player=anna)

    slugs = [event.value("URL").split("/")[-2] for event in read(client, link_of(anna)).events]

    assert sorted(slugs) == ["entered", "next-of-mine", "played"]


def test_mine_says_nothing_about_me(client):
    anna = factories.registered(first_name="Annamaria", last_name="Segreta", city="Nascosta")
    Entry.objects.create(stage=factories.stage(), player=anna)
    address = link_of(anna)

    answer = client.get(address)

    for secret in (
        "Annamaria",
        "Segreta",
        "Nascosta",
        anna.public_id,
        CalendarLink.objects.get().key,
    ):
        assert secret not in answer.content.decode()
    assert answer["X-Robots-Tag"] == "noindex"
    for _ in range(2):  # not made a public page by being asked for twice
        assert client.get(address)["Cache-Control"] == "private, no-cache"


def test_only_who_has_the_address_finds_it(client):
    anna = factories.registered()
    address = link_of(anna)
    key = CalendarLink.objects.get().key

    assert client.get(address).status_code == 200
    for guess in (key, f"{key}.{'x' * 43}", "zzz"):
        assert client.get(f"/en/calendar/mine/{guess}.ics").status_code == 404


def test_a_new_address_ends_the_old_one_and_it_can_be_taken_back(client):
    anna = factories.registered()
    old, new = link_of(anna), link_of(anna)

    assert [client.get(address).status_code for address in (old, new)] == [404, 200]
    calendar_links.delete_calendar_link(anna, by=anna.person.user)
    assert client.get(new).status_code == 404


def test_a_merge_leads_the_address_to_the_player_that_stays_and_an_erasure_ends_it(client):
    anna, kept = factories.registered(), factories.registered()
    Entry.objects.create(stage=factories.stage(), player=kept)
    address = link_of(anna)
    Player.objects.filter(pk=anna.pk).update(merged_into=kept)

    assert len(read(client, address).events) == 1
    Player.objects.filter(pk=anna.pk).update(merged_into=None)
    erasing.erase_player(anna, by=None)
    assert client.get(address).status_code == 404
    assert not Person.objects.filter(player=anna).exists()


def test_it_is_made_and_taken_back_on_my_account(client):
    anna = factories.registered()
    mine = signed_in(anna.person.user)

    page = mine.post("/en/me/calendar/", follow=True).content.decode()
    address = calendar_links.sign_calendar_link(CalendarLink.objects.get())

    assert f"/en/calendar/mine/{address}.ics" in page
    page = mine.post("/en/me/calendar/end/", follow=True).content.decode()
    assert "leads nowhere from now on" in page
    assert not CalendarLink.objects.exists()
