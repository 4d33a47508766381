"""What was public and was wrong is said once, with who decided it; those whose numbers it was get
one letter."""

from datetime import date, timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pergioco.core.models import Job
from pergioco.players.models import Player, Registration
from pergioco.players.services import discipline, merging
from pergioco.publishing import decisions, difference
from pergioco.publishing.models import Erratum, Freeze
from pergioco.publishing.services import errata, publish, withdrawing
from pergioco.stages.services import closing
from tests import factories
from tests.emptying import unguarded
from tests.publishing import play
from tests.publishing.play import public

pytestmark = pytest.mark.django_db
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def players(db) -> list[Player]:
    return [
        factories.registered(date(2025, 1, 10), last_name=n)
        for n in ("Rossi", "Bianchi", "Verdi", "Neri")
    ]


@pytest.fixture(autouse=True)
def season(clock):
    return factories.season()


@pytest.fixture
def go(db):
    return factories.game("go")


@pytest.fixture
def corrected(season, players, organizer, go, clock) -> Erratum:
    """Rossi had won against Bianchi; Bianchi had."""
    a, b, *_ = players
    first = play.played([(a, b)], "1", by=organizer, game=go)
    clock.shift(HOUR)
    play.corrected(first.stage, "2", by=organizer)
    return Erratum.objects.get()


def frozen(season) -> None:
    proposed, confirmed = (factories.user_with_role("staff") for _ in range(2))
    Freeze.objects.create(
        season=season,
        publication=publish.current_publication(season),
        sha256="f" * 64,
        proposed_by=proposed,
        frozen_by=confirmed,
        frozen_at=timezone.now(),
    )


def moves(erratum: Erratum, kind: str) -> set[tuple[object, ...]]:
    return {
        (m["player"], m["rank_before"], m["rank_after"], m["value_before"], m["value_after"])
        for m in erratum.changes["moves"]
        if m["kind"] == kind
    }


def test_a_correction_says_every_number_before_and_after_why_and_who(
    corrected, season, players, organizer
):
    a, b, *_ = players
    assert (corrected.season, corrected.cause, corrected.reason) == (
        season,
        "corrected",
        "Table 1 was the wrong way round",
    )
    assert (corrected.decided_by, corrected.approved_by) == (organizer, None)
    assert (corrected.against.number, corrected.publication.number) == (1, 2)
    assert moves(corrected, "game:go") == {
        (a.pk, 1, 2, "1010.000", "990.000"),
        (b.pk, 2, 1, "990.000", "1010.000"),
    }
    stage = corrected.revision.stage_id
    assert corrected.changes["pgr"] == [
        {
            "stage": stage,
            "player": a.pk,
            "before": ["1000.000", "1010.000"],
            "after": ["1000.000", "990.000"],
        },
        {
            "stage": stage,
            "player": b.pk,
            "before": ["1000.000", "990.000"],
            "after": ["1000.000", "1010.000"],
        },
    ]


def test_later_stages_of_the_game_are_in_it_as_well(season, players, organizer, go, clock):
    a, b, c, _d = players
    first = play.played([(a, b)], "1", by=organizer, game=go, on=date(2026, 2, 1))
    later = play.played([(a, c)], "1", by=organizer, game=go, on=date(2026, 3, 1))
    clock.shift(HOUR)
    play.corrected(first.stage, "2", by=organizer)
    found = {(one["stage"], one["player"]) for one in Erratum.objects.get().changes["pgr"]}
    assert found == {
        (first.stage_id, a.pk),
        (first.stage_id, b.pk),
        (later.stage_id, a.pk),
        (later.stage_id, c.pk),
    }


def test_a_first_closing_corrects_nothing_even_if_it_moves_everybody(
    season, players, organizer, go, clock
):
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer, game=go, on=date(2026, 3, 1))
    clock.shift(HOUR)
    play.played([(b, a)], "1", by=organizer, game=go, on=date(2026, 2, 1))
    assert Erratum.objects.count() == 0


def test_a_correction_that_changes_no_number_has_no_erratum(season, players, organizer, go, clock):
    a, b, *_ = players
    first = play.played([(a, b)], "1", by=organizer, game=go)
    clock.shift(HOUR)
    play.corrected(first.stage, "1", by=organizer)
    assert Erratum.objects.count() == 0


def test_before_anything_was_public_nothing_can_be_wrong(season, players, organizer, clock):
    strangers = [factories.player() for _ in range(2)]
    first = play.played([tuple(strangers)], "1", by=organizer)
    clock.shift(HOUR)
    play.corrected(first.stage, "2", by=organizer)
    assert (Erratum.objects.count(), publish.current_publication(season)) == (0, None)


def test_the_step_run_twice_and_late_says_it_once(corrected, players, organizer, clock):
    _a, _b, c, d = players
    play.played([(c, d)], "1", by=organizer)
    clock.shift(HOUR)
    for row in Job.objects.filter(kind="publish"):
        publish.follow_change(**row.arguments)
    assert Erratum.objects.get() == corrected
    assert Job.objects.filter(kind="errata.tell").count() == 1


def test_a_correction_that_another_publication_overtook_is_said_all_the_same(
    season, players, organizer, go, clock
):
    """The ratings were computed, and before the correction published, something else did."""
    a, b, *_ = players
    first = play.played([(a, b)], "1", by=organizer, game=go)
    clock.shift(HOUR)
    play.correction(first.stage, "2", by=organizer)
    play.run("pgr.stage")
    clock.shift(MINUTE)
    publish.publish_season(season, cause="registered")
    clock.shift(MINUTE)
    play.follow()
    erratum = Erratum.objects.get()
    assert (erratum.against.number, erratum.publication.number) == (1, 2)
    assert erratum.publication.cause == "registered"
    assert len(moves(erratum, "game:go")) == 2


def test_on_a_race_stage_the_erratum_names_both_people(season, players, organizer, staff, clock):
    a, b, *_ = players
    first = play.played([(a, b)], "1", by=organizer, race=True)
    clock.shift(HOUR)
    waiting = play.correction(first.stage, "2", by=organizer)
    play.follow()
    assert Erratum.objects.count() == 0
    closing.approve_correction(waiting, by=staff)
    play.follow()
    erratum = Erratum.objects.get()
    assert (erratum.decided_by, erratum.approved_by) == (organizer, staff)
    points = {m[:3] for m in moves(erratum, f"race:{first.stage.slug}")}
    assert points == {(a.pk, 1, 2), (b.pk, 2, 1)}


def test_a_disqualification_is_an_erratum_and_its_reason_stays_inside(
    players, organizer, staff, go, clock
):
    a, b, *_ = players
    play.played([(a, b)], "1", by=organizer, game=go)
    clock.shift(HOUR)
    decision = discipline.propose_disqualification(
        a, kind="ranking", effective_on=date(2026, 1, 1), reason="secret", by=organizer
    )
    discipline.confirm_disqualification(decision, by=staff)
    play.follow()
    clock.shift(2 * MINUTE)
    play.follow()
    erratum = Erratum.objects.get()
    assert (erratum.cause, erratum.reason) == ("disqualified", "")
    assert (erratum.decided_by, erratum.approved_by) == (organizer, staff)
    assert moves(erratum, "game:go") == {
        (a.pk, 1, None, "1010.000", None),
        (b.pk, 2, 1, "990.000", "990.000"),
    }
    clock.shift(HOUR)
    discipline.withdraw_disqualification(decision, by=staff, reason="it was a mistake")
    play.follow()
    clock.shift(2 * MINUTE)
    play.follow()
    again = Erratum.objects.latest("pk")
    assert (again.cause, again.decided_by) == ("disqualification_withdrawn", staff)
    assert (a.pk, None, 1, None, "1010.000") in moves(again, "game:go")


def test_a_merge_is_one_erratum_and_so_is_taking_it_back(players, staff, organizer, go, clock):
    a, b, *_ = players
    stranger = factories.player()
    play.played([(stranger, b)], "1", by=organizer, game=go)
    clock.shift(HOUR)
    done = merging.merge_players(a, stranger, by=staff, reason="secret")
    play.follow()
    clock.shift(2 * MINUTE)
    play.follow()
    erratum = Erratum.objects.get()
    assert (erratum.cause, erratum.reason, erratum.decided_by) == ("merged", "", staff)
    assert moves(erratum, "game:go") == {
        (a.pk, None, 1, None, "1010.000"),
        (b.pk, 1, 2, "990.000", "990.000"),
    }
    clock.shift(HOUR)
    merging.undo_merge(done, by=staff, reason="secret")
    play.follow()
    clock.shift(2 * MINUTE)
    play.follow()
    assert [one.cause for one in Erratum.objects.order_by("pk")] == ["merged", "unmerged"]


def test_a_registration_is_no_erratum(season, players, organizer, go, clock):
    stranger = factories.player()
    play.played([(stranger, players[0])], "1", by=organizer, game=go)
    clock.shift(HOUR)
    factories.person(stranger)
    Registration.objects.create(player=stranger, registered_on=date(2026, 3, 12), state="new")
    publish.follow_change(cause="registered", year=2026)
    assert public(season).number == 2
    assert Erratum.objects.count() == 0


def test_of_a_great_ranking_those_who_were_only_pushed_far_down_are_counted(
    monkeypatch, players, organizer, clock
):
    """Rossi falls back to the last one, who shares a better place now and did nothing for it."""
    monkeypatch.setattr(errata, "MOST_MOVES", 3)
    monkeypatch.setattr(errata, "LEADING", 2)
    a, b, c, d = players
    game = factories.game("go")
    first = play.played([(a, b)], "X", by=organizer, game=game)
    play.played([(c, d)], "1", by=organizer, game=game, on=date(2026, 2, 3))
    clock.shift(HOUR)
    play.corrected(first.stage, "2", by=organizer)
    erratum = Erratum.objects.get()
    assert {m["player"] for m in erratum.changes["moves"] if m["kind"] == "game:go"} >= {a.pk, b.pk}
    assert set(erratum.changes["unlisted"]) <= {"game:go", "red", "blue", "green"}
    listed = {(m["kind"], m["player"]) for m in erratum.changes["moves"]}
    everybody = difference.diff_publications(erratum.against, erratum.publication)
    left_out = [m for m in everybody if (m.kind, m.player) not in listed]
    assert all(m.is_only_pushed and m.best > 2 for m in left_out)
    assert sum(erratum.changes["unlisted"].values()) == len(left_out) > 0


class TestAgainstFinalRankings:
    @pytest.fixture
    def final(self, season, players, organizer, go, clock):
        a, b, *_ = players
        revision = play.played([(a, b)], "1", by=organizer, game=go)
        frozen(season)
        clock.shift(HOUR)
        return revision

    def test_nothing_is_published_and_all_that_would_be_different_is_said(
        self, final, season, players, organizer
    ):
        a, b, *_ = players
        play.corrected(final.stage, "2", by=organizer)
        erratum = Erratum.objects.get()
        assert (erratum.is_against_final, erratum.publication, erratum.against) == (
            True,
            None,
            public(season),
        )
        assert public(season).number == 1
        assert (a.pk, 1, 2, "1010.000", "990.000") in moves(erratum, "game:go")
        assert [one["player"] for one in erratum.changes["pgr"]] == [a.pk, b.pk]

    def test_a_late_result_is_one_too(self, final, players, organizer, go):
        _a, _b, c, d = players
        play.played([(c, d)], "1", by=organizer, game=go)
        erratum = Erratum.objects.get()
        assert (erratum.cause, erratum.is_against_final) == ("closed", True)
        assert (c.pk, None, 1, None, "1010.000") in moves(erratum, "game:go")
        # it adds to what was said of stages, and changes none of it
        assert erratum.changes["pgr"] == []

    def test_the_second_one_says_everything_and_writes_only_to_those_who_are_new_in_it(
        self, final, players, organizer, go, clock
    ):
        _a, _b, c, d = players
        play.corrected(final.stage, "2", by=organizer)
        clock.shift(HOUR)
        other = factories.game("zoo")
        play.played([(c, d)], "1", by=organizer, game=other)
        first, second = Erratum.objects.order_by("pk")
        assert moves(first, "game:go") == moves(second, "game:go")
        assert {p.pk for p in errata.players_concerned(first)} == {players[0].pk, players[1].pk}
        assert {c.pk, d.pk} <= {p.pk for p in errata.players_concerned(second)}

    def test_what_changes_nothing_against_the_last_one_is_not_said_again(
        self, final, organizer, clock
    ):
        play.corrected(final.stage, "2", by=organizer)
        clock.shift(HOUR)
        play.corrected(final.stage, "2", by=organizer)
        assert Erratum.objects.count() == 1

    def test_a_correction_that_restores_what_was_frozen_says_that_too(
        self, final, organizer, clock
    ):
        play.corrected(final.stage, "2", by=organizer)
        clock.shift(HOUR)
        play.corrected(final.stage, "1", by=organizer)
        assert Erratum.objects.latest("pk").changes == {"moves": [], "pgr": []}

    def test_an_erased_player_goes_on_standing_there_as_a_number(
        self, final, season, players, clock
    ):
        Player.objects.filter(pk=players[0].pk).update(erased_at=timezone.now())
        clock.shift(timedelta(days=300))
        computed = {
            one.kind: [row.player for row in one.rows]
            for one in publish.compute_season(date(2026, 3, 11), season)
        }
        assert computed["game:go"] == [players[0].pk, players[1].pk]
        computed = {
            one.kind: [row.player for row in one.rows]
            for one in publish.compute_season(date(2026, 3, 12), season)
        }
        assert computed["game:go"] == [players[1].pk]


class TestLetters:
    def test_each_of_those_concerned_gets_one_half_an_hour_later(self, corrected, players, clock):
        clock.shift(timedelta(minutes=29))
        play.follow()
        assert mail.outbox == []
        clock.shift(MINUTE)
        play.follow()
        a, b, *_ = players
        assert sorted(letter.to[0] for letter in mail.outbox) == sorted(
            [a.person.user.email, b.person.user.email]
        )
        errata.tell_players(corrected.pk)
        assert len(mail.outbox) == 2

    def test_it_says_which_stage_why_and_where_to_read_the_rest_in_the_players_language(
        self, corrected, players, clock
    ):
        a = players[0]
        type(a.person.user).objects.update(language="en")
        clock.shift(HOUR)
        play.follow()
        letter = next(one for one in mail.outbox if one.to == [a.person.user.email])
        assert letter.subject == "Numbers of yours were corrected"
        assert str(corrected.revision.stage) in letter.body
        assert "Table 1 was the wrong way round" in letter.body
        assert f"/en/errata/{corrected.pk}/" in letter.body

    def test_who_was_only_pushed_by_others_reads_of_it_on_the_page(
        self, season, players, organizer, go, clock
    ):
        a, b, c, d = players
        first = play.played([(a, b)], "1", by=organizer, game=go)
        play.played([(c, d)], "X", by=organizer, game=go, on=date(2026, 2, 3))
        clock.shift(HOUR)
        play.corrected(first.stage, "2", by=organizer)
        clock.shift(HOUR)
        play.follow()
        assert {m["player"] for m in Erratum.objects.get().changes["moves"]} == {a.pk, b.pk}
        assert len(mail.outbox) == 2

    def test_without_a_registration_or_an_address_there_is_no_letter(
        self, corrected, players, clock
    ):
        a, b, *_ = players
        Registration.objects.filter(player=a).update(state="refused")
        type(b.person.user).objects.filter(pk=b.person.user.pk).update(email="")
        assert list(errata.players_concerned(corrected)) == []
        clock.shift(HOUR)
        play.follow()
        assert mail.outbox == []

    def test_what_was_withdrawn_in_time_is_told_to_nobody(self, corrected, organizer, clock):
        clock.shift(timedelta(minutes=29))
        withdrawing.withdraw_results(
            corrected.revision.stage, revision=corrected.revision_id, by=organizer
        )
        clock.shift(HOUR)
        play.follow()
        assert mail.outbox == []
        assert Erratum.objects.get().told_at is None


def test_an_erratum_asks_the_database_as_often_for_two_players_as_for_four(
    players, organizer, clock
):
    a, b, c, d = players
    counts = []
    for day, pairs in ((1, [(a, b)]), (2, [(a, b), (c, d)])):
        first = play.played(
            pairs, "1" * len(pairs), by=organizer, game=factories.game(), on=date(2026, 2, day)
        )
        clock.shift(HOUR)
        revision = play.corrected(first.stage, "2" * len(pairs), by=organizer)
        decision = decisions.find_decision("corrected", revision=revision.pk)
        publication = Erratum.objects.latest("pk").publication
        with unguarded():
            Erratum.objects.all().delete()
        with CaptureQueriesContext(connection) as asked:
            assert len(errata.note_erratum(publication, decision).changes["pgr"]) == 2 * len(pairs)
        counts.append(len(asked))
    assert counts[0] == counts[1]
