"""`manage.py recompute`: everything once more from the facts, and the check that finds a number
that is not theirs."""

import logging
from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pergioco.core.models import Job
from pergioco.players.models import Registration
from pergioco.publishing.models import Computation, Line, PgrChange, Publication
from ratings import checking, following
from tests import factories
from tests.publishing import play
from tests.ratings.test_pgm_28_forgetting import destroy

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def federation(staff):
    players = [factories.registered(date(2026, 1, 3)) for _ in range(4)]
    pairs = [(players[0], players[1]), (players[2], players[3])]
    for number, slug in enumerate(("go", "hex", "go")):
        game = factories.Game.objects.filter(slug=slug).first() or factories.game(slug)
        play.played(
            pairs,
            "1X",
            by=staff,
            game=game,
            slug=f"stage-{number}",
            race=number == 0,
            on=date(2026, 2, 1 + number),
        )
    return players


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("recompute", *arguments, stdout=out)
    return out.getvalue()


def check(*arguments: str) -> list[str]:
    """The sentences about what differs."""
    out = StringIO()
    with pytest.raises(CommandError) as found:
        call_command("recompute", "--check", *arguments, stdout=out, stderr=StringIO())
    told = [line for line in out.getvalue().splitlines() if line.endswith(".")]
    assert (found.value.returncode, str(found.value)) == (
        1,
        f"{len(told)} differences from what the facts give.",
    )
    return told


def test_the_check_agrees_with_an_honest_ledger_and_writes_nothing(federation):
    with CaptureQueriesContext(connection) as captured:
        assert run("--check").endswith("Every number is what the facts give.\n")
    assert [
        q for q in captured.captured_queries if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))
    ] == []


def test_the_check_says_which_number_is_wrong_and_what_it_should_be(federation):
    change = PgrChange.objects.current().filter(game__slug="hex").order_by("pk")[0]
    PgrChange.objects.filter(pk=change.pk).update(after=7)
    assert check("--game", "hex") == [
        f"stage stage-1, player {change.player}: after is 7 on file and 1010000 recomputed."
    ]
    assert PgrChange.objects.get(pk=change.pk).after == 7


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("before", 7),
        ("expected", "0.100000"),
        ("games", "1.1.1.1.1.played"),
        ("last_valid_on", "2026-01-31"),
        ("ended_on", "2026-01-31"),
        ("half_points", 7),
        ("rated_games", 7),
        ("valid_games", 7),
        ("k", 7),
        ("is_first", None),
    ],
)
def test_the_check_finds_every_kind_of_wrong_number_in_a_rating(federation, column, value):
    change = PgrChange.objects.current().filter(game__slug="hex").order_by("pk")[0]
    other = not change.is_first if column == "is_first" else value
    PgrChange.objects.filter(pk=change.pk).update(**{column: other})
    (told,) = check("--game", "hex")
    assert f"{column} is {other} on file" in told


def test_the_check_finds_a_rating_that_is_gone_and_one_that_is_too_many(federation):
    gone, other = PgrChange.objects.current().filter(game__slug="hex").order_by("pk")[:2]
    stranger = factories.player()
    gone.delete()
    PgrChange.objects.filter(pk=other.pk).update(player=stranger)
    assert check("--game", "hex") == [
        f"stage stage-1, player {gone.player}: missing on file.",
        f"stage stage-1, player {other.player}: missing on file.",
        f"stage stage-1, player {stranger}: on file, and not when recomputed.",
    ]


def test_the_check_finds_numbers_that_name_other_results(federation):
    computed = Computation.objects.get(kind="pgr", stage__slug="stage-1")
    other = Computation.objects.filter(kind="pgr").exclude(pk=computed.pk)[0]
    Computation.objects.filter(pk=computed.pk).update(revision=other.revision)
    (told,) = check("--game", "hex")
    assert told.startswith(f"stage stage-1: revision_id is {other.revision_id} on file")


@pytest.mark.parametrize("kind", ["red", "blue", "green", "race", "race:stage-0", "game:hex"])
def test_the_check_finds_a_wrong_line_in_every_ranking(federation, kind):
    line = Line.objects.filter(
        computation__shown__publication__is_current=True, computation__kind=kind
    )[0]
    Line.objects.filter(pk=line.pk).update(rank=9)
    assert check() == [
        (
            f"ranking {kind} of 2026, player {line.player}: rank is 9 on file and {line.rank} "
            f"recomputed."
        )
    ]


def test_the_check_finds_what_was_never_published(federation):
    """Somebody's registration came to count, and nobody was told."""
    Registration.objects.filter(player=federation[0]).update(registered_on=date(2026, 4, 1))
    assert any(told.startswith(f"ranking red of 2026, player {federation[0]}") for told in check())


def test_the_check_finds_a_season_without_its_publication(federation):
    Publication.objects.update(is_current=False)
    assert f"ranking red of 2026, player {federation[0]}: missing on file." in check()


def test_rows_that_a_purge_destroyed_are_no_difference(federation):
    destroy(federation[0], 2027)
    assert run("--check", "--game", "go").endswith("Every number is what the facts give.\n")


def test_the_check_tells_that_steps_still_wait(federation):
    following.enqueue_player_ratings(player=federation[0].pk, cause="registered")
    waiting = StringIO()
    call_command("recompute", "--check", stdout=StringIO(), stderr=waiting)
    assert (
        waiting.getvalue()
        == "Some steps still wait to be done: what they change differs until then.\n"
    )


def test_computing_again_mends_every_row_and_publishes(federation):
    PgrChange.objects.current().filter(game__slug="go").update(after=7)
    PgrChange.objects.current().filter(game__slug="hex").order_by("pk")[0].delete()
    said = run()
    assert ("1/2 go: written anew" in said, "2/2 hex: written anew" in said) == (True, True)
    assert run("--check").endswith("Every number is what the facts give.\n")


def test_computing_again_writes_nothing_twice(federation):
    rows, versions = PgrChange.objects.count(), Publication.objects.count()
    assert "1/2 go: as it was" in run()
    assert (PgrChange.objects.count(), Publication.objects.count()) == (rows, versions)


def test_one_game_can_be_computed_alone(federation):
    PgrChange.objects.current().update(after=7)
    run("--game", "hex")
    assert set(
        PgrChange.objects.current().filter(game__slug="go").values_list("after", flat=True)
    ) == {7}
    assert check("--game", "go") != []
    assert run("--check", "--game", "hex").endswith("Every number is what the facts give.\n")


def test_an_unknown_game_is_told(db):
    with pytest.raises(CommandError, match="No game is called “chess”"):
        run("--game", "chess")


# Every night


def test_a_night_that_finds_a_difference_logs_it_until_a_night_finds_none(
    federation, caplog, clock
):
    checking.check_every_night()
    assert (checking.found_last_night(), caplog.text) == (0, "")
    PgrChange.objects.current().filter(game__slug="hex").update(after=7)
    clock.shift(timedelta(days=1))
    with caplog.at_level(logging.ERROR):
        checking.check_every_night()
    assert checking.found_last_night() > 4  # the four ratings, and what the rankings would be
    assert f"stage stage-1, player {federation[0]}: after is 7 on file" in caplog.text
    run()
    clock.shift(checking.REPEATED_AFTER)
    checking.check_every_night()
    assert checking.found_last_night() == 0


def test_a_night_with_work_under_way_judges_nothing(federation):
    PgrChange.objects.current().update(after=7)
    following.enqueue_player_ratings(player=federation[0].pk, cause="registered")
    checking.check_every_night()
    assert checking.found_last_night() == 0
    # given up: that is on no way
    Job.objects.filter(done_at=None).update(attempts=5, state="failed")
    checking.check_every_night()
    assert checking.found_last_night() > 0
