"""Why a number is what it is: inputs that lead onward, steps with their rounding, what decided, the
rules behind it."""

import re
from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.players.models import Registration
from pergioco.players.services import erasing, merging
from pergioco.publishing.models import Line, PgrChange
from pergioco.stages.models import OpeningRating, Season
from tests import factories
from tests.publishing.public.test_rankings import one_line, text
from tests.ratings import play
from tests.website import league as leagues
from tests.website.league import League, main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MOST_QUERIES = 12


@pytest.fixture
def league() -> League:
    return leagues.published()


def table(answer, number: int = 0) -> list[list[str]]:
    """The bodies of the page's tables, cell by cell."""
    body = re.findall(r"<tbody>.*?</tbody>", answer.content.decode(), re.DOTALL)[number]
    lines = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    return [
        [text(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", line, re.DOTALL)]
        for line in lines
    ]


def why(client, kind: str, player, *, language: str = "en", query: str = ""):
    return client.get(f"/{language}/why/{kind}/2026/{player.public_id}/{query}")


# Red and Blue


def test_pgm_24_red_adds_up_divides_and_rounds_down(client, league):
    page = why(client, "red", league.anna)

    assert table(page) == [
        ["Amazons", "3", "01/03/2026", "1019.425"],
        ["Hive", "1", "02/03/2026", "1000.000"],
    ]
    told = main(page)
    assert "Red 2026: Anna Łoś" in told
    assert "Place 1 Overall PGR 1009" in told
    assert "Sum of the active PGRs 2,019.425 How many they are 2" in told
    assert "2,019.425 ÷ 2 = 1009.712500 Rounded down: the overall PGR 1009" in told
    assert "The second: 2 active PGRs are fewer than 10." in told


def test_pgm_32_blue_adds_up_and_rounds_nothing(client, league):
    told = main(why(client, "blue", league.anna))

    assert "Nothing is rounded." in told
    assert "Sum of the active PGRs 2,019.425" in told


def test_each_rating_leads_to_its_history(client, league):
    page = one_line(why(client, "red", league.anna))

    assert f'<a href="/en/why/game/amazons/2026/{league.anna.public_id}/">Amazons</a>' in page


def test_an_average_that_does_not_end_is_cut_and_says_so(client, league):
    play.played("A 1 B", who=league.who, on=date(2026, 3, 3), game=factories.game("oware"))
    leagues.publish(league.season)

    assert "3,029.425 ÷ 3 = 1009.808333… Rounded down: the overall PGR 1009" in main(
        why(client, "red", league.anna)
    )


# Green


def test_pgm_35_green_says_which_places_gave_which_points(client, league):
    page = why(client, "green", league.anna)

    assert table(page) == [
        ["Blue", "1", "20"],
        ["Red", "1", "20"],
        ["Amazons", "1", "0.5"],
        ["Hive", "1", "0.5"],
    ]
    assert "20 + 20 + 1.0 = 41.0" in main(page)
    for onward in ("red/2026", "blue/2026", "game/hive/2026"):
        assert f'href="/en/why/{onward}/{league.anna.public_id}/"' in page.content.decode()


# The Race


def test_pgm_39_the_race_says_each_stage_before_it_is_rounded_down(client, league):
    page = why(client, "race", league.bruno)

    assert "16.70 × log N ÷ log (P + 1)" in main(page)
    assert table(page) == [["Amazons 01/02/2026", "3", "2", "16.70000", "16"]]
    assert one_line(page).count("<s>16</s>") == 1


def test_pgm_40_while_it_runs_the_sum_ranks_and_what_is_possible_is_explained(client, league):
    for day in (5, 6):
        factories.stage(
            of=league.season,
            game=league.hive,
            race=True,
            starts_on=date(2026, 5, day),
            ends_on=date(2026, 5, day),
        )
    leagues.publish(league.season)

    told = main(why(client, "race", league.anna))

    assert "Sum of all results 26 Left out: the best and the worst 26 After drops 0" in told
    assert (
        "Most possible 100 : first among 64 in each of the 2 stages left, 100 points each, then "
        "the drops."
    ) in told


def test_the_race_leads_to_its_spreadsheet(client, league):
    address = f"/en/why/race/2026/{league.anna.public_id}/race.xlsx"

    assert f'href="{address}"' in why(client, "race", league.anna).content.decode()


# What decided


def test_what_decided_the_places_above_and_below(client, league):
    page = why(client, "red", league.bruno)

    assert table(page, 1) == [
        ["Anna Łoś", "1", "overall PGR", "1009", "1000"],
        ["****", "3", "active PGRs", "1", "2"],
    ]
    assert f'href="/en/why/red/2026/{league.anna.public_id}/"' in page.content.decode()
    assert league.carla.public_id not in page.content.decode()


def test_who_shares_the_place_is_told_so(client, league):
    page = why(client, "game/hive", league.anna)

    assert "Place, shared" in main(page)
    assert table(page, 1) == [
        ["Nobody stands above."],
        ["Bruno Łoś", "1", "nothing: they share the place", "", ""],
    ]


def test_bands_decide_before_anything_else(client, league):
    Line.objects.filter(player=league.bruno, computation__kind="red").update(decided_by="tier")

    assert table(why(client, "red", league.anna), 1)[1] == [
        *["Bruno Łoś", "2", "enough active PGRs for the first band", "no", "no"],
    ]


# The rules


def test_the_paragraphs_and_the_readings_stand_behind_it_with_the_edition_and_the_version(
    client, league
):
    page = why(client, "red", league.anna)

    for link in ("/en/rules/pgm/#p24", "/en/rules/pgm/#p29", "/en/rules/readings/2026/#PG-14"):
        assert f'href="{link}"' in page.content.decode()
    told = main(page)
    assert (
        "PG-16 : “More games played”: which games? The valid games of this year and the last."
        in told
    )
    assert (
        "Rules as in force since 2021; computed as of 12/03/2026. Version 1, published on "
        "12/03/2026 12:00."
    ) in told


def test_a_reading_is_the_one_that_was_in_force_when_the_number_was_computed(client, league):
    Season.objects.update(settings={"more_games_played": "lifetime"})

    assert "The valid games of this year and the last." in main(why(client, "red", league.anna))
    leagues.publish(league.season)
    assert "which games? All valid games." in main(why(client, "red", league.anna))


# A rating


def test_a_rating_stage_by_stage(client, league):
    page = why(client, "game/amazons", league.anna)

    assert table(page) == [
        *[
            [
                "01/02/2026 PlayStrategy · Swiss",
                "1000.000",
                "2",
                "2.0",
                "1.000000",
                "+20.000",
                "1020.000",
            ]
        ],
        *[
            [
                "01/03/2026 PlayStrategy · Swiss",
                "1020.000",
                "1",
                "0.5",
                "0.528751",
                "−0.575",
                "1019.425",
            ]
        ],
    ]
    assert f'href="/en/why/stage/race-1/{league.anna.public_id}/"' in page.content.decode()
    assert "Place 1 gives 0.5 leader points for Green." in main(page)


def test_a_rating_that_was_brought_along_says_so(client, league):
    OpeningRating.objects.create(
        player=league.bruno,
        game=league.hive,
        pgr=Decimal("1100.5"),
        games=10,
        last_played_on=date(2021, 5, 1),
    )

    rows = table(why(client, "game/hive", league.bruno))

    assert rows[0] == [
        "Brought along 01/05/2021",
        "From before the first stage on file.",
        "1100.500",
    ]


def test_a_rating_that_sleeps_is_explained_too(client, league, clock):
    clock.move_to("2028-03-12T12:00:00+01:00")
    later = play.season(2028)
    play.played("A 1 B", who=league.who, on=date(2028, 3, 1), game=league.amazons)
    leagues.publish(later)

    page = client.get(f"/en/why/game/hive/2028/{league.anna.public_id}/")

    assert "This PGR is not in the ranking of 2028" in main(page)
    assert [row[-1] for row in table(page)] == ["1000.000"]


# One stage


def change(client, league, letter: str, stage: str = "race-1", query: str = ""):
    return client.get(f"/en/why/stage/{stage}/{league.who[letter].public_id}/{query}")


def test_pgm_22_a_change_game_by_game_and_step_by_step(client, league):
    page = change(client, league, "A", "amazons-2")

    assert table(page) == [["Bruno Łoś", "1", "1", "1000.000", "0.528751", "0.5", "played"]]
    told = main(page)
    assert "Before the stage 1020.000 Points scored 0.5 Points expected 0.528751" in told
    assert "20 × (scored − expected) −0.575011… New PGR before rounding 1019.424988…" in told
    assert "Rounded to three decimals 1019.425" in told
    assert "from version 1 of the stage’s results" in told
    for link in (
        "/en/rules/pgm/#p22",
        "/en/rules/readings/2026/#PG-2",
        "/en/stages/amazons-2/pgr.xlsx",
    ):
        assert f'href="{link}"' in page.content.decode()


def test_an_opponent_who_is_not_named_stays_without_name_and_without_link(client, league):
    page = change(client, league, "A")

    assert table(page) == [
        ["Bruno Łoś", "1", "1", "1000.000", "0.500000", "1.0", "played"],
        ["****", "2", "1", "1000.000", "0.500000", "1.0", "played"],
    ]
    assert league.dora.public_id not in page.content.decode()
    assert f'href="/en/why/stage/race-1/{league.bruno.public_id}/"' in page.content.decode()


def test_pgm_25_26_what_does_not_count_says_why(client, league):
    play.played(
        "A bye, B + C; A + B, C bye; B X C, A bye; B 1 A, C bye",
        who=league.who,
        on=date(2026, 3, 9),
        game=league.hive,
        slug="absences",
    )
    leagues.publish(league.season)

    of_anna, of_carla = (
        change(client, league, "A", "absences"),
        change(client, league, "B", "absences"),
    )

    assert [row[0] for row in table(of_anna)] == ["–", "Bruno Łoś", "–", "Bruno Łoś"]
    assert table(of_anna)[0][3:] == ["", "", "", "bye: no game"]
    assert table(of_carla)[1][-1] == "absent after the first game: a loss, once in a stage"
    assert table(of_carla)[0][-1] == "won because the opponent was absent: a valid win"


def test_the_first_rating_says_that_everybody_begins_there(client, league):
    assert "1000.000 (the first rating: everybody begins there)" in main(
        change(client, league, "A")
    )


def corrected(league: League) -> PgrChange:
    """Race 1 the other way round; the change that was published first."""
    before = PgrChange.objects.get(player=league.anna, stage=league.race)
    play.write(league.race, "A 2 B, C 1 D; A 1 D, B 1 C", who=league.who)
    leagues.publish(league.season, cause="corrected")
    return PgrChange.objects.get(pk=before.pk)


def test_what_was_replaced_by_a_correction_is_still_explained(client, league):
    old = corrected(league)

    now = change(client, league, "A")
    then = change(client, league, "A", query=f"?computation={old.computation_id}")

    assert "After" in main(now)
    assert "1000.000" in main(now)
    assert "Replaced A correction changed this" in main(then)
    assert "Rounded to three decimals 1020.000" in main(then)
    assert "Replaced" not in main(now)


def test_the_history_of_an_earlier_version_is_the_one_that_it_was_made_from(client, league, clock):
    clock.move_to("2026-03-20T12:00:00+01:00")
    old = corrected(league)

    page = client.get(f"/en/why/game/amazons/2026/{league.anna.public_id}/?at=2026-03-15")

    assert "Earlier version Version 1" in main(page)
    assert [row[-1] for row in table(page)] == ["1020.000", "1019.425"]
    assert f"?computation={old.computation_id}" in page.content.decode()
    assert table(why(client, "game/amazons", league.anna))[0][-1] == "1000.000"


@pytest.mark.parametrize(
    "asked", ["computation=0", "computation=99999999999999999999", "computation=4%2B4"]
)
def test_a_computation_that_makes_no_sense(client, league, asked):
    status = change(client, league, "A", query=f"?{asked}").status_code

    assert status == (200 if "%" in asked else 404)


# Who is told, and who is not


@pytest.mark.parametrize("kind", ["red", "blue", "green", "race", "game/amazons"])
def test_of_people_who_are_not_named_nothing_is_explained(client, league, kind):
    for player in (league.carla, league.dora):
        assert why(client, kind, player).status_code == 404
        assert change(client, league, "C").status_code == 404
        assert change(client, league, "D").status_code == 404


def test_who_is_hidden_later_is_explained_no_more(client, league):
    Registration.objects.filter(player=league.anna).update(publication_allowed=False)

    assert why(client, "red", league.anna).status_code == 404


@pytest.mark.parametrize("address", ["red/2026/{}/", "game/amazons/2026/{}/", "stage/race-1/{}/"])
def test_who_was_erased_is_gone_and_who_was_another_leads_there(client, league, staff, address):
    before = factories.player()
    merging.merge_players(league.anna, before, by=staff, reason="The same person.")
    answer = client.get(f"/en/why/{address.format(before.public_id)}")
    assert answer.status_code == 301
    assert league.anna.public_id in answer["Location"]

    erasing.erase_player(league.anna, by=None)
    assert client.get(f"/en/why/{address.format(league.anna.public_id)}").status_code == 410


@pytest.mark.parametrize(
    "address",
    [
        *[
            "red/1999/{id}/",
            "purple/2026/{id}/",
            "red/2026/nobody/",
            "game/chess/2026/{id}/",
            "game/hive/1999/{id}/",
        ],
        *[
            "stage/nothing/{id}/",
            "stage/hive-1/nobody/",
            "red/2026/{id}/?at=foo",
            "red/2026/{id}/?at=2031-01-01",
        ],
        *["game/oware/2026/{id}/", "red/2026/{id}/?at=2026-01-05"],
    ],
)
def test_what_there_is_not_is_not_found(client, league, address):
    factories.game("oware")

    assert client.get(f"/en/why/{address.format(id=league.anna.public_id)}").status_code == 404


def test_a_day_that_is_computed_explains_its_numbers_too(client, league):
    page = why(client, "red", league.anna, query="?at=2026-02-15")

    assert "Computed just now As of 15/02/2026" in main(page)
    assert table(page) == [["Amazons", "2", "01/02/2026", "1020.000"]]
    assert (
        f'href="/en/why/game/amazons/2026/{league.anna.public_id}/?at=2026-02-15"'
        in page.content.decode()
    )


KINDS = ["red", "blue", "green", "race", "game/amazons"]


@pytest.mark.parametrize("language", ["it", "en", "es"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_number_is_explained_in_each_language(client, league, language, kind):
    page = why(client, kind, league.anna, language=language)

    assert f'<html lang="{language}"' in page.content.decode()
    assert "example.org" not in page.content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_the_queries_do_not_grow_with_what_is_explained(client, league, kind, uncached):
    counts = []
    for day in (3, 4, 5):
        game = factories.game()
        play.played(
            "A 1 B, C 1 D; A 1 C", who=league.who, on=date(2026, 3, day), game=game, race=True
        )
        play.played("A 1 B", who=league.who, on=date(2026, 3, day), game=league.amazons)
        leagues.publish(league.season)
        with CaptureQueriesContext(connection) as queries:
            assert why(client, kind, league.anna).status_code == 200
        counts.append(len(queries))

    assert counts[0] == counts[2] <= MOST_QUERIES


def test_the_queries_of_a_change_do_not_grow_with_its_games(client, league, uncached):
    who = league.who | {letter: leagues.person(letter, "Roma", "IT") for letter in "EFGH"}
    play.played("A 1 E", who=who, on=date(2026, 3, 8), game=league.hive, slug="one")
    play.played(
        "A 1 E; A 1 F; A 1 G; A 1 H", who=who, on=date(2026, 3, 9), game=league.hive, slug="four"
    )
    leagues.publish(league.season)
    counts = []
    for stage in ("one", "four"):
        with CaptureQueriesContext(connection) as queries:
            assert change(client, league, "A", stage).status_code == 200
        counts.append(len(queries))

    assert counts[0] == counts[1] <= MOST_QUERIES
