"""The spreadsheet of a player's Race: LibreOffice computes points and total from its formulas."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from pergioco.core.exports.as_xlsx import workbook_response
from pergioco.players.models import Player, Registration
from pergioco.publishing import published
from pergioco.publishing.models import Line
from pergioco.stages.models import Season, Stage
from pergioco.stages.seasons import SETTINGS
from race import race_sheet
from race.race_sheet import AFTER_DROPS, Race, Result, drop_words
from race.rules import EDITIONS, race_points
from tests import factories
from tests.office.brochures import played
from tests.office.brochures.office import values

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
STAGE, K, PLAYERS, PLACE, COMPUTED, PUBLISHED, CHECK = range(7)
RESULTS, MOST, SUM, BEST, WORST, AFTER = range(6)


def sheet(client, player: Player, language: str = "en") -> bytes:
    response = client.get(f"/{language}/why/race/2026/{player.public_id}/race.xlsx")
    assert response.status_code == 200
    return response.content


def season_of_races(stages: int) -> list[Player]:
    """Of eleven players the first plays every stage, the last only one."""
    chance = Random(40)
    factories.season()
    people = [factories.registered(date(2026, 1, 2), login=False) for _ in range(11)]
    for number in range(stages):
        day = date(2026, 1, 5) + timedelta(days=5 * number)
        fields = {"race": True, "starts_on": day, "ends_on": day, "slug": f"race-{number:02}"}
        played.closed(played.by_chance(people[: 11 - number % 9], 3, chance), **fields)
    played.publish()
    return people


def test_pgm_40_totals_are_the_published_ones_under_every_reading(client, recalculate):
    people, published_lines, sheets = season_of_races(12), [], []
    for drops in SETTINGS["race_drops"].choices:
        Season.objects.update(settings={"race_drops": drops})
        played.publish()
        lines = Line.objects.filter(
            computation__kind="race", computation__shown__publication__is_current=True
        )
        for line in lines.filter(player__in=people):
            published_lines.append(line)
            sheets.append(sheet(client, line.player))

    books = recalculate(*sheets)

    assert {len(book["Stages"]) - 1 for book in books} >= {
        2,
        12,
    }  # a player with all twelve, and one with few
    assert len({line.detail["net"] for line in published_lines if line.player == people[0]}) == 1
    assert len({line.detail["net"] for line in published_lines if line.player == people[-1]}) == 3
    for line, book in zip(published_lines, books, strict=True):
        total, results = book["Total"][1], sorted(line.detail["results"].items())
        assert (total[SUM], total[AFTER]) == (line.detail["gross"], line.detail["net"])
        assert total[-2:] == ("agrees", "agrees")
        assert [row[COMPUTED] for row in book["Stages"][1:]] == [
            points for _slug, points in results
        ]


def test_pgm_39_points_of_every_place_are_those_of_the_portal(recalculate):
    """All fields of up to 64 players, in one sheet: the floor of a spreadsheet never falls on the
    wrong side."""
    edition, stage = (
        EDITIONS.in_force(2026),
        Stage(slug="x", game=factories.game(), starts_on=date(2026, 3, 1)),
    )
    results = [
        Result(stage, players, place, race_points(players=players, position=place, edition=edition))
        for players in range(1, 65)
        for place in range(1, players + 1)
    ]
    (player, *_others) = season_of_races(1)
    book = race_sheet.race_workbook(race_with(player, results))

    (computed,) = recalculate(workbook_response(book, "x").content)

    rows = computed["Stages"][1:]
    assert len(rows) == 64 * 65 // 2
    assert [row[COMPUTED] for row in rows] == [one.points for one in results]
    assert {row[CHECK] for row in rows} == {"agrees"}


def race_with(player: Player, results: list[Result]) -> Race:
    version = published.find_version(Season.objects.get())
    assert version is not None
    race = race_sheet.race_of(player, version)
    assert race is not None
    return replace(race, results=results)


def test_each_stage_shows_what_its_points_are_made_of(client, recalculate):
    people = season_of_races(3)

    (book,) = recalculate(sheet(client, people[0]))

    for row in book["Stages"][1:]:
        points = race_points(
            players=row[PLAYERS], position=row[PLACE], edition=EDITIONS.in_force(2026)
        )
        assert (row[K], row[COMPUTED], row[PUBLISHED], row[CHECK]) == (
            16.7,
            points,
            points,
            "agrees",
        )
    assert (
        values(sheet(client, people[0]), computed=False)["Stages"][1][COMPUTED]
        == "=FLOOR(B2*LOG(C2)/LOG(D2+1),1)"
    )


def test_one_or_two_results_leave_nothing(client, recalculate):
    people = season_of_races(2)

    (book,) = recalculate(sheet(client, people[0]))

    assert book["Total"][1][RESULTS] == 2
    assert book["Total"][1][AFTER] == 0


def test_a_published_number_that_is_wrong_would_be_seen(client, recalculate):
    """The control of the tests above."""
    people = season_of_races(3)
    line = Line.objects.get(computation__kind="race", player=people[0])
    line.detail |= {"net": line.detail["net"] + 1}
    line.save()

    (book,) = recalculate(sheet(client, people[0]))

    assert book["Total"][1][-2:] == ("agrees", "differs")


def test_every_reading_of_the_drops_has_its_formula_and_its_words():
    assert set(AFTER_DROPS) == set(drop_words()) == set(SETTINGS["race_drops"].choices)


def test_the_sheet_computes_in_every_language(client, recalculate):
    people = season_of_races(4)

    for book in recalculate(
        *(sheet(client, people[0], language) for language in ("it", "en", "es"))
    ):
        explanation, stages, total = book.values()
        assert [row[COMPUTED] for row in stages[1:]] == [row[PUBLISHED] for row in stages[1:]]
        assert total[1][AFTER] == total[1][7]
        assert not any(
            "%(" in str(cell)
            for rows in (explanation, stages, total)
            for row in rows
            for cell in row
        )


def test_who_has_no_result_has_no_sheet(client):
    people = season_of_races(1)
    stranger = factories.registered()

    assert client.get(f"/en/why/race/2026/{stranger.public_id}/race.xlsx").status_code == 404
    assert client.get(f"/en/why/race/2025/{people[0].public_id}/race.xlsx").status_code == 404
    assert client.get("/en/why/race/2026/nobody/race.xlsx").status_code == 404


def test_who_is_not_named_in_public_has_no_sheet_either(client):
    people = season_of_races(1)
    Registration.objects.filter(player=people[0]).update(publication_allowed=False)

    assert client.get(f"/en/why/race/2026/{people[0].public_id}/race.xlsx").status_code == 404
