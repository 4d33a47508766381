"""Atom feeds: what they tell, when, under which ids, and about whom they are silent."""

from datetime import timedelta
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from django.utils import timezone

from pergioco.players.models import Player, Registration
from pergioco.players.services import erasing
from pergioco.publishing.models import Publication
from pergioco.stages.models import Revision, Stage
from tests.office.desk.counting import queries_of
from tests.ratings import play
from tests.website import league as leagues
from tests.website.league import League

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
RESULTS, RANKINGS = "/en/feeds/results.atom", "/en/feeds/rankings.atom"
ATOM = "{http://www.w3.org/2005/Atom}"
LATER = "2026-03-12T12:31:00+01:00"  # half an hour after everything was published
MOST_QUERIES = 8


@pytest.fixture
def league(clock) -> League:
    made = leagues.published()
    for revision in Revision.objects.select_related("stage"):
        Revision.objects.filter(pk=revision.pk).update(closed_at=timezone.now())
    Stage.objects.update(status="closed")
    return made


def read(client, address: str) -> Element:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = fromstring(answer.content)
    assert feed.tag == f"{ATOM}feed"
    return feed


def text(of: Element, name: str) -> str:
    return of.findtext(f"{ATOM}{name}", default="")


def entries(client, address: str) -> list[Element]:
    return read(client, address).findall(f"{ATOM}entry")


def titles(client, address: str) -> list[str]:
    return [text(entry, "title") for entry in entries(client, address)]


def addresses_of(league: League) -> list[str]:
    return [
        RESULTS,
        RANKINGS,
        "/en/feeds/games/hive.atom",
        f"/en/feeds/players/{league.anna.public_id}.atom",
    ]


# All of them


def test_nothing_is_told_before_its_half_hour_is_over(client, league, clock):
    assert [entries(client, address) for address in addresses_of(league)] == [[], [], [], []]

    clock.move_to(LATER)

    assert all(entries(client, address) for address in addresses_of(league))


def test_what_rfc_4287_asks_for_is_there(client, league, clock):
    clock.move_to(LATER)
    for address in addresses_of(league):
        feed = read(client, address)
        own = [
            link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"
        ]
        parts = [feed, *feed.findall(f"{ATOM}entry")]
        ids = [text(one, "id") for one in parts]

        assert own == [f"http://127.0.0.1:8000{address}"]
        assert all(text(one, name) for one in parts for name in ("id", "title", "updated"))
        assert feed.find(f"{ATOM}author") is not None
        assert len(set(ids)) == len(ids)
        assert all(one.startswith("tag:127.0.0.1,2025:en/") for one in ids)


def test_the_same_facts_are_the_same_bytes_and_304(client, league, clock):
    clock.move_to(LATER)
    for address in addresses_of(league):
        first = client.get(address)
        clock.move_to("2026-04-01T12:00:00+02:00")

        assert client.get(address).content == first.content
        assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_an_empty_feed_has_a_time_that_does_not_move(client, clock):
    first = client.get(RESULTS).content
    clock.move_to("2026-04-01T12:00:00+02:00")

    assert client.get(RESULTS).content == first


def test_pages_say_where_the_feeds_are(client, league):
    page = client.get("/it/").content.decode()

    assert page.count('type="application/atom+xml"') == 2
    assert 'href="/it/feeds/results.atom"' in page


@pytest.mark.parametrize("code", ["it", "es"])
def test_each_language_has_its_own(client, league, clock, code):
    clock.move_to(LATER)

    feed = read(client, f"/{code}/feeds/results.atom")

    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == code
    assert text(feed, "id") == f"tag:127.0.0.1,2025:{code}/results"


def test_the_queries_do_not_grow(client, league, clock):
    clock.move_to(LATER)
    few = [queries_of(client, address) for address in addresses_of(league)]
    for day in (3, 4):
        play.played(
            "A X B",
            who=league.who,
            on=timezone.localdate().replace(day=day),
            game=league.hive,
            slug=f"hive-{day}",
        )
        Revision.objects.update(closed_at=timezone.now())
        leagues.publish(league.season)
    clock.shift(timedelta(hours=1))

    assert [queries_of(client, address) for address in addresses_of(league)] == few
    assert max(few) <= MOST_QUERIES


# Results


def test_results_are_told_with_the_stage_that_they_belong_to(client, league, clock):
    clock.move_to(LATER)

    assert sorted(titles(client, RESULTS)) == [
        "Amazons, 1 February 2026: results",
        "Amazons, 1 March 2026: results",
        "Hive, 2 March 2026: results",
    ]
    assert titles(client, "/en/feeds/games/hive.atom") == ["Hive, 2 March 2026: results"]


def test_a_correction_is_the_same_entry_told_again_with_its_reason(client, league, clock):
    clock.move_to(LATER)
    hive = "/en/feeds/games/hive.atom"
    [before] = entries(client, hive)
    old = league.stage.revisions.get()
    Revision.objects.filter(pk=old.pk).update(state="superseded")
    Revision.objects.create(
        stage=league.stage,
        number=2,
        state="current",
        reason="Table 2 < 3",
        closed_at=timezone.now(),
        replaces=old,
    )
    assert titles(client, hive) == ["Hive, 2 March 2026: results"]  # still in its half hour
    clock.shift(timedelta(minutes=31))

    [after] = entries(client, hive)

    assert text(after, "title") == "Hive, 2 March 2026: results corrected"
    assert text(after, "id") == text(before, "id")
    assert text(after, "published") == text(before, "published")
    assert text(after, "updated") > text(before, "updated")
    assert text(after, "summary").endswith("Table 2 &lt; 3")


def test_a_stage_that_was_taken_back_or_called_off_is_not_told(client, league, clock):
    clock.move_to(LATER)
    league.stage.revisions.update(state="dropped")
    Stage.objects.filter(pk=league.race.pk).update(status="cancelled")

    assert titles(client, RESULTS) == ["Amazons, 1 March 2026: results"]


def test_an_unknown_game_has_no_feed(client):
    assert client.get("/en/feeds/games/zzz.atom").status_code == 404


# Rankings


def test_a_publication_is_told_with_who_leads(client, league, clock):
    clock.move_to(LATER)

    [entry] = entries(client, RANKINGS)

    assert text(entry, "title") == "Rankings 2026, version 1 of 12 March 2026"
    assert text(entry, "summary").startswith("Red: Anna Łoś, 1009; Blue: Anna Łoś, 2,019.425; ")


def test_a_withdrawn_publication_is_not_told(client, league, clock):
    clock.move_to(LATER)
    Publication.objects.update(is_current=False, withdrawn_at=timezone.now())

    assert entries(client, RANKINGS) == []


def test_who_wants_no_publication_is_not_named(client, league, clock):
    Registration.objects.filter(player=league.anna).update(publication_allowed=False)
    clock.move_to(LATER)

    [entry] = entries(client, RANKINGS)

    assert text(entry, "summary").startswith("Red: ****, 1009")


# Players


def feed_of(player: Player) -> str:
    return f"/en/feeds/players/{player.public_id}.atom"


def test_a_player_s_feed_tells_what_each_stage_did_to_the_rating(client, league, clock):
    clock.move_to(LATER)

    assert "Amazons, 1 February 2026: PGR 1000.000 → 1020.000" in titles(
        client, feed_of(league.anna)
    )


def test_who_is_not_named_in_public_has_none(client, league):
    for player in (league.carla, league.dora):
        assert client.get(feed_of(player)).status_code == 404


def test_who_is_gone_is_gone_and_who_was_merged_is_found_under_the_other_id(client, league):
    Player.objects.filter(pk=league.dora.pk).update(merged_into=league.anna)
    erasing.erase_player(league.bruno, by=None)

    assert client.get(feed_of(league.bruno)).status_code == 410
    assert client.get(feed_of(league.dora))["Location"] == feed_of(league.anna)
