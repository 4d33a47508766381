"""One round, for the hall: by table and by name, on paper, on the phone and on the wall."""

from datetime import date

import pytest

from pergioco.core.models import User
from pergioco.stages import facts
from pergioco.stages.services import drafting, pairing
from tests import factories
from tests.conftest import signed_in
from tests.website import league as leagues
from tests.website.league import main

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
TODAY = date(2026, 3, 12)
ADDRESS = "/en/stages/2026/live/round/"


@pytest.fixture
def draft():
    who = [factories.registered(first_name=name) for name in ("Zoe", "Anna", "Bruno")]
    return factories.drafted(
        [[(who[0], who[1]), (who[2],)]], slug="live", starts_on=TODAY, ends_on=TODAY
    )


def test_everybody_finds_the_own_table_by_name(client, draft):
    text = main(client.get(f"{ADDRESS}1/"))
    assert (
        "By name Player Table Opponent Anna Rossi 1 Zoe Rossi Bruno Rossi 2 bye Zoe Rossi 1 Anna "
        "Rossi"
    ) in text
    assert "By table Table First Result Second 1 Zoe Rossi – Anna Rossi 2 Bruno Rossi – bye" in text


def test_the_next_round_is_not_drawn_yet_and_others_do_not_exist(client, draft):
    assert "This round is not drawn yet." in main(client.get(f"{ADDRESS}2/"))
    assert client.get(f"{ADDRESS}3/").status_code == client.get(f"{ADDRESS}0/").status_code == 404


def test_a_closed_stage_has_no_next_round(client):
    leagues.published()
    assert client.get("/en/stages/2026/race-1/round/2/").status_code == 200
    assert client.get("/en/stages/2026/race-1/round/3/").status_code == 404


def test_pairings_that_were_changed_say_so(client, draft):
    assert "look at your table again" not in main(client.get(f"{ADDRESS}1/"))
    seats = [seat.player_id for seat in draft.rounds.get().tables.get(number=1).seats.all()]
    bye = draft.rounds.get().tables.get(number=2).seats.get().player_id
    pairing.swap_players(
        draft, round_=1, players=(seats[0], bye), by=User.objects.all()[0], reason="Wrong table"
    )
    text = main(client.get(f"{ADDRESS}1/"))
    assert "These pairings are version 2" in text
    assert "1 Bruno Rossi – Anna Rossi" in text


def test_a_draft_that_was_replaced_by_the_same_pairings_says_nothing(client, draft):
    drafting.replace_draft(
        draft.stage, facts.read_rounds(draft), by=User.objects.all()[0], source=None
    )
    assert "look at your table again" not in main(client.get(f"{ADDRESS}1/"))


def test_on_the_wall_by_table_and_by_name(client, draft):
    by_table = client.get(f"{ADDRESS}1/?screen=1")
    assert "Zoe Rossi – Anna Rossi" in main(by_table)
    assert "Anna Rossi 1 Zoe Rossi" in main(client.get(f"{ADDRESS}1/?screen=1&by=name"))
    assert by_table.headers["Refresh"].startswith("15;")
    assert "This round is not drawn yet." in main(client.get(f"{ADDRESS}2/?screen=1"))


def test_the_own_row_is_marked(draft):
    user = draft.stage.entries.all()[0].player.person.user
    assert "Zoe Rossi you 1 Anna Rossi" in main(signed_in(user).get(f"{ADDRESS}1/"))
