"""The public rankings: what stands on each page, for whom, and what nonsense in the address
gets."""

import re
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pergioco.players.models import Registration
from pergioco.publishing.models import Erratum, Freeze, Line, Publication
from pergioco.publishing.queries import ranking_form
from pergioco.publishing.views import rankings
from tests import factories
from tests.conftest import signed_in
from tests.publishing import year
from tests.ratings import play
from tests.website import league as leagues
from tests.website.league import League, main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MOST_QUERIES = 12
PAGES = ["", "red/", "blue/", "green/", "race/", "games/amazons/"]


@pytest.fixture
def league() -> League:
    return leagues.published()


def rows(answer) -> list[list[str]]:
    """The body of the page's table, cell by cell."""
    body = re.findall(r"<tbody>.*?</tbody>", answer.content.decode(), re.DOTALL)
    lines = re.findall(r"<tr id=.*?</tr>", "".join(body), re.DOTALL)
    return [
        [text(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", line, re.DOTALL)]
        for line in lines
    ]


def one_line(answer) -> str:
    """How the template is broken into lines does not matter."""
    return " ".join(answer.content.decode().split())


def text(html: str) -> str:
    without_hidden = re.sub(
        r'<span class="(narrow|visually-hidden)">.*?</span>', " ", html, flags=re.DOTALL
    )
    return " ".join(re.sub(r"<[^>]+>", " ", without_hidden).split())


# The tables


def test_pgm_29_red_shows_the_overall_pgr_and_beside_it_the_exact_average(client, league):
    assert rows(client.get("/en/rankings/2026/red/")) == [
        ["1", "", "Anna Łoś Torino, Italy", "2", "4", "1009.712", "1009", "why"],
        ["2", "", "Bruno Łoś Wrocław, Poland", "2", "4", "1000.287", "1000", "why"],
        ["3", "", "****", "1", "2", "1000.000", "1000", ""],
    ]


def test_red_stands_in_two_bands(client, league):
    Line.objects.filter(player=league.anna, computation__kind="red").update(
        detail={
            "overall": 1009,
            "average": "1009.7",
            "total": 1,
            "active_pgrs": 10,
            "games": 3,
            "has_enough": True,
        }
    )

    page = main(client.get("/en/rankings/2026/red/"))

    assert page.index("With at least 10 active PGRs") < page.index("Anna Łoś")
    assert page.index("Anna Łoś") < page.index("With fewer than 10") < page.index("Bruno Łoś")


def test_pgm_32_blue_is_the_exact_sum(client, league):
    assert [row[-2] for row in rows(client.get("/en/rankings/2026/blue/"))] == [
        "2,019.425",
        "2,000.575",
        "1,000.000",
    ]
    assert "2.019,425" in main(client.get("/it/rankings/2026/blue/"))


def test_pgm_35_green_shows_its_three_kinds_of_points(client, league):
    assert rows(client.get("/en/rankings/2026/green/"))[0] == [
        *["1", "", "Anna Łoś Torino, Italy"],
        *["20", "20", "1.0", "4", "41.0", "why"],
    ]


def test_a_game_shows_three_decimals_games_last_day_and_leader_points(client, league):
    page = client.get("/en/rankings/2026/games/amazons/")

    assert "Amazons 2026" in main(page)
    assert rows(page) == [
        ["1", "", "Anna Łoś Torino, Italy", "3", "01/03/2026", "0.5", "1019.425", "why"],
        ["2", "", "Bruno Łoś Wrocław, Poland", "3", "01/03/2026", "0.4", "1000.575", "why"],
        ["3", "", "****", "2", "01/02/2026", "0.3", "1000.000", ""],
    ]


def test_pgm_40_the_race_shows_each_stage_what_would_be_dropped_and_what_is_still_possible(
    client, league
):
    factories.stage(
        of=league.season,
        game=league.hive,
        race=True,
        starts_on=date(2026, 5, 1),
        ends_on=date(2026, 5, 1),
    )

    leagues.publish(league.season)
    page = client.get("/en/rankings/2026/race/")

    headings = [
        text(cell)
        for cell in re.findall(r"<th scope=\"col\".*?</th>", page.content.decode(), re.DOTALL)
    ]
    assert headings == [
        *["Player", "Pos.", "Mov.", "Sum", "After drops", "Most possible"],
        *["1. Amazons 01/02", "2. Hive 01/05", "Why"],
    ]
    assert rows(page)[0] == ["Anna Łoś Torino, Italy", "1", "=", "26", "0", "0", "26", "", "why"]
    assert '<s>26</s><span class="visually-hidden"> left out</span>' in one_line(page)
    assert "places follow the sum of all results" in main(page)


def test_when_the_last_race_stage_is_closed_what_stands_after_the_drops_ranks(client, league):
    page = client.get("/en/rankings/2026/race/")

    assert "All Race stages are closed" in main(page)
    assert rows(page)[0] == ["Anna Łoś Torino, Italy", "1", "", "0", "26", "26", "why"]


def test_a_cancelled_race_stage_has_no_column(client, league):
    factories.stage(of=league.season, race=True, status="cancelled", game=league.hive)

    assert "2. Hive" not in main(client.get("/en/rankings/2026/race/"))


# Movement


def test_movement_is_counted_from_the_version_before(client, league):
    who = league.who | {"N": leagues.person("Nina", "Roma", "IT")}
    play.played("B 1 A; B 1 A; B 1 N", who=who, on=date(2026, 3, 8), game=league.amazons)
    leagues.publish(league.season)

    moves = {
        row[2].split()[0]: row[1] for row in rows(client.get("/en/rankings/2026/games/amazons/"))
    }

    assert moves == {"Bruno": "▲ 1", "****": "▲ 1", "Anna": "▼ 2", "Nina": "new"}


def test_the_first_version_shows_no_movement(client, league):
    assert {row[1] for row in rows(client.get("/en/rankings/2026/red/"))} == {""}


# Who one looks for


@pytest.mark.parametrize(
    "asked", ["q=wroc", "q=los+bruno", "q=BRUNO+ŁOŚ", "q=%C5%82os&country=PL", "country=PL"]
)
def test_a_name_is_found_whatever_its_case_and_accents(client, league, asked):
    found = rows(client.get(f"/en/rankings/2026/red/?{asked}"))

    assert [row[2] for row in found] == ([] if asked == "q=wroc" else ["Bruno Łoś Wrocław, Poland"])


def test_nobody_found_says_so(client, league):
    assert "Nobody found. Try one word only" in main(client.get("/en/rankings/2026/red/?q=zzz"))


def test_who_wants_no_publication_is_not_found_and_not_told(client, league):
    for asked in ("", "?q=carla", "?country=ES", "?q=segreta"):
        page = client.get(f"/en/rankings/2026/red/{asked}").content.decode()
        assert "Carla" not in page.replace('value="carla"', "")
        assert "Segreta" not in page
    assert rows(client.get("/en/rankings/2026/red/?q=carla")) == []
    assert "Spain" not in main(client.get("/en/rankings/2026/red/"))


def test_unregistered_players_stand_in_no_ranking(client, league):
    for page in PAGES:
        assert league.dora.public_id not in client.get(f"/en/rankings/2026/{page}").content.decode()


def test_who_is_signed_in_finds_the_own_row(league):
    page = one_line(signed_in(league.bruno.person.user).get("/en/rankings/2026/red/"))

    assert '<tr id="p2" class="own">' in page
    assert '<a href="?page=1#p2">Go to my place</a>' in page


def test_who_is_not_ranked_or_not_signed_in_is_led_nowhere(client, league, staff):
    for who in (client, signed_in(staff)):
        page = who.get("/en/rankings/2026/red/").content.decode()
        assert "Go to my place" not in page
        assert 'class="own"' not in page


def test_a_long_ranking_has_pages_and_the_own_place_is_on_the_right_one(
    client, league, monkeypatch
):
    monkeypatch.setattr(rankings, "PER_PAGE", 1)
    own = signed_in(league.bruno.person.user)

    assert [row[0] for row in rows(client.get("/en/rankings/2026/red/?page=2"))] == ["2"]
    assert (
        '<a href="?page=2#p2">Go to my place</a>'
        in own.get("/en/rankings/2026/red/").content.decode()
    )


def test_all_of_a_long_ranking_is_shown_to_who_prints_or_searches_it(client, league, monkeypatch):
    monkeypatch.setattr(rankings, "PER_PAGE", 1)
    first = client.get("/en/rankings/2026/red/?page=2").content.decode()

    assert '<a href="?all=1">Show all</a>' in first
    whole = client.get("/en/rankings/2026/red/?all=1")
    assert [row[0] for row in rows(whole)] == ["1", "2", "3"]
    assert "Show all" not in whole.content.decode()
    assert 'data-filters="ranking"' in whole.content.decode()


def test_whole_rankings_are_shown_twenty_times_a_minute_to_one_address(client, league):
    answers = [client.get(f"/en/rankings/2026/red/?all=1&n={n}").status_code for n in range(21)]

    assert answers == [200] * 20 + [429]
    assert client.get("/en/rankings/2026/red/").status_code == 200


# How binding it is


def test_a_running_season_is_provisional(client, league):
    page = main(client.get("/en/rankings/2026/red/"))

    assert "Provisional Version 1 of 12/03/2026. Final on 31 December." in page


def test_the_stage_that_caused_the_version_is_named(client, league):
    revision = league.stage.revisions.get()
    Publication.objects.update(revision=revision)

    assert "Version 1, after Hive, 02/03/2026." in main(client.get("/en/rankings/2026/red/"))


def test_a_year_that_is_over_and_not_final_says_so(client, league, clock):
    clock.move_to("2027-01-02T12:00:00+01:00")

    assert "two people still have to make it final" in main(client.get("/en/rankings/2026/red/"))


def erratum(league: League, **fields) -> Erratum:
    return Erratum.objects.create(
        season=league.season, cause="corrected", changes={"moves": [], "pgr": []}, **fields
    )


def test_a_corrected_version_leads_to_its_erratum(client, league):
    one = erratum(league, publication=Publication.objects.get())
    page = client.get("/en/rankings/2026/red/")

    assert "Corrected Version 1" in main(page)
    assert f'<a href="/en/errata/{one.pk}/">What changed</a>' in page.content.decode()


def test_pgm_31_final_rankings_say_so_and_what_a_late_correction_would_change(
    client, league, staff
):
    Freeze.objects.create(
        season=league.season,
        publication=Publication.objects.get(),
        sha256="f" * 64,
        frozen_by=staff,
        frozen_at=timezone.now(),
    )
    one = erratum(league, is_against_final=True)

    page = client.get("/en/rankings/2026/red/")

    assert "Final As of 12/03/2026, version 1: these places stay as they are." in main(page)
    assert (
        f'<a href="/en/errata/{one.pk}/">What a later correction would change</a>'
        in page.content.decode()
    )


# Another day


def test_the_version_that_was_public_on_a_day_is_shown_again(client, league, clock):
    clock.move_to("2026-03-20T12:00:00+01:00")
    play.played("B 1 A; B 1 A", who=league.who, on=date(2026, 3, 18), game=league.hive)
    leagues.publish(league.season)

    page = client.get("/en/rankings/2026/games/hive/?at=2026-03-15")

    assert "Earlier version Version 1, published on 12/03/2026." in main(page)
    assert [row[2].split()[0] for row in rows(page)] == ["Anna", "Bruno"]
    assert 'href="/en/why/game/hive/2026/' in page.content.decode()
    assert f'{league.anna.public_id}/?at=2026-03-15"' in page.content.decode()
    assert 'href="/en/rankings/2026/games/hive.csv?at=2026-03-15"' in page.content.decode()


def test_a_day_of_which_no_version_is_kept_is_computed(client, league):
    page = client.get("/en/rankings/2026/red/?at=2026-02-15")

    assert "Computed just now As of 15/02/2026" in main(page)
    assert [row[2].split()[0] for row in rows(page)] == ["Anna", "Bruno", "****"]
    assert rows(page)[0][3] == "1"  # Hive came later


def test_computing_days_has_a_limit(client, league, monkeypatch):
    monkeypatch.setattr(ranking_form, "PAST_DAYS_RATE", "1/m/ip")

    assert client.get("/en/rankings/2026/red/?at=2026-02-15").status_code == 200
    page = client.get("/en/rankings/2026/red/?at=2026-02-16")

    assert page.status_code == 429
    assert "Wait a minute, then try again." in page.content.decode()
    assert "Provisional" in page.content.decode()
    assert client.get("/en/rankings/2026/red.csv?at=2026-02-16").status_code == 429
    assert client.get("/en/rankings/2026/red/").status_code == 200


# Nonsense


@pytest.mark.parametrize("at", ["foo", "2026-02-30", "2025-12-31", "2026-03-13", "%00"])
def test_a_day_that_makes_no_sense_is_said_and_today_is_shown(client, league, at):
    page = client.get(f"/en/rankings/2026/red/?at={at}")

    assert "One thing needs another look" in main(page)
    assert "Provisional" in main(page)


@pytest.mark.parametrize(
    "asked", ["page=zz", "page=-1", "page=999", "country=ZZ", "q=" + "x" * 500, "q=%00", "page="]
)
def test_other_nonsense_is_answered_all_the_same(client, league, asked):
    for page in ("red", "race"):
        assert client.get(f"/en/rankings/2026/{page}/?{asked}").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "1999/",
        "2026/purple/",
        "2026/game/",
        "2026/games/chess/",
        "2026/purple.csv",
        "2026/games/chess.csv",
    ],
)
def test_what_there_is_not_is_not_found(client, league, address):
    assert client.get(f"/en/rankings/{address}").status_code == 404


# Nothing there yet


def test_an_empty_portal_says_what_comes(client):
    assert "The federation has not announced a season yet." in main(client.get("/en/rankings/"))


@pytest.mark.parametrize("page", PAGES)
def test_a_season_without_results_says_what_comes(client, page):
    factories.season(2026)
    leagues.game("amazons", "Amazons")

    assert "Nothing is published of PerGioco Masters 2026 yet." in main(
        client.get(f"/en/rankings/2026/{page}")
    )


def test_a_season_without_race_stages_and_a_game_that_nobody_played_say_so(client):
    made = leagues.played()
    made.race.race = False
    made.race.save()
    leagues.game("chess", "Chess")
    leagues.publish(made.season)

    assert "No Race stage has been closed yet." in main(client.get("/en/rankings/2026/race/"))
    assert "Nobody has an active PGR in Chess in 2026." in main(
        client.get("/en/rankings/2026/games/chess/")
    )


def test_pgm_38_a_season_before_the_race_says_so(client):
    winner, loser = factories.registered(leagues.LONG_AGO), factories.registered(leagues.LONG_AGO)
    year.played(winner, loser, on=date(2025, 5, 1))
    year.publish(2025)
    for address in (
        "/en/rankings/2025/",
        "/en/rankings/2025/race/",
        "/en/rankings/2025/race/?screen=1",
    ):
        assert "This season had no Race" in main(client.get(address)), address


# All at a glance


def test_the_address_without_a_year_leads_to_the_latest_that_is_published(client, league):
    factories.season(2027)

    assert client.get("/en/rankings/").headers["Location"] == "/en/rankings/2026/"


def test_the_front_page_of_the_rankings_shows_the_first_of_each_and_of_every_game(client, league):
    page = main(client.get("/en/rankings/2026/"))

    assert (
        "Red By the average of the active PGRs. 1 Anna Łoś Torino 1009 2 Bruno Łoś Wrocław 1000 3 "
        "**** 1000"
    ) in page
    assert "Amazons Anna Łoś 1019.425 Hive Anna Łoś" in page
    assert (
        "BIG points All championships of Board Italian Gamers: the best three results of each game."
        in page
    )


# For everybody, and for no more than it costs


@pytest.mark.parametrize("language", ["it", "en", "es"])
@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_there_in_each_language(client, league, language, page):
    assert (
        f'<html lang="{language}"'
        in client.get(f"/{language}/rankings/2026/{page}").content.decode()
    )


def grown() -> None:
    """Two more people with a game of their own, and a Race stage between them."""
    season = play.season(2026)
    who = {letter: leagues.person(letter, "Roma", "IT") for letter in "XY"}
    own = factories.game()
    play.played("X 1 Y", who=who, on=date(2026, 3, 5), game=own, race=True)
    leagues.publish(season)


@pytest.mark.parametrize("page", [*PAGES, "red/?q=los&country=IT", "red/?at=2026-03-12"])
def test_the_queries_do_not_grow_with_the_ranking(client, league, page, uncached):
    grown()
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/en/rankings/2026/{page}").status_code == 200
        counts.append(len(queries))
        grown()

    assert counts[0] == counts[1] <= MOST_QUERIES


def test_a_registration_that_is_refused_later_hides_the_name_before_the_next_version(
    client, league
):
    Registration.objects.filter(player=league.anna).update(state="refused")

    page = client.get("/en/rankings/2026/red/").content.decode()

    assert "Anna" not in page
    assert "Torino" not in page
