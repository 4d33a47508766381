"""Old versions of the running season go; what somebody may still ask for stays."""

from datetime import UTC, datetime

import pytest

from pergioco.publishing.models import Computation, Freeze, Line, Publication
from pergioco.publishing.services import publish
from tests import factories
from tests.publishing.books import computation, publication

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(clock):
    return factories.season()


@pytest.fixture
def versions(season, clock) -> list[Publication]:
    """1 and 2 in January, 3 at 23:30 UTC of 31 January, which is February in Rome, 4 and 5 in
    February, 6 in March."""
    player, made = factories.player(), []
    for month, day, hour in (
        (1, 10, 9),
        (1, 20, 9),
        (1, 31, 23),
        (2, 10, 9),
        (2, 20, 9),
        (3, 10, 9),
    ):
        clock.move_to(datetime(2026, month, day, hour, 30, tzinfo=UTC))
        ranking = computation(season, "red", {player: (1, str(1000 + day))})
        made.append(publication(season, ranking, before=made[-1] if made else None))
    clock.move_to(datetime(2026, 6, 1, tzinfo=UTC))
    return made


def numbers() -> list[int]:
    return list(Publication.objects.order_by("number").values_list("number", flat=True))


def test_the_latest_two_and_the_last_of_each_month_stay(versions):
    assert publish.delete_old_publications() == 3
    assert numbers() == [2, 5, 6]


def test_months_are_those_of_rome(versions):
    Publication.objects.filter(number__in=[4, 5]).update(
        published_at=datetime(2026, 1, 15, tzinfo=UTC)
    )
    publish.delete_old_publications()
    assert 3 in numbers()


def test_what_nobody_shows_any_more_goes_with_its_lines_and_ratings_stay(versions, season):
    Computation.objects.create(
        kind="pgr", season=season, edition=2025, sha256="a" * 64, cause="closed"
    )
    publish.delete_old_publications()
    assert sorted(Computation.objects.values_list("kind", flat=True)) == [
        "pgr",
        "red",
        "red",
        "red",
    ]
    assert Line.objects.count() == 3


def test_a_ranking_that_a_later_version_shows_again_stays(versions, season, clock):
    old = versions[0].computations.get()
    publication(season, old, before=versions[-1])
    publish.delete_old_publications()
    assert Computation.objects.filter(pk=old.pk).exists()


def test_the_version_before_the_current_one_stays_for_the_arrows(versions):
    Publication.objects.filter(number=6).update(is_current=False)
    Publication.objects.filter(number=4).update(is_current=True)
    publish.delete_old_publications()
    assert numbers() == [2, 3, 4, 5, 6]


def test_a_withdrawn_version_does_not_stand_for_its_month(versions, clock):
    Publication.objects.filter(number=2).update(
        withdrawn_at=datetime(2026, 1, 20, 9, 45, tzinfo=UTC)
    )
    publish.delete_old_publications()
    assert numbers() == [1, 5, 6]


def test_what_was_published_within_two_days_stays(versions, clock):
    clock.move_to(datetime(2026, 2, 12, 9, tzinfo=UTC))
    publish.delete_old_publications()
    assert numbers() == [2, 4, 5, 6]


def test_final_rankings_stay_for_ever(versions, season):
    Freeze.objects.create(season=season, publication=versions[0])
    publish.delete_old_publications()
    assert numbers() == [1, 2, 5, 6]


def test_thinning_twice_takes_nothing_more(versions):
    publish.delete_old_publications()
    assert publish.delete_old_publications() == 0


def test_the_versions_of_one_season_do_not_count_for_another(versions, clock):
    other = factories.season(2025)
    publication(other, computation(other, "red", {factories.player(): (1, "1000")}))
    publish.delete_old_publications()
    assert Publication.objects.filter(season=other).count() == 1
    assert Publication.objects.count() == 4
