"""The portal for programs: what it gives, and what it never gives."""

from datetime import date, time

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pergioco.players.models import Player
from pergioco.players.services import merging
from pergioco.publishing.models import Erratum, Publication
from tests import factories
from tests.big_league.public.test_rankings import played, who  # noqa: F401 - fixtures
from tests.publishing import play
from tests.ratings.play import settled
from tests.risiko_master import play as masters
from tests.risiko_master.public.test_masters import WHOLE

pytestmark = pytest.mark.usefixtures("clock")
UNKNOWN = "No parameter is called so. Those of this address: "


@pytest.fixture
def two() -> list[Player]:
    return [
        factories.registered(first_name="Ada", last_name="Bianchi", city="Pavia"),
        factories.registered(first_name="Zoë", last_name="Novák", city="Brno", country="CZ"),
    ]


@pytest.fixture
def stranger(db) -> Player:
    return factories.player()


@pytest.fixture
def stage(staff, two, stranger):
    """Ada beats Zoë; Zoë beats somebody who is not registered."""
    revision = play.played(
        [(two[0], two[1])], "1", by=staff, game=factories.game("go"), slug="march", race=True
    )
    play.played([(two[1], stranger)], "1", by=staff, game=factories.game("hex"), slug="april")
    return revision.stage


def get(path: str, **headers: str):
    return Client().get(f"/api/v1/{path}", headers=headers)


def test_seasons_and_games(stage):
    assert get("seasons/").json()["results"] == [
        {"year": 2026, "starts_on": "2026-01-02", "ends_on": "2026-12-31", "settings": {}}
    ]
    assert [game["slug"] for game in get("games/").json()["results"]] == ["go", "hex"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ["march", "april"]),
        ("?season=2026&game=go", ["march"]),
        ("?season=2025", []),
        ("?platform=bga", []),
        ("?status=closed&circuit=pgm", ["march", "april"]),
    ],
)
def test_stages_are_filtered(stage, asked, found):
    assert [one["slug"] for one in get(f"stages/{asked}").json()["results"]] == found


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("stages/?season=soon", {"season": ["“soon” is no year."]}),
        (
            "stages/?platform=chess",
            {"platform": ["“chess” is not known. Use one of: bga, playstrategy, abstractplay."]},
        ),
        (
            "rankings/2026/red/?at=tomorrow",
            {"at": ["“tomorrow” is no day. Write it as 2026-03-31."]},
        ),
        ("games/?page=0", {"page": ["“0” is no number from 1 to 1000000."]}),
        ("games/?page=last", {"page": ["“last” is no number from 1 to 1000000."]}),
        ("games/?page=", {"page": ["“” is no number from 1 to 1000000."]}),
        ("games/?page=٣", {"page": ["“٣” is no number from 1 to 1000000."]}),
        ("games/?page_size=501", {"page_size": ["“501” is no number from 1 to 500."]}),
        (
            f"games/?page={'9' * 5000}",
            {"page": [f"“{'9' * 5000}” is no number from 1 to 1000000."]},
        ),
        ("rankings/2026/?at=20260331", {"at": ["“20260331” is no day. Write it as 2026-03-31."]}),
        (
            "rankings/2026/?at=2026-02-30",
            {"at": ["“2026-02-30” is no day. Write it as 2026-03-31."]},
        ),
        (
            "players/?country=ITA",
            {"country": ["“ITA” is no country. Write it with two letters, as IT."]},
        ),
        (
            f"players/?search={'a' * 101}",
            {"search": [f"“{'a' * 101}” is too long, or not only text."]},
        ),
        ("players/?search=a%00", {"search": ["“a\x00” is too long, or not only text."]}),
        (
            "stages/?game=go%0A",
            {"game": ["“go\n” is no slug: letters, digits and hyphens."]},
        ),
        ("stages/?season=2026&season=2025", {"season": ["It is given more than once."]}),
        (
            "games/?format=json&page=1",
            {"format": ["No parameter is called so. Those of this address: page, page_size."]},
        ),
        ("stages/march/?x=1", {"x": ["No parameter is called so. There are none here."]}),
        (
            "players/?search=a&surname=b&country=Italy",
            {
                "surname": [f"{UNKNOWN}search, country, page, page_size."],
                "country": ["“Italy” is no country. Write it with two letters, as IT."],
            },
        ),
    ],
)
def test_what_makes_no_sense_is_answered_in_a_sentence(stage, path, sentence):
    answer = get(path)
    assert (answer.status_code, answer.json()) == (400, sentence)


@pytest.mark.parametrize("day", ["2025-12-31", "0001-01-01"])
def test_a_season_has_no_rankings_before_its_first_day(stage, day):
    assert get(f"rankings/2026/red/?at={day}").status_code == 404


def test_a_stage_with_its_results_and_what_they_did_to_the_ratings(stage, two):
    answer = get("stages/march/").json()
    (table,) = answer["rounds"][0]["tables"]
    assert [(seat["player"]["name"], seat["outcome"]) for seat in table["seats"]] == [
        ("Ada Bianchi", "win"),
        ("Zoë Novák", "loss"),
    ]
    first = answer["pgr_changes"][0]
    assert (
        answer["revision"],
        first["before"],
        first["scored"],
        first["expected"],
        first["games"],
        first["after"],
    ) == (
        1,
        "1000.000",
        "1.0",
        "0.500000",
        1,
        "1010.000",
    )
    assert first["paragraphs"] == ["PGM 22", "PGM 25", "PGM 26"]
    assert first["why"] == f"http://testserver/it/why/stage/march/{two[0].public_id}/"


def test_points_of_the_race_stand_with_their_stage_and_lead_to_their_why(stage, two):
    (race,) = get("stages/march/").json()["outcomes"]
    assert (race["kind"], race["paragraphs"]) == ("race", ["PGM 39"])
    first = race["lines"][0]
    assert (first["rank"], first["player"]["name"], first["value"]) == (1, "Ada Bianchi", "16.000")
    assert first["why"] == f"http://testserver/it/why/race/2026/{two[0].public_id}/"
    assert get("stages/april/").json()["outcomes"] == []


def test_the_rankings_of_a_master_stand_with_it_and_lead_to_their_why(db):
    sixteen = masters.people(16)
    settled(masters.held(WHOLE, who=sixteen, slug="napoli"))
    found = {one["kind"]: one for one in get("stages/napoli/").json()["outcomes"]}
    assert list(found) == [
        "final",
        "game:1",
        "game:2",
        "game:3",
        "game:4",
        "qualification",
        "round_1",
    ]
    assert found["final"]["paragraphs"] == ["RKM final-ranking"]
    first = found["final"]["lines"][0]
    assert (first["rank"], first["player"]["id"]) == (1, sixteen["E"].public_id)
    assert Client().get(first["why"]).status_code == 200


def test_a_tournament_of_big_stands_with_its_stage_and_leads_to_its_why(db, played):  # noqa: F811 - the fixture
    (outcome,) = get("stages/after/").json()["outcomes"]
    assert (outcome["kind"], outcome["paragraphs"]) == (
        "big-event",
        ["BIG 5.1", "BIG 5.2", "BIG 5.3"],
    )
    first = outcome["lines"][0]
    assert (first["rank"], len(outcome["lines"])) == (1, 6)
    assert Client().get(first["why"]).status_code == 200


@pytest.mark.parametrize("kind", ["red", "blue", "green", "race", "games/go"])
def test_the_paragraphs_are_those_of_the_file(stage, kind):
    file = Client().get(f"/en/rankings/2026/{kind}.json").json()
    assert get(f"rankings/2026/{kind}/").json()["paragraphs"] == file["paragraphs"] != []


def test_stages_and_players_lead_to_their_pages(stage, two):
    answer = get("stages/march/").json()
    assert answer["page"] == "http://testserver/it/stages/2026/march/"
    ada = answer["rounds"][0]["tables"][0]["seats"][0]["player"]
    assert ada["page"] == f"http://testserver/it/players/{two[0].public_id}/"
    assert Client().get(answer["page"]).status_code == 200


def test_who_is_not_registered_has_neither_name_nor_id(stage, stranger):
    answer = get("stages/april/")
    unknown = answer.json()["rounds"][0]["tables"][0]["seats"][1]["player"]
    assert unknown == {"id": "", "name": "****", "city": "", "country": "", "page": ""}
    assert stranger.public_id not in answer.content.decode()
    assert get(f"players/{stranger.public_id}/").status_code == 404


def test_a_ranking_names_its_version_its_paragraphs_and_the_why_of_each_line(stage, two):
    hub = get("rankings/2026/").json()
    assert list(hub["rankings"]) == ["red", "blue", "green", "race", "big", "game:go", "game:hex"]
    red = get("rankings/2026/red/").json()
    assert {
        name: red[name] for name in ("season", "as_of", "state", "kind", "count", "paragraphs")
    } == {
        "season": 2026,
        "as_of": "2026-03-12",
        "state": "provisional",
        "kind": "red",
        "count": 2,
        "paragraphs": ["PGM 27", "PGM 24", "PGM 29", "PGM 30"],
    }
    first = red["results"][0]
    assert (first["rank"], first["player"]["city"], first["value"], first["detail"]["average"]) == (
        1,
        "Pavia",
        "1010.000",
        "1010",
    )
    assert first["why"] == f"http://testserver/it/why/red/2026/{two[0].public_id}/"


def test_a_corrected_ranking_says_so_to_programs_as_its_page_does(stage):
    publication = Publication.objects.get(is_current=True)
    said = {"cause": "corrected", "changes": {"moves": [], "pgr": []}}
    Erratum.objects.create(season=publication.season, publication=publication, **said)
    assert [get(f"rankings/2026/{path}").json()["state"] for path in ("", "red/")] == [
        "corrected",
        "corrected",
    ]
    schemas = Client().get("/api/schema/?format=json").json()["components"]["schemas"]
    assert all(
        "corrected" in schemas[name]["properties"]["state"]["enum"]
        for name in ("HubShown", "RankingPage")
    )


def test_a_ranking_as_of_a_day_of_the_past_is_computed_for_the_answer(stage):
    red = get("rankings/2026/red/?at=2026-01-31").json()
    assert (red["version"], red["as_of"], red["results"]) == (0, "2026-01-31", [])


@pytest.mark.parametrize(
    "path",
    ["rankings/2026/purple/", "rankings/2025/red/", "rankings/2026/games/chess/", "stages/no/"],
)
def test_what_is_not_there(stage, path):
    assert get(path).status_code == 404


def test_players_are_found_whatever_the_accents(stage):
    assert [one["name"] for one in get("players/?search=novak zoe").json()["results"]] == [
        "Zoë Novák"
    ]
    assert [one["country"] for one in get("players/?country=cz").json()["results"]] == ["CZ"]


def test_the_history_of_a_player(stage, two):
    history = get(f"players/{two[1].public_id}/pgr/").json()["results"]
    assert [(one["stage"], one["after"]) for one in history] == [
        ("april", "1010.000"),
        ("march", "990.000"),
    ]
    assert get(f"players/{two[1].public_id}/pgr/?game=go").json()["count"] == 1


def test_what_is_gone_says_where_it_went(stage, two, staff):
    absorbed = factories.player()
    merging.merge_players(two[0], absorbed, by=staff, reason="the same person")
    erased = factories.registered()
    Player.objects.filter(pk=erased.pk).update(erased_at=timezone.now())
    gone = [
        get(f"players/{one.public_id}/", **{"accept-language": "en"}) for one in (absorbed, erased)
    ]
    assert [answer.status_code for answer in gone] == [410, 410]
    assert two[0].public_id in gone[0].json()["detail"]


def test_the_same_answer_is_not_sent_twice(stage):
    first = get("rankings/2026/red/")
    again = get("rankings/2026/red/", **{"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["Access-Control-Allow-Origin"] == "*"


def test_pages_of_other_sites_may_read_it_and_nobody_can_write(stage):
    assert get("games/").headers["Access-Control-Allow-Origin"] == "*"
    assert Client().post("/api/v1/games/", {}).status_code == 405


ADDRESSES = ("seasons/", "stages/march/", "rankings/2026/", "rankings/2026/red/", "players/")


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_another_method_is_refused_and_allow_names_those_there_are(stage, path, method):
    answer = Client().generic(method, f"/api/v1/{path}?page=0")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert list(answer.json()) == ["detail"]


@pytest.mark.parametrize("path", ADDRESSES)
def test_each_method_that_allow_names_is_answered(stage, path):
    whole = get(path)
    head = Client().head(f"/api/v1/{path}")
    assert (head.status_code, head.content) == (200, b"")
    assert [head.headers[name] for name in ("ETag", "Content-Type", "Content-Length")] == [
        whole.headers[name] for name in ("ETag", "Content-Type", "Content-Length")
    ]
    asked = Client().options(f"/api/v1/{path}")
    assert (asked.status_code, asked.content, asked.headers["Allow"]) == (
        204,
        b"",
        "GET, HEAD, OPTIONS",
    )
    assert asked.headers["Access-Control-Allow-Headers"] == "If-None-Match"


def test_pages_for_people_still_refuse_other_methods(db):
    answer = Client().options("/en/")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, POST")


def test_who_accepts_no_json_gets_none(stage):
    answer = get("games/", accept="text/html")
    assert (answer.status_code, list(answer.json())) == (406, ["detail"])
    for accept in ("*/*", "application/*", "text/html, application/json;q=0.5"):
        assert get("games/", accept=accept).status_code == 200


@pytest.mark.parametrize(
    ("day", "hour"),
    [(date(2026, 3, 28), "21:00:00+01:00"), (date(2026, 3, 29), "21:00:00+02:00")],
)
def test_an_hour_bears_the_offset_of_rome_on_its_day(db, day, hour):
    factories.stage(slug="spring", starts_on=day, ends_on=day, begins_at=time(21))
    assert get("stages/spring/").json()["begins_at"] == hour
    assert get("stages/").json()["results"][0]["begins_at"] == hour


@pytest.mark.parametrize("role", ["staff", "player"])
def test_a_login_makes_no_difference(stage, staff, two, role):
    client = Client()
    client.force_login(staff if role == "staff" else two[0].person.user)
    for path in (*ADDRESSES, "games/?page=0", f"players/{two[0].public_id}/"):
        answer = client.get(f"/api/v1/{path}")
        assert (answer.status_code, answer.content) == (get(path).status_code, get(path).content)


def test_who_asks_too_often_is_told_when_to_come_back(stage, monkeypatch):
    monkeypatch.setattr("pergioco.api.base.ApiThrottle.get_rate", lambda _self: "2/min")
    answers = [get("games/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0


def test_the_limit_costs_no_query(stage):
    with CaptureQueriesContext(connection) as asked:
        get("games/")
    assert [one["sql"] for one in asked if "core_shortmemory" in one["sql"]] == []


def test_what_is_not_there_at_all_is_told_to_a_program_too(db):
    answer = Client().get("/api/v2/games/", headers={"accept-language": "en"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/json")
    assert answer.json()["detail"].startswith("The address is mistyped")


def test_a_ranking_is_searched_by_name_and_country(stage):
    assert [
        one["player"]["name"] for one in get("rankings/2026/red/?search=NOVAK").json()["results"]
    ] == ["Zoë Novák"]
    found = get("rankings/2026/red/?country=it").json()
    assert [(one["rank"], one["player"]["name"]) for one in found["results"]] == [
        (1, "Ada Bianchi")
    ]


def test_the_why_of_a_past_day_is_the_one_of_that_day(stage, two):
    first = get("rankings/2026/red/?at=2026-02-03").json()["results"][0]
    assert first["why"] == f"http://testserver/it/why/red/2026/{two[0].public_id}/?at=2026-02-03"


def test_pages_have_the_size_that_was_asked_for(stage):
    answer = get("players/?page_size=1").json()
    assert (answer["count"], len(answer["results"])) == (2, 1)
    assert answer["next"].endswith("?page=2&page_size=1")


def queries(path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert get(path).status_code == 200
    return len(asked)


@pytest.mark.parametrize(
    "path", ["players/", "stages/", "rankings/2026/red/", "stages/march/", "seasons/", "games/"]
)
def test_the_number_of_queries_does_not_grow(stage, staff, path):
    few = queries(path)
    for number in range(3):
        pairs = [(factories.registered(), factories.registered()) for _ in range(2)]
        play.played(pairs, "12", by=staff, slug=f"more-{number}", on=date(2026, 2, 2 + number))
    assert queries(path) == few


def test_birthdays_addresses_and_nicknames_never_get_out(stage, two):
    factories.account(two[0], "CanaryNick")
    two[0].person.phone = "+39 canary"
    two[0].person.save()
    for path in ("players/", f"players/{two[0].public_id}/", "stages/march/", "rankings/2026/red/"):
        text = get(path).content.decode()
        assert [
            secret for secret in ("CanaryNick", "canary", "1990", "@example.org") if secret in text
        ] == []


def test_the_schema_is_complete_and_the_page_that_explains_it_answers(db):
    schema = (
        Client().get("/api/schema/", headers={"accept": "application/vnd.oai.openapi+json"}).json()
    )
    assert len(schema["paths"]) == 12
    assert all(
        {"400", "404", "406", "410", "429", "503"} < one["get"]["responses"].keys()
        for one in schema["paths"].values()
    )
    assert all("410" in one["get"]["responses"] for one in schema["paths"].values())
    assert Client().get("/api/docs/").status_code == 200
