"""Two players: who won what, what is expected, which stages both played; and how the two are
chosen."""

from datetime import date
from decimal import Decimal

import pytest

from pergioco.players.services import erasing
from pergioco.publishing import published
from ratings.rules import expected_exactly
from tests import factories
from tests.office.desk.counting import queries_of
from tests.ratings import play
from tests.website import league
from tests.website.league import main

pytestmark = pytest.mark.django_db
PICK = "/en/compare/"


def address(one, other):
    return f"/en/compare/{one.public_id}/{other.public_id}/"


def score(client, one, other):
    between = client.get(address(one, other)).context["between"]
    return between.total, {own.game.slug: own.score for own in between.games}


def test_game_by_game_first_then_in_all(played, client):
    assert score(client, played.anna, played.bruno) == (
        (1, 2, 0),
        {"amazons": (1, 1, 0), "hive": (0, 1, 0)},
    )
    text = main(client.get(address(played.anna, played.bruno)))
    assert text.index("Game by game") < text.index("In all")


def test_the_other_way_round_it_is_the_mirror(played, client):
    assert score(client, played.bruno, played.anna) == (
        (0, 2, 1),
        {"amazons": (0, 1, 1), "hive": (0, 1, 0)},
    )
    assert (
        address(played.bruno, played.anna)
        in client.get(address(played.anna, played.bruno)).content.decode()
    )


def test_each_game_leads_to_its_stage(played, client):
    page = client.get(address(played.anna, played.bruno))
    meetings = [meeting for own in page.context["between"].games for meeting in own.meetings]
    assert [meeting.stage.slug for meeting in meetings] == ["amazons-2", "race-1", "hive-1"]
    for meeting in meetings:
        assert meeting.stage.get_absolute_url() in page.content.decode()


def test_what_is_expected_comes_from_the_published_ratings_by_the_rule(played, client):
    version = published.latest_version()
    one, other = (version.lines_of(player) for player in (played.anna, played.bruno))
    for own in client.get(address(played.anna, played.bruno)).context["between"].games:
        kind = f"game:{own.game.slug}"
        assert own.expectation.lines == (one[kind], other[kind])
        pgrs = [int(line.value * 1000) for line in own.expectation.lines]
        assert own.expectation.scores == (
            expected_exactly(*pgrs[:1], pgrs[1:]),
            expected_exactly(pgrs[1], pgrs[:1]),
        )
        assert sum(own.expectation.scores) == 1


def test_the_score_agrees_with_the_profile_of_each(played, client):
    profile = client.get(played.anna.get_absolute_url())
    (opponent,) = profile.context["opponents"]
    assert (opponent.player, opponent.total) == (
        played.bruno,
        score(client, played.anna, played.bruno)[0],
    )


def test_a_win_against_somebody_absent_counts_for_who_won(played, client):
    play.played(
        "A - B; A 1 B", who=played.who, on=date(2026, 3, 6), game=played.hive, slug="hive-2"
    )
    league.publish(played.season)
    assert score(client, played.anna, played.bruno)[1]["hive"] == (1, 1, 1)
    assert "absent at the first game: it costs nothing" in main(
        client.get(address(played.anna, played.bruno))
    )


def test_the_stages_of_both_with_what_each_gained(played, client):
    play.played(
        "A 1 C, B 1 D", who=played.who, on=date(2026, 3, 6), game=played.hive, slug="hive-2"
    )
    league.publish(played.season)
    events = client.get(address(played.anna, played.bruno)).context["between"].events
    assert [(event.stage.slug, event.met) for event in events] == [
        ("hive-2", False),
        ("hive-1", True),
        ("amazons-2", True),
        ("race-1", True),
    ]
    assert events[1].moved == (Decimal(0), Decimal(0))


def test_two_who_never_met(played, client):
    alone = factories.registered(first_name="Zoe", last_name="Neva")
    page = client.get(address(played.anna, alone))
    assert "These two never met" in main(page)
    assert page.context["between"].total == (0, 0, 0)
    assert page.context["share_text"] == "Anna Łoś – Zoe Neva: never met."


def test_a_text_to_pass_on(played, client):
    assert client.get(address(played.anna, played.bruno)).context["share_text"] == (
        "Anna Łoś – Bruno Łoś: 1–2–0 (won, drawn, lost). Amazons 1–1–0, Hive 0–1–0."
    )


def test_nobody_is_compared_who_is_not_named_in_public(played, client):
    for hidden in (played.carla, played.dora):
        for pair in ((played.anna, hidden), (hidden, played.anna)):
            answer = client.get(address(*pair))
            assert answer.status_code == 404
            assert "Carla" not in answer.content.decode()
    erasing.erase_player(played.bruno, by=None)
    assert client.get(address(played.anna, played.bruno)).status_code == 410


def test_somebody_with_himself_is_a_profile(played, client):
    answer = client.get(address(played.anna, played.anna))
    assert (answer.status_code, answer["Location"]) == (302, played.anna.get_absolute_url())


def test_before_anything_is_published(client):
    one, other = (factories.registered(first_name=name) for name in ("Ada", "Eva"))
    assert "No ranking is published yet" in main(client.get(address(one, other)))


def test_two_names_that_are_clear_lead_to_the_score(played, client):
    for asked in ("?a=anna&b=bruno+los", f"?a={played.anna.public_id}&b=BRUNO"):
        assert client.get(PICK + asked)["Location"] == address(played.anna, played.bruno)


def test_a_name_that_is_not_clear_is_to_be_chosen(played, client):
    page = client.get(PICK + "?a=anna&b=los")
    assert [str(player.person) for player in page.context["sides"][1].found] == [
        "Anna Łoś",
        "Bruno Łoś",
    ]
    assert f'value="{played.bruno.public_id}"' in page.content.decode()


def test_nobody_is_chosen_who_is_not_named_in_public(played, client):
    for asked in ("carla", played.carla.public_id, played.dora.public_id):
        page = client.get(f"{PICK}?a=anna&b={asked}")
        assert page.context["sides"][1].found == []
        assert "Nobody found." in main(page)


def test_twice_the_same_is_said(played, client):
    assert "That is one and the same player." in main(client.get(PICK + "?a=anna&b=anna"))


def test_nothing_asked_yet(client):
    assert "First player" in main(client.get(PICK))


def test_as_many_queries_for_many_games_as_for_few(played, client):
    where = address(played.anna, played.bruno)
    few = queries_of(client, where)
    for number in range(6):
        game = league.game(f"game-{number}", f"Game {number}")
        play.played(
            "A 1 B; A X B", who=played.who, on=date(2026, 3, 3), game=game, slug=f"more-{number}"
        )
    league.publish(played.season)
    assert queries_of(client, where) == few <= 12
