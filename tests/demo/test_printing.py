"""The demo shows a brochure that is published, and an export that is ready."""

import pytest

from pergioco.core.models import Job
from pergioco.office.models import Brochure, Export
from pergioco.office.services import brochures

pytestmark = pytest.mark.usefixtures("demo")


def test_the_brochure_of_the_season_is_published_and_tells_of_todays_numbers(client):
    row = Brochure.objects.get()

    assert (row.state, row.language, row.kind) == ("done", "it", "season")
    assert brochures.find_stale_since([row]) == {}
    assert client.get(f"/it/brochures/{row.pk}.pdf").content == bytes(row.pdf)


def test_an_export_of_the_rankings_is_ready():
    row = Export.objects.get()

    assert row.state == "done"
    assert row.rows["rankings/red"] > 0
    assert not Job.objects.exclude(trouble="").exists()
