"""PGM 31, 34, 37 (reading PG-19): the rankings of a year become final, by two people, from 1
January in Rome on."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from pergioco.core import jobs
from pergioco.core.audit_log.models import AuditEntry
from pergioco.core.models import Job
from pergioco.core.refusal import Outdated, Refused
from pergioco.players.naming import public_name
from pergioco.players.rules.people import PGM
from pergioco.players.services import erasing
from pergioco.publishing.models import Erratum, Freeze, Line, PgrChange, Publication
from pergioco.publishing.services import freezing, publish
from pergioco.stages.models import Revision, Stage
from ratings.compute import recompute
from tests import factories
from tests.publishing import year

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(clock, english):
    pass


@pytest.fixture
def over():
    season, _winner, _loser = year.year_over()
    return season


def other_staff():
    return factories.user_with_role("staff")


def reds():
    return [line.player for line in Line.objects.filter(computation__kind="red").order_by("rank")]


def instant(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# Rome is one hour ahead of UTC in winter, two in summer; 2024 and 2028 have a 29 February.
INSTANTS = [
    (2025, "2025-03-30T00:59:59", False),  # the clocks go forward a second later
    (2025, "2025-03-30T01:00:00", False),
    (2025, "2025-10-26T00:59:59", False),  # and back
    (2025, "2025-10-26T01:00:00", False),
    (2025, "2025-12-30T23:30:00", False),  # 31 December in Rome
    (2025, "2025-12-31T00:00:00", False),
    (2025, "2025-12-31T22:59:59", False),  # the last second of the year in Rome
    (2025, "2025-12-31T23:00:00", True),  # midnight in Rome
    (2025, "2025-12-31T23:30:00", True),  # 31 December in UTC only
    (2025, "2026-01-01T00:00:00", True),
    (2025, "2026-02-28T23:00:00", True),
    (2024, "2024-02-29T23:30:00", False),
    (2024, "2024-12-31T23:00:00", True),  # the 366th day is over in Rome
    (2028, "2028-12-31T22:59:59", False),
]


@pytest.mark.parametrize(("of", "at", "can"), INSTANTS)
def test_pgm_31_34_37_a_year_ends_at_midnight_in_rome(clock, of, at, can):
    clock.move_to(instant("2030-01-10T12:00:00"))
    season, *_ = year.year_over(of)
    clock.move_to(instant(at))
    assert freezing.is_season_over(season, today=timezone.localdate()) is can
    if can:
        assert year.made_final(season).publication.as_of == date(of, 12, 31)
    else:
        with pytest.raises(Refused) as refused:
            freezing.propose_freeze(season, by=other_staff())
        assert str(refused.value) == (
            f"{of} is not over yet: it can be made final from 1 January {of + 1}, by the day in "
            f"Rome."
        )


def test_one_proposes_and_another_confirms(over, staff):
    freeze = freezing.propose_freeze(over, by=staff)
    assert (freezing.find_final_freeze(over), freeze.frozen_at) == (None, None)
    by = other_staff()
    final = freezing.confirm_freeze(freeze, by=by)
    assert (final.proposed_by, final.frozen_by, final.frozen_at) == (staff, by, timezone.now())
    assert freezing.find_final_freeze(over) == final


def test_the_same_person_does_not_do_both(over, staff):
    freeze = freezing.propose_freeze(over, by=staff)
    with pytest.raises(Refused, match="You proposed it: a second person must confirm it"):
        freezing.confirm_freeze(freeze, by=staff)
    assert freezing.find_final_freeze(over) is None


def test_what_the_system_proposed_anybody_of_the_staff_confirms(over, staff):
    freeze = freezing.propose_freeze(over, by=None)
    assert freezing.confirm_freeze(freeze, by=staff).frozen_by == staff


def test_proposed_twice_is_refused(over, staff):
    freezing.propose_freeze(over, by=staff)
    with pytest.raises(Refused, match="It is proposed already"):
        freezing.propose_freeze(over, by=other_staff())


def test_confirmed_twice_is_refused(over, staff):
    freeze = freezing.propose_freeze(over, by=staff)
    first = freezing.confirm_freeze(freeze, by=other_staff())
    with pytest.raises(Refused, match=r"The rankings of 2025 are final since 12 March 2026\."):
        freezing.confirm_freeze(freeze, by=other_staff())
    assert Freeze.objects.get() == first


def test_a_final_year_is_not_proposed_again(over):
    year.made_final(over)
    with pytest.raises(Refused, match="The rankings of 2025 are final since"):
        freezing.propose_freeze(over, by=other_staff())


def test_a_proposal_can_be_taken_back_and_what_is_final_cannot(over, staff):
    freeze = freezing.propose_freeze(over, by=staff)
    freezing.take_back_freeze(freeze, by=other_staff())
    with pytest.raises(Outdated, match="Somebody took the proposal back in the meantime"):
        freezing.confirm_freeze(freeze, by=other_staff())
    final = year.made_final(over)
    with pytest.raises(Refused, match="are final since"):
        freezing.take_back_freeze(final, by=staff)


def test_a_year_of_which_nothing_was_published_has_nothing_to_make_final(staff):
    with pytest.raises(Refused, match="No ranking of 2025 was ever published"):
        freezing.propose_freeze(factories.season(2025), by=staff)


def test_it_is_published_once_more_as_of_31_december(over):
    before = publish.current_publication(over)
    late = year.played(*reds(), on=date(2025, 12, 31), slug="2025-02")
    recompute(late.game, cause="closed")
    final = year.made_final(over).publication
    assert (final.is_current, final.as_of, final.number > before.number) == (
        True,
        date(2025, 12, 31),
        True,
    )


def test_and_that_day_counts_even_if_nothing_changed_since_november(over, clock):
    clock.move_to(instant("2025-11-20T12:00:00"))
    Publication.objects.update(as_of=date(2025, 11, 20))
    clock.move_to(instant("2026-01-02T12:00:00"))
    assert year.made_final(over).publication.as_of == date(2025, 12, 31)
    assert Publication.objects.count() == 1


def test_the_text_has_every_place_of_every_ranking_by_public_id_and_no_name(clock):
    clock.move_to(instant("2027-01-10T12:00:00"))
    season, winner, loser = year.year_over(2026)
    game = Stage.objects.get().game.slug
    places = sorted(
        [
            ("blue", 1, winner, "1010.000"),
            ("blue", 2, loser, "990.000"),
            (f"game:{game}", 1, winner, "1010.000"),
            (f"game:{game}", 2, loser, "990.000"),
            ("green", 1, winner, "40.500"),
            ("green", 2, loser, "36.400"),
            ("race:2026-01", 1, winner, "16.000"),
            ("race:2026-01", 2, loser, "10.000"),
            ("race", 1, winner, "0.000"),
            ("race", 1, loser, "0.000"),
            ("red", 1, winner, "1010.000"),
            ("red", 2, loser, "990.000"),
        ],
        key=lambda place: (place[0], place[1], place[2].public_id),
    )
    lines = [f"{kind}\t{rank}\t{player.public_id}\t{value}" for kind, rank, player, value in places]
    head = (
        "# PerGioco Masters 2026: final rankings, as of 2026-12-31\n# "
        "ranking\tplace\tplayer\tvalue\n"
    )
    final = year.made_final(season)
    assert final.document == head + "".join(f"{line}\n" for line in lines)
    assert [
        name for name in ("Prima", "Seconda", "Marta", "Torino") if name in final.document
    ] == []


def test_places_are_in_the_order_of_numbers_and_ids_whatever_order_they_come_in():
    rows = [("red", 10, "a", 1), ("red", 9, "b", 2), ("red", 9, "a", 2), ("Red", 1, "a", 3)]
    text = freezing.write_document(2025, rows[::-1])
    assert text == freezing.write_document(2025, rows)
    assert text.splitlines()[2:] == [
        "Red\t1\ta\t3.000",
        "red\t9\ta\t2.000",
        "red\t9\tb\t2.000",
        "red\t10\ta\t1.000",
    ]


def test_what_was_foretold_is_what_is_frozen(over):
    foretold = freezing.hash_document(freezing.draft_document(over))
    assert year.made_final(over).sha256 == foretold


def test_anybody_can_make_the_text_again_from_what_is_published(over):
    final = year.made_final(over)
    shown = Line.objects.filter(computation__shown__publication__is_current=True)
    rows = [(line.computation.kind, line.rank, line.player.public_id, line.value) for line in shown]
    assert freezing.hash_document(freezing.write_document(2025, rows)) == final.sha256


def test_stages_that_are_not_closed_and_corrections_that_wait_are_listed_and_no_obstacle(over):
    closed = Stage.objects.get()
    waiting = Revision.objects.create(stage=closed, number=2, state="waiting")
    forgotten = factories.stage(of=over, starts_on=date(2025, 11, 8), ends_on=date(2025, 11, 8))
    factories.stage(
        of=over, starts_on=date(2025, 11, 9), ends_on=date(2025, 11, 9), status="cancelled"
    )
    factories.stage(of=factories.season(2026), slug="next-year")
    left = freezing.list_unfinished(over)
    assert (left.stages, left.corrections, bool(left)) == ([forgotten], [waiting], True)
    year.made_final(over)
    logged = AuditEntry.objects.get(action="season.frozen").changes
    assert (logged["stages"], logged["corrections"]) == (["", "1"], ["", "1"])


def test_nothing_is_open_when_all_is_closed(over):
    assert bool(freezing.list_unfinished(over)) is False


def test_the_log_knows_both_people_and_the_hash(over, staff):
    by = other_staff()
    final = freezing.confirm_freeze(freezing.propose_freeze(over, by=staff), by=by)
    acts = AuditEntry.objects.filter(action__startswith="season.").order_by("pk")
    assert [(entry.action, entry.actor) for entry in acts] == [
        ("season.freeze_proposed", staff),
        ("season.frozen", by),
    ]
    assert acts[1].changes["sha256"] == ["", final.sha256]


def test_results_that_came_while_the_second_person_was_reading_are_not_frozen_unseen(over, staff):
    seen = freezing.hash_document(freezing.draft_document(over))
    freeze = freezing.propose_freeze(over, by=staff)
    year.played(*reds(), on=date(2025, 6, 7), slug="2025-02")
    year.publish(2025)
    with pytest.raises(Outdated, match="The rankings changed while you were reading"):
        freezing.confirm_freeze(freeze, by=other_staff(), seen=seen)
    assert freezing.find_final_freeze(over) is None
    assert (
        freezing.confirm_freeze(
            freeze, by=other_staff(), seen=freezing.hash_document(freezing.draft_document(over))
        ).sha256
        != seen
    )


def test_while_closed_results_are_not_in_the_ratings_yet_nothing_is_frozen(over, staff):
    freeze = freezing.propose_freeze(over, by=staff)
    step = jobs.enqueue("pgr.game", game=Stage.objects.get().game_id, cause="closed")
    with pytest.raises(Refused, match="Ratings are being computed at this moment"):
        freezing.confirm_freeze(freeze, by=other_staff())
    Job.objects.filter(pk=step.pk).update(state="done", done_at=timezone.now())
    assert freezing.confirm_freeze(freeze, by=other_staff()).frozen_at == timezone.now()


def test_results_that_come_between_the_rankings_of_one_reading_are_noticed(
    staff, monkeypatch, clock
):
    """Red is computed, then a stage is closed, then the Race is computed: the two would not belong
    together."""
    clock.move_to(instant("2027-01-10T12:00:00"))
    over, *_ = year.year_over(2026)
    freeze, compute = freezing.propose_freeze(over, by=staff), publish.compute_season
    seen = freezing.hash_document(freezing.draft_document(over))

    def slowly(day, season):
        for one in compute(day, season):
            if one.kind == "green":  # the Race is read after it
                year.played(*reds(), on=date(2026, 6, 7), slug="2026-02", race=True)
            yield one

    monkeypatch.setattr(publish, "compute_season", slowly)
    with pytest.raises(Outdated):
        freezing.confirm_freeze(freeze, by=other_staff(), seen=seen)


def test_a_late_result_moves_the_ratings_and_never_the_final_rankings(
    over, django_capture_on_commit_callbacks
):
    final = year.made_final(over)
    with django_capture_on_commit_callbacks(execute=True):
        year.tell(year.played(*reds()[::-1], on=date(2025, 12, 20), slug="2025-99"))
    assert PgrChange.objects.current().count() == 4
    assert [(e.season, e.is_against_final, e.against) for e in Erratum.objects.all()] == [
        (over, True, final.publication)
    ]
    final.refresh_from_db()
    assert (final.sha256, publish.current_publication(over)) == (
        year.sha256_of_what_is_shown(final),
        final.publication,
    )


def test_a_correction_of_a_final_year_moves_the_next_year(over, django_capture_on_commit_callbacks):
    one, other = reds()
    year.played(one, other, on=date(2026, 3, 7), slug="2026-01")
    year.publish(2026)
    final, before = year.made_final(over), publish.current_publication(year.season_of(2026))
    with django_capture_on_commit_callbacks(execute=True):
        stage = Stage.objects.get(slug="2025-01")
        year.close(stage, other, one)
        year.tell(stage)
    assert (
        freezing.find_final_freeze(over).sha256
        == final.sha256
        == year.sha256_of_what_is_shown(final)
    )
    assert publish.current_publication(year.season_of(2026)) != before


def test_an_erased_champion_is_a_removed_player_and_the_hash_stays(over):
    final, champion = year.made_final(over), reds()[0]
    erasing.erase_player(champion, by=None)
    first = Line.objects.get(
        computation__shown__publication=final.publication, computation__kind="red", rank=1
    )
    assert public_name(first.player, PGM) == f"Removed player {champion.public_id}"
    final.refresh_from_db()
    assert (
        final.sha256
        == year.sha256_of_what_is_shown(final)
        == freezing.hash_document(final.document)
    )


def test_final_years_stay_final_for_ever(over, clock):
    final = year.made_final(over)
    clock.shift(timedelta(days=3653))
    assert freezing.find_final_freeze(over) == final
