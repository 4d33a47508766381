"""The rows of a ranking's table: safe, whole, and light however many they are."""

import gzip
import random
import re
from datetime import date
from decimal import Decimal

import lxml.html
import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from pergioco.core.addresses import player_address_builder
from pergioco.demo.people import NAMES
from pergioco.players.models import Person, Player, Registration
from pergioco.publishing.models import Computation, Line, Publication, Shown
from pergioco.publishing.queries.ranking_labels import why_address
from pergioco.publishing.views import rankings
from pergioco.stages.models import Season
from tests.conftest import signed_in
from tests.office.desk.counting import queries_of
from tests.website import league as leagues
from tests.website.league import League

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
NASTY = "<b onclick='x'>\"&amp;"
MOST_BYTES = 15 * 1024
MOST_QUERIES = 12
GAME = "/en/rankings/2026/games/amazons/"
OF_MANY = [
    GAME,
    f"{GAME}?page=2",
    f"{GAME}?q=a&country=IT",
    f"{GAME}?screen=1",
    "/en/embed/rankings/2026/games/amazons/",
]
OF_MANY += [f"{GAME.rstrip('/')}.{ending}" for ending in ("csv", "xlsx", "json")]
OF_MANY += ["/en/", "/en/rankings/2026/", "/en/players/", "/en/players/?q=a", "/api/v1/players/"]
OF_MANY += [
    "/api/v1/rankings/2026/games/amazons/",
    "/api/v1/rankings/2026/games/amazons/?page_size=500",
]


@pytest.fixture
def league() -> League:
    return leagues.published()


def body(client: Client, address: str) -> list[lxml.html.HtmlElement]:
    page = lxml.html.fromstring(client.get(f"/en/rankings/2026/{address}").content)
    return page.xpath("//table[@id='ranking']/tbody")


@pytest.mark.parametrize("ranking", ["red/", "blue/", "green/", "race/", "games/amazons/"])
def test_whatever_people_are_called_stays_text(client, league, ranking):
    Person.objects.filter(player=league.anna).update(first_name=NASTY, city=NASTY)
    type(league.amazons).objects.update(name_en=NASTY)

    tables = body(client, ranking)

    assert [table.xpath(".//b") for table in tables] == [[]] * len(tables)
    first = tables[0].xpath("./tr[1]/th[@scope='row'] | ./tr[2]/th[@scope='row']")[0]
    assert first.xpath("./a/text()") == [f"{NASTY} Łoś"]
    assert first.xpath("./span[@class='second']/text()")[0].startswith(f"{NASTY}, Italy")


def test_a_heading_with_marks_in_it_stays_text(client, league):
    type(league.amazons).objects.update(name_en=NASTY)
    cells = body(client, "race/")[0].xpath("./tr[1]/td/@data-label")
    assert cells == ["Pos.", "Mov.", "After drops", "Sum", f"1. {NASTY}", "Why"]


@pytest.mark.parametrize(("ranking", "links"), [("red/", 3), ("race/", 2)])
def test_who_is_not_named_in_public_has_no_place_of_origin_and_no_links(
    client, league, ranking, links
):
    rows = {
        row.xpath("string(./th)").split()[0]: row
        for table in body(client, ranking)
        for row in table.xpath("./tr[th]")
    }
    assert (len(rows["Anna"].xpath(".//a")), rows["****"].xpath(".//a")) == (links, [])
    assert "Segreta" not in rows["****"].text_content()


@pytest.mark.parametrize("ranking", ["red/", "race/"])
def test_the_readers_own_row_says_so(league, ranking):
    ada = signed_in(league.anna.person.user)
    marked = [row for table in body(ada, ranking) for row in table.xpath("./tr[@class='own']")]
    assert [row.xpath("./th//span[@class='tag']/text()") for row in marked] == [["you"]]
    assert marked[0].xpath("./th/a/text()") == ["Anna Łoś"]


@pytest.mark.usefixtures("english")
def test_addresses_of_many_players_are_those_of_each(league):
    who = (league.anna, league.dora)
    assert [player_address_builder("player")(one) for one in who] == [
        reverse("player", args=[one.public_id]) for one in who
    ]
    day = date(2026, 3, 1)
    assert [
        why_address(kind, league.season, league.anna, day=day) for kind in ("red", "game:amazons")
    ] == [
        f"/en/why/red/2026/{league.anna.public_id}/?at=2026-03-01",
        f"/en/why/game/amazons/2026/{league.anna.public_id}/?at=2026-03-01",
    ]


def test_a_page_of_a_ranking_with_movements_weighs_at_most_15_kib(client, league):
    crowd(league.season, rankings.PER_PAGE)
    answer = client.get("/en/rankings/2026/games/amazons/", headers={"accept-encoding": "gzip"})
    assert len(re.findall(rb'<tr id="p\d+"', answer.content)) == rankings.PER_PAGE
    assert answer.content.count(b'class="move ') == rankings.PER_PAGE
    # far less would be no real names
    assert 7 * 1024 < len(gzip.compress(answer.content, 6)) <= MOST_BYTES


def test_a_thousand_rows_cost_what_ten_cost(league, uncached):
    def asked(rows: int) -> dict[str, int]:
        with transaction.atomic():
            crowd(league.season, rows)
            found = {address: queries_of(Client(), address) for address in OF_MANY}
            transaction.set_rollback(True)
        return found

    few = asked(10)
    assert few == asked(1000)
    assert max(few.values()) <= MOST_QUERIES


def crowd(season: Season, size: int) -> None:
    """Two versions of a ranking of a game, in which nearly everybody has moved."""
    people = named(size)
    chance = random.Random(2026)
    published = Publication.objects.get()
    Publication.objects.update(is_current=False)
    later = Publication.objects.create(
        season=season,
        number=2,
        as_of=published.as_of,
        is_current=True,
        before=published,
        cause="closed",
        published_at=published.published_at,
    )
    for one in (published, later):
        chance.shuffle(people)
        made = Computation.objects.create(
            kind="game:amazons", season=season, edition=2021, sha256="", cause="closed"
        )
        Shown.objects.update_or_create(
            publication=one, kind=made.kind, defaults={"computation": made}
        )
        Line.objects.bulk_create(
            line(made, place, player, chance) for place, player in enumerate(people, 1)
        )


def line(computation: Computation, place: int, player: Player, chance: random.Random) -> Line:
    last = date(2025, 1, 1).toordinal() + chance.randrange(430)
    value = Decimal(2_000_000 - 2_000 * place - chance.randrange(2_000)).scaleb(-3)
    detail = {
        "games": chance.randrange(3, 200),
        "last_valid_on": date.fromordinal(last).isoformat(),
        "leader_tenths": chance.randrange(500),
    }
    return Line(
        computation=computation,
        position=place,
        player=player,
        rank=place,
        value=value,
        detail=detail,
    )


def named(size: int) -> list[Player]:
    """First names, surnames and towns of the demo, mixed."""
    chance = random.Random(1)
    known = [line.split("|") for line in NAMES.strip().splitlines()]
    players = Player.objects.bulk_create(Player() for _ in range(size))
    mixed = [[chance.choice(known)[column] for column in range(4)] for _ in players]
    fields = ("first_name", "last_name", "city", "country")
    Person.objects.bulk_create(
        Person(player=player, **dict(zip(fields, who, strict=True)))
        for player, who in zip(players, mixed, strict=True)
    )
    Registration.objects.bulk_create(
        Registration(player=player, registered_on=date(2025, 1, 1), state="new")
        for player in players
    )
    return players
