"""A season that is over as one file for programs: the very sheets of the site, the frozen text, the
rules in force."""

import io
import json
import zipfile

import pytest

from pergioco.players.services import erasing
from pergioco.stages.models import Game
from tests import factories
from tests.office.desk.counting import queries_of
from tests.publishing import year

pytestmark = pytest.mark.django_db
BUNDLE = "/en/archive/2025/season.zip"


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def over():
    return year.year_over()


@pytest.fixture
def final(over):
    return year.made_final(over[0])


def body_of(answer) -> bytes:
    assert answer.status_code == 200
    return answer.getvalue()


def bundle(client) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(body_of(client.get(BUNDLE))))


def test_a_year_that_is_not_final_has_none(over, client):
    assert client.get(BUNDLE).status_code == 404
    assert BUNDLE not in client.get("/en/archive/2025/").content.decode()


def test_the_page_of_the_year_leads_to_it(final, client):
    assert BUNDLE in client.get("/en/archive/2025/").content.decode()
    assert client.get(BUNDLE)["Content-Disposition"] == 'attachment; filename="pergioco-2025.zip"'


def test_its_files_are_those_of_the_site_byte_for_byte(final, client):
    files = bundle(client)
    game = f"games/{Game.objects.get().slug}"
    same = {
        **{
            f"rankings/{one}.json": f"/en/rankings/2025/{one}.json"
            for one in ("red", "blue", "green", game)
        },
        **{
            f"stages/2025-01/{one}.json": f"/en/stages/2025/2025-01/{one}.json"
            for one in ("standings", "games")
        },
        "rankings.txt": "/en/archive/2025/rankings.txt",
    }
    assert sorted(files.namelist()) == sorted([*same, "season.json"])
    for name, address in same.items():
        assert files.read(name) == body_of(client.get(address)), name


def test_it_tells_when_the_year_was_made_final_and_which_rules_were_in_force(final, client):
    told = json.loads(bundle(client).read("season.json"))
    assert {key: told[key] for key in ("season", "starts_on", "ends_on", "sha256")} == {
        "season": 2025,
        "starts_on": final.season.starts_on.isoformat(),
        "ends_on": final.season.ends_on.isoformat(),
        "sha256": final.sha256,
    }
    assert told["settings"] == final.season.settings
    assert {rule["reading"] for rule in told["readings"]} >= {"PG-1", "PG-2"}
    assert all(rule["adopted"] for rule in told["readings"])


def test_a_stage_of_which_nothing_was_played_has_no_files(final, client):
    factories.stage(of=final.season, slug="2025-off", status="cancelled")
    assert not [name for name in bundle(client).namelist() if "2025-off" in name]


def test_who_is_not_named_in_public_is_not_named_here(over, client):
    _season, winner, loser = over
    stranger = factories.player()
    year.played(stranger, loser, on=over[0].starts_on, slug="2025-00")
    year.publish(2025)
    year.made_final(over[0])
    erasing.erase_player(winner, by=None)
    files = bundle(client)
    text = "".join(files.read(name).decode() for name in files.namelist())
    assert "Prima" not in text
    assert "@" not in text
    assert "****" in files.read("stages/2025-00/games.json").decode()


def test_the_same_content_is_the_same_bytes_and_is_not_sent_twice(final, client):
    first = client.get(BUNDLE)
    assert body_of(first) == body_of(client.get(BUNDLE))
    assert client.get(BUNDLE, headers={"if-none-match": first["ETag"]}).status_code == 304


def test_who_asks_too_often_is_told_to_wait(final, client):
    answers = [client.get(BUNDLE).status_code for _time in range(7)]
    assert answers == [200] * 6 + [429]


def test_as_many_queries_for_many_players_as_for_few(over, client):
    year.made_final(over[0])
    few = queries_of(client, BUNDLE)
    other, *_ = year.year_over(2024)
    stage = other.stages.get()
    for _number in range(3):
        stage.entries.create(player=factories.player())
    year.made_final(other)
    assert queries_of(client, "/en/archive/2024/season.zip") == few
