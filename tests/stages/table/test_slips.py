"""Slips of a round: who gets them, and where their codes lead."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pergioco.stages import facts
from tests import factories
from tests.stages.table.at_the_table import address_of, seated


@pytest.fixture
def draft(db):
    made = seated(4)
    made.stage.organizers.add(factories.user_with_role("big_organizer", email="hall@example.org"))
    return made


@pytest.fixture
def organizer(draft) -> Client:
    client = Client()
    client.force_login(draft.stage.organizers.get())
    return client


def slips_of(draft, round_: int = 1) -> str:
    return reverse("table-slips", args=[draft.stage.season.year, draft.stage.slug, round_])


def test_each_slip_names_its_players_and_leads_to_its_table(draft, organizer):
    answer = organizer.get(slips_of(draft))
    (slip,) = answer.context["tables"]
    assert slip["names"] == ["Ada Bassi", "Bice Conti", "Carlo Dini", "Dora Elmi"]
    assert slip["address"] == address_of(draft, "it")
    assert answer.content.decode().count("<svg") >= 1


def test_there_are_none_for_a_round_that_is_not_there_nor_for_other_organizers(draft, organizer):
    assert organizer.get(slips_of(draft, 2)).status_code == 404
    other = Client()
    other.force_login(factories.user_with_role("big_organizer"))
    assert other.get(slips_of(draft)).status_code == 404


def test_a_hall_of_tables_costs_as_many_queries_as_one(draft, organizer):
    organizer.get(slips_of(draft))
    one = count(organizer, slips_of(draft))
    tables = [facts.TableFacts(n, (facts.SeatFacts(factories.player().pk),)) for n in range(1, 6)]
    facts.write_rounds(draft, [facts.RoundFacts(2, tuple(tables))])
    assert count(organizer, slips_of(draft, 2)) == one


def count(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)
