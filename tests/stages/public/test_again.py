"""A phone in the hall asks every half minute: as long as nothing changed, nothing is drawn and
nothing is sent."""

from datetime import date
from uuid import uuid4

import pytest
from django.test import Client

from pergioco.core.models import User
from pergioco.stages.models import Table
from pergioco.stages.services import entering
from pergioco.stages.services.entering import TypedResult
from tests import factories
from tests.conftest import signed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]
TODAY = date(2026, 3, 12)
ADDRESSES = ["/en/stages/2026/live/", "/en/stages/2026/live/round/1/"]


@pytest.fixture
def draft():
    who = [factories.registered(first_name=name) for name in ("Zoe", "Anna")]
    return factories.drafted([[tuple(who)]], slug="live", starts_on=TODAY, ends_on=TODAY)


def a_player(draft) -> Client:
    return signed_in(draft.stage.entries.all()[0].player.person.user)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("reader", [lambda draft: Client(), a_player])
def test_unchanged_it_is_not_sent_twice_and_nothing_is_drawn(draft, monkeypatch, address, reader):
    client = reader(draft)
    first = client.get(address)
    assert "data-live" in first.content.decode()
    monkeypatch.setattr("pergioco.stages.views.public.render", None)
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (
        304,
        b"",
        first.headers["ETag"],
    )


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("reader", [lambda draft: Client(), a_player])
def test_a_typed_result_is_there_at_once(draft, address, reader):
    client = reader(draft)
    tag = client.get(address).headers["ETag"]
    table = Table.objects.get()
    entering.set_result(
        TypedResult(table.pk, "X", table.version, uuid4()), by=User.objects.all()[0]
    )
    again = client.get(address, headers={"If-None-Match": tag})
    assert again.status_code == 200
    assert "½–½" in again.content.decode()


def test_another_reader_gets_another_page(draft):
    tag = a_player(draft).get(ADDRESSES[0]).headers["ETag"]
    other = signed_in(draft.stage.entries.all()[1].player.person.user)
    assert other.get(ADDRESSES[0], headers={"If-None-Match": tag}).status_code == 200


def test_on_another_day_a_stage_is_in_another_state(draft, clock):
    client = a_player(draft)
    tag = client.get(ADDRESSES[0]).headers["ETag"]
    clock.move_to("2026-03-13 12:00+01:00")
    again = client.get(ADDRESSES[0], headers={"If-None-Match": tag})
    assert again.status_code == 200
    assert "Waiting for results" in again.content.decode()
