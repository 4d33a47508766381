"""One version of all rankings of a season; one mark says which one is public; nothing is
overwritten."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pergioco.core.models import Job
from pergioco.core.refusal import Refused
from pergioco.players.models import Registration
from pergioco.players.services import discipline
from pergioco.publishing.models import Computation, Erratum, Freeze, Line, Publication
from pergioco.publishing.services import publish
from pergioco.stages.models import Season, Stage
from tests import factories
from tests.publishing import play
from tests.publishing.play import places, public

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def players(db):
    return [factories.registered(last_name=name) for name in ("Rossi", "Bianchi", "Verdi", "Neri")]


@pytest.fixture
def season(players):
    return factories.season()


def frozen(season: Season) -> Freeze:
    proposed, confirmed = (factories.user_with_role("staff") for _ in range(2))
    return Freeze.objects.create(
        season=season,
        publication=publish.current_publication(season),
        sha256="f" * 64,
        proposed_by=proposed,
        frozen_by=confirmed,
        frozen_at=timezone.now(),
    )


def test_the_first_closing_makes_the_first_version(season, players, organizer):
    a, b, *_ = players
    revision = play.played([(a, b)], "1", by=organizer, game=factories.game("go"))
    first = public(season)
    assert (first.number, first.before, first.cause, first.revision) == (
        1,
        None,
        "closed",
        revision,
    )
    assert (first.published_by, first.published_at, first.as_of) == (
        organizer,
        timezone.now(),
        date(2026, 3, 12),
    )
    assert places(first, "game:go") == [(a, 1, "1010.000"), (b, 2, "990.000")]
    assert sorted(first.computations.values_list("kind", flat=True)) == [
        "blue",
        "game:go",
        "green",
        "race",
        "red",
    ]


def test_the_next_version_names_the_one_before_and_writes_only_what_changed(
    season, players, organizer
):
    a, b, c, d = players
    play.played([(a, b)], "1", by=organizer, game=factories.game("go"))
    first = public(season)
    play.played([(c, d)], "1", by=organizer, game=factories.game("chess"))
    second = public(season)
    assert (second.number, second.before) == (2, first)
    assert Publication.objects.filter(is_current=True).get() == second
    assert second.computations.get(kind="game:go") == first.computations.get(kind="game:go")
    assert Line.objects.filter(computation__kind="game:go").count() == 2


def test_the_same_content_is_not_published_twice(season, players, organizer):
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer)
    first = public(season)
    rows = Computation.objects.count()
    assert publish.publish_season(season, cause="closed") == first
    assert (Publication.objects.count(), Computation.objects.count()) == (1, rows)


def test_every_step_may_run_twice_and_out_of_order(season, players, organizer):
    a, b, c, d = players
    play.played([(a, b)], "1", by=organizer)
    play.played([(c, d)], "X", by=organizer)
    numbers = list(Publication.objects.values_list("number", "cause"))
    for row in reversed(list(Job.objects.filter(kind="publish"))):
        publish.follow_change(**row.arguments)
        publish.follow_change(**row.arguments)
    assert list(Publication.objects.values_list("number", "cause")) == numbers
    assert Erratum.objects.count() == 0


def test_a_federation_without_results_publishes_nothing(season):
    assert publish.publish_season(season, cause="clock") is None
    publish.follow_the_clock()
    assert (Publication.objects.count(), Computation.objects.count()) == (0, 0)


def test_players_who_are_not_registered_move_nobody_and_nothing_is_published(season, organizer):
    play.played([(factories.player(), factories.player())], "1", by=organizer)
    assert publish.current_publication(season) is None


def test_a_pgr_of_somebody_unranked_that_changes_makes_a_version_too(season, players, organizer):
    """The PGR changes of the stages are public as well: the version says on which of them it
    rests."""
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer)
    revision = play.played([(factories.player(), factories.player())], "1", by=organizer)
    version = public(season)
    assert (version.number, version.revision) == (2, revision)
    assert version.computations.get(kind="red") == version.before.computations.get(kind="red")
    assert set(version.ratings) - set(version.before.ratings) == {str(revision.stage_id)}


def test_rankings_that_stay_equal_are_published_anew_when_other_ratings_lie_beneath(
    season, players, organizer
):
    """Of a stage of unranked players only the PGR changes are public: the version must not name the
    old ones."""
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer)
    stage = play.played([(factories.player(), factories.player())], "1", by=organizer).stage
    before = public(season)
    play.corrected(stage, "2", by=organizer)
    after = public(season)
    assert (after.number, after.before) == (before.number + 1, before)
    assert set(after.shown.values_list("computation")) == set(
        before.shown.values_list("computation")
    )
    assert after.ratings.keys() == before.ratings.keys()
    assert {stage for stage, one in after.ratings.items() if before.ratings[stage] != one} == {
        str(stage.pk)
    }


def test_what_was_corrected_and_put_back_is_not_published_anew(season, players, organizer):
    """The same numbers, computed three times: no version differs from the one before."""
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer)
    stage = play.played([(factories.player(), factories.player())], "1", by=organizer).stage
    first = public(season)
    for signs in ("2", "1"):
        play.correction(stage, signs, by=organizer)
    play.follow()
    assert public(season) == first
    assert publish.ratings_in_force(season) != first.ratings


def test_a_final_season_refuses_to_be_published(season, players, organizer):
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer)
    frozen(season)
    with pytest.raises(Refused) as refused:
        publish.publish_season(season, cause="corrected")
    assert (
        str(refused.value.sentence)
        == "The rankings of 2026 are final: nothing is published any more."
    )


def test_a_late_result_of_a_season_that_is_over_is_published_in_it_and_in_those_after_it(
    players, organizer
):
    a, b, c, d = players
    Registration.objects.update(registered_on=date(2025, 1, 10))
    last_year, this_year = factories.season(2025), factories.season(2026)
    play.played([(c, d)], "1", by=organizer, of=this_year)
    play.played(
        [(a, b)], "1", by=organizer, of=last_year, on=date(2025, 11, 3), game=factories.game("go")
    )
    old, new = public(last_year), public(this_year)
    assert (old.as_of, new.as_of) == (date(2025, 12, 31), date(2026, 3, 12))
    assert (
        places(old, "game:go") == places(new, "game:go") == [(a, 1, "1010.000"), (b, 2, "990.000")]
    )
    assert (len(old.ratings), len(new.ratings)) == (1, 1)


def test_a_new_result_leaves_the_seasons_before_it_alone(players, organizer):
    a, b, *_ = players
    last_year, this_year = factories.season(2025), factories.season(2026)
    play.played([(a, b)], "1", by=organizer, of=this_year)
    assert publish.current_publication(last_year) is None


def test_a_stage_closed_before_its_last_day_counts_at_once(season, players, organizer):
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer, on=date(2026, 3, 20), game=factories.game("go"))
    assert public(season).as_of == date(2026, 3, 20)
    assert places(public(season), "game:go")[0] == (a, 1, "1010.000")


def test_the_new_year_publishes_itself_and_closes_the_old_one_on_its_last_day(
    season, players, organizer, clock
):
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer, game=factories.game("go"))
    new = factories.season(2027)
    clock.move_to(datetime(2026, 12, 31, 22, 59, tzinfo=UTC))
    publish.follow_the_clock()
    assert publish.current_publication(new) is None
    clock.move_to(datetime(2026, 12, 31, 23, 0, tzinfo=UTC))  # midnight in Rome
    publish.follow_the_clock()
    assert (public(new).as_of, public(new).cause) == (date(2027, 1, 1), "clock")
    assert places(public(new), "game:go") == places(public(season), "game:go")
    assert publish.publication_day(season) == date(2026, 12, 31)


def test_the_hour_finds_what_no_closing_tells_and_publishes_it(season, players, organizer):
    """The last Race stage is cancelled: from now on the best and the worst result are dropped."""
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer, race=True)
    coming = factories.stage(of=season, race=True)
    publish.follow_the_clock()
    assert public(season).computations.get(kind="race").read["left"] == 1
    Stage.objects.filter(pk=coming.pk).update(status="cancelled")
    publish.follow_the_clock()
    assert public(season).computations.get(kind="race").read["left"] == 0
    number = public(season).number
    publish.follow_the_clock()
    assert public(season).number == number


def test_many_registrations_make_one_publication_a_minute_later(season, players, clock):
    year = publish.first_year_affected(players[0].pk, "registered")
    for _ in range(3):
        publish.enqueue_publication(cause="registered", player=players[0].pk, year=year)
    row = Job.objects.get(kind="publish")
    assert row.arguments == {"cause": "registered", "year": 2026}
    assert row.not_before == timezone.now() + timedelta(seconds=60)
    # too late to join that one: its run may have begun before we commit
    clock.shift(timedelta(seconds=31))
    publish.enqueue_publication(cause="registered", player=players[0].pk, year=year)
    assert Job.objects.filter(kind="publish").count() == 2


def test_decisions_about_two_players_are_never_gathered_into_one(season, players):
    for player in (players[0], players[0], players[1]):
        publish.enqueue_publication(cause="disqualified", player=player.pk)
    rows = Job.objects.filter(kind="publish").order_by("pk")
    assert [row.arguments["player"] for row in rows] == [players[0].pk, players[1].pk]
    assert {row.arguments["year"] for row in rows} == {publish.EVERY_SEASON}


def test_a_disqualification_reaches_every_season_that_is_not_final(
    players, organizer, staff, clock
):
    a, b, c, _d = players
    Registration.objects.update(registered_on=date(2025, 1, 10))
    last_year, this_year = factories.season(2025), factories.season(2026)
    play.played(
        [(a, b)], "1", by=organizer, of=last_year, on=date(2025, 11, 3), game=factories.game("go")
    )
    play.played([(a, c)], "1", by=organizer, of=this_year)
    clock.shift(timedelta(hours=1))
    decision = discipline.propose_disqualification(
        a, kind="void", effective_on=date(2025, 1, 1), reason="x", by=organizer
    )
    discipline.confirm_disqualification(decision, by=staff)
    play.follow()
    clock.shift(timedelta(minutes=2))
    play.follow()
    for season in (last_year, this_year):
        assert public(season).cause == "disqualified"
        assert public(season).published_by == staff
        assert a not in {player for player, _rank, _value in places(public(season), "red")}


def test_a_publication_asks_the_database_as_often_for_two_players_as_for_four(
    season, players, organizer
):
    a, b, c, d = players
    game, found = factories.game(), []
    for pairs in ([(a, b)], [(c, d)]):
        play.played(pairs, "1", by=organizer, game=game)
        Publication.objects.update(is_current=False)
        with CaptureQueriesContext(connection) as asked:
            made = publish.publish_season(season, cause="closed")
        found.append((made.computations.get(kind="red").lines.count(), len(asked)))
    (few, once), (many, again) = found
    assert (few, many) == (2, 4)
    assert once == again
