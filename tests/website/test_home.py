"""The home page: what is on, how large the federation is, where to join."""

import re
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from pergioco.players.models import Person, Player
from pergioco.publishing.queries import leaders
from pergioco.stages.models import DateChange, Season, Stage, Variant
from tests import factories
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of
from tests.website import league as leagues

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MOST_QUERIES = 12


def words(client, language: str = "en") -> str:
    """The page as one reads it: no tags, single spaces."""
    page = client.get(f"/{language}/")
    assert page.status_code == 200
    return re.sub(r"\s+", " ", strip_tags(page.content.decode()))


# The season


def test_an_empty_portal_says_so_and_offers_registration(client):
    page = words(client)

    assert "No season yet The federation has not announced one. You can register meanwhile." in page
    assert "No stage is on the calendar from today on." in page
    assert "The federation has not chosen its games yet." in page
    assert "The federation in figures" not in page


def test_a_running_season_says_when_it_ends(client):
    factories.season(2026)

    assert "PerGioco Masters 2026" in words(client)
    assert "The season is running It ends on 31 December 2026." in words(client)


def test_a_season_to_come_says_when_it_begins(client, clock):
    clock.move_to("2025-12-20T12:00:00+01:00")
    factories.season(2026)

    assert "The season is not open yet It begins on 2 January 2026. You can register now." in words(
        client
    )


def test_a_season_that_ended_says_so(client, clock):
    clock.move_to("2027-01-01T12:00:00+01:00")
    factories.season(2026)

    assert (
        "The season is over It ended on 31 December 2026. The next one has not been announced yet."
        in words(client)
    )


def test_the_day_is_the_one_in_rome(client, clock):
    clock.move_to("2026-12-31T23:30:00Z")
    factories.season(2026)

    assert "The season is over" in words(client)


# The next stages


def fixtures() -> list[leaders.Fixture]:
    return leaders.home_calendar(timezone.localdate()).coming


def test_the_three_next_stages_in_their_order(client):
    days = [
        date(2026, 6, 1),
        date(2026, 3, 12),
        date(2026, 3, 11),
        date(2026, 5, 1),
        date(2026, 4, 1),
    ]
    for day in days:
        factories.stage(starts_on=day, ends_on=day)

    assert [fixture.stage.starts_on for fixture in fixtures()] == [
        date(2026, 3, 12),
        date(2026, 4, 1),
        date(2026, 5, 1),
    ]


def test_a_stage_that_is_being_played_says_until_when(client):
    factories.stage(
        starts_on=date(2026, 2, 1),
        ends_on=date(2026, 4, 5),
        pace="turn_based",
        system="round_robin",
    )

    page = words(client)

    assert "PlayStrategy · turn based · round robin" in page
    assert "Being played until 5 April" in page


def test_a_stage_of_several_days_and_one_by_invitation(client):
    factories.stage(starts_on=date(2026, 4, 25), ends_on=date(2026, 4, 26), by_invitation=True)

    page = words(client)

    assert "From 25 April to 26 April 2026" in page
    assert "· by invitation" in page


def test_a_stage_of_one_day_has_its_weekday(client):
    factories.stage()

    assert "Friday 20 March 2026" in words(client)


def test_a_race_stage_wears_its_number_among_those_of_its_season(client):
    old = factories.season(2025)
    factories.stage(of=old, starts_on=date(2025, 5, 1), ends_on=date(2025, 5, 1), race=True)
    factories.stage(
        of=factories.season(2026), starts_on=date(2026, 2, 1), ends_on=date(2026, 2, 1), race=True
    )
    factories.stage(starts_on=date(2026, 2, 2), ends_on=date(2026, 2, 2))
    factories.stage(race=True)

    assert [fixture.race_number for fixture in fixtures()] == [2]
    assert "Race 2/12" in words(client)


def test_other_stages_wear_no_badge(client):
    factories.stage()

    assert [fixture.race_number for fixture in fixtures()] == [None]
    assert "race-badge" not in client.get("/en/").content.decode()


def test_the_link_leads_to_the_platform_and_is_left_out_when_unknown(client):
    factories.stage(link="https://playstrategy.org/swiss/abcd1234")
    factories.stage(link="")

    page = client.get("/en/").content.decode()

    assert page.count("Open on PlayStrategy") == 1
    assert 'href="https://playstrategy.org/swiss/abcd1234"' in page


def test_what_is_being_played_now_is_said_at_once(client):
    factories.stage(
        game=factories.game("go"),
        starts_on=date(2026, 3, 1),
        ends_on=date(2026, 4, 5),
        slug="march-of-go",
    )

    assert "It ends on 31 December 2026. Being played now: go." in words(client)
    assert 'href="/en/stages/2026/march-of-go/"' in client.get("/en/").content.decode()


def test_a_break_says_what_comes_after_it(client):
    factories.stage(game=factories.game("hive"), status="cancelled")
    factories.stage(game=factories.game("go"), starts_on=date(2026, 4, 1), ends_on=date(2026, 4, 1))

    assert "A break until 1 April 2026: then comes go." in words(client)


# The last results


def test_the_last_results_lead_to_their_stages(client):
    for day in (1, 2, 3, 4):
        played = date(2026, 3, day)
        factories.stage(
            starts_on=played, ends_on=played, status="closed", slug=f"s{day}", race=day == 4
        )
    factories.stage(starts_on=date(2026, 3, 5), ends_on=date(2026, 3, 5), slug="waiting")

    page = words(client)

    assert [
        fixture.stage.slug for fixture in leaders.home_calendar(timezone.localdate()).results
    ] == ["s4", "s3", "s2"]
    assert "4 March 2026 Race 1/12" in page
    assert "3 March 2026" in page
    assert "5 March 2026" not in page


def test_without_results_it_says_when_they_come(client):
    factories.season(2026)

    assert "No stage has been closed yet: its results stand here as soon as they are in." in words(
        client
    )


# Figures


def counted() -> leaders.Figures:
    season = Season.objects.filter(year=2026).first() or factories.season(2026)
    return leaders.season_figures(season, timezone.localdate())


@pytest.mark.parametrize(
    ("state", "counts"), [("new", 1), ("verified", 1), ("correct", 1), ("mail", 0), ("refused", 0)]
)
def test_pgm_6_only_registrations_that_count_are_counted(state, counts):
    factories.registered(state=state)

    assert counted().players == counts


def test_who_registers_tomorrow_is_not_counted_today():
    factories.registered(on=date(2026, 3, 12))
    factories.registered(on=date(2026, 3, 13))

    assert counted().players == 1


def test_merged_and_erased_players_and_participants_without_registration_are_not_counted():
    kept = factories.registered()
    Player.objects.filter(pk=factories.registered().pk).update(merged_into=kept)
    gone = factories.registered()
    Person.objects.filter(player=gone).delete()
    Player.objects.filter(pk=gone.pk).update(erased_at=timezone.now())
    factories.account(factories.player())

    assert counted().players == 1


def test_countries_are_counted_once():
    for country in ("IT", "IT", "ES"):
        factories.registered(country=country)

    assert counted().countries == 2


def test_stages_and_race_stages_played_and_on_the_calendar():
    yesterday, today = date(2026, 3, 11), date(2026, 3, 12)
    factories.stage(starts_on=yesterday, ends_on=yesterday, race=True)
    factories.stage(starts_on=yesterday, ends_on=yesterday)
    factories.stage(starts_on=yesterday, ends_on=today, race=True)

    figures = counted()

    assert (figures.played, figures.stages) == (2, 3)
    assert (figures.race_played, figures.race_stages) == (1, 2)


# Games


def test_a_game_names_each_of_its_platforms_once(client):
    game = factories.game("othello")
    for platform, key in (
        ("playstrategy", "flipello"),
        ("playstrategy", "flipello10"),
        ("bga", "reversi"),
    ):
        Variant.objects.create(game=game, platform=platform, key=key)

    assert leaders.games_and_platforms() == [(game, ["Board Game Arena", "PlayStrategy"])]
    assert "othello Board Game Arena, PlayStrategy" in words(client)


# For everybody


def test_who_is_signed_in_is_led_to_the_own_account(client, player_user):
    assert 'href="/en/register/"' in client.get("/en/").content.decode()
    assert (
        '<a class="button" href="/en/me/">' in signed_in(player_user).get("/en/").content.decode()
    )


@pytest.mark.parametrize("language", ["it", "en", "es"])
def test_it_is_there_in_each_language(client, language):
    assert f'<html lang="{language}"' in client.get(f"/{language}/").content.decode()


def grow() -> None:
    for day in (1, 2, 3):
        played = date(2026, 3, day)
        factories.stage(starts_on=played, ends_on=played, status="closed", race=True)
        stage = factories.stage(race=True)
        Variant.objects.create(game=stage.game, platform="bga", key=stage.slug)
        factories.registered()


def test_the_queries_do_not_grow_with_the_federation(client, uncached):
    grow()
    with CaptureQueriesContext(connection) as few:
        client.get("/en/")
    grow()
    with CaptureQueriesContext(connection) as many:
        client.get("/en/")

    assert len(few) == len(many) <= MOST_QUERIES


def test_with_everything_on_it_the_page_asks_no_more_than_it_may(client, uncached):
    leagues.published()
    grow()

    assert queries_of(client, "/en/") <= MOST_QUERIES


def move(stage: Stage) -> None:
    old = date(2026, 3, 13)
    days = {
        "old_starts_on": old,
        "old_ends_on": old,
        "new_starts_on": stage.starts_on,
        "new_ends_on": stage.ends_on,
    }
    DateChange.objects.create(stage=stage, reason="Maintenance", **days)


def test_a_moved_stage_shows_the_old_day_struck_out_and_why(client):
    move(factories.stage())

    assert "Moved from 13/03/2026: Maintenance" in words(client)
    assert "<s>13/03/2026</s>" in client.get("/en/").content.decode()


def test_a_cancelled_stage_is_struck_out_and_counts_nowhere(client):
    factories.stage(game=factories.game("hive"), race=True, status="cancelled")
    factories.stage(race=True, starts_on=date(2026, 3, 21), ends_on=date(2026, 3, 21))

    assert "Cancelled." in words(client)
    assert "Race 1/12" in words(client)
    assert "<s>hive</s>" in client.get("/en/").content.decode()
    assert leaders.season_figures(Season.objects.get(), date(2026, 3, 12)).stages == 1


@pytest.mark.parametrize("address", ["/en/", "/en/rankings/2026/"])
def test_a_link_that_is_passed_on_shows_who_leads(client, address):
    leagues.published()
    head = client.get(address).content.decode()
    picture = "/en/share/rankings/2026/red.png"
    assert f'{picture}">' in head
    assert 'content="The first three of Red 2026"' in head
    assert client.get(picture).status_code == 200


def test_before_anybody_leads_a_link_has_no_picture(client):
    factories.season(2026)
    assert "og:image" not in client.get("/en/").content.decode()
