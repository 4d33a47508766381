"""What if: games that somebody imagines for a player, and the rating and the places that the rules
would give."""

from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from pergioco.core import limits
from pergioco.core.models import ShortMemory
from pergioco.players.models import Disqualification, Person, Player, Registration
from pergioco.players.services import erasing, merging
from pergioco.publishing.models import Line
from pergioco.publishing.services import publish
from pergioco.stages.models import Season
from ratings.views import what_if as what_if_page
from ratings.views import what_if_form
from ratings.views.what_if_form import GAMES, typed_pgr
from tests import factories
from tests.conftest import signed_in
from tests.office.brochures import played
from tests.office.desk.counting import queries_of
from tests.players.account.reading import words
from tests.website.cached import cached_pages

pytestmark = pytest.mark.django_db
MOST_QUERIES = 12


def person(first: str, last: str, city: str = "Torino", **fields) -> Player:
    return factories.registered(first_name=first, last_name=last, city=city, **fields)


@pytest.fixture
def marta() -> Player:
    """One stage of go: Marta beat Anna, two namesakes drew, Marta beat a stranger; another of
    Abalone without her."""
    marta, anna = person("Marta", "Rossi"), person("Anna", "Bianchi", "Milano")
    lucas = (person("Luca", "Neri"), person("Luca", "Neri", "Napoli"))
    rounds = [
        [((marta, anna), "1"), (lucas, "X")],
        [((marta, factories.player()), "1"), ((anna, lucas[0]), "1")],
    ]
    played.closed(rounds, game=factories.game("go"))
    played.closed([[((anna, lucas[1]), "1")]], game=factories.game("abalone"))
    played.publish()
    return marta


def asked(player: Player, *games: tuple[str, str], game: str = "go", **more: str) -> str:
    """The page, for games as (opponent, result)."""
    return page(player, typed(*games, game=game, **more))


def typed(*games: tuple[str, str], game: str = "go", **more: str) -> dict[str, str]:
    found = {"game": game, **more}
    for number, (opponent, result) in enumerate(games, 1):
        found |= {f"opponent_{number}": opponent, f"result_{number}": result}
    return found


def page(player: Player, query: dict[str, str] | None = None) -> str:
    response = Client().get(address(player, query))
    assert response.status_code == 200
    return response.content.decode()


def address(player: Player, query: dict[str, str] | None = None) -> str:
    return f"/en/players/{player.public_id}/what-if/" + (f"?{urlencode(query)}" if query else "")


def hidden(player: Player) -> Player:
    """From now on without a public page."""
    Registration.objects.filter(player=player).update(publication_allowed=False)
    return player


def offered(html: str) -> list[str]:
    """Name and city of each opponent in the list."""
    options = (part.partition('"')[0] for part in html.split('<option value="'))
    return [option for option in options if "," in option]


def answer(text: str) -> str:
    return text.partition("Games to imagine")[0]


def now(player: Player, slug: str) -> str:
    return str(Line.objects.get(player=player, computation__kind=f"game:{slug}").value)


# The first look


def test_the_page_offers_the_last_game_and_its_named_opponents(marta):
    html = page(marta)

    assert '<option value="go" selected>' in html
    assert sorted(offered(html)) == [
        "Anna Bianchi, Milano",
        "Luca Neri, Napoli",
        "Luca Neri, Torino",
    ]
    assert "would be" not in words(html)


def test_a_link_that_names_only_the_game_is_no_mistake(marta):
    html = asked(marta, game="abalone")

    assert '<option value="abalone" selected>' in html
    assert "error-summary" not in html
    assert "Luca Neri, Torino" not in html


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["What if: Marta Rossi", "The results are those of Marta Rossi.", "wins", "loses"]),
        ("it", ["E se…? Marta Rossi", "I risultati sono quelli di Marta Rossi.", "vince", "perde"]),
        ("es", ["¿Y si…? Marta Rossi", "Los resultados son los de Marta Rossi.", "gana", "pierde"]),
    ],
)
def test_the_page_says_of_whom_it_speaks(marta, language, told):
    html = Client().get(f"/{language}/players/{marta.public_id}/what-if/").content.decode()

    assert [sentence for sentence in told if sentence not in words(html)] == []


def test_what_others_hung_onto_the_address_is_no_mistake(marta):
    assert "error-summary" not in page(marta, {"from": "newsletter"})


# Who sees it, and what leads there


def test_it_leads_back_to_the_player_and_the_player_leads_to_it(marta):
    profile = marta.get_absolute_url()

    # on the way, and below the title
    assert page(marta).count(f'<a href="{profile}">Marta Rossi</a>') == 2
    assert f'href="{address(marta)}"' in Client().get(profile).content.decode()


@pytest.mark.parametrize(
    ("why", "query"),
    [
        ("red/2026", None),
        ("blue/2026", None),
        ("green/2026", None),
        ("game/go/2026", {"game": "go"}),
    ],
)
def test_why_a_number_is_what_it_is_leads_to_what_it_could_be(marta, why, query):
    html = Client().get(f"/en/why/{why}/{marta.public_id}/").content.decode()

    assert f'href="{address(marta, query)}"' in html
    assert Client().get(address(marta, query)).status_code == 200


def test_nothing_is_shown_of_who_is_not_named_in_public(marta):
    stranger = Player.objects.get(person=None)
    for nobody in (hidden(marta), stranger):
        for query in (None, typed(("1000", "2"))):
            answer = Client().get(address(nobody, query))
            assert answer.status_code == 404
            assert "Whoever registers is ranked" in answer.content.decode()
            assert "Marta" not in answer.content.decode()


def test_an_erased_player_is_gone(marta):
    erasing.erase_player(marta, by=None)

    assert Client().get(address(marta)).status_code == 410


def test_whoever_was_merged_leads_to_the_one_that_stays(marta, staff):
    before = factories.player()
    merging.merge_players(marta, before, by=staff, reason="The same person")

    answer = Client().get(address(before))
    assert (answer.status_code, answer["Location"]) == (301, marta.get_absolute_url())


def test_an_unknown_number_is_no_page():
    assert Client().get("/en/players/zzzzzzzzzz/what-if/").status_code == 404


# One's own


def test_my_account_leads_to_it(marta):
    assert 'href="/en/me/what-if/"' in signed_in(marta.person.user).get("/en/me/").content.decode()


@pytest.mark.parametrize("query", [{}, typed(("Anna Bianchi, Milano", "2"), ("1.050", "0"))])
def test_ones_own_is_the_public_one_with_all_that_was_asked(marta, query):
    answer = signed_in(marta.person.user).get("/en/me/what-if/", query)

    assert (answer.status_code, answer["Location"]) == (302, address(marta, query))


@pytest.mark.parametrize(
    "fields", [{"publication_allowed": False}, {"state": Registration.State.REFUSED}]
)
def test_who_has_no_public_page_sees_the_own_one_alone(marta, fields):
    Registration.objects.filter(player=marta).update(**fields)
    answer = signed_in(marta.person.user).get("/en/me/what-if/", typed(("1020", "2")))
    html = answer.content.decode()

    assert answer.status_code == 200
    assert "What if: Marta Rossi" in words(html)
    assert "go: the PGR would be 1030.000" in words(html)
    assert '<a href="/en/me/">My account</a>' in html
    assert 'href="/en/me/what-if/">Begin again' in html
    assert "/en/players/" + marta.public_id not in html
    assert answer["Cache-Control"] == "no-store, private"


def test_nobody_but_who_signed_in_has_an_own_one(marta):
    answer = Client().get("/en/me/what-if/")

    assert answer.status_code == 302
    assert answer["Location"].startswith("/en/account/login/")


def test_a_login_without_a_person_has_nothing_to_imagine(staff):
    text = words(signed_in(staff).get("/en/me/what-if/").content.decode())

    assert "No personal data here" in text
    assert "Games to imagine" not in text


# The rating


def test_pgm_22_imagined_games_are_rated_like_a_stage(marta):
    """1020 after the stage of the fixture: three games against equals, two of them won."""
    text = words(asked(marta, ("1020", "2"), ("1020", "0"), ("1020", "2")))

    assert now(marta, "go") == "1020.000"
    assert "go: the PGR would be 1030.000" in text
    assert "Now it is 1020.000: +10.000." in text


def test_an_opponent_by_name_is_his_published_pgr(marta):
    anna = Player.objects.get(person__first_name="Anna")
    by_name, by_pgr = (
        words(asked(marta, (opponent, "2"))) for opponent in ("Anna Bianchi", now(anna, "go"))
    )

    assert answer(by_name) == answer(by_pgr) != answer(words(asked(marta, ("1234", "2"))))


@pytest.mark.parametrize(
    "typed", ["anna bianchi", "  Ànna   Bianchi ", "Anna Bianchi, Milano", "ANNA BIANCHI, milano"]
)
def test_a_name_is_found_however_it_is_written(marta, typed):
    assert "the PGR would be" in words(asked(marta, (typed, "1")))


def test_a_first_rating_begins_at_the_start(marta):
    text = words(asked(marta, ("1000", "2"), game="abalone"))

    assert "abalone: the PGR would be 1010.000" in text
    assert "It would be the first rating in this game." in text


def test_pgm_23_a_sleeping_rating_is_taken_up_again(marta):
    played.brought_along(marta, factories.game("twixt"), "1150.5")
    marta.opening_ratings.update(last_played_on=date(2022, 5, 1))

    text = words(asked(marta, ("1150.5", "1"), game="twixt"))

    assert "twixt: the PGR would be 1150.500 Now it is 1150.500: 0.000." in text
    assert "twixt – – 1 1150.500 new" in text


# The places


def test_places_now_and_then_stand_side_by_side(marta):
    lucas = Player.objects.filter(person__last_name="Neri").order_by("pk")[0]
    text = words(asked(lucas, *[("1500", "2")] * 3))

    kinds = {
        line.computation.kind: line
        for line in Line.objects.filter(player=lucas).select_related("computation")
    }
    for name, kind in (("go", "game:go"), ("Red", "red"), ("Blue", "blue")):
        assert f"{name} {kinds[kind].rank} {kinds[kind].value.normalize():f}" in text.replace(
            ".000", ""
        )
    assert "up 3 places" in text


def test_who_is_excluded_gets_a_rating_and_no_places(marta):
    Disqualification.objects.create(
        player=marta,
        kind="ranking",
        effective_on=date(2026, 1, 1),
        reason="x",
        confirmed_at="2026-01-01T00:00:00Z",
    )
    publish.publish_season(Season.objects.get(), cause="disqualified")

    text = words(asked(marta, ("1000", "2")))
    assert "go: the PGR would be" in text
    assert "Marta Rossi is not in the rankings at present, so there are no places to show." in text


def test_before_the_first_publication_of_a_season_there_are_no_places(clock):
    player = person("Marta", "Rossi")
    factories.game("go")

    text = words(asked(player, ("1000", "2")))
    assert "No rankings of this season yet. A new rating can be computed, places cannot." in text
    assert "go: the PGR would be 1010.000" in text
    assert "The Race: what is needed" not in text


def test_the_rankings_of_a_year_that_is_over_are_not_imagined_on(marta, clock):
    clock.move_to(datetime(2027, 1, 2, 11, tzinfo=UTC))

    text = words(asked(marta, ("1020", "2")))
    assert "No rankings of this season yet." in text
    assert "go: the PGR would be 1030.000 Now it is 1020.000: +10.000." in text


# What cannot be meant


@pytest.mark.parametrize(
    ("opponent", "result", "sentence"),
    [
        ("1000", "", "Game 1: result: How does this game end?"),
        ("", "2", "Game 1: opponent: Against whom? Choose a player, or write a PGR such as 1050."),
        (
            "Zoe",
            "2",
            (
                "“Zoe” is nobody in the ranking of this game. Choose from the list, or write a "
                "PGR: 1050."
            ),
        ),
        (
            "luca neri",
            "2",
            "Several players are called “luca neri”. Choose one from the list, or write a PGR.",
        ),
        ("50", "2", "“50” is nobody in the ranking of this game."),
        ("****", "2", "“****” is nobody in the ranking of this game."),
        ("1000", "7", "A game is won, drawn or lost."),
    ],
)
def test_bad_input_is_told_plainly_and_nothing_typed_is_lost(marta, opponent, result, sentence):
    html = asked(marta, (opponent, result), ("1234.5", "1"))

    assert sentence in words(html)
    assert "would be" not in words(html)
    assert f'value="{opponent}"' in html or not opponent
    assert 'value="1234.5"' in html


def test_namesakes_are_told_apart_by_their_city(marta):
    assert "the PGR would be" in words(asked(marta, ("Luca Neri, Napoli", "2")))


def test_a_game_that_does_not_exist_is_told_plainly(marta):
    assert "This game is not played here." in words(
        asked(marta, ("1000", "2"), game="chess-boxing")
    )


@pytest.mark.parametrize(
    ("text", "thousandths"),
    [
        ("1050", 1_050_000),
        ("1050.5", 1_050_500),
        ("1050,5", 1_050_500),
        ("1.050,125", 1_050_125),
        ("1,050.125", 1_050_125),
        ("1.050", 1_050_000),
        ("1 050", 1_050_000),
        (" 976.25 ", 976_250),
        ("976,250", 976_250),
        ("100", 100_000),
        ("4000", 4_000_000),
        ("99.999", None),
        ("4000.001", None),
        ("1050.1234", None),
        ("-1050", None),
        ("1e3", None),
        ("Anna", None),
        ("", None),
        ("１０５０", 1_050_000),
    ],
)
def test_a_pgr_is_read_however_its_signs_are_meant(text, thousandths):
    assert typed_pgr(text) == thousandths


def test_the_list_of_names_is_bounded_but_all_of_them_are_understood(marta, monkeypatch):
    monkeypatch.setattr(what_if_form, "MOST_OFFERED", 1)

    assert offered(page(marta)) == ["Anna Bianchi, Milano"]
    assert "the PGR would be" in words(asked(marta, ("Luca Neri, Torino", "2")))


@pytest.mark.parametrize("typed", ["Anna Bianchi", "Anna Bianchi, Washington, DC"])
def test_a_city_may_have_a_comma(marta, typed):
    Person.objects.filter(first_name="Anna").update(city="Washington, DC")

    assert "the PGR would be" in words(asked(marta, (typed, "1")))


def test_who_is_not_named_in_public_is_no_opponent(marta):
    hidden(Player.objects.get(person__first_name="Anna"))

    assert not any("Anna" in label for label in offered(page(marta)))
    assert "“Anna Bianchi” is nobody in the ranking of this game." in words(
        asked(marta, ("Anna Bianchi", "2"))
    )


# The Race


@pytest.fixture
def racers() -> list[Player]:
    """Three stages of the Race are over, two to come; the first of six won them all, the last lost
    them all."""
    factories.season()
    people = [person(f"Nome{n}", f"Cognome{n}") for n in range(6)]
    for number in range(5):
        day = date(2026, 1, 20) + timedelta(days=7 * number)
        fields = {
            "race": True,
            "starts_on": day,
            "ends_on": day,
            "slug": f"race-{number}",
            "system": "round_robin",
        }
        if number < 3:
            pairs = [[((a, b), "1") for n, a in enumerate(people) for b in people[n + 1 :]]]
            played.closed(pairs, game=played.game("go"), **fields)
        else:
            factories.stage(game=played.game("go"), **fields)
    played.publish()
    return people


def test_pgm_40_what_can_still_be_reached_is_shown(racers):
    text = words(page(racers[0]))

    assert "Points of the stages played 43 · 43 · 43" in text
    assert "Total after drops so far 43" in text
    assert "Stages still to come 2" in text
    assert "Most that can still be reached after drops 186" in text
    assert (
        Line.objects.get(computation__kind="race", player=racers[0]).detail["most_possible"] == 186
    )


def test_pgm_40_what_it_takes_to_pass_somebody(racers):
    """The last has 15, 15 and 15: 15 after drops. The first has 43, which two more results can
    pass, one cannot."""
    text = words(asked(racers[5], rival=racers[0].public_id))

    assert "To pass Nome0 Cognome0 in the Race" in text
    assert "After drops Nome0 Cognome0 has 43 points." in text
    assert "1 stage out of reach – – –" in text
    assert "2 stages 14 " in text


def test_who_is_ahead_is_told_so(racers):
    text = words(asked(racers[0], rival=racers[5].public_id))

    assert "Nome0 Cognome0 is ahead already." in text
    assert "1 stage 0 16 32 64" in text


def test_a_rival_who_is_none_is_told_plainly(racers):
    assert "This player has no points in the Race." in words(asked(racers[0], rival="nobody"))
    assert "This player has no points in the Race." in words(
        asked(racers[0], rival=racers[0].public_id)
    )


# What it costs, and what it leaves


def counts() -> dict[str, int]:
    own = [
        model
        for model in apps.get_models()
        if model._meta.app_label not in {"sessions", "usersessions", "players"}
        and model is not ShortMemory  # how often the page was opened
    ]
    return {model._meta.label: model.objects.count() for model in own}


def test_nothing_is_stored_and_nothing_can_be_sent(racers):
    before, query = counts(), typed(("1000", "2"), rival=racers[1].public_id)

    assert Client().get(address(racers[0], query)).status_code == 200
    assert Client().post(address(racers[0]), query).status_code == 405
    assert signed_in(racers[0].person.user).post("/en/me/what-if/", query).status_code == 405
    assert counts() == before


@pytest.mark.parametrize("more", [1, 3])
def test_the_queries_do_not_grow_with_the_players(racers, more, monkeypatch):
    """What counts how often somebody asks is let out: as many for any page that has a limit."""
    monkeypatch.setattr(limits, "consume", lambda *_: True)
    for number in range(more):
        played.closed([[((person("X", f"Y{number}"), racers[1]), "1")]], game=played.game("go"))
    played.publish()
    everything = typed(
        *[("Nome2 Cognome2", "1"), *[("1000", "2")] * (GAMES - 1)], rival=racers[1].public_id
    )
    newcomer = person("Zoe", "Neva")

    assert queries_of(Client(), address(racers[0])) == 7
    assert queries_of(Client(), address(racers[0], everything)) == 9
    assert queries_of(Client(), address(newcomer, everything)) == 12 == MOST_QUERIES


def test_answers_have_a_limit_and_looking_has_none(marta, monkeypatch):
    monkeypatch.setattr(what_if_page, "RATE", "1/m/ip")
    client, query = Client(), typed(("1000", "2"))

    assert client.get(address(marta, query)).status_code == 200
    answer = client.get(address(marta, query))
    assert answer.status_code == 429
    assert "Wait a minute, then try again." in words(answer.content.decode())
    assert "would be" not in words(answer.content.decode())
    assert 'value="1000"' in answer.content.decode()
    for free in (None, {"game": "abalone"}, typed(("Zoe", "2"))):
        assert client.get(address(marta, free)).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_the_first_look_is_kept_and_what_is_typed_is_not(marta):
    client = Client()
    first = client.get(address(marta))

    with CaptureQueriesContext(connection) as queries:
        assert client.get(address(marta)).content == first.content
    assert len(queries) == 1
    for query in (typed(("1000", "2")), {"game": "abalone"}, {"from": "newsletter"}):
        assert client.get(address(marta, query))["Cache-Control"] == "no-cache"
    assert len(cached_pages()) == 1
