"""A ranking as a file: the columns and order of the page, a stamp on each row, and nothing that a
spreadsheet runs."""

import csv
import io
from datetime import date

import pytest
from openpyxl import load_workbook

from pergioco.players.models import Person
from pergioco.publishing import published
from pergioco.publishing.queries import ranking_exports
from pergioco.publishing.queries.ranking_exports import version_stamp
from tests.ratings import play
from tests.website import league as leagues
from tests.website.league import League

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


@pytest.fixture
def league() -> League:
    return leagues.published()


def read(answer, sign: str = ",") -> list[list[str]]:
    assert answer.status_code == 200
    return list(csv.reader(io.StringIO(answer.getvalue().decode("utf-8-sig")), delimiter=sign))


def test_red_as_a_file(client, league):
    answer = client.get("/en/rankings/2026/red.csv")

    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="red-2026-v1.csv"'
    assert read(answer) == [
        [
            *["Pos.", "Mov.", "Player", "City", "Country"],
            *["Active PGRs", "Games", "Exact average", "Overall PGR", "Version"],
        ],
        ["1", "", "Anna Łoś", "Torino", "Italy", "2", "4", "1009.712", "1009", "v1"],
        ["2", "", "Bruno Łoś", "Wrocław", "Poland", "2", "4", "1000.287", "1000", "v1"],
        ["3", "", "****", "", "", "1", "2", "1000.000", "1000", "v1"],
    ]


def test_where_decimals_have_a_comma_columns_have_a_semicolon(client, league):
    rows = read(client.get("/it/rankings/2026/blue.csv"), ";")

    assert [row[-2] for row in rows[1:]] == ["2019,425", "2000,575", "1000,000"]


def test_a_game_and_the_race_as_files(client, league):
    game = read(client.get("/en/rankings/2026/games/amazons.csv"))
    race = read(client.get("/en/rankings/2026/race.csv"))

    assert game[1] == [
        "1",
        "",
        "Anna Łoś",
        "Torino",
        "Italy",
        "3",
        "2026-03-01",
        "0.5",
        "1019.425",
        "v1",
    ]
    assert race[0][5:] == ["After drops", "Sum", "1. Amazons 01/02", "Version"]
    assert race[1][5:] == ["0", "26", "26", "v1"]


def test_movement_is_a_number_with_its_sign_or_new(client, league):
    who = league.who | {"N": leagues.person("Nina", "Roma", "IT")}
    play.played("B 1 A; B 1 A; B 1 N", who=who, on=date(2026, 3, 8), game=league.amazons)
    leagues.publish(league.season)

    rows = read(client.get("/en/rankings/2026/games/amazons.csv"))

    assert [row[1] for row in rows[1:]] == ["1", "1", "-2", "new"]


def test_another_day_as_a_file_says_which(client, league):
    answer = client.get("/en/rankings/2026/red.csv?at=2026-02-15")

    assert 'filename="red-2026-as-of-2026-02-15.csv"' in answer.headers["Content-Disposition"]
    assert {row[-1] for row in read(answer)[1:]} == {"as-of-2026-02-15"}


@pytest.mark.parametrize("at", ["foo", "2027-01-01"])
def test_a_day_that_makes_no_sense_gives_no_other_day_instead(client, league, at):
    assert client.get(f"/en/rankings/2026/red.csv?at={at}").status_code == 404


def test_before_anything_is_published_there_is_no_file(client):
    leagues.played()

    assert client.get("/en/rankings/2026/red.csv").status_code == 404


def test_a_name_that_a_spreadsheet_would_run_is_text(client, league):
    Person.objects.filter(player=league.anna).update(first_name="=1+1", city="@home")

    assert read(client.get("/en/rankings/2026/red.csv"))[1][2:4] == ["'=1+1 Łoś", "'@home"]


def test_the_same_content_is_not_sent_twice(client, league):
    first = client.get("/en/rankings/2026/red.csv")
    again = client.get(
        "/en/rankings/2026/red.csv", headers={"If-None-Match": first.headers["ETag"]}
    )
    Person.objects.filter(player=league.anna).update(city="Genova")
    changed = client.get(
        "/en/rankings/2026/red.csv", headers={"If-None-Match": first.headers["ETag"]}
    )

    assert (again.status_code, changed.status_code) == (304, 200)


def test_nothing_but_name_city_and_country_of_a_person(client, league):
    text = client.get("/en/rankings/2026/red.csv").getvalue().decode()

    assert "example.org" not in text
    assert "1990" not in text
    assert "Carla" not in text


def test_the_stamp_is_the_number_of_the_version():
    league = leagues.played()
    leagues.publish(league.season)
    play.played("A 1 B", who=league.who, on=date(2026, 3, 8), game=league.hive)

    leagues.publish(league.season)

    version = published.find_version(league.season)
    assert version is not None
    assert version_stamp(version) == "v2"


def test_a_workbook_and_json_have_the_same_cells(client, league):
    workbook = client.get("/en/rankings/2026/red.xlsx")
    rows = list(load_workbook(io.BytesIO(workbook.getvalue())).active.iter_rows(values_only=True))
    programs = client.get("/en/rankings/2026/red.json").json()

    assert workbook.headers["Content-Disposition"] == 'attachment; filename="red-2026-v1.xlsx"'
    assert rows[1] == (1, None, "Anna Łoś", "Torino", "Italy", 2, 4, 1009.712, 1009, "v1")
    assert programs["rows"][0] == {
        "rank": 1,
        "moved": None,
        "player": "Anna Łoś",
        "city": "Torino",
        "country": "Italy",
        "active_pgrs": 2,
        "games": 4,
        "exact_average": "1009.712",
        "overall_pgr": 1009,
    }
    assert {
        key: programs[key] for key in ("title", "stamp", "season", "kind", "state", "paragraphs")
    } == {
        "title": "Red 2026",
        "stamp": "v1",
        "season": 2026,
        "kind": "red",
        "state": "provisional",
        "paragraphs": ["PGM 27", "PGM 24", "PGM 29", "PGM 30"],
    }


def test_in_json_each_stage_of_the_race_has_its_name(client, league):
    first = client.get("/en/rankings/2026/race.json").json()["rows"][0]

    assert (first["net"], first["gross"], first["stage:race-1"]) == (0, 26, 26)


@pytest.mark.parametrize("ending", ["xlsx", "json"])
def test_another_day_and_what_is_unchanged_in_every_ending(client, league, ending):
    first = client.get(f"/en/rankings/2026/games/hive.{ending}")
    again = client.get(
        f"/en/rankings/2026/games/hive.{ending}", headers={"If-None-Match": first.headers["ETag"]}
    )
    past = client.get(f"/en/rankings/2026/red.{ending}?at=2026-02-15")

    assert again.status_code == 304
    assert f'filename="red-2026-as-of-2026-02-15.{ending}"' in past.headers["Content-Disposition"]


@pytest.mark.parametrize("address", ["red.pdf", "pink.xlsx", "games/nothing.json"])
def test_what_is_not_offered_is_not_there(client, league, address):
    assert client.get(f"/en/rankings/2026/{address}").status_code == 404


def test_the_queries_of_a_file_do_not_grow_with_its_rows(
    client, league, django_assert_max_num_queries
):
    with django_assert_max_num_queries(12):
        client.get("/en/rankings/2026/race.json")


def test_a_long_ranking_is_read_in_portions(client, league, monkeypatch):
    whole = client.get("/en/rankings/2026/red.csv").getvalue()
    monkeypatch.setattr(ranking_exports, "AT_ONCE", 2)

    assert client.get("/en/rankings/2026/red.csv").getvalue() == whole
