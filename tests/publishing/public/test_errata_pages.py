"""What a correction changed: every number before and after, why, who decided by office, and nothing
private."""

import re
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.players.models import Player
from pergioco.publishing.models import Erratum
from pergioco.publishing.queries import change_labels
from pergioco.publishing.views import archive
from tests import factories
from tests.emptying import unguarded
from tests.publishing import play
from tests.publishing.public.test_rankings import one_line
from tests.publishing.public.test_why import table
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
MOST_QUERIES = 12


@pytest.fixture
def players() -> list[Player]:
    return [
        factories.registered(date(2025, 1, 10), first_name=n, last_name="Rossi")
        for n in ("Anna", "Bruno")
    ]


@pytest.fixture
def erratum(players, organizer, clock) -> Erratum:
    """Anna had won against Bruno; Bruno had. In the same stage two people who are not registered
    play each other."""
    a, b = players
    c, d = factories.player(), factories.player()
    factories.season()
    first = play.played([(a, b), (c, d)], "11", by=organizer, game=factories.game("go"))
    clock.shift(timedelta(hours=1))
    play.corrected(first.stage, "22", by=organizer, reason="Table 1 was the wrong way round")
    return Erratum.objects.get()


def page(client, erratum: Erratum, language: str = "en"):
    return client.get(f"/{language}/errata/{erratum.pk}/")


def test_a_correction_says_what_happened_why_who_decided_and_when(client, erratum):
    told = main(page(client, erratum))

    assert "Correction of 12/03/2026 The results of a stage were corrected." in told
    assert "Stage go 01/02/2026 Why Table 1 was the wrong way round Decided by an organizer" in told
    assert "When 12 March 2026, 13:00 Versions 1 was public before, 2 after it" in told
    assert "Approved by a second person" not in told


def test_the_second_person_is_named_by_office(client, erratum, staff, organizer):
    with unguarded():
        Erratum.objects.update(approved_by=staff)
    text = page(client, erratum).content.decode()

    assert "Approved by a second person the federation’s staff" in main(page(client, erratum))
    assert staff.email not in text
    assert organizer.email not in text


def test_who_decided_may_be_gone(client, erratum):
    Erratum.objects.update(decided_by=None)

    assert "Decided by not on file any more" in main(page(client, erratum))


def test_who_decided_may_have_no_office_any_more(client, erratum, organizer):
    organizer.groups.clear()

    assert "Decided by somebody who has no office any more" in main(page(client, erratum))


def test_ratings_before_and_after_lead_to_their_games(client, erratum, players):
    a, _b = players
    answer = page(client, erratum)

    assert table(answer, 0) == [
        ["Anna Rossi", "go 01/02/2026", "1010.000", "990.000"],
        ["Bruno Rossi", "go 01/02/2026", "990.000", "1010.000"],
    ]
    links = re.findall(
        rf"/en/why/stage/[\w-]+/{a.public_id}/\?computation=\d+", answer.content.decode()
    )
    assert ["Rounded to three decimals 1010.000" in main(client.get(link)) for link in links] == [
        True,
        False,
    ]


def test_ratings_of_people_who_are_not_named_are_counted_and_not_shown(client, erratum):
    assert "And 2 ratings of people who are not named in public." in main(page(client, erratum))
    assert "****" not in main(page(client, erratum))


def test_places_before_and_after_in_every_ranking_the_great_ones_first(client, erratum):
    answer = page(client, erratum)

    captions = re.findall(r"<caption>(.*?)</caption>", one_line(answer))
    assert [caption.strip() for caption in captions][1:] == ["Red", "Blue", "Green", "go"]
    assert table(answer, 1) == [
        ["Anna Rossi", "1", "2", "1010", "990"],
        ["Bruno Rossi", "2", "1", "990", "1010"],
    ]
    assert table(answer, 3)[0][-2:] == ["40.5", "36.4"]


def test_who_came_in_and_who_went_out_has_no_place_on_the_other_side(client, erratum, players):
    moves = [
        {
            "kind": "red",
            "player": players[0].pk,
            "rank_before": None,
            "rank_after": 1,
            "value_before": None,
            "value_after": "1000.000",
        },
        {
            "kind": "race:gone",
            "player": players[1].pk,
            "rank_before": 3,
            "rank_after": None,
            "value_before": "21.000",
            "value_after": None,
        },
        {
            "kind": "game:gone",
            "player": 0,
            "rank_before": 3,
            "rank_after": None,
            "value_before": "1.000",
            "value_after": None,
        },
    ]
    pgr = [
        {
            "stage": erratum.revision.stage_id,
            "player": players[0].pk,
            "before": None,
            "after": ["1000.000", "1001.000"],
        },
        {"stage": 0, "player": players[0].pk, "before": None, "after": ["1000.000", "1001.000"]},
    ]
    with unguarded():
        Erratum.objects.update(changes={"moves": moves, "pgr": pgr}, against=None, publication=None)

    answer = page(client, erratum)

    assert table(answer, 0) == [["Anna Rossi", "go 01/02/2026", "–", "1001.000"]]
    assert table(answer, 1) == [["Anna Rossi", "–", "1", "–", "1000"]]
    assert table(answer, 2) == [["Bruno Rossi", "3", "–", "21", "–"]]


def test_against_final_rankings_it_says_that_they_stay(client, erratum):
    with unguarded():
        Erratum.objects.update(is_against_final=True)

    assert "The rankings of 2026 stay as they were frozen." in main(page(client, erratum))


def test_long_lists_have_pages(client, erratum, monkeypatch):
    monkeypatch.setattr(archive, "MOVES_PER_PAGE", 2)

    assert "Page 2 of 4" in main(client.get(f"/en/errata/{erratum.pk}/?page=2"))


@pytest.mark.parametrize("cause", [*change_labels.ERRATUM_CAUSES, "something else"])
def test_every_cause_has_its_words(client, erratum, cause, english):
    with unguarded():
        Erratum.objects.update(cause=cause, reason="")
    words = str(change_labels.ERRATUM_CAUSES.get(cause, change_labels.OTHER_ERRATUM_CAUSE))

    for language in ("it", "en", "es"):
        assert page(client, erratum, language).status_code == 200
    assert f"Why {words}" in main(page(client, erratum))


def test_the_list_has_the_latest_first(client, erratum):
    Erratum.objects.create(
        season=erratum.season,
        cause="merged",
        is_against_final=True,
        changes={"moves": [], "pgr": []},
    )

    told = main(client.get("/en/errata/"))

    first, second = (
        "Two players were found to be one person.",
        "The results of a stage were corrected.",
    )
    assert (
        told.index(first) < told.index("The final rankings stay as they are.") < told.index(second)
    )


def test_an_empty_list_says_so(client):
    assert "No published number has ever been corrected." in main(client.get("/en/errata/"))


def test_an_erratum_that_changed_no_place_says_so(client, erratum):
    with unguarded():
        Erratum.objects.update(changes={"moves": [], "pgr": []})

    assert "No place and no value in a ranking changed." in main(page(client, erratum))


@pytest.mark.parametrize("address", ["errata/999999/", "errata/0/", "errata/x/"])
def test_what_there_is_not_is_not_found(client, address):
    assert client.get(f"/en/{address}").status_code == 404


@pytest.mark.parametrize("asked", ["zz", "-1", "99"])
def test_a_page_that_makes_no_sense(client, erratum, asked):
    for address in ("errata/", f"errata/{erratum.pk}/"):
        assert client.get(f"/en/{address}?page={asked}").status_code == 200


def test_the_rankings_and_every_footer_lead_there(client, erratum):
    assert f'href="/en/errata/{erratum.pk}/">What changed</a>' in one_line(
        client.get("/en/rankings/2026/red/")
    )
    assert '<a href="/en/errata/">Corrections</a>' in one_line(client.get("/en/about/"))


def test_the_queries_do_not_grow(client, erratum, players, organizer, uncached):
    counts: dict[str, list[int]] = {"errata/": [], f"errata/{erratum.pk}/": []}
    moves, pgr = erratum.changes["moves"], erratum.changes["pgr"]
    for more in (0, 3):
        for number in range(more):
            new = factories.registered()
            moves.append({**moves[0], "player": new.pk})
            pgr.append({**pgr[0], "player": new.pk})
            Erratum.objects.create(
                season=erratum.season,
                revision=erratum.revision,
                cause="moved",
                decision=str(number),
            )
        with unguarded():
            Erratum.objects.filter(pk=erratum.pk).update(changes={"moves": moves, "pgr": pgr})
        for address, found in counts.items():
            with CaptureQueriesContext(connection) as queries:
                assert client.get(f"/en/{address}").status_code == 200
            found.append(len(queries))

    assert all(few == many <= MOST_QUERIES for few, many in counts.values())
