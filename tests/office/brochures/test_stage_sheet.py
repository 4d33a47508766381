"""The spreadsheet of a stage: LibreOffice computes every new PGR from its formulas, and finds the
published one."""

import re
from datetime import date, timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.core.exports.as_xlsx import workbook_response
from pergioco.publishing.models import PgrChange
from pergioco.stages.models import Stage
from ratings import stage_games, stage_sheet
from tests import factories
from tests.office.brochures import played
from tests.office.brochures.office import Rows, values

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english", "clock")]
NO, NAME, BEFORE, GAMES, SCORED, EXPECTED, K, COMPUTED, PUBLISHED, CHECK = range(10)


def sheet(client, stage: Stage, language: str = "en") -> bytes:
    response = client.get(f"/{language}/stages/{stage.slug}/pgr.xlsx")
    assert response.status_code == 200
    return response.content


def in_force(stage: Stage) -> list[tuple[float, ...]]:
    """Of each player: before, games that count, scored, expected, K, after; as the ledger has
    them."""
    return sorted(
        (c.before / 1000, c.rated_games, c.half_points / 2, float(c.expected), c.k, c.after / 1000)
        for c in PgrChange.objects.current().filter(stage=stage)
    )


def everything_agrees(stage: Stage, players: Rows) -> None:
    computed = [
        (row[BEFORE], row[GAMES], row[SCORED], round(row[EXPECTED], 6), row[K], row[COMPUTED])
        for row in players
    ]
    assert sorted(computed) == in_force(stage)
    assert [row[PUBLISHED] for row in players] == [row[COMPUTED] for row in players]
    assert {row[CHECK] for row in players} == {"agrees"}


# The numbers


def test_pgm_22_sheets_give_the_published_pgr_stage_after_stage(client, recalculate):
    """Six stages of two games, with byes, absences, double absences and draws; some players are not
    registered."""
    chance, stages = Random(22), []
    people = [factories.registered(login=False, last_name=f"Nome{n}") for n in range(9)]
    people += [factories.player() for _ in range(4)]
    for number, system in enumerate([Stage.System.SWISS] * 4 + [Stage.System.ROUND_ROBIN] * 2):
        day = date(2026, 2, 1) + timedelta(days=5 * number)
        rounds, game = (
            played.by_chance(chance.sample(people, 11), 5, chance),
            played.game(f"game-of-{system}"),
        )
        stages.append(
            played.closed(
                rounds, game=game, system=system, starts_on=day, ends_on=day, slug=f"by-{number}"
            )
        )
    played.publish()

    computed = recalculate(*(sheet(client, stage) for stage in stages))

    assert PgrChange.objects.current().count() > 50
    for stage, book in zip(stages, computed, strict=True):
        everything_agrees(stage, book["Players"][1:])


# Found by search: the exact new PGR lies within a millionth of a thousandth of a half, the last one
# below it.
NEAR_TIES = [
    ("1120.793", "1264.946", "1193.157", 1126.773),
    ("954.436", "853.862", "1057.108", 954.492),
    ("934.661", "1146.180", "996.083", 941.844),
    ("948.580", "911.974", "1056.394", 950.537),
]


def test_pgm_22_sheets_round_as_the_portal_does_even_next_to_a_half(client, recalculate):
    stages = []
    for number, (own, *others, _after) in enumerate(NEAR_TIES):
        game, people = factories.game(f"game-n{number}"), [factories.player() for _ in range(3)]
        for player, pgr in zip(people, (own, *others), strict=True):
            played.brought_along(player, game, pgr)
        rounds = [[((people[0], people[1]), "1")], [((people[0], people[2]), "2")]]
        stages.append(played.closed(rounds, game=game))
    played.publish()

    computed = recalculate(*(sheet(client, stage) for stage in stages))

    for stage, book, (own, *_others, after) in zip(stages, computed, NEAR_TIES, strict=True):
        everything_agrees(stage, book["Players"][1:])
        assert (float(own), after) in [(row[BEFORE], row[COMPUTED]) for row in book["Players"][1:]]


def test_a_published_number_that_is_wrong_would_be_seen(client, recalculate):
    """The control of the tests above."""
    anna, bruno = (factories.registered(login=False, last_name=name) for name in ("Anna", "Bruno"))
    stage = played.closed([[((anna, bruno), "1")]])
    played.publish()
    PgrChange.objects.filter(player=bruno).update(after=990_001)

    (book,) = recalculate(sheet(client, stage))

    assert [row[CHECK] for row in book["Players"][1:]] == ["agrees", "differs"]
    assert book["Players"][2][COMPUTED] == 990.0


# What counts


def test_pgm_25_26_games_that_do_not_count_are_listed_with_their_reason(client, recalculate):
    anna, bruno, carla, dario = (
        factories.registered(login=False, first_name=name, last_name="")
        for name in ("Anna", "Bruno", "Carla", "Dario")
    )
    stage = played.closed(
        [
            [((anna, bruno), "1"), ((carla, dario), "+")],
            [((anna, carla), "X"), ((bruno,), "B"), ((dario,), "B")],
            [((anna, bruno), "+"), ((carla, dario), "+")],
            [((anna, bruno), "+"), ((carla,), "B")],
        ]
    )
    played.publish()

    (book,) = recalculate(sheet(client, stage))

    rows = {(row[1], row[2]): (row[8], row[10]) for row in book["Games"][1:]}
    never, again = "never came: it costs nothing", "absent once more: the loss was counted already"
    assert rows["Anna", 3] == (1.0, "won because the opponent was absent: a valid win")
    assert rows["Bruno", 2] == (None, "bye: no game")
    assert rows["Bruno", 3] == (0.0, "absent after the first game: a loss, once in a stage")
    assert rows["Bruno", 4] == (None, again)
    assert [rows["Dario", number] for number in (1, 2, 3)] == [
        (None, never),
        (None, "bye: no game"),
        (None, never),
    ]
    assert [row[NAME] for row in book["Players"][1:]] == ["Anna", "Bruno", "Carla"]
    everything_agrees(stage, book["Players"][1:])


def test_pg_4_without_shadow_ratings_strangers_have_no_row_and_no_points(client, recalculate):
    season = factories.season()
    season.settings = {"unregistered_rating": "none"}
    season.save()
    anna, stranger = (
        factories.registered(login=False, first_name="Anna", last_name=""),
        factories.player(),
    )
    stage = played.closed([[((anna, stranger), "1")]])
    played.publish()

    (book,) = recalculate(sheet(client, stage))

    assert [row[NAME] for row in book["Players"][1:]] == ["Anna"]
    assert [(row[1], row[7], row[8], row[10]) for row in book["Games"][1:]] == [
        ("Anna", 1000.0, 1.0, "played"),
        ("****", None, None, "no rating is kept of this player"),
    ]
    everything_agrees(stage, book["Players"][1:])


def test_a_changed_rating_before_is_followed_by_its_opponents_too(client):
    """The formulas are live: both sides of a game read the same cell."""
    anna, bruno = (factories.registered(login=False, last_name=name) for name in ("Anna", "Bruno"))
    stage = played.closed([[((anna, bruno), "1")]])
    played.publish()
    games = values(sheet(client, stage), computed=False)["Games"]

    assert games[1][6] == games[2][7] == "='Players'!$C$2"
    assert games[2][6] == games[1][7] == "='Players'!$C$3"
    assert games[1][9] == "=1/(1+10^((H2-G2)/400))"


# The words


def test_the_sheet_computes_in_every_language(client, recalculate):
    people = [factories.registered(login=False, last_name=f"D’Àngelo {n}") for n in range(3)]
    stage = played.closed([[((people[0], people[1]), "1"), ((people[2],), "B")]])
    played.publish()

    for book in recalculate(*(sheet(client, stage, language) for language in ("it", "en", "es"))):
        explanation, games, players = book.values()
        assert len(games) == 4
        assert [row[COMPUTED] for row in players[1:]] == [1010.0, 990.0]
        assert len({row[CHECK] for row in players[1:]}) == 1
        assert not any(
            "%(" in str(cell)
            for rows in (explanation, games, players)
            for row in rows
            for cell in row
        )


def test_titles_with_an_apostrophe_still_lead_the_formulas_home(recalculate, monkeypatch):
    """A translation may have one."""
    words = {"Players": "Giocatori d'una tappa: [tutti]", "Games": "L'elenco / delle partite?"}
    monkeypatch.setattr(stage_sheet, "_", lambda text: words.get(text, text))
    people = [factories.registered(login=False) for _ in range(2)]
    stage = played.closed([[(tuple(people), "1")]])
    played.publish()

    (book,) = recalculate(
        workbook_response(
            stage_sheet.stage_workbook(stage, stage_games.read_stage_sides(stage)), "x"
        ).content
    )

    assert list(book) == ["Explanation", "L elenco delle partite", "Giocatori d una tappa tutti"]
    assert [row[COMPUTED] for row in book["Giocatori d una tappa tutti"][1:]] == [1010.0, 990.0]


# What people typed


EVIL = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    "＝1+1",
    '=HYPERLINK("http://x","y")',
]


def test_no_name_becomes_a_formula(client, recalculate):
    people = [factories.registered(login=False, first_name=name, last_name="x") for name in EVIL]
    game = factories.game("evil")
    game.name_en = "=1+1"
    game.save()
    stage = played.closed([[((people[0], other), "1") for other in people[1:]]], game=game)
    played.publish()
    content = sheet(client, stage)

    written, (computed,) = values(content, computed=False), recalculate(content)

    formulas = {
        cell
        for rows in written.values()
        for row in rows
        for cell in row
        if str(cell).startswith("=")
    }
    assert all(
        re.match(r"=('|COUNTIFS|SUMIF|ROUND|IF|1/\(1\+10\^)", str(formula)) for formula in formulas
    ), formulas
    assert sorted(row[NAME] for row in computed["Players"][1:]) == sorted(
        f"'{name.strip()} x" for name in EVIL
    )


def test_unregistered_participants_are_stars_and_nothing_else_of_anybody_is_told(client):
    marta = factories.registered(phone="+39 555 010 77", birth_date=date(1931, 7, 19))
    stranger = factories.player()
    factories.account(stranger, "Kasp77")
    stage = played.closed([[((marta, stranger), "1")]], game=factories.game("go"), slug="march")
    played.publish()

    cells = [
        str(cell)
        for rows in values(sheet(client, stage), computed=False).values()
        for row in rows
        for cell in row
    ]

    assert {"Marta Rossi", "****"} <= set(cells)
    text = " ".join(cells)
    for secret in (
        "Kasp77",
        "555",
        "1931",
        marta.public_id,
        stranger.public_id,
        marta.person.user.email,
    ):
        assert secret not in text


# The address


def test_only_closed_stages_with_ratings_have_a_sheet(client):
    open_one = factories.drafted([[(factories.player(), factories.player())]]).stage
    only_byes = played.closed([[((factories.player(),), "B")]])
    played.publish()

    for slug in (open_one.slug, only_byes.slug, "no-such-stage"):
        assert client.get(f"/en/stages/{slug}/pgr.xlsx").status_code == 404


def test_the_file_says_what_it_is(client):
    stage = played.closed([[((factories.player(), factories.player()), "1")]], slug="go-in-march")
    played.publish()
    response = client.get("/en/stages/go-in-march/pgr.xlsx")

    assert response["Content-Disposition"] == 'attachment; filename="pgr-go-in-march.xlsx"'
    assert (
        response["Content-Type"]
        == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    )
    # the row in hand is older than the closing; the page read its own
    assert stage.is_closed is False


@pytest.mark.parametrize("players", [4, 12])
def test_the_queries_do_not_grow_with_the_players(client, players):
    people = [factories.registered(login=False) for _ in range(players)]
    stage = played.closed(played.by_chance(people, 3, Random(1)))
    played.publish()

    with CaptureQueriesContext(connection) as queries:
        client.get(f"/en/stages/{stage.slug}/pgr.xlsx")

    assert len(queries) == 5
