"""The year that is over is final in the demo, and its purge waits for somebody to confirm it."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from pergioco.core.models import User
from pergioco.demo import seasons, seeding
from pergioco.players.models import Player
from pergioco.players.queries.ratings import collect_ratings
from pergioco.players.views.public_profile import load_player_results
from pergioco.publishing import published
from pergioco.publishing.models import Freeze, Publication
from pergioco.publishing.queries import archive as queries_archive
from pergioco.publishing.services import freezing
from ratings import needs as ratings_needs
from ratings import purging
from ratings.compute import recompute_all
from ratings.models import Purge
from tests.ratings import play

PLAYER, STAFF, SECOND = "player@example.org", "staff@example.org", "staff2@example.org"


def test_pgm_31_34_37_the_season_2025_is_final(demo):
    freeze = Freeze.objects.get()
    assert (freeze.season.year, freeze.proposed_by.email, freeze.frozen_by.email) == (
        2025,
        STAFF,
        SECOND,
    )
    assert freezing.frozen_document(freeze.publication) == freeze.document
    assert freezing.count_places(freeze.document) > 100


def test_the_season_that_runs_is_published(demo):
    current = Publication.objects.get(season__year=2026, is_current=True)
    assert current.computations.filter(kind__in=["red", "blue", "green", "race"]).count() == 4


def test_there_are_champions_to_look_at(demo):
    """Each with titles on the own page."""
    (year,) = queries_archive.archived_years()
    assert [champions.kind for champions in year.champions] == ["red", "blue", "green"]


def test_pgm_23_a_rating_of_the_player_who_signs_in_sleeps(demo):
    player, version = Player.objects.get(person__user__email=PLAYER), published.latest_version()
    ratings = collect_ratings(load_player_results(player, version), player, version)
    assert [(one.game.slug, one.since) for one in ratings.sleeping] == [
        ("international-draughts", date(2023, 1, 1))
    ]
    assert len(ratings.active) >= 3


def test_pgm_28_the_purge_waits_for_the_member_of_the_staff_who_can_sign_in(demo):
    purge = Purge.objects.get()
    assert (purge.year, purge.proposed_by.email, purge.confirmed_at) == (2026, SECOND, None)
    assert sorted(one.player.accounts.get().nickname for one in purging.list_purge(2026)) == sorted(
        seasons.NEVER_BACK
    )
    assert ratings_needs.purge_to_confirm(User.objects.get(email=STAFF)) is not None
    assert (
        purging.confirm_purge(purge, by=User.objects.get(email=STAFF)).confirmed_at
        == timezone.now()
    )


def test_every_number_is_that_of_the_facts(demo):
    play.done()
    assert recompute_all(cause="check") is False


@pytest.mark.parametrize(
    ("at", "final"), [((2025, 6, 1), []), ((2026, 1, 2), [2025]), ((2027, 1, 2), [2025, 2026])]
)
def test_whenever_the_demo_is_made_the_years_that_are_over_are_final(demo_site, clock, at, final):
    clock.move_to(datetime(*at, 11, tzinfo=UTC))
    seeding.seed()
    assert (
        list(Freeze.objects.order_by("season__year").values_list("season__year", flat=True))
        == final
    )
    assert list(Purge.objects.values_list("year", flat=True)) == [year + 1 for year in final[-1:]]


def test_years_later_the_last_final_year_is_not_the_one_before_and_nothing_is_purged(
    demo_site, clock
):
    clock.move_to(datetime(2029, 5, 1, 11, tzinfo=UTC))
    seeding.seed()
    assert (Freeze.objects.count(), Purge.objects.count()) == (2, 0)
