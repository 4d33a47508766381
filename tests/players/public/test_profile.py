"""A player's page: each number as it is published, where it leads, and of whom there is none."""

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.contrib.auth.models import AnonymousUser

from pergioco.players.models import Consent, Player
from pergioco.players.queries.results import Master
from pergioco.players.services import consents, erasing, merging
from pergioco.players.views import public_profile
from pergioco.publishing import published
from pergioco.publishing.models import PgrChange
from pergioco.publishing.queries.ranking_labels import NAMES
from pergioco.publishing.queries.ranking_rows import shown_line_value
from pergioco.stages.models import Stage
from pergioco.stages.rules.standings import LOSS
from rankings.labels import leader_points
from rankings.rules import inactive_from, is_active
from ratings.stage_games import parse_trace
from risiko_master.master_page import PublishedMaster
from tests import factories
from tests.office.desk.counting import queries_of
from tests.publishing import year
from tests.ratings import play
from tests.ratings.play import settled
from tests.risiko_master import play as masters
from tests.risiko_master.public.test_masters import WHOLE
from tests.website import league
from tests.website.league import main

pytestmark = pytest.mark.django_db


def address(player):
    found = Player.objects.with_names().get(pk=player.pk)
    return found.get_absolute_url()


def bare(player):
    return f"/en/players/{player.public_id}/"


def withdraw(player):
    consents.record_consent(
        player,
        Consent.Kind.PUBLICATION,
        given=False,
        language="en",
        way=Consent.Way.REGISTRATION,
        by=None,
    )


def test_the_address_has_the_number_and_the_name(played, client):
    assert address(played.anna) == f"/en/players/{played.anna.public_id}-anna-los/"
    for other in (bare(played.anna), f"/en/players/{played.anna.public_id}-somebody-else/"):
        answer = client.get(other)
        assert (answer.status_code, answer["Location"]) == (301, address(played.anna))


def test_the_name_city_and_country_and_nothing_else_of_the_person(played, client):
    page = client.get(address(played.anna))
    assert main(page).startswith("Anna Łoś Torino, Italy")
    assert played.anna.person.user.email not in page.content.decode()


def test_each_place_is_the_published_one_and_leads_to_its_why(played, client):
    lines = published.latest_version().lines_of(played.anna)
    tiles = client.get(address(played.anna)).context["tiles"]
    assert [tile.kind for tile in tiles] == ["red", "blue", "green", "race", "big"]
    for tile in tiles[:-1]:
        assert tile.line == lines[tile.kind]
        assert client.get(tile.why).context["line"] == tile.line


def test_the_latest_master_says_the_place_the_points_and_why(client):
    who = masters.people(16)
    for day, slug in ((1, "roma"), (8, "napoli")):
        stage = masters.held(
            WHOLE, who=who, slug=slug, on=date(2026, 2, day), city=slug.capitalize()
        )
        settled(stage)
    text = main(client.get(address(who["E"])))
    assert "RisiKo! Place 1 Napoli , final order 2.095 why" in text
    found = client.get(address(who["E"])).context["master"]
    assert found.points in main(client.get(found.why))


def test_masters_of_every_year_stand_among_the_stages_by_their_day(client):
    """J is second at the end; in Bari there was one game only."""
    who = masters.people(16)
    amazons = league.game("amazons", "Amazons")
    play.played("E 1 J", who=who, on=date(2026, 1, 20), game=amazons, slug="between")
    settled(masters.held(WHOLE, who=who, slug="roma", on=date(2025, 2, 1), city="Roma"))
    settled(masters.held(WHOLE, who=who, slug="napoli", on=date(2026, 2, 8), city="Napoli"))
    settled(
        masters.held(WHOLE.splitlines()[1], who=who, slug="bari", on=date(2026, 3, 1), city="Bari")
    )
    league.publish(play.season(2026))
    answer = client.get(address(who["J"]))
    assert [
        one.stage.slug if isinstance(one, Master) else one.change.stage.slug
        for one in answer.context["stages"]
    ] == [
        "bari",
        "napoli",
        "between",
        "roma",
    ]
    text = main(answer)
    assert "RisiKo! Master 01/03/2026 · Bari · after the first game – 0.041 – –" in text
    assert "RisiKo! Master 08/02/2026 · Napoli 2 " in text
    assert 'href="/en/risiko/napoli/"' in answer.content.decode()


def test_place_and_points_of_a_master_are_those_of_its_page(client):
    who = masters.people(16)
    settled(masters.held(WHOLE, who=who, slug="napoli"))
    rows = PublishedMaster(Stage.objects.get(slug="napoli"), AnonymousUser()).final
    places = {row.who.player.pk: (row.line.rank, row.points) for row in rows}
    assert len(places) == 16
    for player in who.values():
        (one,) = client.get(address(player)).context["stages"]
        assert (one.rank, one.points) == places[player.pk]
        assert one.points in main(client.get(one.why))


def test_who_played_no_master_is_in_none(played, client):
    assert "RisiKo! not in it" in main(client.get(address(played.anna)))


def test_each_rating_is_the_published_one_and_leads_to_its_history(played, client):
    lines = published.latest_version().lines_of(played.anna)
    active = client.get(address(played.anna)).context["ratings"].active
    assert [one.game.slug for one in active] == ["amazons", "hive"]
    for one in active:
        assert one.line == lines[f"game:{one.game.slug}"]
        assert client.get(one.why).context["line"] == one.line
    assert [one.leader_points for one in active] == [leader_points(one.line) for one in active]


def test_movements_are_those_of_the_rankings(played, client):
    play.played("B 1 A", who=played.who, on=date(2026, 3, 5), game=played.hive, slug="hive-2")
    league.publish(played.season)
    version = published.latest_version()
    for player in (played.anna, played.bruno):
        lines, moves = version.lines_and_moves(player)
        assert lines == version.lines_of(player)
        for kind in ("red", "blue", "green", "game:hive"):
            assert moves[kind] == version.ranking(kind).moves([lines[kind]])[player.pk], kind
    assert {moves["game:hive"]} == {0}  # they shared the first place


def test_the_day_on_which_a_rating_falls_asleep_is_that_of_the_rule(played, client):
    for one in client.get(address(played.anna)).context["ratings"].active:
        day = one.inactive_from
        assert day == inactive_from(one.last_played) == date(2028, 1, 1)
        assert is_active(last_valid_game=one.last_played, year=day.year - 1)
        assert not is_active(last_valid_game=one.last_played, year=day.year)
    assert "01/01/2028" in main(client.get(address(played.anna)))


def test_a_rating_too_old_sleeps_and_still_says_why(played, client):
    go = league.game("go", "Go")
    play.played("A 1 B", who=played.who, on=date(2024, 5, 1), game=go, slug="go-1")
    league.publish(played.season)
    (one,) = client.get(address(played.anna)).context["ratings"].sleeping
    assert (one.game, one.pgr, one.last_played, one.since) == (
        go,
        Decimal("1010"),
        date(2024, 5, 1),
        date(2026, 1, 1),
    )
    assert client.get(one.why).status_code == 200


def test_stages_and_chart_are_the_changes_in_force(played, client):
    values = client.get(address(played.bruno)).context
    own = PgrChange.objects.current().filter(player=played.bruno).in_order()
    assert [one.change for one in reversed(values["stages"])] == list(own)
    assert [one.moved for one in reversed(values["stages"])] == [
        Decimal(change.after - change.before).scaleb(-3) for change in own
    ]
    drawn = {
        line.name: [point.rating.pgr for point in line.points] for line in values["chart"].lines
    }
    assert drawn == {
        name: [change.after for change in own if change.game.name == name]
        for name in ("Amazons", "Hive")
    }


def test_place_and_points_of_a_stage_are_those_of_its_page(played, client):
    for player in (played.anna, played.bruno):
        for one in client.get(address(player)).context["stages"]:
            order = client.get(one.change.stage.get_absolute_url()).context["order"]
            found = next(row for row in order if row.who.player.pk == player.pk)
            assert (one.place.rank, one.points) == (found.rank, found.points)


def test_the_chart_has_words_and_a_table_beside_it(played, client):
    text = client.get(address(played.anna)).content.decode()
    assert 'role="img"' in text
    assert '<title id="chart-title">' in text
    assert '<desc id="chart-desc">' in text
    assert "The same numbers as a table" in text
    assert "style=" not in text


def test_the_score_against_each_opponent_agrees_with_the_rating(played, client):
    values = client.get(address(played.bruno)).context
    scores = {one.player: one.total for one in values["opponents"]}
    assert scores == {played.anna: (0, 2, 1)}  # Carla wants no publication
    changes = PgrChange.objects.current().filter(player=played.bruno)
    assert sum(change.rated_games for change in changes) == scores[played.anna].games + 1
    assert "Carla" not in main(client.get(address(played.bruno)))


def test_games_declared_void_are_no_games(played, client):
    played.anna.disqualifications.create(
        kind="void",
        effective_on=date(2026, 1, 1),
        reason="-",
        proposed_by=factories.user(),
        confirmed_by=factories.user(),
        confirmed_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    league.publish(played.season)
    values = client.get(address(played.bruno)).context
    assert values["opponents"] == []
    assert [one.change.stage.slug for one in values["stages"]] == ["race-1"]


def test_whoever_was_merged_leads_to_the_one_that_stays_with_all_games(played, client, staff):
    before = factories.player()
    play.played(
        "E 1 B",
        who={**played.who, "E": before},
        on=date(2026, 3, 6),
        game=played.hive,
        slug="hive-2",
    )
    merging.merge_players(played.anna, before, by=staff, reason="The same person")
    league.publish(played.season)
    answer = client.get(bare(before))
    assert (answer.status_code, answer["Location"]) == (301, address(played.anna))
    values = client.get(address(played.anna)).context
    assert {one.player: one.total for one in values["opponents"]} == {played.bruno: (2, 2, 0)}
    assert next(one.change.stage.slug for one in values["stages"]) == "hive-2"


def test_an_absence_that_costs_nothing_is_no_lost_game(played, client):
    play.played(
        "A - B; A 1 B", who=played.who, on=date(2026, 3, 6), game=played.hive, slug="hive-2"
    )
    league.publish(played.season)
    changes = PgrChange.objects.current().filter(player=played.anna)
    lost = [
        game for change in changes for game in parse_trace(change.games) if game.half_points == LOSS
    ]
    (score,) = (one.total for one in client.get(address(played.anna)).context["opponents"])
    assert (score, len(lost)) == ((2, 2, 0), 0)


def test_an_erased_player_is_gone(played, client):
    erasing.erase_player(played.anna, by=None)
    answer = client.get(bare(played.anna))
    assert answer.status_code == 410
    assert "Removed player" in answer.content.decode()
    assert "Anna" not in answer.content.decode()
    assert client.get(f"{bare(played.anna)}ratings.csv").status_code == 410


def test_nothing_is_shown_of_who_is_not_named_in_public(played, client):
    withdraw(played.anna)
    for hidden in (played.anna, played.carla, played.dora):
        for where in (bare(hidden), f"{bare(hidden)}ratings.json"):
            answer = client.get(where)
            assert answer.status_code == 404
            assert "Whoever registers is ranked" in answer.content.decode()
            for name in ("Anna", "Carla", "Segreta", "Torino"):
                assert name not in answer.content.decode()
    assert "Anna" not in client.get(address(played.bruno)).content.decode()


def test_an_unknown_number_is_no_page(client, db):
    assert client.get("/en/players/zzzzzzzzzz/").status_code == 404


def test_before_anything_is_published_there_is_the_name_only(client):
    alone = factories.registered(first_name="Zoe", last_name="Neva")
    page = client.get(address(alone))
    assert main(page).startswith("Zoe Neva Torino, Italy No ranking is published yet")
    assert client.get(f"{bare(alone)}ratings.csv").status_code == 404


def test_somebody_without_a_game_has_a_page_that_says_so(played, client):
    alone = factories.registered(first_name="Zoe", last_name="Neva")
    text = main(client.get(address(alone)))
    assert "No active PGR." in text
    assert "No stage with a rated game yet." in text


def test_a_champion_of_a_final_year_has_titles(client):
    season, winner, loser = year.year_over()
    year.made_final(season)
    kinds = [(one.year, one.kind) for one in client.get(address(winner)).context["titles"]]
    assert kinds == [(2025, "blue"), (2025, "game"), (2025, "green"), (2025, "red")]
    assert client.get(address(loser)).context["titles"] == []


def test_a_year_that_is_not_final_has_no_titles(client):
    _season, winner, _loser = year.year_over()
    assert client.get(address(winner)).context["titles"] == []


def test_the_file_has_the_rows_of_the_page(played, client):
    answer = client.get(f"{bare(played.anna)}ratings.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    active = client.get(address(played.anna)).context["ratings"].active
    assert [row[:4] for row in rows[1:]] == [
        [one.game.name, f"{one.line.value:.3f}", str(one.line.rank), str(one.line.detail["games"])]
        for one in active
    ]
    assert {row[-1] for row in rows[1:]} == {"v1"}


def test_as_many_queries_for_many_games_as_for_few(played, client, uncached):
    few = queries_of(client, address(played.anna))
    for number in range(8):
        game = league.game(f"game-{number}", f"Game {number}")
        others = factories.registered(league.LONG_AGO, login=False, first_name=f"N{number}")
        who = {**played.who, "E": others}
        play.played("A 1 E; A X B", who=who, on=date(2026, 3, 3), game=game, slug=f"more-{number}")
    league.publish(played.season)
    assert queries_of(client, address(played.anna)) == few <= 12


def test_as_many_queries_for_many_masters_as_for_one(client, uncached):
    who = masters.people(16)
    settled(masters.held(WHOLE, who=who, slug="one"))
    few = queries_of(client, address(who["E"]))
    for slug in ("two", "three"):
        settled(masters.held(WHOLE, who=who, slug=slug))
    assert queries_of(client, address(who["E"])) == few <= 12


def test_the_picture_for_links_shows_the_published_places(played, client):
    anna = Player.objects.with_names().get(pk=played.anna.pk)
    card = public_profile.build_share_card(anna, published.latest_version())
    lines = published.latest_version().lines_of(anna)
    assert card.title == "Anna Łoś"
    assert [(place.name, place.rank, place.value) for place in card.places] == [
        (str(NAMES[kind]), lines[kind].rank, shown_line_value(kind, lines[kind]))
        for kind in ("red", "blue", "green")
    ]
    answer = client.get(f"/en/share/players/{anna.public_id}.png")
    assert answer["Content-Type"] == "image/png"
    assert (
        client.get(answer.wsgi_request.path, headers={"if-none-match": answer["ETag"]}).status_code
        == 304
    )
    assert answer.wsgi_request.path in client.get(address(anna)).content.decode()


def test_nobody_who_is_not_named_in_public_has_a_picture(played, client):
    for hidden in (played.carla, played.dora):
        assert client.get(f"/en/share/players/{hidden.public_id}.png").status_code == 404
    erasing.erase_player(played.anna, by=None)
    assert client.get(f"/en/share/players/{played.anna.public_id}.png").status_code == 410
