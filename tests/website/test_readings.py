"""“How this portal reads the rules”: every reading, the one in force in a season, and the numbers
by date."""

import re
from dataclasses import fields

import pytest
from django.utils.html import strip_tags

from pergioco.rulekit.editions import Editions
from pergioco.stages.seasons import SETTINGS
from pergioco.website.regulations import rendering
from pergioco.website.regulations.text import get_readings
from race import rules as race
from rankings import rules as rankings
from ratings import rules as ratings
from ratings.rules import Edition
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
ASKED = ["PG-4", "PG-14", "PG-15", "PG-16", "PG-24"]


def page(client, year: int = 2026) -> str:
    response = client.get(f"/en/rules/readings/{year}/")
    assert response.status_code == 200
    return response.content.decode()


def words(html: str) -> str:
    return re.sub(r"\s+", " ", strip_tags(html))


def article(html: str, code: str) -> str:
    found = re.search(rf'<article id="{code}".*?</article>', html, re.DOTALL)
    assert found
    return words(found[0])


# The readings


def test_every_reading_of_pergioco_masters_is_there_once():
    assert [one.code for one in get_readings()] == [f"PG-{number}" for number in range(1, 28)]


def test_every_setting_of_a_reading_offers_exactly_its_options_and_our_default():
    codes = {one.code: one for one in get_readings()}
    for setting in SETTINGS.values():
        if setting.reading.startswith("PG-"):
            assert set(codes[setting.reading].options) == set(setting.choices)
            assert codes[setting.reading].default == setting.default


def test_the_questions_put_to_the_federation_are_marked():
    assert [one.code for one in get_readings() if one.is_asked] == ASKED


# The page


def test_each_reading_has_an_anchor_and_says_what_is_in_force_and_why(client):
    factories.season()
    html = page(client)

    assert [f"PG-{n}" for n in range(1, 28)] == re.findall(r'<article id="(PG-\d+)"', html)
    assert article(html, "PG-17") == (
        " PG-17 Is the sum of Blue rounded? In force No: three decimals, as the ratings have. "
        "Why so The regulation names no rounding there. Ties are settled as in Red. Paragraphs 32 "
    )


def test_a_setting_shows_its_name_and_that_the_question_is_open(client):
    factories.season()
    drops = article(page(client), "PG-24")

    assert "In force Of the results that the player has." in drops
    assert (
        "Setting race_drops: as by default Open question For the federation to answer: until then "
        "the reading is ours."
    ) in drops


def test_what_a_season_decided_otherwise_is_in_force_there_and_nowhere_else(client):
    season, later = factories.season(2025), factories.season(2026)
    season.settings = {"race_drops": "absences_are_zero"}
    season.save()

    decided = article(page(client, 2025), "PG-24")
    assert "In force Of all twelve stages, a stage not played being zero." in decided
    assert "It could also be read Of the results that the player has." in decided
    assert "decided otherwise for this season" in decided
    assert "Open question" not in decided
    assert "In force Of the results that the player has." in article(
        page(client, later.year), "PG-24"
    )


def test_all_seasons_can_be_chosen(client):
    factories.season(2025)
    factories.season(2026)

    html = page(client, 2025)
    assert 'href="/en/rules/readings/2026/"' in html
    assert re.search(r'href="/en/rules/readings/2025/"\s+aria-current="page"', html)


@pytest.mark.parametrize("year", [2020, 2031])
def test_a_season_without_rules_or_not_announced_is_no_page(client, year):
    factories.season(2020)

    assert client.get(f"/en/rules/readings/{year}/").status_code == 404


# The numbers


def test_every_number_of_every_edition_is_shown():
    shown = {(one.book.__name__, one.name) for one in rendering.PARAMETERS}
    held = {
        (book.__name__, field.name)
        for book in (ratings, rankings, race)
        for field in fields(book.EDITIONS[0])
        if field.name != "since"
    }
    assert shown == held


def test_the_numbers_stand_with_their_paragraph_and_season(client):
    factories.season()
    text = words(page(client))

    assert "PGR with which everybody begins a game 1000.000 2021 22" in text
    assert "K: what one point more or less than expected moves 20 2021 22" in text
    assert "20 · 18 · 16 · 14 · 12 · 10 · 9 · 8 · 7 · 6 · 5 · 4 · 3 · 2 · 1 2021 35" in text
    assert "0.5 · 0.4 · 0.3 · 0.2 · 0.1 2021 35" in text
    assert "K of the points of a Race stage 16.70 2026 39" in text


def test_before_the_first_race_its_numbers_were_not_in_force(client):
    factories.season(2025)
    text = words(page(client, 2025))

    assert "K of the points of a Race stage 16.70 not in force in this season 2026 39" in text
    assert "K: what one point more or less than expected moves 20 2021 22" in text


def test_a_new_edition_stands_beside_the_old_one_and_only_one_is_in_force(monkeypatch):
    monkeypatch.setattr(
        ratings, "EDITIONS", Editions(*ratings.EDITIONS, Edition(since=2027, k=16, start=1_000_000))
    )
    k = [
        one
        for one in rendering.list_parameter_values(2026)
        if (one.parameter.book, one.parameter.name) == (ratings, "k")
    ]

    assert [(one.since, one.shown, one.is_in_force) for one in k] == [
        (2021, "20", True),
        (2027, "16", False),
    ]
