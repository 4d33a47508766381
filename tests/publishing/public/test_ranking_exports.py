"""A ranking on a wall, in a frame, as text and as a picture."""

import io
import re
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image

from pergioco.core import displays, share_image
from pergioco.core.share_image import Card, Place
from pergioco.players.models import Person, Registration
from pergioco.publishing.models import Line
from pergioco.stages.models import Game
from tests.ratings import play
from tests.website import league as leagues
from tests.website.league import League, main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
KIB = 1024
MOST_QUERIES = 12


@pytest.fixture
def league() -> League:
    return leagues.published()


def text(answer) -> str:
    return unescape(answer.content.decode())


# Under the table


def test_under_the_table_stands_every_way_to_take_it(client, league):
    page = client.get("/en/rankings/2026/red/").content.decode()

    row = page[page.index('class="exports"') : page.index("</main>")]
    assert re.findall(r'<a href="(/en/rank[^"]*|/api[^"]*)"', row) == [
        *[f"/en/rankings/2026/red.{ending}" for ending in ("csv", "xlsx", "json")],
        "/en/rankings/2026/red/?screen=1",
        "/api/v1/rankings/2026/red/",
    ]


def test_of_another_day_the_files_are_of_that_day(client, league):
    page = client.get("/en/rankings/2026/games/hive/?at=2026-03-05").content.decode()

    assert 'href="/en/rankings/2026/games/hive.xlsx?at=2026-03-05"' in page
    assert 'href="/en/rankings/2026/games/hive/?at=2026-03-05&amp;screen=1"' in page
    assert 'href="/api/v1/rankings/2026/games/hive/?at=2026-03-05"' in page


def test_the_text_to_copy(client, league):
    page = text(client.get("/en/rankings/2026/blue/"))

    copied = re.search(r'<textarea id="copy-text"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert copied is not None
    assert copied[1] == (
        "Blue 2026 · PerGioco Masters\n"
        "Provisional, version 1, 12/03/2026\n\n"
        "1. Anna Łoś 2,019.425\n"
        "2. Bruno Łoś 2,000.575\n"
        "3. **** 1,000.000\n\n"
        f"{settings.PUBLIC_URL.geturl().rstrip('/')}/en/rankings/2026/blue/"
    )


def test_red_says_in_which_band_somebody_stands_wherever_it_is_taken(client, league):
    red = Line.objects.filter(computation__kind="red")
    red.update(
        detail={
            "overall": 1,
            "average": "1",
            "total": 1,
            "active_pgrs": 2,
            "games": 3,
            "has_enough": False,
        }
    )
    band = "With fewer than 10"

    assert f"{band} 1. Anna Łoś 1009" in main(client.get("/en/rankings/2026/red/"))
    assert f"{band} 1" in main(client.get("/en/rankings/2026/red/?screen=1"))
    assert f"{band} 1 Anna Łoś" in main(client.get("/en/embed/rankings/2026/red/"))


def test_no_text_is_offered_of_a_search(client, league):
    page = text(client.get("/en/rankings/2026/blue/?q=anna"))

    assert 'id="copy-text"' not in page
    assert "blue.csv" in page


def test_a_name_cannot_leave_the_text_to_copy(client, league):
    Person.objects.filter(player=league.anna).update(first_name="</textarea><b>")

    assert "</textarea><b>" not in client.get("/en/rankings/2026/red/").content.decode()


# On a wall


def test_on_a_wall_the_pages_turn_by_themselves_without_a_script(client, league, monkeypatch):
    monkeypatch.setattr(displays, "PER_SCREEN", 2)

    first = client.get("/en/rankings/2026/red/?screen=1")
    last = client.get("/en/rankings/2026/red/?screen=1&page=2")

    assert first.headers["Refresh"] == "15; url=/en/rankings/2026/red/?screen=1&page=2"
    assert last.headers["Refresh"] == "15; url=/en/rankings/2026/red/?screen=1&page=1"
    assert "Anna Łoś Torino 1009" in main(first)
    assert "****" in main(last)
    assert "Page 2 of 2" in text(last)


def test_on_a_wall_it_is_dark_and_says_the_time_and_the_state(client, league):
    page = text(client.get("/en/rankings/2026/race/?screen=1"))

    assert 'data-theme="dark"' in page
    assert re.search(r"<time [^>]*data-clock>12:00</time>", page)
    assert "Provisional, version 1, 12/03/2026" in page
    assert 'data-theme="light"' in text(client.get("/en/rankings/2026/race/?screen=1&theme=light"))


def test_who_wants_to_read_on_stays_on_the_page(client, league):
    assert "Refresh" not in client.get("/en/rankings/2026/red/?screen=1&stay=1").headers


def test_on_a_wall_before_anything_is_published(client):
    leagues.played()

    answer = client.get("/en/rankings/2026/red/?screen=1")

    assert "Nothing is published" in main(answer)
    assert answer.headers["Refresh"] == "15; url=/en/rankings/2026/red/?screen=1&page=1"


# In a frame


@pytest.mark.parametrize("address", ["red/", "race/", "games/hive/"])
def test_only_the_frame_may_stand_in_a_frame(client, league, address):
    frame = client.get(f"/en/embed/rankings/2026/{address}")
    page = client.get(f"/en/rankings/2026/{address}")

    assert "X-Frame-Options" not in frame.headers
    assert "frame-ancestors *" in frame.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_a_frame_sets_no_cookie_and_loads_no_font_and_no_script(client, league):
    answer = client.get("/en/embed/rankings/2026/red/")

    assert not answer.cookies
    assert not client.cookies
    assert re.findall(r"<script|<img|<form|\.woff2|<iframe", text(answer)) == []


def test_a_full_frame_weighs_less_than_30_kib_with_its_styles(client, league):
    who = {
        f"P{number}": leagues.person(f"Massimiliano {number}", "Reggio nell'Emilia", "IT")
        for number in range(24)
    }
    pairs = zip(list(who)[::2], list(who)[1::2], strict=True)
    play.played(
        ", ".join(f"{a} 1 {b}" for a, b in pairs), who=who, on=date(2026, 3, 5), game=league.hive
    )
    leagues.publish(league.season)

    page = client.get("/en/embed/rankings/2026/games/hive/").content
    styles = re.findall(r'href="/static/([^"]*\.css)"', page.decode())
    weight = len(page) + sum(
        len(Path(settings.BASE_DIR, "static", one).read_bytes()) for one in styles
    )

    assert page.count(b'scope="row"') == 20
    assert len(styles) == 2
    assert weight <= 30 * KIB


def test_a_frame_says_its_state_and_leads_to_the_whole(client, league):
    answer = client.get("/en/embed/rankings/2026/blue/")

    assert "Provisional, version 1, 12/03/2026" in main(answer)
    assert "1 Anna Łoś Torino 2,019.425" in main(answer)
    assert (
        f'{settings.PUBLIC_URL.geturl().rstrip("/")}/en/rankings/2026/blue/" target="_blank"'
        in text(answer)
    )


@pytest.mark.parametrize(
    ("asked", "found"), [("light", True), ("dark", True), ("pink", False), ("", False)]
)
def test_the_colours_of_a_frame_are_asked_in_its_address(client, league, asked, found):
    page = text(client.get(f"/en/embed/rankings/2026/red/?theme={asked}"))

    assert (f'data-theme="{asked}"' in page) is found


def test_a_frame_that_is_unchanged_is_not_sent_again(client, league):
    first = client.get("/en/embed/rankings/2026/red/")
    again = client.get(
        "/en/embed/rankings/2026/red/", headers={"If-None-Match": first.headers["ETag"]}
    )

    assert again.status_code == 304
    assert "frame-ancestors *" in again.headers["Content-Security-Policy"]


def test_the_code_of_the_frame_stands_under_the_table(client, league):
    code = (
        f'<iframe src="{settings.PUBLIC_URL.geturl().rstrip("/")}/en/embed/rankings/2026/red/" '
        f'title="Red 2026"'
    )

    assert code in text(client.get("/en/rankings/2026/red/"))


def test_the_code_of_a_frame_is_copied_as_it_must_be_written(client, league):
    Game.objects.filter(pk=league.hive.pk).update(name_en='Hive "X"')

    page = text(client.get("/en/rankings/2026/games/hive/"))

    assert 'title="Hive &quot;X&quot; 2026"' in page


def test_no_frame_of_what_is_not_there(client, league):
    assert client.get("/en/embed/rankings/2026/pink/").status_code == 404
    assert client.get("/en/embed/rankings/2026/games/nothing/").status_code == 404


# As a picture


def test_the_picture_of_a_ranking(client, league):
    answer = client.get("/en/share/rankings/2026/red.png")
    again = client.get(
        "/en/share/rankings/2026/red.png", headers={"If-None-Match": answer.headers["ETag"]}
    )
    picture = Image.open(io.BytesIO(answer.content))

    assert answer.headers["Content-Type"] == "image/png"
    assert (picture.format, picture.size) == ("PNG", (1200, 630))
    assert again.status_code == 304


def test_the_picture_follows_what_is_published_and_who_may_be_named(client, league):
    first = client.get("/en/share/rankings/2026/red.png").headers["ETag"]
    Registration.objects.filter(player=league.anna).update(publication_allowed=False)

    assert client.get("/en/share/rankings/2026/red.png").headers["ETag"] != first


def test_the_page_names_its_picture_but_not_for_another_day(client, league):
    home = settings.PUBLIC_URL.geturl().rstrip("/")
    picture = f'<meta property="og:image" content="{home}/en/share/rankings/2026/games/hive.png">'

    assert picture in text(client.get("/en/rankings/2026/games/hive/"))
    assert "og:image" not in text(client.get("/en/rankings/2026/games/hive/?at=2026-03-05"))


def test_no_picture_of_what_is_not_there(client):
    leagues.played()

    for address in ("red", "pink", "games/nothing", "games/hive"):
        assert client.get(f"/en/share/rankings/2026/{address}.png").status_code == 404


def test_the_same_picture_is_the_same_bytes():
    card = Card("Red 2026", "Provisional", "red", (Place(1, "Žofia Łoś", "Cádiz", "1,009"),))
    first = share_image.draw_png(card)
    share_image.draw_png.cache_clear()

    assert share_image.draw_png(card) == first


@pytest.mark.parametrize("letter", "ŽŁñéőßşğčąęśżźЩљΞώთԱễ")
def test_every_letter_of_the_alphabets_of_europe_is_drawn(letter):
    """A letter that the font does not have is drawn as a box, the same for all."""
    face = share_image.Face(share_image.TEXT, 44, 600)
    font = share_image.load_font(face, share_image.font_part(letter))

    assert bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


def test_a_long_name_is_cut_before_the_number():
    short, long = (
        Card("Red", "", "red", (Place(1, name, "", "1,009"),)) for name in ("Anna", "Anna " * 40)
    )
    pen = share_image.Pen(None)  # type: ignore[arg-type]
    face = share_image.Face(share_image.TEXT, 44, 600)
    shown = pen.shortened(long.places[0].name, face, 700)

    assert shown.endswith("…")
    assert pen.width(shown, face) <= 700
    assert pen.shortened(short.places[0].name, face, 700) == "Anna"


# What they cost


@pytest.mark.parametrize(
    "address",
    [
        "rankings/2026/race/?screen=1",
        "embed/rankings/2026/race/",
        "share/rankings/2026/race.png",
        "games/",
    ],
)
def test_each_costs_few_queries(client, league, django_assert_max_num_queries, address):
    with django_assert_max_num_queries(MOST_QUERIES):
        assert client.get(f"/en/{address}").status_code == 200
