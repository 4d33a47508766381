"""The page of a stage: what stands on it in each state, for whom, and how it is found again."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pergioco.players.models import Disqualification
from pergioco.publishing.models import Erratum, Freeze
from pergioco.stages.models import DateChange, Entry, Stage
from tests import factories
from tests.big_league.play import people as members
from tests.big_league.play import tournament
from tests.big_league.play import write as write_big
from tests.conftest import signed_in
from tests.ratings import play
from tests.risiko_master import play as masters
from tests.website import league as leagues
from tests.website.league import League, main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MOST_QUERIES = 12
TODAY = date(2026, 3, 12)


@pytest.fixture
def league() -> League:
    return leagues.published()


def page(client, stage: Stage, query: str = "") -> str:
    return main(client.get(f"/en/stages/{stage.season.year}/{stage.slug}/{query}"))


def stage_on(first: int, last: int, **fields) -> Stage:
    """From so many days after today to so many."""
    days = {"starts_on": TODAY + timedelta(first), "ends_on": TODAY + timedelta(last)}
    return factories.stage(of=play.season(2026), **days, **fields)


# What stands there


def test_who_won_what_it_did_to_the_ratings_and_the_race_points(client, league):
    text = page(client, league.race)
    standings = text[text.index("Standings By points") :]
    assert "1 Anna Łoś 2 2 Bruno Łoś 1 2 **** 1 4 **** 0" in standings
    assert "Anna Łoś 1000.000 +20.000 why Anna Łoś 1020.000" in text
    assert "Race 1/12" in text


def test_race_points_are_those_published_and_lead_to_their_why(client, league):
    answer = client.get("/en/stages/2026/race-1/")
    assert "1 Anna Łoś 26 why Anna Łoś" in main(answer)
    assert f'href="/en/why/race/2026/{league.anna.public_id}/"' in answer.content.decode()


def test_a_stage_is_found_under_its_own_year_only(client, league):
    assert client.get("/en/stages/2025/race-1/").status_code == 404
    assert league.race.get_absolute_url() == "/en/stages/2026/race-1/"


def test_each_round_says_who_sat_where(client, league):
    assert "Round 2 Table First Result Second 1 Anna Łoś 1–0 **** 2 Bruno Łoś 1–0 ****" in page(
        client, league.race
    )


def test_pgm_25_who_never_came_is_in_the_crosstable_and_not_in_the_standings(client, league):
    stage = play.played(
        "A 1 B, C + D; A 1 C, B + D",
        who=league.who,
        on=date(2026, 3, 5),
        game=league.hive,
        slug="absent",
    )
    text = page(client, stage)
    assert text[text.index("Standings By") : text.index("Crosstable Round by")].count("****") == 1
    assert "4 · **** − 3 − 2 –" in text


def test_a_round_robin_is_shown_as_everybody_against_everybody(client, league):
    stage = play.played(
        "A 1 B, C X D; A 1 C, B 2 D",
        who=league.who,
        on=date(2026, 3, 5),
        game=league.hive,
        slug="robin",
        system="round_robin",
    )
    text = page(client, stage)
    assert "1 · Anna Łoś same player · 1 1 2" in text
    assert "Everybody against everybody" in text


# States


@pytest.mark.parametrize(
    ("days", "fields", "words"),
    [
        ((3, 4), {}, "Announced"),
        ((3, 4), {"status": "open"}, "Open It begins on"),
        ((0, 4), {"status": "open"}, "Being played"),
        ((-4, -1), {"status": "open"}, "Waiting for results"),
        ((3, 4), {"status": "cancelled"}, "Cancelled This stage is not played."),
    ],
)
def test_before_it_is_closed_the_page_says_how_far_it_is(client, days, fields, words):
    assert words in page(client, stage_on(*days, **fields))


def test_a_closed_stage_is_provisional_until_its_year_is_final(client, league):
    assert "Provisional Version 1 of the results" in page(client, league.race)
    Freeze.objects.create(season=league.season)
    assert "Provisional Version 1 of the results" in page(client, league.race)


def freeze(league: League) -> None:
    Freeze.objects.create(
        season=league.season,
        frozen_at=timezone.now(),
        publication=league.season.publications.get(),
        sha256="0",
        document="#",
    )


def test_a_final_year_makes_its_stages_final(client, league):
    freeze(league)
    assert "Final The rankings of 2026 are final." in page(client, league.race)


@pytest.mark.parametrize("days", [(0, 4), (-4, -1)], ids=["being played", "waiting for results"])
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"circuit": "pgm"}, "Ratings and rankings follow when the stage is closed."),
        (
            {"circuit": "big"},
            "The final order, BIG points and Elo follow when the tournament is closed.",
        ),
        (
            {"circuit": "big", "final": True},
            (
                "When the final is closed, its champion is known and the ranking of the game "
                "begins anew with it."
            ),
        ),
        ({"circuit": "rkm"}, "The final order follows when the Master is closed."),
    ],
)
def test_what_the_closing_brings_is_that_of_the_circuit(client, days, fields, words):
    stage = stage_on(*days, status="open", **fields)
    assert words in page(client, stage)
    said = main(client.get(f"/it/stages/2026/{stage.slug}/"))
    assert ("PGR" in said) is (stage.circuit == "pgm")


def closed_in_big(**fields: object) -> Stage:
    return tournament(
        "A9 B7 C5", who=members("ABC"), on=date(2026, 3, 1), slug="elsewhere", **fields
    )


def closed_master() -> Stage:
    return masters.held("A 40, B 30, C 20, D 10", who=masters.people(4), slug="elsewhere")


@pytest.mark.parametrize(
    ("closed", "words"),
    [
        (
            closed_in_big,
            (
                "Its points count until the first national final of the game after it; no year "
                "ends them."
            ),
        ),
        (
            lambda: closed_in_big(final=True),
            (
                "It made the champion and began the ranking of the game anew, of which it is the "
                "first tournament."
            ),
        ),
        (closed_master, "The order of a closed Master is final: it awaits no end of a year."),
    ],
    ids=["BIG", "national final", "Master"],
)
def test_big_7_rkm_final_ranking_what_is_closed_elsewhere_awaits_no_end_of_the_year(
    client, league, closed, words
):
    stage = closed()
    said = f"Closed Version 1 of the results, 12 March 2026. {words}"
    assert said in page(client, stage)
    freeze(league)
    assert said in page(client, stage)
    Stage.objects.filter(pk=stage.pk).update(status="corrected")
    assert f"Corrected Version 1 of the results, 12 March 2026. {words}" in page(client, stage)


def test_a_tournament_closed_late_leads_to_what_that_changed(client):
    stage = closed_in_big()
    erratum = Erratum.objects.create(
        season=stage.season, revision=stage.revisions.get(), cause="closed"
    )
    assert (
        f'href="/en/errata/{erratum.pk}/"'
        in client.get("/en/stages/2026/elsewhere/").content.decode()
    )


def test_a_correction_shows_the_tables_that_changed_and_leads_to_its_erratum(client, league):
    revision = play.write(league.race, "A 2 B, C 1 D; A 1 D, B 1 C", who=league.who)
    revision.reason = "Table 1 was the wrong way round"
    revision.save()
    erratum = Erratum.objects.create(season=league.season, revision=revision, cause="corrected")
    league.race.refresh_from_db()
    answer = client.get("/en/stages/2026/race-1/")
    text = main(answer)
    assert "Corrected Version 2 of the results" in text
    assert f'href="/en/errata/{erratum.pk}/"' in answer.content.decode()
    assert "Table 1 was the wrong way round" in text
    assert "Round 1 1 Anna Łoś – Bruno Łoś: 1–0 Anna Łoś – Bruno Łoś: 0–1" in text
    assert "Bruno Łoś – ****: 1–0 Bruno" not in text


def test_a_correction_under_way_is_not_shown(client, league):
    before = page(client, league.race)
    league.race.revisions.create(number=2, state="draft", reason="not yet")
    assert page(client, league.race) == before


def test_a_moved_stage_says_from_when_and_why(client):
    stage = stage_on(3, 3)
    days = {
        "old_starts_on": TODAY,
        "old_ends_on": TODAY,
        "new_starts_on": stage.starts_on,
        "new_ends_on": TODAY,
    }
    DateChange.objects.create(stage=stage, reason="No light in the hall", **days)
    assert "Moved from 12/03/2026 : No light in the hall" in page(client, stage).replace(" :", " :")


def test_before_the_first_round_the_entered_players_are_listed_and_the_unregistered_have_no_name(
    client,
):
    stage = stage_on(3, 4, status="open")
    for player in (factories.registered(first_name="Zoe"), factories.player()):
        Entry.objects.create(stage=stage, player=player)
    assert "Entered 2 Zoe Rossi ****" in page(client, stage)


def test_while_it_is_played_results_stand_there_as_they_are_typed_the_last_round_first(client):
    who = [factories.registered(first_name=name) for name in ("Anna", "Bruno")]
    draft = factories.drafted([[tuple(who)], [tuple(who[::-1])]], starts_on=TODAY, ends_on=TODAY)
    draft.rounds.get(number=1).tables.get().seats.filter(position=1).update(
        outcome="win", kind="played"
    )
    draft.rounds.get(number=1).tables.get().seats.filter(position=2).update(
        outcome="loss", kind="played"
    )
    text = page(client, draft.stage)
    assert text.index("1 Bruno Rossi – Anna Rossi") < text.index("1 Anna Rossi 1–0 Bruno Rossi")
    assert "By points of the results so far" in text


def test_while_it_is_played_tables_of_more_than_two_say_the_scores_that_were_typed(client):
    stage = masters.held(
        "A *, B 30, C 20+7, D 10 | E 40, F 31, G 21, H 11", who=masters.people(8), slug="today"
    )
    stage.revisions.update(state="draft")
    Stage.objects.filter(pk=stage.pk).update(status="open", starts_on=TODAY, ends_on=TODAY)
    typed = stage.revisions.get().rounds.get().tables
    typed.get(number=2).seats.exclude(position=1).update(score=None)
    text = page(client, stage)
    assert text.count("RisiKo! · 30 · 20 · 10") == 1
    assert text.count("40 · – · – · –") == 1
    typed.get(number=2).seats.update(score=None)
    assert "· –" not in page(client, stage)


def test_a_score_that_was_corrected_is_a_table_that_changed(client):
    who = members("ABC")
    stage = tournament("A9 B7 C5", who=who, on=date(2026, 3, 1), slug="elsewhere")
    write_big(stage, "A9 B8.25-1 C5", who=who, phases={})
    Stage.objects.filter(pk=stage.pk).update(status="corrected")
    text = page(client, stage)
    names = "A Rossi – B Rossi – C Rossi"
    assert f"Round 1 1 {names}: 9 · 7 · 5 {names}: 9 · 8.25−1 · 5" in text


# Names


def test_nobody_is_named_who_is_not_named_in_public(client, league):
    factories.account(league.dora, "SecretNick")
    text = page(client, league.race)
    assert "Carla" not in text
    assert "SecretNick" not in text


def test_an_erased_player_keeps_a_number_only(client, league):
    league.bruno.person.delete()
    type(league.bruno).objects.filter(pk=league.bruno.pk).update(erased_at=timezone.now())
    text = page(client, league.race)
    assert "Bruno" not in text
    assert f"Removed player {league.bruno.public_id}" in text


def test_a_merged_player_sits_where_the_other_one_sat(client, league):
    eva = factories.registered(first_name="Eva")
    type(eva).objects.filter(pk=league.dora.pk).update(merged_into=eva)
    leagues.publish(league.season)
    assert "1 Anna Łoś 1–0 Eva Rossi" in page(client, league.race)


def test_pg_26_games_that_are_void_stay_in_sight_and_count_for_nobody(client, league):
    Disqualification.objects.create(
        player=league.dora,
        kind="void",
        effective_on=date(2026, 1, 1),
        reason="-",
        confirmed_at=timezone.now(),
    )
    text = page(client, league.race)
    assert "1–0 does not count ****" in text
    assert "1 Anna Łoś 1 1 Bruno Łoś 1 3 **** 0" in text


# Finding oneself


def test_a_name_is_found_blind_to_accents_and_marked(client, league):
    answer = client.get("/en/stages/2026/race-1/?find=los+ANNA")
    text = main(answer)
    assert "Anna Łoś found Place 1 Points 2 PGR 1020.000 +20.000 Race points 26" in text
    assert answer.content.decode().count('class="own"') >= 4


def test_who_is_not_named_cannot_be_found(client, league):
    assert "Nobody of that name" in page(client, league.race, "?find=Carla")
    assert "Nobody of that name" in page(client, league.race, "?find=****")


def test_signed_in_players_see_their_own_rows_at_once(league):
    client = signed_in(league.bruno.person.user)
    assert "Bruno Łoś you Place 2" in page(client, league.race)


def test_a_player_without_public_name_sees_the_own_rows_too(league):
    client = signed_in(league.carla.person.user)
    assert "**** you Place 2" in page(client, league.race)


def test_while_it_is_played_the_next_table_comes_first(client):
    who = [factories.registered(first_name=name) for name in ("Anna", "Bruno")]
    rounds = [[tuple(who)], [tuple(who[::-1])], [tuple(who)]]
    draft = factories.drafted(rounds, starts_on=TODAY, ends_on=TODAY, system="round_robin")
    for seat, outcome in zip(
        draft.rounds.get(number=1).tables.get().seats.all(), ("win", "loss"), strict=True
    ):
        type(seat).objects.filter(pk=seat.pk).update(outcome=outcome, kind="played")
    text = page(client, draft.stage, "?find=anna")
    assert "Anna Rossi found Place 1 Points 1 Round 2 Table 1" in text
    assert text.index("Round 1 Table First") < text.index("Round 2 Table First")


def test_queries_are_few_and_as_many_for_four_players_as_for_sixty_four(client, league, uncached):
    names = [f"P{number}" for number in range(60)]
    who = league.who | dict(
        zip(
            names,
            (factories.registered(date(2021, 10, 1), login=False) for _ in names),
            strict=True,
        )
    )
    tables = ", ".join(f"{a} 1 {b}" for a, b in zip(names[::2], names[1::2], strict=True))
    play.played(
        f"A 1 B, C 1 D, {tables}",
        who=who,
        on=date(2026, 3, 3),
        game=league.hive,
        race=True,
        slug="big",
    )
    leagues.publish(league.season)
    counts = [queries(client, slug) for slug in ("race-1", "big")]
    assert counts[0] == counts[1] <= MOST_QUERIES


def queries(client, slug: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(f"/en/stages/2026/{slug}/").status_code == 200
    return len(asked)
