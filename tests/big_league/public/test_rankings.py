"""The championships of BIG in public: what counts, since when, why, and as files; and what a place
would be worth."""

import csv
import io
import json
from datetime import date

import pytest
from django.test import Client

from big_league.models import Final
from pergioco.players.models import Membership, Player
from pergioco.publishing.services import publish
from tests import factories
from tests.big_league.play import Who, tournament
from tests.ratings.play import season
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock", "english")]
SIX = "A9 B7 C5, D8 E6 F3"
JANUARY, FEBRUARY, MARCH = date(2026, 1, 20), date(2026, 2, 1), date(2026, 3, 1)


@pytest.fixture
def who() -> Who:
    """Six who are named in public and members of BIG."""
    season(2026)
    made = {}
    for letter in "ABCDEF":
        player = factories.registered(date(2026, 1, 5), first_name=letter, last_name="Neri")
        Player.objects.filter(pk=player.pk).update(public_id=f"big{letter.lower()}2345")
        player.refresh_from_db()
        Membership.objects.create(player=player, member_on=date(2025, 1, 1))
        made[letter] = player
    return made


@pytest.fixture
def played(who) -> Who:
    """A tournament, the national final that D won, and one after it; published."""
    tournament(SIX, who=who, on=JANUARY, slug="before")
    tournament(SIX, who=who, on=FEBRUARY, slug="the-final", final=True)
    tournament("F9 B7 C5, A8 E6 D3", who=who, on=MARCH, slug="after")
    publish.publish_season(season(2026), cause="closed")
    return who


def text_at(address: str) -> str:
    return main(Client().get(address))


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        ("/en/big/rankings/", "/en/rankings/2026/big/"),
        ("/en/big/rankings/catan/", "/en/rankings/2026/big/catan/"),
        ("/en/big/elo/catan/", "/en/rankings/2026/big-elo/catan/"),
    ],
)
def test_an_address_that_stays_the_same_leads_to_the_season(played, short, whole):
    assert Client().get(short)["Location"] == whole
    assert Client().get(whole).status_code == 200


def test_big_7_the_ranking_says_since_when_it_counts_and_who_is_champion(played):
    page = text_at("/en/rankings/2026/big/catan/")
    assert "Valid since the national final of 01/02/2026" in page
    assert "Champion: D Neri" in page
    assert "1–32: called to a national final" in page


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("big", "No year ends it: each game counts until its next national final."),
        ("big/catan", "No year ends it: the next national final of the game begins it anew."),
        ("big-elo/catan", "No year and no final ends it."),
    ],
)
def test_big_7_the_bar_says_what_ends_the_ranking(played, kind, words):
    page = text_at(f"/en/rankings/2026/{kind}/")
    assert f"Valid Version 1 of 12/03/2026. {words}" in page
    assert "Valid, version 1, 12/03/2026" in page  # to copy
    assert "Valid, version 1" in text_at(f"/en/embed/rankings/2026/{kind}/")
    assert "31 December" not in page
    why = {
        "big": "big/2026",
        "big/catan": "big/points/catan/2026",
        "big-elo/catan": "big/elo/catan/2026",
    }[kind]
    assert words in text_at(f"/en/why/{why}/{played['D'].public_id}/")


def test_the_other_rankings_end_with_their_year(played):
    assert "Final on 31 December." in text_at("/en/rankings/2026/red/")


def test_results_that_count_are_bold_and_the_best_comes_first(played):
    content = Client().get("/en/rankings/2026/big/catan/").content.decode()
    assert content.count('<span class="results"><strong>') == 6


@pytest.fixture
def busy(who) -> Who:
    """Of six tournaments of one game and one of another the best three and the one count in
    general, and five and one in the games."""
    for month in range(1, 7):
        tournament(SIX, who=who, on=date(2025, month, 1), slug=f"catan-{month}")
    tournament(SIX, who=who, on=date(2025, 7, 1), slug="other", game="concordia")
    publish.publish_season(season(2026), cause="closed")
    return who


def results_of(page: str, player: Player) -> list[str]:
    """As they stand below the name: `*` for bold."""
    content = Client().get(page).content.decode()
    row = content.split(player.public_id, 1)[1].split("</tr>", 1)[0]
    inside = row.split('<span class="results">', 1)[1].split("</span>", 1)[0]
    return (
        inside.replace("<strong>", "*").replace("</strong>", "").replace("; ", " · ").split(" · ")
    )


@pytest.mark.parametrize(
    ("kind", "bold", "in_brackets"), [("big", 4, 3), ("big/catan", 5, 1), ("big/concordia", 1, 0)]
)
def test_big_5_results_that_do_not_count_stand_in_brackets(busy, kind, bold, in_brackets):
    found = results_of(f"/en/rankings/2026/{kind}/", busy["A"])
    assert len([one for one in found if "*" in one]) == bold
    assert len([one for one in found if "(" in one]) == in_brackets


def test_in_general_each_game_says_its_name(busy):
    found = results_of("/en/rankings/2026/big/", busy["A"])
    assert [one.split(" ")[0] for one in found if one[0].isalpha()] == ["catan", "concordia"]


def test_big_5_the_own_page_of_a_player_marks_what_counts(busy):
    page = (
        Client()
        .get(busy["A"].get_absolute_url().replace("/it/", "/en/"), follow=True)
        .content.decode()
    )
    part = page.split('id="big-championships"', 1)[1].split("</section>", 1)[0]
    assert (part.count("<strong>"), part.count("(")) == (6, 1)


def test_big_7_the_ranking_that_the_final_ended_is_kept_and_reachable(played):
    cycle = Client().get("/en/rankings/2026/big/catan/")
    assert '/en/rankings/2026/big/catan/?at=2026-01-31"' in cycle.content.decode()
    before = text_at("/en/rankings/2026/big/catan/?at=2026-01-31")
    assert "No national final was held yet" in before
    assert "1,116.67" in before


def test_the_lines_stand_under_32_and_64(who):
    players = [factories.registered(date(2026, 1, 5), first_name=f"N{at:02}") for at in range(66)]
    Membership.objects.bulk_create(
        Membership(player=player, member_on=date(2026, 1, 5)) for player in players
    )
    names = {chr(0x4E00 + at): player for at, player in enumerate(players)}  # one sign for each
    pairs = [list(names)[at : at + 2] for at in range(0, 66, 2)]
    tournament(", ".join(f"{one}9 {two}1" for one, two in pairs), who=names, on=FEBRUARY)
    publish.publish_season(season(2026), cause="closed")
    bands = Client().get("/en/rankings/2026/big/catan/").context
    assert bands is not None
    content = Client().get("/en/rankings/2026/big/catan/").content.decode()
    parts = content.split('<tr class="band">')[1:]
    assert [part.count('<tr id="p') for part in parts] == [32, 32, 2]


def test_the_files_hold_the_same_numbers_and_name_the_paragraphs(played):
    rows = list(
        csv.DictReader(
            io.StringIO(Client().get("/en/rankings/2026/big/catan.csv").content.decode("utf-8-sig"))
        )
    )
    first = rows[0]
    assert (first["Player"], first["Tournaments"]) == ("A Neri", "2")
    document = json.loads(b"".join(Client().get("/en/rankings/2026/big-elo/catan.json")))
    assert document["paragraphs"] == ["BIG 5", "BIG 5.3"]
    assert Client().get("/en/rankings/2026/big.xlsx").status_code == 200


@pytest.mark.parametrize("kind", ["big", "big/catan", "big-elo/catan"])
def test_each_ranking_is_searched_framed_projected_shared_and_given_to_programs(played, kind):
    assert "1 player found" in text_at(f"/en/rankings/2026/{kind}/?q=a+neri")
    assert Client().get(f"/en/embed/rankings/2026/{kind}/").status_code == 200
    assert Client().get(f"/en/rankings/2026/{kind}/?screen=1").status_code == 200
    assert Client().get(f"/en/share/rankings/2026/{kind}.png")["Content-Type"] == "image/png"
    answer = Client().get(f"/api/v1/rankings/2026/{kind}/").json()
    assert (answer["count"], len(answer["results"])) == (6, 6)
    assert Client().get(answer["results"][0]["why"]).status_code == 200


def test_why_points_name_every_result_and_lead_to_its_steps(played):
    page = text_at(f"/en/why/big/points/catan/2026/{played['D'].public_id}/")
    assert "The best 5 results of this championship are added up." in page
    assert "916.67 200.00" in page
    steps = text_at(f"/en/why/big/event/the-final/{played['D'].public_id}/")
    assert (
        "Mean Elo less the player's own, before the tournament 1000.000 − 1010.000 = −10.000"
        in steps
    )
    assert "(916.67 + 200.00) × 0.990000 = 1105.50" in steps


def test_why_of_the_general_ranking(played):
    page = text_at(f"/en/why/big/2026/{played['D'].public_id}/")
    assert "Of each game the best 3 results are added up." in page


def test_why_elo_says_that_it_is_ours(played):
    page = text_at(f"/en/why/big/elo/catan/2026/{played['D'].public_id}/")
    assert "Ours, not in the rules" in page
    assert "Everybody begins at 1000." in page
    assert "1000.000 +10" in page.replace(".000 1010.000", "")


def test_fewer_than_six_players_are_halved_in_the_steps(who):
    tournament("A9 B7 C5 D4", who=who, on=FEBRUARY, slug="small")
    publish.publish_season(season(2026), cause="closed")
    steps = text_at(f"/en/why/big/event/small/{who['A'].public_id}/")
    assert "(875.00 + 146.67) × 1.000000 ÷ 2 = 510.83" in steps


def test_the_profile_shows_places_and_the_title(played):
    page = text_at(played["D"].get_absolute_url().replace("/it/", "/en/"))
    assert "Places, points and Elo in each game" in page
    assert "Titles catan 2026" in page
    assert "Titles" not in text_at(played["A"].get_absolute_url())


def test_the_archive_of_the_year_names_the_champions(played):
    assert "Champions of Board Italian Gamers catan D Neri , 01/02/2026" in text_at(
        "/en/archive/2026/"
    )


def test_the_calendar_of_finals_names_every_champion(played):
    page = text_at("/en/big/finals/")
    assert "catan , 01/02/2026 D Neri" in page
    assert Final.objects.count() == 0


def test_the_feed_of_a_game_tells_its_results_and_none_tells_rankings_of_another_circuit(played):
    general, catan = (
        Client().get(f"/en/rankings/2026/{kind}/").content.decode() for kind in ("big", "big/catan")
    )
    assert "Feed</a>" not in general.replace(" (Atom)", "")
    assert 'href="/en/feeds/games/catan.atom"' in catan.split('class="exports"', 1)[1]


def test_italian_numbers_and_words(played):
    assert "Tavoli 3" in text_at("/it/rankings/2026/big-elo/catan/")
    steps = text_at(f"/it/why/big/event/the-final/{played['D'].public_id}/")
    assert "Punti ai tavoli 1000,00 = 1000,00" in steps


@pytest.mark.parametrize("kind", ["big", "big/catan", "big-elo/catan"])
def test_how_it_is_computed_is_told_by_the_rules_of_big(played, kind):
    page = Client().get(f"/en/rankings/2026/{kind}/").content.decode()
    assert '<a href="/en/rules/#big">How it is computed</a>' in page
    assert "/en/rules/pgm/" not in page
    assert "2026 · Board Italian Gamers\n" in page


def test_the_page_of_all_rules_has_a_part_for_it():
    page = Client().get("/en/rules/").content.decode()
    part = page.split('id="big"', 1)[1].split("</section>", 1)[0]
    assert "BIG 5.2: bonus points of the first quarter" in part
    assert 'href="https://www.boarditaliangamers.it/"' in part


# What would a place be worth


@pytest.mark.parametrize(
    ("asked", "points"),
    [
        (
            "players=6&place=1&mean=1000&own=1000",
            "1,116.67 points",
        ),  # printed: 916.67, and the least bonus
        ("players=36&place=1&mean=1000&own=1000", "1,986.11 points"),
        ("players=4&place=1&mean=1000&own=1000", "510.83 points"),
        ("players=24&place=2&sharing=2&mean=1010&own=990", "1,224.00 points"),
        ("players=12&place=1&mean=1500&own=1000", "1,450.17 points"),  # at most a tenth more
    ],
)
def test_big_5_the_calculator_uses_the_rules_of_the_league(asked, points):
    assert points in text_at(f"/en/big/calculator/?{asked}")


def test_what_cannot_be_is_said_and_what_was_typed_stays():
    answer = Client().get("/en/big/calculator/?players=6&place=7&mean=1000&own=1000")
    assert "There are not so many places" in main(answer)
    assert 'value="7"' in answer.content.decode()
