"""Reading what is published: which version holds, which one held on a day, who moved, who stands
beside whom."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from pergioco.players.models import Player
from pergioco.publishing import published
from pergioco.publishing.models import Erratum, Freeze, Line, Publication
from pergioco.publishing.published import AsOf, Published, VersionCode
from tests import factories
from tests.publishing.books import computation, publication
from tests.website import league as leagues

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]
DAY = timedelta(days=1)


@pytest.fixture
def season():
    return factories.season()


@pytest.fixture
def players() -> list[Player]:
    return [factories.registered(last_name=name) for name in ("Uno", "Due", "Tre", "Quattro")]


def versions(season, players, *days: int) -> list[Publication]:
    """Published at noon on these days of February."""
    made = []
    for day in days:
        red = computation(
            season, "red", {player: (place, "1000") for place, player in enumerate(players, 1)}
        )
        made.append(publication(season, red, before=made[-1] if made else None))
        Publication.objects.filter(pk=made[-1].pk).update(
            published_at=datetime(2026, 2, day, 11, tzinfo=UTC)
        )
    return list(Publication.objects.order_by("number"))


# Which version


def test_today_is_the_current_one(season, players):
    _first, second = versions(season, players, 1, 5)

    assert published.find_version(season) == Published(season, second.as_of, second)
    assert published.find_version(season, timezone.localdate()) == Published(
        season, second.as_of, second
    )


def test_nothing_published_is_none(season):
    assert published.find_version(season) is None
    assert published.latest_version() is None


@pytest.mark.parametrize(("day", "number"), [(1, 1), (4, 1), (5, 2), (28, 2)])
def test_a_day_shows_what_was_public_at_its_end(season, players, day, number):
    versions(season, players, 1, 5)

    assert published.find_version(season, date(2026, 2, day)).publication.number == number


def test_the_end_of_the_day_is_the_one_in_rome(season, players):
    first, second = versions(season, players, 1, 5)
    Publication.objects.filter(pk=second.pk).update(
        published_at=datetime(2026, 2, 4, 23, 30, tzinfo=UTC)
    )

    assert published.find_version(season, date(2026, 2, 4)).publication == first
    assert published.find_version(season, date(2026, 2, 5)).publication == second


def test_before_the_first_version_it_is_computed(season, players):
    versions(season, players, 5)

    assert published.find_version(season, date(2026, 2, 4)) == AsOf(season, date(2026, 2, 4))


def test_where_a_version_was_thinned_out_nobody_can_know_which_one_held(season, players):
    versions(season, players, 1, 5, 9)
    Publication.objects.filter(number=2).delete()

    assert published.find_version(season, date(2026, 2, 3)) == AsOf(season, date(2026, 2, 3))
    assert published.find_version(season, date(2026, 2, 9)).publication.number == 3


def test_what_was_withdrawn_by_then_was_not_public(season, players):
    first, second, third = versions(season, players, 1, 5, 9)
    Publication.objects.filter(pk=second.pk).update(
        withdrawn_at=datetime(2026, 2, 6, 11, tzinfo=UTC)
    )

    assert published.find_version(season, date(2026, 2, 5)).publication == second
    assert published.find_version(season, date(2026, 2, 6)).publication == first
    assert published.find_version(season, date(2026, 2, 9)).publication == third


def test_a_day_after_the_year_is_computed_as_of_its_last_one(season, players, clock):
    clock.move_to("2027-03-01T12:00:00+01:00")

    assert published.find_version(season, date(2027, 2, 1)) == AsOf(season, date(2026, 12, 31))


def frozen(season, of: Publication, staff) -> Freeze:
    return Freeze.objects.create(
        season=season, publication=of, sha256="f" * 64, frozen_by=staff, frozen_at=timezone.now()
    )


def test_pgm_31_the_final_version_is_the_one_that_is_read(season, players, staff):
    first, _second = versions(season, players, 1, 5)
    frozen(season, first, staff)

    assert published.find_version(season).publication == first


def test_the_latest_season_that_has_a_version(season, players):
    versions(season, players, 1)
    factories.season(2027)

    assert published.latest_version().season == season
    assert list(published.published_seasons()) == [season]


# Rankings


def test_a_version_without_such_a_ranking_has_none(season, players):
    versions(season, players, 1)

    assert published.find_version(season).ranking("blue") is None
    assert AsOf(season, date(2026, 1, 5)).ranking("game:go") is None


def test_movement_counts_places_gained_since_the_version_before(season, players):
    a, b, c, d = players
    old = publication(season, computation(season, "red", {a: (1, "3"), b: (2, "2"), c: (3, "1")}))
    new = computation(season, "red", {b: (1, "4"), a: (2, "3"), c: (3, "1"), d: (4, "0")})
    publication(season, new, before=old)
    ranking = published.find_version(season).ranking("red")

    assert ranking.moves(ranking.lines) == {a.pk: -1, b.pk: 1, c.pk: 0, d.pk: None}


def test_without_a_version_before_nobody_moved(season, players):
    versions(season, players, 1)
    ranking = published.find_version(season).ranking("red")

    assert ranking.moves(ranking.lines) == {}


def test_in_a_ranking_that_the_version_before_did_not_have_everybody_is_new(season, players):
    (old,) = versions(season, players, 1)
    publication(season, computation(season, "game:go", {players[0]: (1, "1000")}), before=old)
    ranking = published.find_version(season).ranking("game:go")

    assert ranking.moves(ranking.lines) == {players[0].pk: None}


@pytest.mark.parametrize(("place", "beside"), [(0, (None, 1)), (1, (0, 2)), (3, (2, None))])
def test_the_lines_above_and_below(season, players, place, beside):
    versions(season, players, 1)
    ranking = published.find_version(season).ranking("red")

    above, below = ranking.around(ranking.line_of(players[place]))

    assert (above and above.player, below and below.player) == tuple(
        None if n is None else players[n] for n in beside
    )


def test_who_is_not_in_a_ranking_has_no_line(season, players):
    versions(season, players[:1], 1)

    assert published.find_version(season).ranking("red").line_of(players[1]) is None


def test_the_first_lines_of_several_rankings_take_as_many_queries_as_of_one(
    season, players, django_assert_num_queries
):
    reds, blues = (
        computation(season, kind, {p: (n, "1") for n, p in enumerate(players, 1)})
        for kind in ("red", "blue")
    )
    made = publication(season, reds, blues)

    for kinds in (["red"], ["red", "blue"]):
        with django_assert_num_queries(1):
            tops = published.first_lines(made, 2, kind__in=kinds)
            assert {
                kind: [line.player.person.last_name for line in lines]
                for kind, lines in tops.items()
            } == {kind: ["Uno", "Due"] for kind in kinds}


# What is computed on the way


def test_what_is_computed_as_of_a_day_is_what_would_be_published_that_day(clock):
    """The same lines, whichever way they are read; and nothing is written."""
    league = leagues.published()
    now = published.find_version(league.season)
    again = AsOf(league.season, timezone.localdate())
    lines = Line.objects.count()

    for kind in ("red", "blue", "green", "race", "game:amazons", "race:race-1"):
        assert [shape(line) for line in again.ranking(kind).lines] == [
            shape(line) for line in now.ranking(kind).lines
        ], kind
        assert again.ranking(kind).sha256 == now.ranking(kind).sha256
    own = {kind: shape(line) for kind, line in now.lines_of(league.anna).items()}
    assert {kind: shape(line) for kind, line in again.lines_of(league.anna).items()} == own
    assert set(own) == {"red", "blue", "green", "race", "race:race-1", "game:amazons", "game:hive"}
    assert Line.objects.count() == lines


def shape(line: Line) -> tuple[object, ...]:
    return (
        line.position,
        line.player_id,
        line.rank,
        line.is_shared,
        line.value,
        line.decided_by,
        line.detail,
    )


def test_of_a_computed_ranking_lines_of_some_players_and_their_neighbours_are_read_alike():
    league = leagues.published()
    ranking = AsOf(league.season, timezone.localdate()).ranking("red")
    line = ranking.line_of(league.bruno)

    above, below = ranking.around(line)

    assert (above.player, line.player_id, below.player) == (
        league.anna,
        league.bruno.pk,
        league.carla,
    )
    assert [one.player_id for one in ranking.of(Player.objects.filter(pk=league.anna.pk))] == [
        league.anna.pk
    ]
    assert ranking.moves(ranking.lines) == {}


# How binding


def state(season, *, day: date | None = None) -> published.VersionState:
    return published.version_state(published.find_version(season, day))


def erratum(season, **fields) -> Erratum:
    return Erratum.objects.create(
        season=season, cause="corrected", changes={"moves": [], "pgr": []}, **fields
    )


def test_a_version_is_provisional_corrected_earlier_computed_or_final(season, players, staff):
    first, second = versions(season, players, 1, 5)
    assert state(season).code is VersionCode.PROVISIONAL
    assert state(season, day=date(2026, 2, 1)).code is VersionCode.EARLIER
    assert state(season, day=date(2026, 1, 20)).code is VersionCode.COMPUTED

    said = erratum(season, publication=second, against=first)
    assert (state(season).code, state(season).erratum) == (VersionCode.CORRECTED, said.pk)
    assert state(season, day=date(2026, 2, 1)).erratum == said.pk

    freeze = frozen(season, second, staff)
    assert (state(season).code, state(season).freeze, state(season).erratum) == (
        VersionCode.FINAL,
        freeze,
        None,
    )
    late = erratum(season, is_against_final=True)
    assert state(season).erratum == late.pk


def test_what_is_public_brings_its_erratum_along(season, players, staff, django_assert_num_queries):
    _first, second = versions(season, players, 1, 5)
    said = erratum(season, publication=second)
    version = published.latest_version()
    with django_assert_num_queries(0):
        assert published.version_state(version).erratum == said.pk

    frozen(season, second, staff)
    late = erratum(season, is_against_final=True)
    version = published.latest_version()
    with django_assert_num_queries(0):
        assert published.version_state(version).erratum == late.pk


def test_the_erratum_of_a_publication_that_came_without_is_asked_for(season, players):
    (alone,) = versions(season, players, 1)
    said = erratum(season, publication=alone)

    assert published.version_state(Published(season, alone.as_of, alone)).erratum == said.pk


def test_the_erratum_of_an_earlier_version_is_not_that_of_this_one(season, players):
    first, _second = versions(season, players, 1, 5)
    erratum(season, publication=first)

    assert state(season) == published.VersionState(VersionCode.PROVISIONAL)


def test_a_year_may_be_over_without_being_final(season, players, clock):
    versions(season, players, 1)
    clock.move_to("2027-01-01T00:30:00+01:00")

    assert state(season).is_year_over
