"""A stage as it is taken away: sheets, TRF, frame, text. They say what the page says."""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from django.contrib.auth.models import AnonymousUser
from openpyxl import load_workbook

from pergioco.imports.canonical import Game
from pergioco.imports.readers import trf
from pergioco.players.models import Person
from pergioco.stages.queries.stage_exports import stage_card
from pergioco.stages.queries.stage_tables import classify_players
from pergioco.stages.queries.stage_view import StageView, name_participants, stages_for_view
from tests.ratings import play
from tests.website import league as leagues
from tests.website.league import League, main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
STANDINGS = [
    ["1", "Anna Łoś", "Torino", "Italy", "2.0", "1000.000", "20.000", "1020.000", "26", "v1"],
    ["2", "Bruno Łoś", "Wrocław", "Poland", "1.0", "1000.000", "0.000", "1000.000", "16", "v1"],
    ["2", "****", "", "", "1.0", "1000.000", "0.000", "1000.000", "16", "v1"],
    ["4", "****", "", "", "0.0", "1000.000", "-20.000", "980.000", "", "v1"],
]


@pytest.fixture
def league() -> League:
    return leagues.published()


def read(client, name: str):
    answer = client.get(f"/en/stages/2026/{name}")
    assert answer.status_code == 200
    return b"".join(answer) if answer.streaming else answer.content


def test_the_standings_as_csv(client, league):
    head, *rows = csv.reader(io.StringIO(read(client, "race-1/standings.csv").decode("utf-8-sig")))
    assert rows == STANDINGS
    assert head[4:] == ["Points", "PGR before", "PGR change", "PGR after", "Race points", "Version"]


def test_the_workbook_has_the_same_cells(client, league):
    sheet = load_workbook(io.BytesIO(read(client, "race-1/standings.xlsx"))).active
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    assert [row[1] for row in rows] == [row[1] for row in STANDINGS]
    assert [Decimal(str(row[7])) for row in rows] == [Decimal(row[7]) for row in STANDINGS]
    assert rows[0][8] == 26


def test_the_games_as_csv(client, league):
    rows = list(csv.reader(io.StringIO(read(client, "race-1/games.csv").decode("utf-8-sig"))))[1:]
    assert rows[0] == ["1", "1", "Anna Łoś", "Bruno Łoś", "1–0", "v1"]
    assert rows[3] == ["2", "2", "Bruno Łoś", "****", "1–0", "v1"]


def test_a_name_that_a_spreadsheet_would_run_is_text(client, league):
    Person.objects.filter(player=league.anna).update(first_name="=HYPERLINK(1)")
    assert "'=HYPERLINK(1) Łoś" in read(client, "race-1/standings.csv").decode()


def test_without_results_there_are_no_files(client, league):
    stage = leagues.factories.stage(slug="empty")
    for name in ("standings.csv", "games.xlsx", "games.trf"):
        assert client.get(f"/en/stages/2026/{stage.slug}/{name}").status_code == 404
    assert "standings.csv" not in client.get("/en/stages/2026/empty/").content.decode()


# TRF


def test_the_trf_is_read_back_by_the_portals_own_reader(client, league):
    result = trf.read_trf(read(client, "race-1/games.trf"))
    assert (result.errors, result.warnings) == ((), ())
    assert [(g.a, g.b, g.result) for g in result.rounds[1]] == [
        ("Anna Łoś", "Bruno Łoś", "1-0"),
        ("**** (3)", "**** (4)", "1-0"),
    ]
    assert [(s.player, s.points, s.rank) for s in result.standings] == [
        ("Anna Łoś", 2, 1),
        ("Bruno Łoś", 1, 2),
        ("**** (3)", 1, 2),
        ("**** (4)", 0, 4),
    ]


def test_absences_byes_and_draws_survive_the_trf(client, league):
    games = "A X B, C bye; A + B, C 2 D; B - A, C 0 D"
    play.played(games, who=league.who, on=date(2026, 3, 5), game=league.hive, slug="odd")
    result = trf.read_trf(read(client, "odd/games.trf"))
    assert result.errors == ()
    assert [[kind_of(game) for game in result.rounds[number]] for number in (1, 2, 3)] == [
        [("Anna Łoś", "Bruno Łoś", "1/2-1/2", "played")],
        [("Anna Łoś", "Bruno Łoś", "1-0", "forfeit"), ("**** (2)", "**** (3)", "0-1", "played")],
        [
            ("**** (2)", "**** (3)", "0-0", "double_forfeit"),
            ("Bruno Łoś", "Anna Łoś", "0-1", "forfeit"),
        ],
    ]
    assert [(bye.player, bye.round) for bye in result.byes] == [("**** (2)", 1)]


def kind_of(game: Game) -> tuple[str, str, str, str]:
    return game.a, game.b, game.result, game.kind


# Frame and text


def test_the_frame_may_stand_on_other_pages_and_sets_no_cookie(client, league):
    answer = client.get("/en/embed/stages/2026/race-1/")
    assert "Anna Łoś" in answer.content.decode()
    assert "X-Frame-Options" not in answer.headers
    assert not answer.cookies
    assert len(answer.content) <= 30 * 1024


def test_the_text_to_copy_has_the_first_places_and_the_address(client, league):
    page = client.get("/en/stages/2026/race-1/").content.decode()
    assert "1. Anna Łoś 2\n2. Bruno Łoś 1\n2. **** 1\n4. **** 0\n" in page
    assert "/en/stages/2026/race-1/</textarea>" in page


def test_the_row_below_the_page_offers_each_way_of_writing_and_each_answers(client, league):
    page = client.get("/en/stages/2026/race-1/").content.decode()
    for name in ("standings", "games"):
        for ending in ("csv", "xlsx", "json"):
            assert f'href="/en/stages/2026/race-1/{name}.{ending}"' in page
            assert client.get(f"/en/stages/2026/race-1/{name}.{ending}").status_code == 200


@pytest.mark.parametrize(
    ("slug", "words"), [("empty", "Report an error"), ("race-1", "Dispute this number")]
)
def test_an_error_is_reported_with_the_page_that_it_is_about(client, league, slug, words):
    leagues.factories.stage(slug="empty")
    address = f"/en/complaints/?about=/en/stages/2026/{slug}/"
    assert (
        f'<a href="{address}">{words}</a>'
        in client.get(f"/en/stages/2026/{slug}/").content.decode()
    )
    assert f'value="/en/stages/2026/{slug}/"' in client.get(address).content.decode()


# On a wall


def test_the_standings_hang_on_a_wall_with_what_they_did(client, league):
    assert (
        'href="/en/stages/2026/race-1/?screen=1"'
        in client.get("/en/stages/2026/race-1/").content.decode()
    )
    wall = client.get("/en/stages/2026/race-1/?screen=1")
    assert "Pos. Points Player PGR 1 2 Anna Łoś +20.000 2 1 Bruno Łoś 0.000" in main(wall)
    assert wall.headers["Refresh"] == "15; url=/en/stages/2026/race-1/?screen=1&page=1"


def test_a_long_wall_turns_its_pages(client, league, monkeypatch):
    monkeypatch.setattr("pergioco.core.displays.PER_SCREEN", 3)
    first, last = (
        client.get(f"/en/stages/2026/race-1/?screen=1&page={number}") for number in (1, 2)
    )
    assert first.headers["Refresh"].endswith("page=2")
    assert "Anna Łoś" not in main(last)


def test_before_the_first_result_the_wall_says_what_comes(client, league):
    leagues.factories.stage(slug="empty")
    assert "as soon as there is a result" in main(client.get("/en/stages/2026/empty/?screen=1"))


def test_no_file_names_who_is_not_named_in_public(client, league):
    names = ("standings.csv", "games.csv", "games.trf", "standings.json")
    said = [read(client, f"race-1/{name}").decode() for name in names]
    assert not any("Carla" in text or "Segreta" in text for text in said)


def test_the_picture_for_links_shows_the_first_three(client, league):
    answer = client.get("/en/share/stages/2026/race-1.png")
    assert answer.content.startswith(b"\x89PNG")
    assert (
        client.get(
            "/en/share/stages/2026/race-1.png", headers={"If-None-Match": answer["ETag"]}
        ).status_code
        == 304
    )
    seen = StageView(stages_for_view().get(slug="race-1"), today=date(2026, 3, 12))
    people = name_participants(seen.players.values(), seen.stage.circuit, reader=AnonymousUser())
    values = {
        "stage": seen.stage,
        "outcome": "Provisional",
        "order": classify_players(seen, people),
    }
    assert [(p.rank, p.name, p.city, p.value) for p in stage_card(values).places] == [
        (1, "Anna Łoś", "Torino", "2"),
        (2, "Bruno Łoś", "Wrocław", "1"),
        (2, "****", "", "1"),
    ]
    assert (
        "/en/share/stages/2026/race-1.png" in client.get("/en/stages/2026/race-1/").content.decode()
    )
