"""The Masters of the demo: what their pages have to show is there."""

import pytest

from pergioco.demo import masters
from pergioco.publishing import published
from pergioco.stages.models import Season, Stage
from risiko_master.compute import computation_kind
from risiko_master.models import Commitment
from risiko_master.services import clock

pytestmark = pytest.mark.django_db


def ranking(slug: str, what: str) -> published.Ranking:
    season = Season.objects.get(year=2026)
    publication = published.find_publication(season)
    found = published.Published(season, publication.as_of, publication).ranking(
        computation_kind(slug, what)
    )
    assert found is not None
    return found


def test_the_small_master_has_two_renunciations_and_a_tie(demo):
    qualification, final = (
        ranking("2026-master-napoli", what) for what in ("qualification", "final")
    )
    assert qualification.read["structure"]["players"] == 38
    assert len(qualification.read["renounced"]) == 1
    assert "lots" in {line.decided_by for line in qualification.lines}
    assert [line.is_shared for line in final.lines][-2:] == [True, True]
    ways = [line.detail for line in final.lines]
    assert [way["came_as"] for way in ways if way.get("instead_of")] == ["second"]
    assert [way["renounced"] for way in ways if "renounced" in way] == ["winner"]


def test_the_large_master_is_still_to_come_in_march(demo):
    held = Stage.objects.filter(circuit="rkm", status="closed")
    assert list(held.values_list("slug", flat=True)) == ["2026-master-napoli"]


def test_the_master_of_the_day_plays_its_first_game(demo):
    stage = Stage.objects.get(slug="2026-master-torino")
    promised = Commitment.objects.filter(stage=stage).order_by("number")
    draft = stage.revisions.get()
    assert [(one.number, hasattr(one, "draw")) for one in promised] == [
        (1, True),
        (2, False),
        (3, False),
    ]
    sizes = [table.seats.count() for table in draft.rounds.get().tables.order_by("number")]
    assert sizes == [4, 4, 4, 5, 5]
    assert clock.current_clock(stage, 1).state == "running"
    sent = draft.rounds.get().tables.exclude(seats__score=None).distinct()
    assert sorted(table.number for table in sent) == [1, 2]


def test_the_large_master_has_two_winners():
    master = masters.play_master("roma", range(1, 105), 2026, with_renunciations=False)
    day = master.day
    assert (day.structure.players, day.structure.winners, day.structure.semifinals) == (104, 2, 8)
    assert [placed.rank for placed in day.final[:8]] == [1, 1, 3, 3, 5, 5, 7, 7]
