"""What the organizer sees before publishing, what became of it, and what can be taken back
afterwards."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from pergioco.core.models import Job
from pergioco.publishing import needs as publishing_needs
from pergioco.publishing.models import Erratum, Freeze, PgrChange, Publication
from pergioco.publishing.queries import effects
from pergioco.publishing.queries.effects import UnknownEffects
from pergioco.publishing.services import withdrawing
from pergioco.stages.models import Revision, Stage
from pergioco.stages.services import drafting
from tests import factories
from tests.conftest import reauthenticated, signed_in
from tests.office.desk.counting import queries_of
from tests.publishing import play

pytestmark = pytest.mark.usefixtures("clock", "english")


@pytest.fixture
def two(db):
    return [factories.registered(first_name="Ada"), factories.registered(first_name="Bea")]


@pytest.fixture
def go(db):
    return factories.game("go")


@pytest.fixture
def draft(two, go, staff) -> Revision:
    return play.drafted([(two[0], two[1])], "1", game=go)


def get(user, address: str) -> str:
    """The words of the page, each space one."""
    answer = reauthenticated(user).get(f"/en/staff/{address}")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def moves(seen: effects.Effects) -> set[tuple[object, ...]]:
    return {
        (ranking.name, one.move.rank_before, one.move.rank_after, one.before, one.after)
        for ranking in seen.rankings
        for one in ranking.listed
    }


class TestBeforeClosing:
    def test_each_pgr_before_and_after_and_each_place_is_shown(self, staff, draft):
        seen = effects.foresee_effects(draft, by=staff)
        assert [
            (one.name, one.before, one.after, one.change, one.is_first) for one in seen.rated
        ] == [
            ("Ada Rossi", 1000_000, 1010_000, Decimal("10.000"), True),
            ("Bea Rossi", 1000_000, 990_000, Decimal("-10.000"), True),
        ]
        assert {move for move in moves(seen) if move[0] != "Green"} == {
            ("Red", None, 1, "", "1010"),
            ("Red", None, 2, "", "990"),
            ("Blue", None, 1, "", "1010.000"),
            ("Blue", None, 2, "", "990.000"),
            ("go", None, 1, "", "1010.000"),
            ("go", None, 2, "", "990.000"),
        }
        assert (seen.balance, seen.later, seen.letters, seen.final) == ((0, 0), [], 0, [])

    def test_the_page_says_it_in_words_and_the_button_says_what_it_does(self, staff, draft):
        page = get(staff, f"stages/{draft.stage_id}/close/")
        for words in (
            "Close and publish",
            "Sum of the PGR changes: 0.000.",
            "No later stage is computed again.",
            "No mail leaves.",
            "+10.000",
            "1010.000",
            "first stage of this game",
        ):
            assert words in page
        assert "Public now" not in page

    def test_looking_leaves_nothing_behind(self, staff, draft):
        models = (Job, PgrChange, Publication, Erratum)
        before = [list(model.objects.values()) for model in models]
        get(staff, f"stages/{draft.stage_id}/close/")
        assert [list(model.objects.values()) for model in models] == before
        assert Stage.objects.get(pk=draft.stage_id).status == Stage.Status.OPEN

    def test_what_was_foreseen_is_what_is_published(self, staff, draft, two, go):
        play.played([(two[1], two[0])], "1", by=staff, game=go, on=date(2026, 1, 20))
        seen = effects.foresee_effects(draft, by=staff)
        play.close(draft, by=staff)
        play.follow()
        after = (
            PgrChange.objects.current()
            .filter(stage=draft.stage)
            .order_by("-after")
            .values_list("before", "after")
        )
        assert [(one.before, one.after) for one in seen.rated] == list(after)
        published = {
            (player, rank)
            for player, rank, _value in play.places(play.public(draft.stage.season), "red")
        }
        assert {
            (m.move.player, m.move.rank_after)
            for r in seen.rankings
            if r.name == "Red"
            for m in r.listed
        } == {(player.pk, rank) for player, rank in published}

    def test_games_that_count_for_one_side_are_left_out_of_the_sum_and_it_says_so(
        self, staff, two, go
    ):
        draft = play.drafted([(two[0], two[1])], "+", game=go)
        assert effects.foresee_effects(draft, by=staff).balance == (0, 1)
        page = get(staff, f"stages/{draft.stage_id}/close/")
        assert "1 game that counts for one side only is left out of it (PGM 25)." in page

    def test_a_sum_that_is_not_zero_is_said(self, staff, draft, monkeypatch):
        monkeypatch.setattr(
            effects.stage_games,
            "stage_balance",
            lambda _changes: effects.Balance(Decimal("0.412"), 0),
        )
        page = get(staff, f"stages/{draft.stage_id}/close/")
        assert "The changes do not balance: +0.412. Usually a game is missing or doubled." in page

    def test_points_of_a_race_stage_are_shown(self, staff, two):
        draft = play.drafted([(two[0], two[1])], "1", race=True)
        seen = effects.foresee_effects(draft, by=staff)
        assert [(one.name, one.rank) for one in seen.race] == [("Ada Rossi", 1), ("Bea Rossi", 2)]
        assert "Race" in {ranking.name for ranking in seen.rankings}
        assert "Race points of the stage" in get(staff, f"stages/{draft.stage_id}/close/")

    def test_unregistered_players_are_called_by_their_nickname(self, staff, two):
        stranger = factories.player()
        factories.account(stranger, "Kasp77")
        draft = play.drafted([(two[0], stranger)], "1")
        assert [one.name for one in effects.foresee_effects(draft, by=staff).rated] == [
            "Ada Rossi",
            "Kasp77",
        ]

    def test_stages_of_other_circuits_publish_nothing(self, staff, two):
        draft = play.drafted([(two[0], two[1])], "1", circuit="big")
        assert effects.foresee_effects(draft, by=staff) is None

    def test_what_cannot_be_closed_yet_is_not_foreseen(self, staff, two):
        draft = factories.drafted([[(two[0], two[1])]])
        assert "What would be published" not in get(staff, f"stages/{draft.stage_id}/close/")

    def test_a_long_list_shows_the_best_places_first_and_folds_the_rest(self, staff, go):
        field = [
            factories.registered(login=False, last_name=f"N{number:02}") for number in range(14)
        ]
        draft = play.drafted(list(zip(field[::2], field[1::2], strict=True)), "1" * 7, game=go)
        red = effects.foresee_effects(draft, by=staff).rankings[0]
        assert (red.name, red.count, len(red.first), len(red.rest), red.unlisted) == (
            "Red",
            14,
            5,
            9,
            0,
        )
        ranks = [one.move.rank_after for one in red.listed]
        assert ranks == sorted(ranks)
        assert "Red: show all 14" in get(staff, f"stages/{draft.stage_id}/close/")

    def test_the_page_asks_the_database_as_often_for_many_players_as_for_few(self, staff, two, go):
        browser, counts = signed_in(staff), []
        for number, size in ((1, 1), (2, 3)):
            field = [factories.registered(login=False) for _ in range(2 * size)]
            pairs = list(zip(field[::2], field[1::2], strict=True))
            draft = play.drafted(
                pairs, "1" * size, game=go, slug=f"s{number}", on=date(2026, 2, number)
            )
            counts.append(queries_of(browser, f"/en/staff/stages/{draft.stage_id}/close/"))
        assert counts[0] == counts[1]


class TestWhenItCannotBeForeseen:
    def test_the_page_says_so_and_closing_works_all_the_same(
        self, staff, draft, monkeypatch, caplog
    ):
        message = "canceling statement due to lock timeout: Marta Rossi"

        def locked(*_args, **_kwargs):
            raise DatabaseError(message)

        monkeypatch.setattr(effects, "run_collected_jobs", locked)
        address = f"stages/{draft.stage_id}/close/"
        assert "Closing works all the same." in get(staff, address)
        assert "could not be tried out: DatabaseError" in caplog.text
        assert "Marta" not in caplog.text
        monkeypatch.undo()
        seal = drafting.facts.hash_rounds(drafting.facts.read_rounds(draft))
        answer = signed_in(staff).post(
            f"/en/staff/{address}", {"revision": draft.pk, "sha256": seal}
        )
        assert answer["Location"] == f"/en/staff/stages/{draft.stage_id}/"

    def test_too_many_later_stages_are_not_waited_for(self, staff, draft, two, go, monkeypatch):
        monkeypatch.setattr(effects, "MOST_LATER_STAGES", 1)
        for day in (2, 3):
            play.played([(two[0], two[1])], "1", by=staff, game=go, on=date(2026, 2, day))
        assert effects.foresee_effects(draft, by=staff) == UnknownEffects(2)
        assert "2 later stages of this game are computed again." in get(
            staff, f"stages/{draft.stage_id}/close/"
        )


class TestCorrections:
    @pytest.fixture
    def first(self, staff, two, go, clock) -> Revision:
        made = play.played([(two[0], two[1])], "1", by=staff, game=go)
        play.played([(two[0], two[1])], "1", by=staff, game=go, on=date(2026, 2, 9))
        clock.shift(timedelta(hours=1))
        return made

    def test_later_stages_are_listed_and_letters_counted(self, first, staff):
        draft = drafting.begin_correction(first.stage, by=staff, reason="wrong way round")
        play.fill(draft, "2")
        seen = effects.foresee_effects(draft, by=staff)
        assert [stage.ends_on for stage in seen.later] == [date(2026, 2, 9)]
        assert seen.letters == 2
        page = get(staff, f"stages/{first.stage_id}/close/")
        assert "1 later stage is computed again, with other numbers than now: go 09/02/2026" in page
        assert (
            "2 letters about corrected numbers leave half an hour later, unless you withdraw "
            "before."
        ) in page

    def test_beside_each_new_rating_stands_the_one_that_is_public(self, first, staff):
        draft = drafting.begin_correction(first.stage, by=staff, reason="wrong way round")
        play.fill(draft, "2")
        seen = effects.foresee_effects(draft, by=staff)
        assert [(one.name, one.after, one.now) for one in seen.rated] == [
            ("Bea Rossi", 1010_000, 990_000),
            ("Ada Rossi", 990_000, 1010_000),
        ]
        page = get(staff, f"stages/{first.stage_id}/close/")
        assert "Public now" in page
        assert "<s>1010.000</s>" in page

    def test_what_stays_as_it_is_is_marked_as_such(self, first, staff):
        drafting.begin_correction(first.stage, by=staff, reason="looked again")
        assert "<s>" not in get(staff, f"stages/{first.stage_id}/close/")

    def test_a_correction_of_nothing_moves_nobody(self, first, staff):
        draft = drafting.begin_correction(first.stage, by=staff, reason="looked again")
        seen = effects.foresee_effects(draft, by=staff)
        assert (seen.later, seen.letters, seen.rankings) == ([], 0, [])
        assert "Nobody moves in any ranking." in get(staff, f"stages/{first.stage_id}/close/")

    def test_final_rankings_stay_and_the_page_says_it(self, first, staff, two):
        other = factories.user_with_role("staff")
        Freeze.objects.create(
            season=first.stage.season,
            publication=Publication.objects.get(is_current=True),
            sha256="f" * 64,
            proposed_by=staff,
            frozen_by=other,
            frozen_at=timezone.now(),
        )
        draft = drafting.begin_correction(first.stage, by=staff, reason="x")
        play.fill(draft, "2")
        assert effects.foresee_effects(draft, by=staff).final == [2026]
        assert "The rankings of 2026 are final and stay as they are" in get(
            staff, f"stages/{first.stage_id}/close/"
        )

    def test_the_second_person_sees_the_same(self, staff, two, clock):
        organizer = factories.user_with_role("organizer")
        first = play.played([(two[0], two[1])], "1", by=staff, race=True)
        first.stage.organizers.add(organizer)
        clock.shift(timedelta(hours=1))
        draft = drafting.begin_correction(first.stage, by=organizer, reason="x")
        play.fill(draft, "2")
        proposed = effects.foresee_effects(draft, by=organizer)
        waiting = play.close(draft, by=organizer)
        assert effects.foresee_effects(waiting, by=staff) == proposed
        assert proposed.letters == 2
        page = get(staff, f"stages/{first.stage_id}/revisions/2/decide/")
        assert "Who moves in the rankings" in page
        assert "2 letters about corrected numbers" in page


class TestTheStageSays:
    def page(self, staff, stage: Stage):
        return signed_in(staff).get(f"/en/staff/stages/{stage.pk}/")

    def test_that_its_numbers_are_being_computed_and_reloads_by_itself(self, staff, draft):
        assert "Refresh" not in self.page(staff, draft.stage).headers
        play.close(draft, by=staff)
        answer = self.page(staff, draft.stage)
        assert "Being computed" in answer.content.decode()
        assert answer["Refresh"] == "3"

    def test_the_version_in_which_they_are_public(self, staff, draft):
        play.close(draft, by=staff)
        play.follow()
        page = get(staff, f"stages/{draft.stage_id}/")
        assert "Rankings 2026, version 1, 12/03/2026 12:00." in page
        assert "Withdraw until 12:30" in page
        assert "Refresh" not in self.page(staff, draft.stage).headers

    def test_the_version_that_stands_though_a_correction_changed_nothing(self, staff, draft, clock):
        play.close(draft, by=staff)
        play.follow()
        clock.shift(timedelta(hours=1))
        play.corrected(draft.stage, "1", by=staff)
        assert "Rankings 2026, version 1" in get(staff, f"stages/{draft.stage_id}/")

    def test_that_a_step_failed_and_is_tried_again(self, staff, draft):
        play.close(draft, by=staff)
        Job.objects.update(trouble="OSError", attempts=1)
        assert "Computing failed and is tried again by itself." in get(
            staff, f"stages/{draft.stage_id}/"
        )

    def test_that_a_step_was_given_up(self, staff, draft):
        play.close(draft, by=staff)
        play.run("pgr.stage")
        Job.objects.filter(kind="publish").update(trouble="OSError", attempts=5, state="failed")
        assert "was given up" in get(staff, f"stages/{draft.stage_id}/")

    def test_nothing_of_the_steps_of_another_stage(self, staff, draft, two):
        play.close(draft, by=staff)
        play.follow()
        play.close(play.drafted([(two[0], two[1])], "1"), by=staff)
        assert "Being computed" not in get(staff, f"stages/{draft.stage_id}/")


class TestWithdrawing:
    @pytest.fixture
    def closed(self, staff, draft) -> Revision:
        revision = play.close(draft, by=staff)
        play.follow()
        return revision

    def withdraw(self, user, revision: Revision, number: int | None = None):
        address = f"/en/staff/stages/{revision.stage_id}/withdraw/"
        return signed_in(user).post(address, {"revision": number or revision.pk})

    def test_it_brings_back_the_draft_and_the_rankings_from_before(self, staff, closed):
        assert "Possible until 12:30" in get(staff, f"stages/{closed.stage_id}/withdraw/")
        answer = self.withdraw(staff, closed)
        assert answer["Location"] == f"/en/staff/stages/{closed.stage_id}/"
        play.follow()
        stage = Stage.objects.get(pk=closed.stage_id)
        assert (stage.status, drafting.find_draft(stage) is not None) == (Stage.Status.OPEN, True)
        assert PgrChange.objects.current().count() == 0

    def test_another_version_than_the_one_seen_is_not_withdrawn(self, staff, closed):
        assert self.withdraw(staff, closed, closed.pk + 1).status_code == 409
        assert Stage.objects.get(pk=closed.stage_id).status == Stage.Status.CLOSED

    def test_after_half_an_hour_the_page_points_to_a_correction(self, staff, closed, clock):
        clock.shift(timedelta(minutes=30))
        assert "half an hour has passed" in get(staff, f"stages/{closed.stage_id}/withdraw/")
        answer = self.withdraw(staff, closed)
        assert "It could be withdrawn until 12:30." in answer.content.decode()
        assert "Withdraw until" not in get(staff, f"stages/{closed.stage_id}/")

    def test_its_organizer_may_and_another_finds_no_such_page(self, closed):
        own, other = (factories.user_with_role("organizer") for _ in range(2))
        closed.stage.organizers.add(own)
        assert self.withdraw(other, closed).status_code == 404
        assert self.withdraw(own, closed).status_code == 302

    def test_while_a_correction_is_under_way_no_button_promises_it(self, staff, closed):
        drafting.begin_correction(closed.stage, by=staff, reason="x")
        assert "Withdraw until" not in get(staff, f"stages/{closed.stage_id}/")
        assert publishing_needs.results_to_withdraw(staff) is None

    def test_the_desk_reminds_of_it_until_it_is_too_late(self, staff, closed, clock):
        need = publishing_needs.results_to_withdraw(staff)
        assert (need.sentence, need.button) == (
            "The results of go are public.",
            "Withdraw until 12:30",
        )
        assert need.address == f"/en/staff/stages/{closed.stage_id}/withdraw/"
        assert publishing_needs.results_to_withdraw(factories.user_with_role("organizer")) is None
        clock.shift(timedelta(minutes=30))
        assert publishing_needs.results_to_withdraw(staff) is None

    def test_the_desk_asks_the_database_as_often_for_one_as_for_three_where_it_can(
        self, staff, closed, two
    ):
        for number in range(2):
            play.played([(two[0], two[1])], "1", by=staff, slug=f"more-{number}")
        need = publishing_needs.results_to_withdraw(staff)
        assert need.sentence.startswith(
            "The results of 3 stages became public within half an hour. The latest:"
        )


class TestVersions:
    def test_the_list_says_when_by_whom_why_and_what_changed(self, draft):
        marta = factories.person(user=factories.user_with_role("staff")).user
        play.close(draft, by=marta)
        play.follow()
        page = get(marta, "publications/")
        assert '2026 · 1</a><span class="second">12/03/2026 12:00</span>' in page
        assert 'A stage was closed <span class="second">go 01/02/2026</span>' in page
        assert "Marta Rossi" in page
        assert "Red, Blue, Green, Race, go" in page
        assert "public now" in page

    def test_one_version_shows_the_whole_difference(self, staff, draft, two, go, clock):
        play.close(draft, by=staff)
        play.follow()
        clock.shift(timedelta(hours=1))
        play.corrected(draft.stage, "2", by=staff)
        version = Publication.objects.get(number=2)
        page = get(staff, f"publications/{version.pk}/")
        for words in (
            "A stage was corrected",
            "Table 1 was the wrong way round",
            f'<a href="/en/errata/{Erratum.objects.get().pk}/">',
            "Stages with other ratings than before",
            "Withdraw until 13:30",
            "Ada Rossi",
            "1010.000",
        ):
            assert words in page

    def test_a_withdrawn_version_says_so_and_has_no_button(self, staff, draft):
        revision = play.close(draft, by=staff)
        play.follow()
        withdrawing.withdraw_results(draft.stage, revision=revision.pk, by=staff)
        page = get(staff, f"publications/{Publication.objects.get().pk}/")
        assert "withdrawn, 12/03/2026 12:00" in page
        assert "Withdraw until" not in page

    def test_organizers_have_their_stages_and_not_this_list(self, draft):
        organizer = factories.user_with_role("organizer")
        assert signed_in(organizer).get("/en/staff/publications/").status_code == 403

    def test_an_empty_federation_has_an_empty_list(self, staff):
        assert "Nothing was published yet" in get(staff, "publications/")

    def test_the_list_takes_as_many_queries_for_many(self, staff, two):
        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                get(staff, "publications/")
            return len(asked)

        play.played([(two[0], two[1])], "1", by=staff, game=factories.game("go"))
        few = queries()
        for number in range(3):
            play.played(
                [(two[0], two[1])],
                "1",
                by=staff,
                game=factories.game(f"g{number}"),
                slug=f"more-{number}",
            )
        assert queries() == few
