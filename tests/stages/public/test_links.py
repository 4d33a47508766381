"""Wherever a stage is named, its page is one step away."""

import pytest

from pergioco.publishing.models import Erratum
from pergioco.stages.models import Revision
from tests import factories
from tests.conftest import reauthenticated
from tests.website import league as leagues

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
PAGE = 'href="/en/stages/2026/race-1/"'


@pytest.fixture
def league():
    made = leagues.published()
    revision = Revision.objects.get(stage=made.race)
    Erratum.objects.create(season=made.season, revision=revision, cause="corrected")
    return made


@pytest.mark.parametrize(
    "address",
    [
        "rankings/2026/race/",
        "errata/",
        "why/race/2026/{anna}/",
        "why/stage/race-1/{anna}/",
        "why/game/amazons/2026/{anna}/",
        "stages/2026/race-1/round/1/",
    ],
)
def test_pages_for_everybody_lead_to_the_stage(client, league, address):
    answer = client.get(f"/en/{address.format(anna=league.anna.public_id)}")
    assert answer.status_code == 200
    assert PAGE in answer.content.decode()


def test_the_desk_and_the_admin_lead_to_the_public_page(league):
    client = reauthenticated(factories.user_with_role("staff"))
    assert PAGE in client.get(f"/en/staff/stages/{league.race.pk}/").content.decode()
    admin = client.get(f"/en/admin/stages/stage/{league.race.pk}/change/").content.decode()
    assert "/en/admin/r/" in admin
